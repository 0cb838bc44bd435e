#!/usr/bin/env python3
# ctest-labels: golden
"""What random expressions once showed to differ, with Terraform's answers, and that the generator knows every function.

Runs without Terraform; found.tsv holds its answers.
"""
import json
import os
import re
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
import configuration  # noqa: E402
import found  # noqa: E402
import programs  # noqa: E402
import signatures  # noqa: E402


def functions_without_a_row(pravoc):
    listed = json.loads(subprocess.run([pravoc, "functions", "-json"], capture_output=True, check=True).stdout)
    generated = {*signatures.ABSENT} | {row[0] for row in signatures.ROWS} | set(re.findall(r"\w+", " ".join(text for text, _ in signatures.CHANGING)))
    for name, signature in listed["function_signatures"].items():
        if "::" not in name and not signature.get("since", "").startswith("OpenTofu") and name not in generated:
            yield name


def main():
    pravoc = os.environ["PRAVOC"]
    problems = [f"signatures.py has no row for {name}" for name in functions_without_a_row(pravoc)]
    table = list(found.rows())
    argued = found.argued()
    problems += [f"argued.tsv: found.tsv has no row {expression}" for expression in set(argued) - {row[0] for row in table}]
    table = [(expression, argued.get(expression, answer)) for expression, answer in table]
    with tempfile.TemporaryDirectory() as directory:
        configuration.write(directory)
        for way in ((), ("-through-ir",)):
            given = programs.pravo_answers(pravoc, directory, [expression for expression, _ in table], *way)
            problems += [f"{' '.join(['eval', *way])}: {expression}\n    expected {wanted}\n    found    {answer}"
                         for (expression, wanted), answer in zip(table, given) if answer != wanted]
    print("\n".join([*problems, f"{len(table)} rows, each evaluated at once and by way of printed IR; {len(problems)} problems"]))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
