#!/usr/bin/env python3
"""A state that pravoc wrote is planned by Terraform without a change, and the other way round, for every shape of
tools/bench/gen.py. `state_exchange.py [N]`."""
# ctest-labels: oracle
# ctest-timeout: 900
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

PRAVOC = os.environ.get("PRAVOC")
SOURCE = pathlib.Path(os.environ.get("PRAVO_SOURCE_DIR", "."))
SHAPES = ("wide", "files", "chain", "layered", "foreach", "count", "modules", "exprs")


def run(tool, *arguments, cwd):
    environment = {**os.environ, "TF_CLI_CONFIG_FILE": "/dev/null", "CHECKPOINT_DISABLE": "1", "TF_IN_AUTOMATION": "1"}
    return subprocess.run([tool, *arguments], cwd=cwd, env=environment, capture_output=True, text=True, timeout=300)


def exchange(shape, size, root, writer, reader):
    """What goes wrong when `writer` applies and `reader` plans; nothing when all is well."""
    directory = root / f"{shape}-{pathlib.Path(writer).name}"
    subprocess.run([sys.executable, SOURCE / "tools/bench/gen.py", shape, str(size), directory], check=True,
                   stdout=subprocess.DEVNULL)
    init = run("terraform", "init", "-input=false", "-no-color", cwd=directory)
    if init.returncode != 0:
        return "terraform init: " + init.stderr
    applied = run(writer, "apply", "-auto-approve", "-input=false", "-no-color", cwd=directory)
    if applied.returncode != 0:
        return "apply: " + applied.stdout[-500:] + applied.stderr[-500:]
    planned = run(reader, "plan", "-detailed-exitcode", "-input=false", "-no-color", cwd=directory)
    if planned.returncode != 0:
        return f"plan wants changes (exit {planned.returncode}): " + planned.stdout[-800:] + planned.stderr[-500:]
    return None


def main():
    if not PRAVOC:
        print("skipped: pravoc is not built (PRAVOC is not set)")
        return 77
    if not shutil.which("terraform"):
        print("skipped: terraform is not installed")
        return 77
    size = int(sys.argv[1]) if len(sys.argv) > 1 else 40
    failures = 0
    with tempfile.TemporaryDirectory() as root:
        for shape in SHAPES:
            for writer, reader in ((PRAVOC, "terraform"), ("terraform", PRAVOC)):
                fault = exchange(shape, size, pathlib.Path(root), writer, reader)
                if fault:
                    failures += 1
                    print(f"FAILED {shape}: written by {pathlib.Path(writer).name}, planned by "
                          f"{pathlib.Path(reader).name}: {fault}")
    print(f"{2 * len(SHAPES) - failures} of {2 * len(SHAPES)} exchanges without a change")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
