#!/usr/bin/env python3
"""What keeps a saved plan from being applied, and a state from being used: each with its id, and nothing changed."""
# ctest-labels: golden
import hashlib
import json
import os
import pathlib
import subprocess
import sys

from expectations import PRAVOC, expect, failures, main


INSTANCES = """
resource "terraform_data" "a" {
  for_each = toset(split(",", trimspace(file("keys.txt"))))
  input    = each.key
}
"""
VARIABLES = """
variable "token" {
  type      = string
  ephemeral = true
  default   = null
}
variable "size" {
  type    = number
  default = 1
}
resource "terraform_data" "a" {
  input = var.size
}
"""


class Directory:
    """A configuration in a directory of its own."""

    def __init__(self, root, name, **files):
        self.path = pathlib.Path(root, name)
        self.path.mkdir()
        self.write(**{"main_tf": INSTANCES, "keys_txt": "x", **files})

    def write(self, **files):
        for name, text in files.items():
            (self.path / name.replace("_", ".")).write_text(text)

    def run(self, *arguments, **environment):
        return subprocess.run([PRAVOC, *arguments], capture_output=True, text=True, cwd=self.path, timeout=60,
                              stdin=subprocess.DEVNULL, env={**os.environ, "TF_WORKSPACE": "", **environment})

    def plan(self, *arguments):
        answer = self.run("plan", "-out=p", *arguments)
        assert answer.returncode == 0, answer.stderr

    def state(self):
        state = self.path / "terraform.tfstate"
        return state.read_text() if state.exists() else ""

    def refuses(self, identifier, *arguments, words=(), keeps_state=True, **environment):
        """The command fails with this one error, and says these words; the state stays as it is."""
        before = self.state()
        answer = self.run(*arguments, **environment)
        ids = [line.rsplit("[", 1)[1].rstrip("]") for line in answer.stderr.splitlines() if line.startswith("error: ")]
        for what, holds in ((f"exit code 1, not {answer.returncode}", answer.returncode == 1),
                            (f"[{identifier}], not {ids}", ids == [identifier]),
                            ("the state stays", not keeps_state or self.state() == before),
                            *((f"says `{word}`", word in answer.stderr) for word in words)):
            if not holds:
                failures.append(f"{self.path.name}: {' '.join(arguments)}: {what}\n{answer.stderr[:1500]}")


def sources(root):
    d = Directory(root, "sources")
    d.plan()
    d.write(main_tf=INSTANCES + "\n# another text\n")
    d.refuses("plan-of-other-sources", "apply", "p")


def workspace(root):
    d = Directory(root, "workspace")
    d.plan()
    d.refuses("plan-of-other-workspace", "apply", "p", words=["`default`", "`blue`"], TF_WORKSPACE="blue")
    d.refuses("invalid-workspace-name", "plan", words=["`../blue`"], TF_WORKSPACE="../blue")


def states(root):
    d = Directory(root, "states")
    d.run("apply", "-auto-approve")
    d.plan()
    (d.path / "terraform.tfstate").unlink()
    d.run("apply", "-auto-approve")
    d.refuses("plan-of-other-state", "apply", "p")
    d.write(keys_txt="x,y")
    d.plan()
    d.run("apply", "-auto-approve")
    d.refuses("plan-stale", "apply", "p")


def first_state(root):
    d = Directory(root, "first_state")
    d.plan()
    assert d.run("apply", "p").returncode == 0
    d.refuses("plan-stale", "apply", "p")


def counts(root):
    """Adding or removing `count` would move an object; it is not destroyed instead."""
    single, counted = 'resource "terraform_data" "a" {}\n', 'resource "terraform_data" "a" {\n  count = 2\n}\n'
    module = 'module "m" {\n  source = "./m"\n}\n'
    for name, first, second in (("to_count", single, counted), ("from_count", counted, single),
                                ("module_count", module, module.replace("}", "  count = 1\n}"))):
        d = Directory(root, name, main_tf=first)
        (d.path / "m").mkdir()
        (d.path / "m/main.tf").write_text(single)
        assert d.run("apply", "-auto-approve").returncode == 0
        d.write(main_tf=second)
        d.refuses("not-supported-yet", "plan")
        d.refuses("not-supported-yet", "apply", "-auto-approve")
        assert d.run("destroy", "-auto-approve").returncode == 0


def replacements(root):
    d = Directory(root, "replacements")
    d.run("apply", "-auto-approve")
    for address, known in (("terraform_data.a", False), ('terraform_data.a["y"]', False), ("terraform_data.b", False),
                           ('terraform_data.a["x"]', True)):
        answer = d.run("plan", f"-replace={address}")
        if answer.returncode or ("[replace-unmatched]" in answer.stderr) == known or ("1 to add" in answer.stdout) != known:
            failures.append(f"-replace={address}: {answer.stdout}{answer.stderr}")


def instances(root):
    # A file that a function reads is no source: what it decides can differ at apply. What was planned and is still
    # there may be done before that shows.
    d = Directory(root, "instances")
    d.plan()
    d.write(keys_txt="x,y")
    d.refuses("not-in-plan", "apply", "p", words=['`terraform_data.a["y"]`'], keeps_state=False)
    d = Directory(root, "fewer", keys_txt="x,y")
    d.plan()
    d.write(keys_txt="x")
    d.refuses("gone-from-config", "apply", "p", words=['`terraform_data.a["y"]`'], keeps_state=False)


