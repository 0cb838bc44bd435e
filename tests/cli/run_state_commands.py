#!/usr/bin/env python3
"""state list, show, pull, push, rm, mv, replace-provider, taint, untaint and force-unlock: what they print and leave in
the state, next to terraform where it is there; and what they refuse."""
# ctest-labels: golden
# ctest-timeout: 900
import json
import os
import pathlib
import shutil
import sys

from beside_terraform import Pair, held_lock, run, skip_without_terraform
from expectations import PRAVOC, expect, main

CONFIGURATION = """
variable "pw" {
  default   = "hunter2"
  sensitive = true
}
resource "terraform_data" "single" {
  input = "s"
}
resource "terraform_data" "other" {
  input = "o"
}
resource "terraform_data" "counted" {
  count      = 3
  input      = count.index
  depends_on = [terraform_data.single]
}
resource "terraform_data" "keyed" {
  for_each = toset(["x", "y.z", "a\\"b"])
  input    = each.key
}
resource "terraform_data" "secret" {
  input = {
    a = var.pw
    b = [1, 2]
    c = "x\\ny\\n"
  }
}
data "terraform_remote_state" "r" {
  backend = "local"
  config  = { path = "other.tfstate" }
}
module "one" {
  source = "./m"
}
module "many" {
  source   = "./m"
  for_each = toset(["k1", "k2"])
}
module "cnt" {
  source = "./m"
  count  = 2
}
output "o" {
  value = terraform_data.single.id
}
"""
MODULE = """
resource "terraform_data" "in" {
  input = "m"
}
resource "terraform_data" "list" {
  count = 2
  input = "m"
}
module "deep" {
  source = "./deep"
}
"""
DEEP = """
resource "terraform_data" "d" {
  input = terraform_data.e.id
}
resource "terraform_data" "e" {
}
"""
OTHER = {"version": 4, "terraform_version": "1.11.4", "serial": 1, "lineage": "00000000-0000-0000-0000-000000000000",
         "outputs": {"a": {"value": 1, "type": "number"}}, "resources": []}
NO_HAND_OUT = "hunter2"


def make_source(root):
    """A directory with a configuration that was applied."""
    source = pathlib.Path(root, "source")
    (source / "m/deep").mkdir(parents=True)
    (source / "main.tf").write_text(CONFIGURATION)
    (source / "m/main.tf").write_text(MODULE)
    (source / "m/deep/main.tf").write_text(DEEP)
    (source / "other.tfstate").write_text(json.dumps(OTHER))
    for arguments in (["init"], ["apply", "-auto-approve"]):
        answer = run(PRAVOC, source, *arguments)
        assert answer.returncode == 0, answer.stderr
    return source


class Copy:
    """A copy of the source, and what pravoc does in it."""

    def __init__(self, root, name, source):
        self.path = pathlib.Path(root, name)
        shutil.copytree(source, self.path)

    def run(self, *arguments, **environment):
        return run(PRAVOC, self.path, *arguments, **environment)

    def state(self):
        return (self.path / "terraform.tfstate").read_text()

    def refuses(self, identifier, *arguments, words=(), stdin=None):
        """Fails with this error, says these words, and leaves every file as it was."""
        before = {p: p.read_bytes() for p in self.path.rglob("*") if p.is_file()}
        answer = self.run(*arguments, stdin=stdin)
        after = {p: p.read_bytes() for p in self.path.rglob("*") if p.is_file()}
        what = f"{self.path.name}: {' '.join(arguments)}"
        expect(f"{what}: exit code 1", answer.returncode == 1 and answer.stdout == "", answer)
        expect(f"{what}: [{identifier}]", f"[{identifier}]" in answer.stderr, answer)
        for word in words:
            expect(f"{what}: says `{word}`", word in answer.stderr, answer)
        expect(f"{what}: changes nothing", before == after, answer)
        return answer


