#!/usr/bin/env python3
"""plan, apply, destroy and refresh with -json: the lines that Terraform writes, with the same fields."""
# ctest-labels: golden
import json
import os
import pathlib
import shutil
import subprocess
import sys

from expectations import PRAVOC, expect, main

CONFIGURATION = """
variable "v" {
  default = "1"
}
resource "terraform_data" "a" {
  input            = var.v
  triggers_replace = var.v
}
resource "terraform_data" "b" {
  for_each = toset(["x", "y"])
  input    = terraform_data.a.id
  lifecycle {
    create_before_destroy = true
  }
}
module "m" {
  source = "./m"
  count  = 1
}
data "terraform_remote_state" "r" {
  backend = "local"
  config  = { path = terraform_data.a.id != "" ? "./other.tfstate" : "" }
}
check "c" {
  assert {
    condition     = var.v != "3"
    error_message = "three"
  }
}
output "s" {
  value     = "hunter2"
  sensitive = true
}
output "o" {
  value = [var.v]
}
"""
MODULE = """
resource "terraform_data" "in" {
  count = 1
}
"""
OTHER = '{"version":4,"terraform_version":"1.11.4","serial":1,"lineage":"x","outputs":{},"resources":[]}'
TERRAFORM = shutil.which("terraform")
STEPS = (
    ("plan", "-json"),
    ("apply", "-json", "-auto-approve"),
    ("plan", "-json"),
    ("plan", "-json", "-var", "v=2", '-replace=terraform_data.b["x"]', "-out=p"),
    ("apply", "-json", "p"),
    ("refresh", "-json", "-var", "v=2"),
    ("apply", "-json", "-auto-approve", "-var", "v=3"),
    ("plan", "-json", "-destroy", "-var", "v=3"),
    ("destroy", "-json", "-auto-approve", "-var", "v=3"),
)


def run(program, directory, *arguments):
    environment = {**os.environ, "TF_CLI_CONFIG_FILE": os.devnull, "CHECKPOINT_DISABLE": "1"}
    return subprocess.run([program, *arguments], capture_output=True, text=True, cwd=directory, timeout=120,
                          env=environment)


def lines_of(answer, what):
    out = []
    for line in answer.stdout.splitlines():
        try:
            out.append(json.loads(line))
        except ValueError:
            expect(f"{what}: a line of JSON", False, line)
    return out


def shape(line):
    """What must be the same: not words for people, ids, times, and the other fields of diagnostics."""
    kind = line["type"]
    if kind == "version":
        return [kind, line["terraform"], line["ui"]]
    if kind == "diagnostic":
        diagnostic = line["diagnostic"]
        return [kind, line["@level"], diagnostic["severity"], diagnostic.get("range", {}).get("start", {}).get("line")]
    body = json.loads(json.dumps({k: v for k, v in line.items() if not k.startswith("@")}))
    hook = body.get("hook", {})
    for field in ("id_value", "elapsed_seconds"):
        if field in hook:
            hook[field] = "N"
    return [kind, line["@level"], body]


def same_lines(directory):
    if TERRAFORM is None:
        print("skipped: comparison, no terraform on PATH")
        return
    places = {}
    for program in (TERRAFORM, PRAVOC):
        place = pathlib.Path(directory, pathlib.Path(program).name)
        (place / "m").mkdir(parents=True)
        (place / "m/main.tf").write_text(MODULE)
        (place / "main.tf").write_text(CONFIGURATION)
        (place / "other.tfstate").write_text(OTHER)
        places[program] = place
    run(TERRAFORM, places[TERRAFORM], "init")
    for step in STEPS:
        shapes = {}
        for program, place in places.items():
            answer = run(program, place, *step)
            lines = lines_of(answer, f"{program} {step}")
            expect(f"{step} of {program} ends well", answer.returncode == 0, answer)
            expect(f"{step} of {program}: every line has its fields",
                   all({"@level", "@message", "@module", "@timestamp", "type"} <= set(line) for line in lines), answer)
            if "-destroy" in step or step[0] == "destroy":
                # Terraform reads data sources before it destroys; pravoc asks nobody for what it does not need.
                lines = [line for line in lines if line.get("hook", {}).get("action") != "read"]
            # Independent things come in any order.
            shapes[program] = sorted(json.dumps(shape(line), sort_keys=True) for line in lines)
        missing = [s for s in shapes[TERRAFORM] if s not in shapes[PRAVOC]]
        more = [s for s in shapes[PRAVOC] if s not in shapes[TERRAFORM]]
        expect(f"{step}: as Terraform", not missing and not more,
               "missing:\n    " + "\n    ".join(missing) + "\n  more:\n    " + "\n    ".join(more))


def own_lines(directory):
    root = pathlib.Path(directory, "own")
    root.mkdir()
    file = root / "main.tf"
    file.write_text('variable "s" {\n  sensitive = true\n  default   = "hunter2"\n}\nresource "terraform_data" "x" {\n'
                    '  input = var.s\n}\noutput "s" {\n  value     = var.s\n  sensitive = true\n}\n')
    answer = run(PRAVOC, root, "apply", "-json", "-auto-approve")
    expect("no secret in any line", answer.returncode == 0 and "hunter2" not in answer.stdout + answer.stderr, answer)
    answer = run(PRAVOC, root, "apply", "-json")
    expect("no questions are asked", answer.returncode == 1 and "-auto-approve" in answer.stderr, answer)
    file.write_text("resource {\n")
    answer = run(PRAVOC, root, "plan", "-json")
    faults = [line["diagnostic"] for line in lines_of(answer, "errors") if line["type"] == "diagnostic"]
    expect("errors are lines, too", answer.returncode == 1 and answer.stderr == "" and faults
           and all(fault["code"] and fault["range"] for fault in faults), answer)
    file.write_text("")
    answer = run(PRAVOC, root, "plan", "-json", "-target=a..b")
    expect("and so are mistakes in arguments", answer.returncode == 1 and answer.stderr == ""
           and "not the address" in lines_of(answer, "arguments")[-1]["diagnostic"]["summary"], answer)


def everything(directory):
    same_lines(directory)
    own_lines(directory)


if __name__ == "__main__":
    sys.exit(main(everything))
