#!/usr/bin/env python3
"""Every tracked C++ source is as clang-format would write it. `tools/dev fmt` repairs it."""
import concurrent.futures
import os
import shutil
import subprocess
import sys

import _sources

BATCH = 8


def main():
    # Versions of clang-format disagree in details, so no other one will do.
    tool = shutil.which("clang-format-14")
    if not tool:
        print("skipped: clang-format-14 is not installed")
        sys.exit(_sources.SKIP)
    # Only tracked ones: what somebody is still writing next door is not yet for this check.
    files = sys.argv[1:] or _sources.paths("*.cpp", "*.h", tracked_only=True)

    def check(batch):
        command = [tool, "--style=file", "--dry-run", "-Werror", *batch]
        return subprocess.run(command, cwd=_sources.ROOT, capture_output=True, text=True).stderr

    problems = []
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for output in pool.map(check, [files[i : i + BATCH] for i in range(0, len(files), BATCH)]):
            seen = set()
            for line in output.splitlines():
                if "clang-format-violations" not in line:
                    continue
                path = line.split(":")[0]
                if path not in seen:  # the first place in a file is enough
                    seen.add(path)
                    problems.append(":".join(line.split(":")[:3]) + ": not formatted (tools/dev fmt)")
    _sources.finish("format", sorted(problems))


if __name__ == "__main__":
    main()