def files(root):
    d = Directory(root, "files")
    d.refuses("plan-unreadable", "apply", "none", words=["`none`"])
    d.write(p="{}")
    d.refuses("plan-damaged", "apply", "p")
    d.plan()
    text = (d.path / "p").read_text()
    d.write(p=text.replace('"x"', '"y"', 1))
    d.refuses("plan-damaged", "apply", "p")
    d.write(p=text[:len(text) // 2])
    d.refuses("plan-damaged", "apply", "p")
    first, rest = text.split("\n", 1)
    version = json.loads(first)["pravo_plan"]
    newer = first.replace(str(version), str(version + 1)) + "\n" + rest
    d.write(p=newer)
    d.refuses("plan-version", "apply", "p", words=[f"version {version + 1}"])
    d.refuses("plan-write-failed", "plan", "-out=no/such/directory/p")


def variables(root):
    d = Directory(root, "variables", main_tf=VARIABLES)
    d.plan("-var=token=hunter2")
    if "hunter2" in (d.path / "p").read_text() or hashlib.sha256(b"hunter2").hexdigest() in (d.path / "p").read_text():
        failures.append("the plan holds an ephemeral value")
    d.refuses("ephemeral-variable-missing", "apply", "p", words=["`token`"])
    d.refuses("variable-changed", "apply", "-var=token=x", "-var=size=2", "p", words=["`size`"])
    d.plan()
    d.refuses("ephemeral-variable-new", "apply", "-var=token=hunter2", "p", words=["`token`"])


def data_of_checks(root):
    # Read when the plan is made, and again when it is done: what is there in between decides each time.
    d = Directory(root, "data_of_checks", main_tf="""
resource "terraform_data" "x" {
  input = 1
}
check "c" {
  data "terraform_remote_state" "r" {
    backend = "local"
    config  = { path = "other.tfstate" }
  }
  assert {
    condition     = data.terraform_remote_state.r.outputs.a == 1
    error_message = "a is not 1"
  }
}
""")
    other = {"version": 4, "terraform_version": "1.11.4", "serial": 1, "lineage": "00000000-0000-0000-0000-000000000000",
             "outputs": {"a": {"value": 1, "type": "number"}}, "resources": []}
    missing, wrong = "[provider-warning]", "[check-failed]"

    def put(value):
        if value is None:
            (d.path / "other.tfstate").unlink(missing_ok=True)
        else:
            other["outputs"]["a"]["value"] = value
            d.write(other_tfstate=json.dumps(other))

    def warnings(answer):
        return [i for i in (missing, wrong) if i in answer.stderr]

    for at_plan, at_apply, expected in ((None, None, ([missing], [missing])), (None, 1, ([missing], [])),
                                        (1, None, ([], [missing])), (1, 2, ([], [wrong])), (2, 1, ([wrong], []))):
        put(at_plan)
        planned = d.run("plan", "-out=p")
        text = d.run("show", "-json", "p").stdout
        put(at_apply)
        applied = d.run("apply", "p")
        expect(f"{at_plan} at plan, {at_apply} at apply", (warnings(planned), warnings(applied)) == expected
               and planned.returncode == 0 and applied.returncode == 0 and '"read_because_check_nested"' in text,
               planned.stderr + applied.stderr)
        status = "fail" if expected[1] else "pass"
        record = json.loads(d.state())["check_results"]
        expect(f"the state says {status}", [r["status"] for r in record] == [status] or expected[1] == [missing],
               json.dumps(record))
    put(None)
    answer = d.run("plan", "-refresh-only")
    expect("-refresh-only plans no reads", answer.returncode == 0 and "will be read" not in answer.stdout, answer.stdout)
    answer = d.run("destroy", "-auto-approve")
    expect("destroy reads nothing", answer.returncode == 0 and answer.stderr == "", answer.stderr)


def unwritable(root):
    d = Directory(root, "unwritable")
    before = d.run("apply", "-auto-approve", "-lock=false", "-state-out=main.tf/s")
    ids = [line.rsplit("[", 1)[1].rstrip("]") for line in before.stderr.splitlines() if line.startswith("error: ")]
    # Where nothing can be recorded nothing is changed.
    if ids != ["journal-write-failed"] or before.returncode != 1 or (d.path / "errored.tfstate").exists() or \
            "Creating" in before.stdout:
        failures.append(f"unwritable: {ids}\n{before.stderr}")
    (d.path / "directory").mkdir()
    d.refuses("state-unreadable", "plan", "-lock=false", "-state=directory")
    d.refuses("state-lock-failed", "plan", "-state=main.tf/s")


def backend(root):
    d = Directory(root, "backend", main_tf='terraform {\n  backend "s3" {\n    bucket = "b"\n  }\n}\n')
    for command in (["plan"], ["apply", "-auto-approve"], ["destroy", "-auto-approve"]):
        d.refuses("backend-not-supported", *command, words=["main.tf:2:3", "`s3`"])


def everything(root):
    for check in (sources, workspace, states, first_state, replacements, counts, instances, files, variables,
                  data_of_checks, unwritable, backend):
        check(root)


if __name__ == "__main__":
    sys.exit(main(everything))
