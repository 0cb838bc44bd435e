#!/usr/bin/env python3
# ctest-labels: golden
"""docs/language/functions.md lists every function as `pravoc functions -json` tells it; PRAVOC_UPDATE=1 rewrites it."""
import json
import os
import pathlib
import subprocess
import sys

PAGE = pathlib.Path(__file__).resolve().parents[2] / "docs/language/functions.md"
START = "<!-- the tables below are made by tests/expressions/run_functions_page.py -->\n"


def type_text(of):
    if isinstance(of, str):
        return "any" if of == "dynamic" else of
    return f"{of[0]}({type_text(of[1])})"


def signature(name, function):
    parameters = [f"{p['name']}: {type_text(p['type'])}" for p in function.get("parameters", [])]
    if "variadic_parameter" in function:
        last = function["variadic_parameter"]
        parameters.append(f"{last['name']}...: {type_text(last['type'])}")
    return f"`{name}({', '.join(parameters)})` → {type_text(function['return_type'])}"


def table(rows):
    lines = ["| function | since | |", "| --- | --- | --- |"]
    lines += [f"| {signature(name, f)} | {f['since']} | {f['description']} |" for name, f in rows]
    return "\n".join(lines) + "\n"


def is_later(function):
    since = function["since"]
    return not since[0].isdigit() or tuple(map(int, since.split("."))) > (1, 11)


def main():
    run = subprocess.run([os.environ["PRAVOC"], "functions", "-json"], capture_output=True, check=True, timeout=60)
    functions = [(n, f) for n, f in json.loads(run.stdout)["function_signatures"].items() if "::" not in n]
    made = START + "\n## In Terraform 1.11\n\n" + table((n, f) for n, f in functions if not is_later(f))
    made += "\n## In later versions, or in OpenTofu only\n\n" + table((n, f) for n, f in functions if is_later(f))
    text = PAGE.read_text(encoding="utf-8")
    wanted = text[:text.index(START)] + made
    if os.environ.get("PRAVOC_UPDATE"):
        PAGE.write_text(wanted, encoding="utf-8")
    elif text != wanted:
        print(f"{PAGE} does not say what `pravoc functions -json` does; run this with PRAVOC_UPDATE=1")
        return 1
    print(f"{len(functions)} functions")
    return 0


if __name__ == "__main__":
    sys.exit(main())
