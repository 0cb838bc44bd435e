#!/usr/bin/env python3
# ctest-labels: golden
"""`pravoc check -json` on the small configurations about ephemeral and sensitive flow.

    run_marks.py [CASE...]

marks/CASE/expected.json says under `check` what the answer must be: `ok`, `error`, or `either` where docs/marks.md
decides; `decided` then holds the decision. An error must carry the whole way of the secret.

bugs/CASE/check.json lists the diagnostics that must be there, [severity, code, file, line], and no others; `directory`
names another directory than the case's own.
"""
import json
import os
import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
# Errors about the declaration itself have no way to show.
WITHOUT_TRACE = {"ephemeral-output-plain", "ephemeral-root-output", "invalid-trigger"}


def check(pravoc, directory):
    run = subprocess.run([pravoc, "check", "-json", str(directory)], capture_output=True, text=True, timeout=60)
    if run.returncode not in (0, 1):
        raise RuntimeError(f"exit code {run.returncode}: {run.stderr.strip()[-300:]}")
    answer = json.loads(run.stdout)
    if answer["valid"] != (run.returncode == 0):
        raise RuntimeError(f"exit code {run.returncode}, but valid is {answer['valid']}")
    return answer


def marks_problems(pravoc, case):
    expected = json.loads((case / "expected.json").read_text())
    wanted = expected.get("decided", expected["check"])
    answer = check(pravoc, case)
    got = "ok" if answer["valid"] else "error"
    if got != wanted:
        yield f"check says {got}, not {wanted}: {[d['code'] for d in answer['diagnostics']]}"
    for d in answer["diagnostics"]:
        if d["severity"] != "error" or d["code"] in WITHOUT_TRACE:
            continue
        trace = d.get("trace", [])
        if len(trace) < 2:
            yield f"{d['code']} does not tell the way: {trace}"
        elif trace[-1]["range"]["start"] != d["range"]["start"]:
            yield f"{d['code']}: the way does not end at the place"


def bug_problems(pravoc, case):
    expected = json.loads((case / "check.json").read_text())
    directory = case / expected.get("directory", ".")
    answer = check(pravoc, directory)
    wanted = sorted(tuple(d) for d in expected["diagnostics"])
    got = []
    for d in answer["diagnostics"]:
        where = d.get("range") or {}
        name = os.path.relpath(where["filename"], directory) if where else ""
        got.append((d["severity"], d["code"], name, where.get("start", {}).get("line", 0)))
    for missing in wanted:
        if missing not in got:
            yield f"missing: {missing}"
    for extra in got:
        if extra not in wanted:
            yield f"not expected: {extra}"


def main():
    pravoc = os.environ.get("PRAVOC", "")
    if not pravoc:
        print("PRAVOC is not set: it names the program to test")
        return 2
    chosen = set(sys.argv[1:])
    failed = count = 0
    for kind, problems in (("marks", marks_problems), ("bugs", bug_problems)):
        marker = {"marks": "expected.json", "bugs": "check.json"}[kind]
        for file in sorted((HERE / kind).glob(f"*/**/{marker}")):
            case = file.parent
            name = str(case.relative_to(HERE))
            if chosen and name not in chosen and case.name not in chosen:
                continue
            count += 1
            try:
                found = list(problems(pravoc, case))
            except (RuntimeError, ValueError, subprocess.TimeoutExpired) as error:
                found = [str(error)]
            for problem in found:
                print(f"{name}: {problem}")
            failed += bool(found)
    print(f"{count} cases, {failed} failed")
    return 1 if failed or not count else 0


if __name__ == "__main__":
    sys.exit(main())
