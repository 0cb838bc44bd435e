#!/usr/bin/env python3
# ctest-timeout: 300
"""The benchmark itself works, and pravoc accepts every shape that it generates."""
import json
import os
import subprocess
import sys
import tempfile

pravoc = os.environ.get("PRAVOC")
if not pravoc:
    print("skipped: pravoc is not built")
    sys.exit(77)

bench = os.path.join(os.environ["PRAVO_SOURCE_DIR"], "tools", "bench", "bench.py")
with tempfile.TemporaryDirectory() as folder:
    figures = os.path.join(folder, "figures.json")
    command = [sys.executable, bench, "--pravoc", pravoc, "--terraform", "none", "--sizes", "25", "--big", "50"]
    done = subprocess.run([*command, "--repeats", "1", "--json", figures], capture_output=True, text=True)
    print(done.stdout, done.stderr, sep="\n")
    if done.returncode != 0:
        sys.exit(1)
    with open(figures, encoding="utf-8") as f:
        cases = json.load(f)["cases"]

bad = [c for c in cases if any("wall" not in r for r in c["results"].values())]
print(f"{len(cases)} cases, {len(bad)} without figures")
sys.exit(1 if bad or len(cases) != 16 else 0)
