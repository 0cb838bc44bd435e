#!/usr/bin/env python3
# ctest-labels: differential
# ctest-timeout: 900
"""Random configurations, planned and applied in two versions and destroyed by pravoc and by Terraform: plans, states and
outputs must be the same but for ids.

    run_random_configurations.py [SEED [COUNT]]    keeps the directories of what differs
"""
import concurrent.futures
import os
import pathlib
import shutil
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from random_configurations import compare, configurations  # noqa: E402

PRAVOC = os.environ.get("PRAVOC")
SEED, COUNT = 1, 12


def main():
    terraform = shutil.which("terraform")
    if not PRAVOC or not terraform:
        print(f"skipped: {'terraform' if PRAVOC else 'PRAVOC'} is not there")
        return 77
    first = int(sys.argv[1]) if len(sys.argv) > 1 else SEED
    count = int(sys.argv[2]) if len(sys.argv) > 2 else COUNT
    root = tempfile.mkdtemp()

    def one(seed):
        versions = [configurations.configuration(seed, version) for version in (0, 1)]
        try:
            return compare.run(seed, versions, PRAVOC, terraform, pathlib.Path(root, str(seed)))
        except Exception as fault:  # pylint: disable=broad-except
            return f"seed {seed}: {fault!r}"

    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        results = list(pool.map(one, range(first, first + count)))
    failures = [r for r in results if r and r not in (compare.MOVE, compare.CYCLE)]
    for failure in failures:
        print("FAILED " + failure)
    print(f"{count} configurations, {results.count(compare.MOVE)} end at a move, {results.count(compare.CYCLE)} at a "
          f"cycle of Terraform's, {len(failures)} differ" + (f"; see {root}" if failures else ""))
    if not failures:
        shutil.rmtree(root)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
