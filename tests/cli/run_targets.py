#!/usr/bin/env python3
"""-target and -exclude: what is planned, applied, destroyed and left alone, also with Terraform's word for it."""
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
  input = var.v
}
resource "terraform_data" "b" {
  input = terraform_data.a.output
}
resource "terraform_data" "many" {
  for_each = toset(["x", "y"])
  input    = "${each.key}${var.v}"
}
resource "terraform_data" "c" {
  count = 2
  input = terraform_data.many["x"].output
}
module "m" {
  source = "./m"
  i      = terraform_data.a.output
}
module "n" {
  source   = "./m"
  for_each = toset(["k1", "k2"])
  i        = terraform_data.b.output
}
check "c" {
  assert {
    condition     = terraform_data.b.output == "1"
    error_message = "no"
  }
}
output "static" {
  value = var.v
}
output "b" {
  value = terraform_data.b.output
}
output "both" {
  value = "${terraform_data.b.output}${terraform_data.many["x"].output}"
}
output "argument" {
  value = module.m.i
}
output "whole" {
  value = { for k, r in terraform_data.many : k => r.output }
}
"""
MODULE = """
variable "i" {}
resource "terraform_data" "p" {
  input = var.i
}
resource "terraform_data" "q" {
  input = terraform_data.p.output
}
output "i" {
  value = var.i
}
"""
NEW = ("-target=terraform_data.a", "-target=terraform_data.b", "-target=terraform_data.c[0]",
       '-target=terraform_data.many["y"]', "-target=terraform_data.many", "-target=module.m", "-target=module.n",
       '-target=module.n["k1"]', "-target=module.m.terraform_data.p", "-target=terraform_data.nope",
       '-target=terraform_data.many["zz"]')
CHANGED = ("-target=terraform_data.c", "-target=terraform_data.c[1]", "-target=terraform_data.a", "-target=module.n",
           "-destroy -target=terraform_data.a", '-destroy -target=terraform_data.many["x"]',
           "-destroy -target=module.m.terraform_data.p", "-destroy -target=module.n", "-refresh-only -target=module.n")
TERRAFORM = shutil.which("terraform")


def run(program, directory, *arguments):
    environment = {**os.environ, "TF_CLI_CONFIG_FILE": os.devnull, "CHECKPOINT_DISABLE": "1"}
    return subprocess.run([program, *arguments], capture_output=True, text=True, cwd=directory, timeout=120,
                          env=environment)


def planned(program, directory, arguments):
    """What a plan with these arguments says, as both programs write it in JSON."""
    answer = run(program, directory, "plan", "-out=p", *arguments)
    if answer.returncode != 0:
        return {"exit": answer.returncode}, answer
    document = json.loads(run(program, directory, "show", "-json", "p").stdout)
    changes = {c["address"]: c["change"]["actions"] for c in document.get("resource_changes", [])}
    outputs = {name: (c["actions"], c.get("after"), c.get("after_unknown"))
               for name, c in document.get("output_changes", {}).items() if c["actions"] != ["no-op"]}
    return {"changes": {a: c for a, c in changes.items() if c != ["no-op"]}, "outputs": outputs,
            "complete": document["complete"], "applyable": document["applyable"],
            "checks": {c["address"]["to_display"]: c["status"] for c in document.get("checks", [])}}, answer


def alike(directory, lines):
    for line in lines:
        arguments = line.split(" ")
        theirs, _ = planned(TERRAFORM, directory, arguments)
        ours, answer = planned(PRAVOC, directory, arguments)
        expect(f"plan {line}: as Terraform, {theirs}, not {ours}", ours == theirs, answer)


def beside_terraform(directory):
    if TERRAFORM is None:
        print("skipped: comparison, no terraform on PATH")
        return
    run(TERRAFORM, directory, "init")
    alike(directory, NEW)
    answer = run(PRAVOC, directory, "apply", "-auto-approve")
    expect("a whole apply", answer.returncode == 0, answer)
    file = pathlib.Path(directory, "main.tf")
    file.write_text(CONFIGURATION.replace("count = 2", "count = 1").replace('["x", "y"]', '["x"]')
                    .replace('default = "1"', 'default = "2"'))
    alike(directory, CHANGED)
    file.write_text(CONFIGURATION)


def excluded(directory):
    pathlib.Path(directory, "terraform.tfstate").unlink(missing_ok=True)
    result, answer = planned(PRAVOC, directory, ["-exclude=terraform_data.b", '-exclude=terraform_data.many["y"]'])
    expect("neither b nor what needs it, nor many[y] and what needs many",
           set(result["changes"]) == {"terraform_data.a", 'terraform_data.many["x"]', "module.m.terraform_data.p",
                                      "module.m.terraform_data.q"}, answer)
    expect("outputs that need none of them", set(result["outputs"]) == {"static", "argument", "whole"},
           str(result["outputs"]))
    answer = run(PRAVOC, directory, "apply", "-auto-approve", "-exclude=module.n", "-exclude=terraform_data.c")
    expect("an apply without them", answer.returncode == 0 and "6 added" in answer.stdout
           and "[partial-apply]" in answer.stderr, answer)
    result, answer = planned(PRAVOC, directory, ["-destroy", "-exclude=terraform_data.b"])
    expect("b stays, and a, which it needs", set(result["changes"]) == {
        'terraform_data.many["x"]', 'terraform_data.many["y"]', "module.m.terraform_data.p",
        "module.m.terraform_data.q"}, answer)


def applied(directory):
    """Only what was planned is done, and what is left out keeps its place."""
    state = pathlib.Path(directory, "terraform.tfstate")
    state.unlink(missing_ok=True)
    answer = run(PRAVOC, directory, "plan", "-out=p", '-target=terraform_data.many["y"]')
    expect("told to be partial", "[partial-plan]" in answer.stderr, answer)
    answer = run(PRAVOC, directory, "apply", "p")
    document = json.loads(state.read_text())
    expect("one instance", [i["index_key"] for r in document["resources"] for i in r["instances"]] == ["y"], answer)
    expect("an output of what there is", document["outputs"]["whole"]["value"] == {"y": "y1"}, str(document["outputs"]))
    run(PRAVOC, directory, "apply", "-auto-approve")
    before = json.loads(state.read_text())
    answer = run(PRAVOC, directory, "destroy", "-auto-approve", "-target=module.m")
    after = json.loads(state.read_text())
    expect("a part is destroyed", "2 destroyed" in answer.stdout
           and len(after["resources"]) == len(before["resources"]) - 2, answer)
    expect("outputs stay", after["outputs"] == before["outputs"], answer)


def refused(directory):
    for arguments, message in {
            ("plan", "-target=a..b"): "is not the address",
            ("plan", "-target=terraform_data.a", "-exclude=terraform_data.b"): "exclude each other",
            ("apply", "-target=terraform_data.a", "p"): "a saved plan says",
    }.items():
        answer = run(PRAVOC, directory, *arguments)
        expect(f"refused: {arguments}", answer.returncode == 1 and message in answer.stderr, answer)
    answer = run(PRAVOC, directory, "plan", "-target=terraform_data.aa")
    expect("a target that names nothing", "[target-unmatched]" in answer.stderr, answer)


def everything(directory):
    pathlib.Path(directory, "m").mkdir()
    pathlib.Path(directory, "m/main.tf").write_text(MODULE)
    pathlib.Path(directory, "main.tf").write_text(CONFIGURATION)
    beside_terraform(directory)
    excluded(directory)
    applied(directory)
    refused(directory)


if __name__ == "__main__":
    sys.exit(main(everything))
