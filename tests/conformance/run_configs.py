#!/usr/bin/env python3
"""Compares `pravoc check -json` with Terraform 1.11.4's verdict on the configurations of ../shared/conformance.

A row of configs.tsv is `case, verdict, first_error_range, source`. `valid` and `loads` rows must be valid; `invalid`
rows must not be, unless their fault needs a provider's schema or process (EXCEPTIONS, each with its reason; they are
the list of docs/conformance.md). Prints the share that agrees and every row that differs.

    run_configs.py [-v] [CASE...]
"""
# ctest-labels: golden
import concurrent.futures
import json
import os
import pathlib
import subprocess
import sys

# case -> why our verdict differs from Terraform's
EXCEPTIONS_FILE = pathlib.Path(__file__).with_name("exceptions.tsv")
WANTED_SHARE = 0.97


def exceptions():
    """Reasons by case, and the cases that do not count: those behind `!`."""
    rows, uncounted = {}, set()
    for line in EXCEPTIONS_FILE.read_text().splitlines():
        if line and not line.startswith("#"):
            case, reason = line.split("\t", 1)
            if case.startswith("!"):
                uncounted.add(case[1:])
            else:
                rows[case] = reason
    return rows, uncounted


def check(pravoc, directory):
    """(valid, diagnostics, fault): fault is set when pravoc did not answer as it should."""
    try:
        run = subprocess.run([pravoc, "-chdir=" + str(directory), "check", "-json"], capture_output=True, timeout=60)
    except subprocess.TimeoutExpired:
        return None, [], "no answer within a minute"
    if run.returncode not in (0, 1):
        return None, [], f"exit code {run.returncode}: {run.stderr.decode(errors='replace')[-300:]}"
    try:
        document = json.loads(run.stdout)
    except ValueError:
        return None, [], "the answer is not JSON: " + run.stdout.decode(errors="replace")[:200]
    if document["valid"] != (run.returncode == 0):
        return None, [], "exit code and `valid` contradict each other"
    return document["valid"], document["diagnostics"], None


def place(diagnostic):
    r = diagnostic.get("range")
    if not r:
        return "-"
    s, e = r["start"], r["end"]
    return f"{r['filename']}:{s['line']},{s['column']}-{e['line']},{e['column']}"


def main():
    verbose = "-v" in sys.argv
    only = {a for a in sys.argv[1:] if a != "-v"}
    shared = os.environ.get("PRAVO_SHARED")
    pravoc = os.environ.get("PRAVOC")
    if not pravoc:
        print("skipped: pravoc is not built (PRAVOC is not set)")
        return 77
    if not shared or not pathlib.Path(shared, "conformance/configs.tsv").exists():
        print("skipped: ../shared/conformance is not here")
        return 77
    root = pathlib.Path(shared, "conformance")
    known, uncounted = exceptions()
    rows = [line.split("\t") for line in (root / "configs.tsv").read_text().splitlines()[1:]]
    rows = [r for r in rows if r[0] not in uncounted and (not only or r[0] in only)]

    agree = differ = places = places_equal = 0
    faults = []
    unexpected = []
    stale = []
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        answers = list(pool.map(lambda r: check(pravoc, root / "configs" / r[0]), rows))
    for row, (valid, diagnostics, fault) in zip(rows, answers):
        case, verdict, first = row[0], row[1], row[2]
        errors = [d for d in diagnostics if d["severity"] == "error"]
        if fault:
            faults.append(f"{case}: {fault}")
            continue
        if valid == (verdict != "invalid"):
            agree += 1
            if case in known:
                stale.append(case)
            if verdict == "invalid" and first:
                places += 1
                same = any(place(d) == first for d in errors)
                places_equal += same
                if verbose and not same:
                    print(f"place   {case}: Terraform {first}, pravo {', '.join(map(place, errors))}")
            continue
        differ += 1
        if case not in known:
            what = "; ".join(f"{place(d)} {d['summary']} [{d['code']}]" for d in errors[:4]) or "no error"
            unexpected.append(f"{case} ({verdict} {first}): {what}")
        elif verbose:
            print(f"known   {case}: {known[case]}")
    total = agree + differ + len(faults)
    share = agree / total if total else 1.0
    for line in faults:
        print("fault   " + line)
    for line in unexpected:
        print("differs " + line)
    for case in stale:
        print(f"stale   {case} agrees now: take it out of {EXCEPTIONS_FILE.name}")
    print(f"{agree} of {total} configurations agree ({100 * share:.1f}%), {differ} differ, of those "
          f"{differ - len(unexpected)} listed, {len(uncounted)} not counted; {places_equal} of {places} first errors at Terraform's place")
    return 1 if faults or unexpected or stale or share < WANTED_SHARE else 0


if __name__ == "__main__":
    sys.exit(main())