def listing(root, source):
    d = Copy(root, "listing", source)
    answer = d.run("state", "list", "terraform_data.counted", "module.one.module.deep", 'module.many["k1"].terraform_data.in',
                   "terraform_data.counted[1]")
    expect("what is named, in the order in which it was named", answer.stdout.splitlines() == [
        "terraform_data.counted[0]", "terraform_data.counted[1]", "terraform_data.counted[2]",
        "module.one.module.deep.terraform_data.d", "module.one.module.deep.terraform_data.e",
        'module.many["k1"].terraform_data.in', "terraform_data.counted[1]"], answer)
    identity = json.loads(d.state())["outputs"]["o"]["value"]
    answer = d.run("state", "list", f"-id={identity}")
    expect("-id", answer.stdout == "terraform_data.single\n", answer)
    expect("-id of nothing", d.run("state", "list", "-id=none").stdout == "", answer)
    answer = d.run("state", "show", "terraform_data.secret")
    expect("what is marked in the state is not shown", answer.returncode == 0 and "(sensitive value)" in answer.stdout, answer)
    d.refuses("not-in-state", "state", "list", "terraform_data.singel", words=["did you mean `terraform_data.single`?"])
    d.refuses("not-in-state", "state", "list", "terraform_data.single", "module.onw", words=["did you mean `module.one`?"])
    d.refuses("not-in-state", "state", "show", "terraform_data.counted",
              words=["instances of `terraform_data.counted`", "terraform_data.counted[0]"])
    d.refuses("not-in-state", "state", "show", "terraform_data.counted[7]", words=["terraform_data.counted[0]"])
    for bad in ("terraform_data", "module.many[k1].terraform_data.in", "terraform_data.counted[*]", "!!"):
        d.refuses("not-an-address", "state", "list", bad, words=[f"`{bad}`", "single quotes"])
    d.refuses("not-an-address", "state", "show", "module.one", words=["a resource instance"])
    d.refuses("no-state", "state", "list", "-state=none.tfstate", words=["`none.tfstate`"])
    text = d.state()
    for identifier, contents, words in (("state-damaged", text[:len(text) // 2], ["terraform.tfstate.backup"]),
                                        ("state-version", '{"version": 5}', ["version 5"]),
                                        ("no-state", "", ["there is no state"])):
        (d.path / "terraform.tfstate").write_text(contents)
        for command in (["list"], ["show", "terraform_data.single"], ["rm", "terraform_data.single"],
                        ["mv", "terraform_data.single", "terraform_data.s"]):
            d.refuses(identifier, "state", *command, words=words)
    (d.path / "terraform.tfstate").unlink()
    d.refuses("no-state", "state", "list")
    answer = d.run("state", "pull")
    expect("no state is nothing to pull", answer.returncode == 0 and answer.stdout == "", answer)
    (d.path / "terraform.tfstate").write_text(text.replace('"1.11.4"', '"1.99.0"', 1))
    answer = d.run("state", "pull")
    expect("a newer program wrote the same format", answer.stdout == text, answer)


def values_hidden(root, source):
    """Sensitive by the state's marks, also where no schema is there to read the object by."""
    d = Copy(root, "hidden", source)
    answer = d.run("state", "replace-provider", "-auto-approve", "terraform.io/builtin/terraform", "acme/unknown")
    expect("replace-provider", answer.returncode == 0, answer)
    answer = d.run("state", "show", "terraform_data.secret")
    body = answer.stdout.split("output")[0]
    expect("hidden without a schema", answer.returncode == 0 and NO_HAND_OUT not in body and "(sensitive" in body, answer)
    for command in (["rm", "terraform_data.secret"], ["mv", "terraform_data.single", "terraform_data.s"]):
        answer = d.run("state", *command)
        expect("no value in what changes say", NO_HAND_OUT not in answer.stdout + answer.stderr, answer)


def removing(root, source):
    d = Copy(root, "removing", source)
    before = d.state()
    answer = d.run("state", "rm", "-dry-run", "module.cnt")
    expect("-dry-run", answer.returncode == 0 and answer.stdout.count("Would remove module.cnt") == 10
           and d.state() == before, answer)
    answer = d.run("state", "rm", "terraform_data.single", "terraform_data.nope")
    backups = list(d.path.glob("terraform.tfstate.*.backup"))
    expect("what is missing beside what is there is a warning", answer.returncode == 0
           and "`terraform_data.nope`" in answer.stderr, answer)
    expect("a backup with its date", [b.read_text() for b in backups] == [before], answer)
    for address in ("terraform_data.other", "terraform_data.secret"):
        d.run("state", "rm", address)
    expect("each change has its own", len(list(d.path.glob("terraform.tfstate.*.backup"))) == 3, answer)
    answer = d.run("state", "rm", "-backup=b", "terraform_data.keyed")
    expect("-backup", answer.returncode == 0 and (d.path / "b").exists(), answer)
    d.refuses("not-in-state", "state", "rm", "terraform_data.keyedd")
    d.refuses("not-an-address", "state", "rm", "terraform_data.counted", "module")


def moving(root, source):
    d = Copy(root, "moving", source)
    refused = (
        (["terraform_data.single", "terraform_data.other"], "an instance there already"),
        (["terraform_data.single", "terraform_data.single"], "an instance there already"),
        (["terraform_data.single", "null_resource.single"], "cannot become `null_resource`"),
        (["terraform_data.single", "data.terraform_data.single"], "can only become a managed resource"),
        (["data.terraform_remote_state.r", "terraform_data.r"], "can only become a data source"),
        (["terraform_data.single", "ephemeral.terraform_data.single"], "no ephemeral resources"),
        (["terraform_data.single", "module.x"], "cannot become a module"),
        (["terraform_data.counted", "module.x"], "cannot become a module"),
        (["module.one", "terraform_data.x"], "can only become a module"),
        (["module.one", 'module.many["k1"]'], "a module `module.many[\"k1\"]` already"),
        (["module.one.module.deep", "module.one"], "a module `module.one` already"),
        (["terraform_data.counted", "terraform_data.keyed"], "a resource there already"),
        (["terraform_data.counted", "terraform_data.c[0]"], "one instance at a time"),
        (["terraform_data.counted[0]", "terraform_data.counted[1]"], "an instance there already"))
    for arguments, words in refused:
        d.refuses("move-refused", "state", "mv", *arguments, words=[words])
    for arguments in (["terraform_data.nope", "terraform_data.x"], ["terraform_data.counted[9]", "terraform_data.x"],
                      ["module.many", "module.x"], ['module.many["z"]', "module.x"]):
        d.refuses("not-in-state", "state", "mv", *arguments)
    d.refuses("not-an-address", "state", "mv", "terraform_data.single", "x")
    before = d.state()
    answer = d.run("state", "mv", "-dry-run", "module.one", "module.uno")
    expect("-dry-run", answer.stdout.splitlines() == [
        'Would move "module.one" to "module.uno"', 'Would move "module.one.module.deep" to "module.uno.module.deep"']
        and d.state() == before, answer)
    answer = d.run("state", "mv", "module.one", "module.uno[0]")
    expect("a module with those in it", answer.returncode == 0 and "Successfully moved 2 object(s)." in answer.stdout, answer)
    # Moved to where the configuration has it, nothing is left to do.
    (d.path / "main.tf").write_text(CONFIGURATION.replace('module "one" {', 'module "uno" {\n  count  = 1')
                                    .replace('"single"', '"renamed"').replace("data.single", "data.renamed"))
    run(PRAVOC, d.path, "init")
    answer = d.run("state", "mv", "terraform_data.single", "terraform_data.renamed")
    expect("moved", answer.returncode == 0, answer)
    answer = d.run("plan", "-detailed-exitcode")
    expect("the plan finds everything in its place", answer.returncode == 0, answer)


def pushing(root, source):
    d = Copy(root, "pushing", source)
    text = d.state()
    state = json.loads(text)
    serial, lineage = state["serial"], state["lineage"]

    def write(**fields):
        (d.path / "p").write_text(json.dumps({**state, **fields}))

    write(outputs={})
    d.refuses("push-refused", "state", "push", "p", words=["they differ", f"serial {serial}"])
    write(serial=serial - 1)
    d.refuses("push-refused", "state", "push", "p", words=["newer"])
    write(lineage="other", serial=serial + 9)
    d.refuses("push-refused", "state", "push", "p", words=["`other`", lineage])
    d.refuses("push-refused", "state", "push", "-", words=["standard input"], stdin=(d.path / "p").read_text())
    (d.path / "p").write_text(text[:99])
    d.refuses("state-damaged", "state", "push", "p", words=["`p`"])
    (d.path / "p").write_text('{"version": 5}')
    d.refuses("state-version", "state", "push", "-force", "p")
    for arguments, words in ((["none"], "there is no file `none`"), (["-"], "it is empty")):
        answer = d.run("state", "push", *arguments, stdin="")
        expect(f"push {arguments}", answer.returncode == 1 and words in answer.stderr and d.state() == text, answer)
    write(outputs={}, lineage="other", serial=3)
    answer = d.run("state", "push", "-force", "-", stdin=(d.path / "p").read_text())
    now = json.loads(d.state())
    expect("-force", answer.returncode == 0 and (now["lineage"], now["serial"], now["outputs"]) == ("other", 4, {})
           and (d.path / "terraform.tfstate.backup").read_text() == text, answer)


def tainting(root, source):
    d = Copy(root, "tainting", source)
    before = d.state()
    answer = d.run("taint", "terraform_data.counted[1]")
    expect("taint", answer.returncode == 0 and (d.path / "terraform.tfstate.backup").read_text() == before, answer)
    answer = d.run("plan", "-no-color")
    expect("it is replaced", "terraform_data.counted[1] is tainted, so must be replaced" in answer.stdout
           or "tainted" in answer.stdout and "1 to add, 0 to change, 1 to destroy" in answer.stdout, answer)
    expect("state show says so", d.run("state", "show", "terraform_data.counted[1]").stdout.startswith(
        "# terraform_data.counted[1]: (tainted)\n"), answer)
    answer = d.run("untaint", "terraform_data.counted[1]")
    answer = d.run("plan", "-detailed-exitcode")
    expect("untaint takes it back", answer.returncode == 0, answer)
    d.refuses("not-tainted", "untaint", "terraform_data.counted[1]")
    d.refuses("not-in-state", "taint", "terraform_data.counted", words=["terraform_data.counted[0]"])
    d.refuses("not-an-address", "taint", "module.one")
    d.refuses("not-an-address", "taint", "data.terraform_remote_state.r", words=["managed"])
    answer = d.run("taint", "-allow-missing", "terraform_data.nope")
    expect("-allow-missing", answer.returncode == 0 and "`terraform_data.nope`" in answer.stderr, answer)


def locking(root, source):
    d = Copy(root, "locking", source)
    answer = d.run("force-unlock", "-force", "abc")
    expect("nothing to unlock", answer.returncode == 1 and "[cannot-unlock]" in answer.stderr
           and "it is not locked" in answer.stderr, answer)
    # As terraform holds it: a POSIX lock of the process, and the file that says whose it is.
    with held_lock(d.path / "terraform.tfstate"):
        (d.path / ".terraform.tfstate.lock.info").write_text(json.dumps({
            "ID": "abc", "Operation": "OperationTypeApply", "Info": "", "Who": "alice@host", "Version": "1.11.4",
            "Created": "2026-01-02T03:04:05Z", "Path": "terraform.tfstate"}))
        for command in (["state", "rm", "terraform_data.single"], ["state", "rm", "-dry-run", "terraform_data.single"],
                        ["state", "mv", "terraform_data.single", "terraform_data.x"], ["state", "push", "other.tfstate"],
                        ["state", "replace-provider", "-auto-approve", "terraform.io/builtin/terraform", "a/b"],
                        ["taint", "terraform_data.single"], ["untaint", "terraform_data.single"], ["refresh"],
                        ["taint", "-lock-timeout=1s", "terraform_data.single"]):
            d.refuses("state-locked", *command, words=["alice@host", "OperationTypeApply"])
        for identity, words in (("abc", "alice@host"), ("xyz", "`xyz` is not its id")):
            d.refuses("cannot-unlock", "force-unlock", identity, words=["a process that runs", words])
        for command in (["list"], ["pull"], ["show", "terraform_data.single"]):
            expect(f"{command} needs no lock", d.run("state", *command).returncode == 0, d.run("state", *command))
        # A copy is held by nobody, and -lock=false goes past any lock.
        answer = d.run("taint", "-lock=false", "terraform_data.single")
        expect("-lock=false", answer.returncode == 0, answer)
    answer = d.run("state", "rm", "-lock-timeout=xyz", "terraform_data.single")
    expect("a duration", answer.returncode == 1 and "`xyz`" in answer.stderr, answer)


def read_only_directory(root, source):
    d = Copy(root, "read_only", source)
    before = d.state()
    if os.geteuid() == 0:
        # Root may write anywhere; a directory in the place of the backup stops it, too.
        (d.path / "b").mkdir()
        answer = d.run("state", "rm", "-backup=b", "terraform_data.single")
    else:
        (d.path / "terraform.tfstate").chmod(0o444)
        d.path.chmod(0o555)
        answer = d.run("state", "rm", "-lock=false", "terraform_data.single")
        d.path.chmod(0o755)
    expect("what cannot be written", answer.returncode == 1 and "[state-write-failed]" in answer.stderr
           and answer.stdout == "" and d.state() == before, answer)


def uncertain_backend(root, source):
    """A configuration that cannot be read may name another state: nothing is changed on a guess."""
    d = Copy(root, "uncertain", source)
    (d.path / "backend.tf").write_text('terraform {\n  backend "local" {\n    path = "elsewhere.tfstate"\n')
    before = d.state()
    answer = d.run("state", "rm", "terraform_data.single")
    expect("a broken configuration", answer.returncode == 1 and "backend.tf" in answer.stderr and d.state() == before, answer)
    answer = d.run("state", "rm", "-state=terraform.tfstate", "terraform_data.single")
    expect("-state needs no configuration", answer.returncode == 0, answer)
    (d.path / "backend.tf").write_text('terraform {\n  backend "s3" {\n  }\n}\n')
    for command in (["state", "rm", "terraform_data.other"], ["state", "list"], ["taint", "terraform_data.other"]):
        d.refuses("backend-not-supported", *command, words=["`s3`", "backend.tf:2"])


def beside_terraform(root, source):
    if skip_without_terraform("the same commands with terraform"):
        return
    p = Pair(root, "reading", source)
    for arguments in (["list"], ["list", "module.many"], ["list", 'module.many["k2"].module.deep', "terraform_data.counted"],
                      ["list", "module.nope"], ["list", "terraform_data.counted[7]"], ["list", "terraform_data"],
                      ["list", "-state=other.tfstate"], ["list", "-state=none"], ["pull"],
                      ["show", "terraform_data.single"],
                      ["show", 'terraform_data.keyed["a\\"b"]'], ["show", "data.terraform_remote_state.r"],
                      ["show", 'module.many["k1"].module.deep.terraform_data.d'], ["show", "terraform_data.counted"]):
        p.step("state", *arguments)
    p = Pair(root, "removing", source)
    for arguments in (["-dry-run", "module.cnt"], ["-dry-run", "module.nope"], ["terraform_data.single"],
                      ["terraform_data.single"], ["terraform_data.counted[0]", "module.one"],
                      ["module.many", 'module.many["k1"].terraform_data.in'], ["module.cnt[0].terraform_data.list"],
                      ["terraform_data.counted", "terraform_data.nope"], ["data.terraform_remote_state.r"],
                      ["-lock=false", 'terraform_data.keyed["a\\"b"]'], ["module.cnt.terraform_data.in"], ["bad"]):
        p.step("state", "rm", *arguments)
    p = Pair(root, "moving", source)
    for arguments, output in (
            (["terraform_data.single", "terraform_data.renamed"], True),
            (["terraform_data.renamed", "module.one.terraform_data.renamed"], True),
            (["module.one.terraform_data.renamed", "terraform_data.single"], True),
            (["terraform_data.counted[0]", 'terraform_data.counted["zero"]'], True),
            (["terraform_data.counted[1]", "terraform_data.c3"], True),
            (["terraform_data.c3", "terraform_data.c3[0]"], True),
            (["terraform_data.c3", "terraform_data.c3[1]"], True),
            (["terraform_data.counted", "terraform_data.c2"], True),
            (["terraform_data.other", "terraform_data.secret"], True),
            (["terraform_data.other", "null_resource.other"], True),
            (["terraform_data.other", "module.x"], True),
            (["module.cnt[0].module.deep.terraform_data.e", "module.cnt[0].module.deep.terraform_data.e2"], True),
            (["data.terraform_remote_state.r", "data.terraform_remote_state.s"], True),
            (["terraform_data.other", 'module.new["a"].terraform_data.other'], True),
            # Terraform lists modules in any order.
            (['module.many["k1"]', "module.lots"], False), (['module.many["k2"]', "module.lots"], False),
            (["module.lots.module.deep", "module.deep[3]"], True), (["module.one", "module.one.module.one"], False),
            (["module.many", "module.x"], True), (["module.cnt[0].terraform_data.list", "terraform_data.list"], True),
            (["module.cnt[1].terraform_data.list", "terraform_data.list"], True),
            (["module.cnt[1].terraform_data.list[1]", "terraform_data.list[2]"], True),
            (["-dry-run", "terraform_data.secret", "terraform_data.s2"], True)):
        p.step("state", "mv", *arguments, output=output)
    p = Pair(root, "between", source)
    p.both(lambda d: (d / "new.tfstate").write_text(json.dumps(OTHER)))
    p.step("state", "mv", "-state-out=new.tfstate", "terraform_data.other", "terraform_data.o2")
    p.step("state", "mv", "-state-out=new.tfstate", "terraform_data.counted", "terraform_data.counted", state="new.tfstate")
    p.step("state", "mv", "-state=new.tfstate", "terraform_data.o2", "terraform_data.o3", state="new.tfstate")
    p.step("state", "replace-provider", "terraform.io/builtin/terraform", "acme/x", output=False)
    p.step("state", "replace-provider", "-auto-approve", "acme/x", "acme/y")
    p.step("state", "replace-provider", "-auto-approve", "terraform.io/builtin/terraform", "example.com/acme/x", output=False)
    p = Pair(root, "tainting", source)
    for arguments in (["taint", "terraform_data.single"], ["taint", "terraform_data.single"],
                      ["untaint", "terraform_data.single"], ["untaint", "terraform_data.single"],
                      ["taint", "terraform_data.nope"], ["taint", "data.terraform_remote_state.r"], ["taint", "module.one"],
                      ["taint", "-lock=false", 'module.many["k1"].terraform_data.list[1]'],
                      ["taint", "-backup=-", "terraform_data.counted[2]"]):
        p.step(*arguments)
    p.step("untaint", "-allow-missing", "terraform_data.nope", output=False)
    p.step("taint", "-state-out=out.tfstate", "terraform_data.other", state="out.tfstate")
    p = Pair(root, "pushing", source)
    state = json.loads((source / "terraform.tfstate").read_text())
    for arguments, fields in ((["p"], {"outputs": {}}), (["p"], {"serial": 1}), (["p"], {"lineage": "x", "serial": 99}),
                              (["-force", "p"], {"serial": 1}), (["p"], {"outputs": {}, "serial": 90}),
                              (["-force", "p"], {"lineage": "x"}), (["p"], {"lineage": "x", "serial": 77}),
                              (["p"], {"lineage": "x", "serial": 77})):
        text = json.dumps({**state, **fields})
        p.both(lambda d, text=text: (d / "p").write_text(text))
        p.step("state", "push", *arguments)
        p.step("state", "push", *arguments[:-1], "-", stdin=text)
    p.both(lambda d: (d / "terraform.tfstate").unlink())
    p.step("state", "push", "p")
    p = Pair(root, "refreshing", source)
    p.both(lambda d: (d / "other.tfstate").write_text(json.dumps({**OTHER, "outputs": {}})))
    p.step("refresh", output=False)


def everything(root):
    source = make_source(root)
    for check in (listing, values_hidden, removing, moving, pushing, tainting, locking, read_only_directory,
                  uncertain_backend, beside_terraform):
        check(root, source)


if __name__ == "__main__":
    sys.exit(main(everything))
