#!/usr/bin/env python3
"""workspace list, show, new, select, delete: next to terraform where it is there; plan, apply, output and console work in
the current workspace, and a saved plan stays in its own."""
# ctest-labels: golden
# ctest-timeout: 600
import json
import pathlib
import sys

from beside_terraform import PRAVOC, Pair, held_lock, run, skip_without_terraform
from expectations import ONE_RESOURCE, expect, main

CONFIGURATION = """
resource "terraform_data" "a" {
  input = terraform.workspace
}
output "w" {
  value = terraform.workspace
}
"""


class Directory:
    def __init__(self, root, name, text=CONFIGURATION):
        self.path = pathlib.Path(root, name)
        self.path.mkdir()
        (self.path / "main.tf").write_text(text)

    def run(self, *arguments, **environment):
        return run(PRAVOC, self.path, *arguments, **environment)

    def good(self, *arguments, **environment):
        answer = self.run(*arguments, **environment)
        expect(f"{self.path.name}: {' '.join(arguments)}", answer.returncode == 0, answer)
        return answer

    def refuses(self, identifier, *arguments, words=(), **environment):
        before = sorted((p, p.read_bytes() if p.is_file() else b"") for p in self.path.rglob("*"))
        answer = self.run(*arguments, **environment)
        what = f"{self.path.name}: {' '.join(arguments)}"
        expect(f"{what}: [{identifier}]", answer.returncode == 1 and f"[{identifier}]" in answer.stderr
               and answer.stdout == "", answer)
        for word in words:
            expect(f"{what}: says `{word}`", word in answer.stderr, answer)
        expect(f"{what}: changes nothing",
               before == sorted((p, p.read_bytes() if p.is_file() else b"") for p in self.path.rglob("*")), answer)


def states_apart(root):
    d = Directory(root, "apart")
    d.good("apply", "-auto-approve")
    d.good("workspace", "new", "blue")
    expect("it is recorded as Terraform does", (d.path / ".terraform/environment").read_text() == "blue", "")
    answer = d.good("plan")
    expect("the new one is empty", "1 to add" in answer.stdout and '"blue"' in answer.stdout, answer)
    d.good("apply", "-auto-approve")
    for workspace in ("blue", "default"):
        if workspace == "default":
            d.good("workspace", "select", "default")
        expect(f"output in {workspace}", d.good("output", "-raw", "w").stdout == workspace, "")
        answer = run(PRAVOC, d.path, "console", stdin="[terraform.workspace, terraform_data.a.output]\n")
        expect(f"console in {workspace}", answer.stdout.count(f'"{workspace}"') == 2, answer)
        expect(f"state in {workspace}", f'"{workspace}"' in d.good("state", "show", "terraform_data.a").stdout, "")
        expect(f"show in {workspace}", f'"{workspace}"' in d.good("show").stdout, "")
        answer = d.run("plan", "-detailed-exitcode")
        expect(f"nothing to do in {workspace}", answer.returncode == 0, answer)
    answer = d.good("output", "-raw", "w", TF_WORKSPACE="blue")
    expect("TF_WORKSPACE", answer.stdout == "blue", answer)
    expect("check needs no workspace", d.good("check", TF_WORKSPACE="green").returncode == 0, "")
    # Removing what is in one leaves the other alone.
    d.good("destroy", "-auto-approve", TF_WORKSPACE="blue")
    expect("the other is still there", d.good("state", "list").stdout == "terraform_data.a\n", "")
    d.good("workspace", "delete", "blue")
    expect("it is gone", not (d.path / "terraform.tfstate.d/blue").exists(), "")


def saved_plans(root):
    d = Directory(root, "plans")
    d.good("workspace", "new", "blue")
    d.good("plan", "-out=p")
    d.good("workspace", "select", "default")
    d.refuses("plan-of-other-workspace", "apply", "p", words=["`blue`", "`default`", "workspace select blue"])
    d.good("workspace", "select", "blue")
    answer = d.good("apply", "p")
    expect("in its own", "1 added" in answer.stdout and (d.path / "terraform.tfstate.d/blue/terraform.tfstate").exists()
           and not (d.path / "terraform.tfstate").exists(), answer)


