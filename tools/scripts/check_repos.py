#!/usr/bin/env python3
"""Runs `pravoc check` on every directory with configuration below the given checkouts, each directory by itself, and
counts what it says: crashes, time, errors and warnings by their code. The share of false errors on real modules is a
figure we track; this prints what a person has to judge.

    check_repos.py PRAVOC CHECKOUT...
"""
import collections
import concurrent.futures
import json
import os
import pathlib
import subprocess
import sys
import time


def directories(root):
    found = set()
    for path, names, files in os.walk(root):
        names[:] = [n for n in names if not n.startswith(".")]
        if any(f.endswith((".tf", ".tf.json")) for f in files):
            found.add(pathlib.Path(path))
    return sorted(found)


def check(pravoc, directory):
    begin = time.monotonic()
    try:
        run = subprocess.run([pravoc, "-chdir=" + str(directory), "check", "-json"], capture_output=True, timeout=120)
        document = json.loads(run.stdout)
        fault = None if run.returncode in (0, 1) else f"exit code {run.returncode}"
    except (subprocess.TimeoutExpired, ValueError) as error:
        document, fault = {"diagnostics": []}, str(error)[:100]
    return directory, time.monotonic() - begin, document["diagnostics"], fault


def main():
    pravoc, roots = sys.argv[1], sys.argv[2:]
    total = collections.Counter()
    seen = set()
    for root in roots:
        dirs = directories(root)
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            answers = list(pool.map(lambda d: check(pravoc, d), dirs))
        seconds = sum(a[1] for a in answers)
        codes = collections.Counter()
        for directory, _, diagnostics, fault in answers:
            if fault:
                print(f"FAULT {directory}: {fault}")
                codes["fault"] += 1
            for d in diagnostics:
                codes[f"{d['severity']} {d['code']}"] += 1
                if d["severity"] != "error":
                    continue
                where = d.get("range", {})
                file = directory / where.get("filename", "?")
                line = where.get("start", {}).get("line", "?")
                key = (os.path.normpath(file), line, d["summary"])
                if key in seen:  # the same place seen from another root
                    continue
                seen.add(key)
                print(f"ERROR {os.path.normpath(file)}:{line}: {d['summary']} [{d['code']}]")
        longest = max((a[1] for a in answers), default=0.0)
        print(f"{root}: {len(dirs)} directories, {seconds:.2f} s, longest {longest * 1000:.0f} ms, {dict(codes)}")
        total.update(codes)
    print(f"all: {dict(total)}")
    return 1 if total["fault"] else 0


if __name__ == "__main__":
    sys.exit(main())
