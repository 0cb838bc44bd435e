#!/usr/bin/env python3
"""Scenarios of several steps whose plans, states and outputs were recorded from Terraform, run with pravoc. Those that
need what is not there yet are listed with the reason; one that passes although it is listed is a failure, too."""
# ctest-labels: golden
# ctest-timeout: 1000
import os
import pathlib
import re
import subprocess
import sys

PRAVOC = os.environ.get("PRAVOC")
SHARED = pathlib.Path(os.environ.get("PRAVO_SHARED", "../shared"))
RUNNER = SHARED / "cases/differential/run.py"

NOT_YET = {
    "count-to-foreach-moved": "moves",
    "module-moves": "moves",
    "moved-errors": "moves",
    "json-syntax": "moves and provisioners",
    "destroy-plan": "provisioners",
    "destroy-provisioner": "provisioners",
    "removed-block": "`removed` blocks",
    "import-command": "imports",
    "import-errors": "imports",
    "import-generate-config": "imports",
}


def main():
    if not PRAVOC:
        print("skipped: pravoc is not built (PRAVOC is not set)")
        return 77
    if not RUNNER.exists():
        print(f"skipped: there is no {RUNNER}")
        return 77
    answer = subprocess.run([sys.executable, RUNNER, PRAVOC], capture_output=True, text=True, timeout=2000)
    passed = set(re.findall(r"^pass (\S+)", answer.stdout, re.M))
    failed = dict(re.findall(r"^FAIL (\S+) (.*)", answer.stdout, re.M))
    faults = [f"{name} {text}" for name, text in failed.items() if name not in NOT_YET]
    faults += [f"{name} passes now: take it out of the list" for name in sorted(passed & set(NOT_YET))]
    faults += [f"{name} is listed and does not exist" for name in sorted(set(NOT_YET) - passed - set(failed))]
    if not passed:
        faults.append("nothing passes: " + answer.stdout[-2000:] + answer.stderr[-2000:])
    for fault in faults:
        print("FAILED " + fault)
    print(f"{len(passed)} of {len(passed) + len(failed)} scenarios pass, {len(failed)} need what is not there yet")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