def refusals(root):
    d = Directory(root, "refusals")
    d.good("apply", "-auto-approve")
    d.good("workspace", "new", "dev")
    for name in ("", ".", "..", "a/b", "../x", "a b", "ä"):
        d.refuses("invalid-workspace-name", "workspace", "new", name)
        d.refuses("invalid-workspace-name", "workspace", "select", "-or-create", name)
    d.refuses("workspace-exists", "workspace", "new", "dev")
    d.refuses("workspace-exists", "workspace", "new", "default")
    d.refuses("workspace-missing", "workspace", "select", "dav", words=["did you mean `dev`?", "workspace new dav"])
    d.refuses("workspace-missing", "workspace", "delete", "nope", words=["workspace list"])
    d.refuses("workspace-in-use", "workspace", "delete", "dev", words=["the current one"])
    d.refuses("workspace-in-use", "workspace", "delete", "-force", "default", words=["always there"])
    d.refuses("workspace-overridden", "workspace", "new", "x", words=["`foo`"], TF_WORKSPACE="foo")
    d.refuses("workspace-overridden", "workspace", "select", "default", TF_WORKSPACE="foo")
    for command in (["show"], ["list"]):
        d.refuses("invalid-workspace-name", "workspace", *command, words=["`../x`"], TF_WORKSPACE="../x")
    d.refuses("no-state", "workspace", "new", "-state=none", "x", words=["`none`"])
    (d.path / "bad").write_text('{"version"')
    d.refuses("state-damaged", "workspace", "new", "-state=bad", "x", words=["`bad`"])
    d.good("apply", "-auto-approve")
    d.good("workspace", "select", "default")
    d.refuses("workspace-not-empty", "workspace", "delete", "dev", words=["- terraform_data.a"])
    with held_lock(d.path / "terraform.tfstate.d/dev/terraform.tfstate"):
        d.refuses("state-locked", "workspace", "delete", "-force", "dev")
    answer = d.good("workspace", "delete", "-force", "dev")
    expect("what is forgotten is named", "- terraform_data.a" in answer.stderr, answer)
    # A file where the directory should be.
    (d.path / "terraform.tfstate.d").rmdir()
    (d.path / "terraform.tfstate.d").write_text("")
    d.refuses("workspace-not-written", "workspace", "new", "x", words=["terraform.tfstate.d/x"])
    answer = d.run("workspace")
    expect("a command is missing", answer.returncode == 1 and "workspace -help" in answer.stderr, answer)
    answer = d.run("workspace", "lst")
    expect("a slip", answer.returncode == 1 and "did you mean `workspace list`?" in answer.stderr, answer)


def own_directory(root):
    d = Directory(root, "own", 'terraform {\n  backend "local" {\n    path = "s/main.tfstate"\n    workspace_dir = "w"\n  }\n}\n'
                  + ONE_RESOURCE)
    d.good("apply", "-auto-approve")
    d.good("workspace", "new", "plan")
    d.good("apply", "-auto-approve")
    expect("where the backend says", (d.path / "s/main.tfstate").exists() and (d.path / "w/plan/terraform.tfstate").exists()
           and not (d.path / "terraform.tfstate.d").exists(), "")
    expect("the list", d.good("workspace", "list").stdout == "  default\n* plan\n", "")
    expect("TF_CLI_ARGS of a command of two words",
           d.good("state", "list", TF_CLI_ARGS_state_list="-id=none").stdout == "", "")


def beside_terraform(root):
    if skip_without_terraform("the same commands with terraform"):
        return
    source = pathlib.Path(root, "source")
    source.mkdir()
    (source / "main.tf").write_text(CONFIGURATION)
    assert run(PRAVOC, source, "apply", "-auto-approve").returncode == 0
    p = Pair(root, "workspaces", source)

    def step(*arguments, output=True, **environment):
        p.step("workspace", *arguments, output=output, **environment)
        environments = [(d / ".terraform/environment") for d in p.directories.values()]
        texts = [e.read_text() if e.exists() else None for e in environments]
        expect(f"workspace {' '.join(arguments)}: the same choice", texts[0] == texts[1], str(texts))
        folders = [sorted(x.name for x in (d / "terraform.tfstate.d").glob("*")) for d in p.directories.values()]
        expect(f"workspace {' '.join(arguments)}: the same directories", folders[0] == folders[1], str(folders))

    for arguments in (["list"], ["show"], ["new", "dev"], ["new", "dev"], ["list"], ["select", "default"],
                      ["select", "default"], ["select", "nope"], ["select", "-or-create", "prod"], ["list"],
                      ["delete", "prod"], ["delete", "default"], ["select", "dev"], ["delete", "prod"],
                      ["new", "-state=terraform.tfstate", "copy"], ["select", "default"], ["delete", "copy"],
                      ["delete", "-force", "copy"], ["list"], ["delete", "nope"]):
        step(*arguments, output=arguments[0] in ("list", "show", "select") and "-or-create" not in arguments)
    step("show", TF_WORKSPACE="foo")
    step("new", "foo", output=False, TF_WORKSPACE="foo")
    step("new", "bar", TF_WORKSPACE="foo")
    step("select", "dev", TF_WORKSPACE="foo")
    step("delete", "foo", output=False, TF_WORKSPACE="default")
    # What one of them chose is where the other works.
    both = p.directories[PRAVOC]
    run(PRAVOC, both, "workspace", "select", "dev")
    run(PRAVOC, both, "apply", "-auto-approve")
    answer = run(p.tools[1], both, "output", "-raw", "w")
    expect("terraform works where pravoc was", answer.returncode == 0 and answer.stdout == "dev", answer)
    run(p.tools[1], both, "workspace", "new", "theirs")
    answer = run(PRAVOC, both, "workspace", "show")
    expect("and the other way round", answer.stdout == "theirs\n", answer)
    copied = [json.loads((d / "terraform.tfstate").read_text())["serial"] for d in p.directories.values()]
    expect("the states stayed", copied[0] == copied[1], str(copied))


def everything(root):
    for check in (states_apart, saved_plans, refusals, own_directory, beside_terraform):
        check(root)


if __name__ == "__main__":
    sys.exit(main(everything))
