#!/usr/bin/env python3
# ctest-labels: golden
"""Tables of expressions with what `terraform console` 1.11.4 prints, through `pravoc eval -lines`.

Each row is `expression TAB result`: ERROR where Terraform refuses, else the text with `\\\\`, `\\n`, `\\t` and `\\r`
escaped. functions.tsv runs in fixtures/, functions-marks.tsv and random.tsv in marks/, state.tsv in state/, whose
configuration is ahead of its state; later.tsv, in marks/, has functions that Terraform 1.11.4 lacks, with what their
documentation says. Every row runs twice: evaluated at once, and
lowered to IR, folded, printed, parsed and interpreted. argued.tsv holds what pravoc says where docs/expressions.md
argues that Terraform is wrong.
"""
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
PRAVOC = os.environ["PRAVOC"]
TABLES = {"functions.tsv": "fixtures", "functions-marks.tsv": "marks", "random.tsv": "marks", "state.tsv": "state",
          "later.tsv": "marks"}
MAX_ARGUED = 5
# Values of the marked variables that no message may hold, whatever is done to them.
SECRETS = {"s": "Zq7xSensitive", "e": "Zq7xEphemeral", "es": "Zq7xBoth"}


def read_rows(path, columns=2):
    text = path.read_bytes().decode("utf-8")
    rows = [tuple(line.split("\t")) for line in text.split("\n") if line]
    assert all(len(row) == columns for row in rows), path
    return rows


def answers(directory, rows, *options):
    """The answer to each row, and standard error."""
    run = subprocess.run([PRAVOC, "eval", "-lines", *options], cwd=directory, capture_output=True, timeout=300,
                         input="".join(row[0] + "\n" for row in rows).encode())
    out = run.stdout.decode("utf-8").split("\n")
    if run.returncode != 0 or out.pop() != "" or len(out) != len(rows):
        raise RuntimeError(f"{len(out)} answers to {len(rows)} rows, exit code {run.returncode}:\n{run.stderr[-1500:]}")
    return out, run.stderr.decode("utf-8", "replace")


def differences(table, directory, rows, argued, *options):
    got, _ = answers(directory, rows, *options)
    how = " ".join(["eval", *options])
    for (expression, wanted), answer in zip(rows, got):
        expected = argued.get((table, expression), wanted)
        if answer != expected:
            yield f"{table} ({how}): {expression}\n    expected {expected}\n    found    {answer}"


def failing_calls():
    """Every function with marked arguments, and with one that is of another type: most of these calls fail."""
    signatures = json.loads(subprocess.run([PRAVOC, "functions", "-json"], capture_output=True, check=True).stdout)
    for name, signature in signatures["function_signatures"].items():
        if "::" in name or name == "bcrypt":  # slow, and its argument is never in a message
            continue
        fixed = len(signature.get("parameters", []))
        for count in range(max(fixed, 1), fixed + (2 if "variadic_parameter" in signature else 0) + 1):
            for secret in SECRETS:
                marked = [f"var.{secret}"] * count
                yield f"{name}({', '.join(marked)})"
                for place in range(count):
                    for other in ('"a"', "1", '["a"]', "{ a = 1 }", f"[var.{secret}]", f"{{ a = var.{secret} }}"):
                        yield f"{name}({', '.join([*marked[:place], other, *marked[place + 1:]])})"
    for secret in SECRETS:
        for expression in ("-{}", "!{}", "1 + {}", "{} < 1", "{} ? 1 : 2", "[1][{}]", '{{ a = 1 }}[{}]', "{}.a", "{}[0]",
                           "[for x in {} : x]", "{{ for x in [1, 2] : {} => x }}", "{{ ({}) = 1 }}.b", 'tomap({{ a = 1 }})[{}]',
                           "local.mix[{}]", 'templatefile({}, {{}})', '"${{[{}]}}"', '"%{{ if {} }}%{{ endif }}"'):
            yield expression.format(f"var.{secret}")


def leaks(directory, rows):
    """Messages about expressions over marked values never hold these values."""
    for options in ([], ["-through-ir"]):
        variables = [f"-var={name}={value}" for name, value in SECRETS.items()]
        _, errors = answers(directory, [*rows, *((e, "") for e in failing_calls())], *options, *variables)
        if errors.count("error:") < 3000:
            yield f"only {errors.count('error:')} errors: too little is tried"
        for line in errors.split("\n"):
            if any(secret.lower() in line.lower() for secret in ("Zq7x", *SECRETS.values())):
                yield f"a message holds a marked value: {line}"


def main():
    problems = []
    argued_rows = read_rows(HERE / "argued.tsv", 3)
    argued = {(table, expression): answer for table, expression, answer in argued_rows}
    document = (HERE.parents[1] / "docs/expressions.md").read_text(encoding="utf-8")
    if len(argued) > MAX_ARGUED:
        problems.append(f"argued.tsv: {len(argued)} rows, at most {MAX_ARGUED} may be argued")
    problems += [f"argued.tsv: docs/expressions.md does not argue {expression}" for _, expression in argued
                 if f"`{expression}`" not in document]
    count = 0
    used = set()
    with tempfile.TemporaryDirectory() as work:
        for table, folder in TABLES.items():
            directory = pathlib.Path(work, table)
            shutil.copytree(HERE / folder, directory)
            rows = read_rows(HERE / table)
            count += len(rows)
            used |= {(table, expression) for expression, _ in rows}
            for options in ([], ["-through-ir"]):
                problems += differences(table, directory, rows, argued, *options)
            if table == "functions-marks.tsv":
                problems += leaks(directory, rows)
    # found.tsv is the table of property/run_found.py.
    problems += [f"argued.tsv: {table} has no row {expression}" for table, expression in set(argued) - used
                 if table != "found.tsv"]
    for problem in problems:
        print(problem)
    print(f"{count} rows, each evaluated at once and by way of printed IR; {len(argued)} argued; "
          f"{len(problems)} problems")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
