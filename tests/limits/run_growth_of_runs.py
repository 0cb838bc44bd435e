#!/usr/bin/env python3
# ctest-labels: limits
# ctest-timeout: 600
"""A run over ten times the instances does not take a hundred times as long: making, replacing and destroying them, all
or all but one, and finding that they are gone. Time is what the processor spent.
"""
import os
import pathlib
import resource
import subprocess
import sys
import tempfile

PRAVOC = os.environ.get("PRAVOC")
SMALL = 2_000
LARGE = 20_000
MAX_RATIO = 22  # 10 and what caches and logarithms do; squares have 100

CONFIGURATION = """
variable "n" {
  type = number
}
variable "first" {
  default = false
}
variable "t" {
  default = 1
}
resource "terraform_data" "first" {
  count            = var.first ? 0 : var.n
  triggers_replace = var.t
}
resource "terraform_data" "keyed" {
  for_each         = toset([for p in setproduct(range(1000), range(var.n / 1000)) : "${p[0]}-${p[1]}"])
  triggers_replace = var.t
  lifecycle {
    create_before_destroy = true
  }
}
"""

# What is run, in order, and how the last line begins.
STEPS = [
    (["apply", "-auto-approve", "-var=n=N"], "Apply complete! Resources: M added, 0 changed, 0 destroyed"),
    (["plan", "-var=n=N"], "No changes"),
    (["apply", "-auto-approve", "-var=n=N", "-var=t=2"], "Apply complete! Resources: M added, 0 changed, M destroyed"),
    (["apply", "-auto-approve", "-var=n=N", "-var=t=2", "-var=first=true"],
     "Apply complete! Resources: 0 added, 0 changed, N destroyed"),
    (["destroy", "-auto-approve", "-var=n=N"], "Destroy complete! Resources: N destroyed"),
]


def times(directory, count):
    """Seconds for each step."""
    path = pathlib.Path(directory, str(count))
    path.mkdir()
    (path / "main.tf").write_text(CONFIGURATION)
    out = []
    for arguments, words in STEPS:
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        # The sum of all that a run says would be larger than what it does.
        with open(path / "out", "w", encoding="utf-8") as log:
            code = subprocess.run([PRAVOC, *[a.replace("=N", f"={count}") for a in arguments]], cwd=path, stdout=log,
                                  stderr=subprocess.STDOUT, check=False, env={**os.environ, "TF_WORKSPACE": ""}).returncode
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        out.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
        wanted = words.replace("M ", f"{2 * count} ").replace("N ", f"{count} ")
        text = (path / "out").read_text(encoding="utf-8")
        if code != 0 or wanted not in text:
            print(f"{count} instances: {' '.join(arguments)}: exit {code}, no `{wanted}`\n{text[-1000:]}")
            sys.exit(1)
    return out


def main():
    if not PRAVOC:
        print("skipped: pravoc is not built (PRAVOC is not set)")
        return 77
    problems = []
    with tempfile.TemporaryDirectory() as directory:
        small = times(directory, SMALL)
        large = times(directory, LARGE)
    for (arguments, _), few, many in zip(STEPS, small, large):
        print(f"{' '.join(arguments)}: {few:.2f} s, with ten times the instances {many:.2f} s")
        if many > MAX_RATIO * max(few, 0.02):
            problems.append(" ".join(arguments))
    for problem in problems:
        print("FAILED " + problem)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
