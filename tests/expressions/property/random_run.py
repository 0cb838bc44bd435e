"""A run over random expressions: generates, compares, makes smaller what differs, and says what was found."""
import argparse
import collections
import os
import tempfile
import time

import compare
import found
import generator
import programs

SKIP = 77
ROUND = 5000
SHOWN = 20


def arguments(count, seed):
    parser = argparse.ArgumentParser(description="Compares pravoc with terraform console on random expressions.")
    parser.add_argument("--count", type=int, default=count)
    parser.add_argument("--seed", type=int, default=seed)
    parser.add_argument("--first", type=int, default=0, help="the number of the first expression")
    parser.add_argument("--shown", type=int, default=SHOWN, help="at most so many differences are made smaller and shown")
    parser.add_argument("--ask", action="append", default=[], help="show what the programs answer to an expression")
    parser.add_argument("--add", action="append", default=[], help="add an expression to found.tsv with Terraform's answer")
    parser.add_argument("--print", action="store_true", help="print the expressions, one a line, and compare nothing")
    return parser.parse_args()


def main(count, seed):
    options = arguments(count, seed)
    numbers = range(options.first, options.first + options.count)
    if options.print:
        for number in numbers:
            print(repr(generator.expression(options.seed, number).text()))
        return 0
    if programs.terraform() is None:
        print(f"skipped: there is no terraform {programs.VERSION} to compare with")
        return SKIP
    if options.ask or options.add:
        return answer_given(options)
    started = time.monotonic()
    kinds = collections.Counter()
    differing = []
    with tempfile.TemporaryDirectory() as work:
        both = programs.Programs(os.environ["PRAVOC"], work)
        for start in range(0, len(numbers), ROUND):
            part = numbers[start:start + ROUND]
            trees = [generator.expression(options.seed, number) for number in part]
            found, answers = compare.disagreements(both, [tree.text() for tree in trees])
            kinds.update(map(answer_kind, answers))
            differing += [(part[place], trees[place]) for place, _, _ in found]
        seconds = time.monotonic() - started
        print(f"{len(differing)} differences", flush=True)
        report(both, options, differing)
    values = len(numbers) - kinds[programs.ERROR] - kinds[programs.CRASH]
    print(f"{len(numbers)} expressions of seed {options.seed}: {values} values ({100 * values // max(len(numbers), 1)}%), of them "
          f"{kinds['unknown']} unknown and {kinds['marked']} marked as a whole; {kinds[programs.ERROR]} errors; "
          f"{kinds[programs.CRASH]} that terraform broke down on; {len(differing)} differences; {seconds:.1f} s")
    return 1 if differing or values < len(numbers) * 0.6 else 0


def answer_given(options):
    expressions = options.ask + options.add
    with tempfile.TemporaryDirectory() as work:
        both = programs.Programs(os.environ["PRAVOC"], work)
        wanted = both.terraform(expressions)
        given = [both.pravo(expressions, *way) for way in compare.WAYS]
    for expression, *answers in zip(expressions, wanted, *given):
        print(expression)
        for name, answer in zip(("terraform", "pravoc", "by IR"), answers):
            print(f"    {name:10}{answer}")
    with found.TABLE.open("a", encoding="utf-8") as table:
        for expression, answer in zip(expressions[len(options.ask):], wanted[len(options.ask):]):
            table.write(f"{programs.escaped(expression)}\t{answer}\n")
    return 0


def answer_kind(answer):
    if answer in (programs.ERROR, programs.CRASH):
        return answer
    return {"(known after apply)": "unknown", "(sensitive value)": "marked", "(ephemeral value)": "marked"}.get(answer, "value")


def report(both, options, differing):
    chosen = differing[:options.shown]
    if not chosen:
        return
    for number, tree in chosen:
        print(f"differs: seed {options.seed} number {number}: {tree.text()!r}", flush=True)
    groups = {}
    for tree, wanted, answers in compare.shrunk(both, [tree for _, tree in chosen]):
        groups.setdefault(compare.skeleton(tree.text()), []).append((tree.text(), wanted, answers))
    print(f"\n{len(groups)} kinds of differences, smallest forms:")
    for examples in sorted(groups.values(), key=len, reverse=True):
        for text, wanted, answers in examples[:1]:
            print(f"  {len(examples)} times: {text!r}\n    terraform {wanted}\n    pravoc    {answers[0]}")
            if answers[1] != answers[0]:
                print(f"    by IR     {answers[1]}")

