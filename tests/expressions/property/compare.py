"""Expressions about which the programs do not agree, and smaller ones that show the same."""
import re

from programs import CRASH
from tree import smaller

WAYS = ((), ("-through-ir",))
CANDIDATES = 150  # that are tried in one round for one difference
MAX_ROUNDS = 80
TIMES = 15  # that Terraform is asked once more where the programs differ


def hides_type(expression, wanted, given):
    """Whether pravoc alone does not show a type whose names or size marked values gave it (docs/expressions.md)."""
    return (expression.startswith("type(") and ("object(" in wanted or "tuple(" in wanted)
            and all(answer in ("(sensitive value)", "(ephemeral value)") for answer in given))


def disagreements(programs, expressions):
    """(number, Terraform's answer, pravoc's answers in the order of WAYS) of each expression that differs.

    Some answers of Terraform differ from one time to the next, such as whether objects are equal that have both a
    different and an unknown attribute. Then pravoc's answer must be one of them.
    """
    wanted = programs.terraform(expressions)
    given = [programs.pravo(expressions, *way) for way in WAYS]
    found = []
    for number, answer in enumerate(wanted):
        answers = tuple(way[number] for way in given)
        if hides_type(expressions[number], answer, answers):
            continue
        if answer != CRASH and any(one != answer for one in answers):
            found.append((number, answer, answers))
    again = programs.terraform([expressions[number] for number, _, _ in found for _ in range(TIMES)])
    sets = [{*again[start:start + TIMES], found[start // TIMES][1]} for start in range(0, len(again), TIMES)]
    return [one for one, possible in zip(found, sets) if not set(one[2]) <= possible], wanted


def shrunk(programs, trees):
    """Trees that differ, made as small as possible, each with Terraform's answer and pravoc's.

    All are made smaller side by side, so that a round costs one start of the programs.
    """
    current = {number: tree for number, tree in enumerate(trees)}
    untried = {number: list(smaller(tree)) for number, tree in current.items()}
    for _ in range(MAX_ROUNDS):
        candidates = [(number, tree) for number in sorted(untried) for tree in untried[number][:CANDIDATES]]
        if not candidates:
            break
        found, _ = disagreements(programs, [tree.text() for _, tree in candidates])
        untried = {number: rest[CANDIDATES:] for number, rest in untried.items() if len(rest) > CANDIDATES}
        better = set()
        for place, _, _ in found:
            number, tree = candidates[place]
            if number not in better:
                better.add(number)
                current[number] = tree
                untried[number] = list(smaller(tree))
    found, _ = disagreements(programs, [current[number].text() for number in sorted(current)])
    return [(current[number], answer, answers) for number, answer, answers in found]


def skeleton(text):
    """What differences of one kind have in common: an expression without its names and numbers."""
    text = re.sub(r'"[^"${}%]*"', "S", text)
    text = re.sub(r"\b(var|local)\.[a-z]+\w*?_?(k|n|s|e|b|u[sneb]?)\b", r"V\2", text)
    text = re.sub(r"\b[vi]\d+\b", "x", text)
    return re.sub(r"\b\d[\d.e+-]*", "N", text)
