#!/usr/bin/env python3
"""The command line as a user meets it: exit codes, where output goes, help, mistakes, and what JSON says."""
# ctest-labels: golden
import json
import os
import pathlib
import subprocess
import sys
import tempfile

from expectations import PRAVOC, expect, main

LEAK = pathlib.Path(os.environ.get("PRAVO_SOURCE_DIR", "."), "tools/demo/leak")


def run(*arguments, cwd=None, env=None, stdin=""):
    return subprocess.run([PRAVOC, *arguments], capture_output=True, text=True, cwd=cwd, input=stdin, timeout=60,
                          env={**os.environ, **(env or {})})


def check_of_a_leak():
    answer = run("check", str(LEAK))
    expect("a leak makes check fail", answer.returncode == 1, answer)
    expect("diagnostics go to stderr", "[ephemeral-in-resource]" in answer.stderr, answer)
    expect("the summary goes to stdout", "1 error" in answer.stdout and "error:" not in answer.stdout, answer)
    expect("no colour without a terminal", "\x1b" not in answer.stderr + answer.stdout, answer)
    for step in ("is declared ephemeral", "through local `auth`", "as argument `headers` of module `service`",
                 "passed through `jsonencode`"):
        expect(f"the path says: {step}", step in answer.stderr, answer)

    answer = run("check", "-json", str(LEAK))
    document = json.loads(answer.stdout)
    expect("JSON only on stdout", answer.stderr == "" and answer.returncode == 1, answer)
    expect("the shape of validate -json",
           document["format_version"] == "1.0" and document["valid"] is False and document["error_count"] == 1, answer)
    [diagnostic] = [d for d in document["diagnostics"] if d["severity"] == "error"]
    expect("code and address", diagnostic["code"] == "ephemeral-in-resource"
           and diagnostic["address"] == "module.service.terraform_data.probe", answer)
    expect("every step has a place", all("range" in step for step in diagnostic["trace"]) and
           len(diagnostic["trace"]) >= 5, answer)
    first, last = diagnostic["trace"][0]["range"], diagnostic["trace"][-1]["range"]
    expect("the path starts at the secret", first["start"]["line"] == 4 and first["filename"].endswith("leak/main.tf"),
           answer)
    expect("the path ends at the sink", last["filename"].endswith("modules/service/main.tf"), answer)
    snippet = diagnostic["snippet"]
    marked = snippet["code"].encode()[snippet["highlight_start_offset"]:snippet["highlight_end_offset"]]
    expect("the snippet marks the value", marked.startswith(b"jsonencode("), answer)

    answer = run("check", "-compact", str(LEAK))
    expect("one line for editors", "modules/service/main.tf:16:11: error:" in answer.stderr, answer)
    answer = run("-chdir=" + str(LEAK), "check", "-compact")
    expect("-chdir makes names relative to it", answer.stderr.startswith("modules/service/main.tf:16:11: error:"),
           answer)


def phases_of_the_compiler():
    def after(*passes):
        return run("ir", *[f"-print-after={p}" for p in passes], str(LEAK))

    answer = after("parse")
    expect("the syntax of every file", answer.returncode == 0 and answer.stdout.count("(Body ") >= 2
           and "modules/service/main.tf" in answer.stdout, answer)
    answer = after("lower")
    expect("the program, without marks", "module @root" in answer.stdout and "; marks" not in answer.stdout, answer)
    answer = after("mark-propagate", "lower")
    expect("several, as they run", answer.stdout.index("; after lower") < answer.stdout.index("; after mark-propagate")
           and "; marks" in answer.stdout, answer)
    answer = after("mark-check")
    expect("what a pass reports", "[ephemeral-in-resource]" in answer.stdout, answer)
    answer = after("fold", "unused", "advise")
    expect("nothing to report", answer.stdout == "; after fold\n; after unused\n; after advise\n", answer)
    answer = after("linking")
    expect("a phase that does not exist", answer.returncode == 1 and "mark-check" in answer.stderr, answer)


def init_and_validate():
    with tempfile.TemporaryDirectory() as root:
        main = pathlib.Path(root, "main.tf")
        (pathlib.Path(root, "a/b")).mkdir(parents=True)
        main.write_text('module "x" {\n  source = "./a"\n}\n')
        pathlib.Path(root, "a/main.tf").write_text('module "y" {\n  source = "./b"\n}\n')
        pathlib.Path(root, "a/b/main.tf").write_text('output "o" {\n  value = 1\n}\n')
        answer = run("init", "-input=false", cwd=root)
        manifest = json.loads(pathlib.Path(root, ".terraform/modules/modules.json").read_text())
        expect("init records modules as Terraform does", answer.returncode == 0 and manifest == {"Modules": [
            {"Key": "", "Source": "", "Dir": "."}, {"Key": "x", "Source": "./a", "Dir": "a"},
            {"Key": "x.y", "Source": "./b", "Dir": "a/b"}]}, answer)
        answer = run("validate", cwd=root)
        expect("validate", answer.returncode == 0 and answer.stdout == "Success! The configuration is valid.\n", answer)
        answer = run("validate", "-json", cwd=root)
        expect("validate -json", json.loads(answer.stdout)["valid"] is True, answer)
        main.write_text('module "n" {\n  source = "acme/net/aws"\n}\n')
        answer = run("init", cwd=root)
        expect("what cannot be fetched", answer.returncode == 1 and "[cannot-fetch-module]" in answer.stderr, answer)
        main.write_text('output "x" {\n  value = var.y\n}\n')
        answer = run("validate", cwd=root)
        expect("validate of a fault", answer.returncode == 1 and "Success" not in answer.stdout, answer)
        main.write_text('module "x" {\n  source = "./a"\n}\n')
        pathlib.Path(root, "data").write_text("no directory")
        answer = run("init", cwd=root, env={"TF_DATA_DIR": "data"})
        expect("a manifest without a place", answer.returncode == 1 and "[manifest-not-written]" in answer.stderr,
               answer)


def workspaces_and_backends():
    with tempfile.TemporaryDirectory() as root:
        main = pathlib.Path(root, "main.tf")
        main.write_text('resource "terraform_data" "x" {}\n')
        answer = run("apply", "-auto-approve", cwd=root, env={"TF_WORKSPACE": "blue"})
        state = pathlib.Path(root, "terraform.tfstate.d/blue/terraform.tfstate")
        expect("a workspace has its state", answer.returncode == 0 and state.exists(), answer)
        answer = run("plan", cwd=root, env={"TF_WORKSPACE": "../blue"})
        expect("a name is no path", answer.returncode == 1 and "[invalid-workspace-name]" in answer.stderr, answer)

        main.write_text('terraform {\n  backend "local" {\n    path = "sub/${"a"}.tfstate"\n  }\n}\n'
                        'resource "terraform_data" "x" {}\n')
        answer = run("apply", "-auto-approve", cwd=root)
        expect("a path is a constant", answer.returncode == 0 and pathlib.Path(root, "sub/a.tfstate").exists(), answer)
        main.write_text('terraform {\n  backend "local" {\n    path = var.p\n    pth  = "x"\n  }\n}\n')
        answer = run("plan", cwd=root)
        expect("not a variable", "main.tf:3:12" in answer.stderr and "[not-constant]" in answer.stderr, answer)


def arguments_of_the_environment():
    with tempfile.TemporaryDirectory() as root:
        pathlib.Path(root, "main.tf").write_text('variable "v" {}\noutput "o" {\n  value = var.v\n}\n')
        answer = run("plan", cwd=root, env={"TF_CLI_ARGS_plan": "-no-color -var 'v=two words'"})
        expect("TF_CLI_ARGS_plan", answer.returncode == 0 and '"two words"' in answer.stdout, answer)
        answer = run("plan", "-var=v=typed", cwd=root, env={"TF_CLI_ARGS": "-var=v=env", "TF_CLI_ARGS_apply": "-bad"})
        expect("what is typed comes last", answer.returncode == 0 and '"typed"' in answer.stdout, answer)


def unusual_output():
    with tempfile.TemporaryDirectory() as root:
        pathlib.Path(root, "main.tf").write_text('resource "terraform_data" "x" {}\n')
        run("apply", "-auto-approve", cwd=root)
        state = pathlib.Path(root, "terraform.tfstate")
        before = state.read_text()
        for closed in (">&-", "2>&-", "<&-", ">&- 2>&-"):
            shell = subprocess.run(["sh", "-c", f'"$0" plan {closed}', PRAVOC], cwd=root, capture_output=True, text=True,
                                   timeout=60)
            expect(f"plan {closed} leaves the state alone", state.read_text() == before, shell)
        os.mkfifo(pathlib.Path(root, "pipe"))
        with subprocess.Popen(["cat", "pipe"], cwd=root, stdout=subprocess.PIPE) as reader:
            answer = run("plan", "-out=pipe", cwd=root)
            text = reader.communicate(timeout=60)[0]
        expect("a pipe is written to", answer.returncode == 0 and len(text) > 100
               and pathlib.Path(root, "pipe").is_fifo(), answer)
        with open("/dev/full", "w") as full:
            answer = subprocess.run([PRAVOC, "show", "-json"], cwd=root, stdout=full, stderr=subprocess.PIPE, text=True,
                                    timeout=60)
        answer.stdout = ""
        expect("a failed write is a failure", answer.returncode == 1 and "standard output" in answer.stderr, answer)


def replacements():
    with tempfile.TemporaryDirectory() as root:
        pathlib.Path(root, "main.tf").write_text(
            'variable "t" {\n  default = 1\n}\n'
            'resource "terraform_data" "x" {\n  count            = 2\n  triggers_replace = var.t\n}\n'
            'resource "terraform_data" "y" {\n  for_each         = toset(["a"])\n  triggers_replace = var.t\n}\n')
        answer = run("apply", "-auto-approve", cwd=root)
        answer = run("apply", "-refresh-only", "-auto-approve", "-var=t=2", cwd=root)
        expect("-refresh-only changes nothing", "0 added, 0 changed, 0 destroyed" in answer.stdout
               or "No changes" in answer.stdout, answer)
        answer = run("apply", "-auto-approve", "-var=t=2", cwd=root)
        expect("counted instances are replaced", answer.returncode == 0 and "3 added, 0 changed, 3 destroyed" in
               answer.stdout, answer)
        expect("and the old one's id is not the new one's", "Creating... [id" not in answer.stdout, answer)


def several_directories():
    with tempfile.TemporaryDirectory() as root:
        for name, text in (("good", 'output "x" {\n  value = 1\n}\n'), ("bad/deep", 'output "x" {\n  value = var.y\n}\n'),
                           (".terraform/modules/z", "nonsense {\n")):
            directory = pathlib.Path(root, name)
            directory.mkdir(parents=True)
            (directory / "main.tf").write_text(text)
        answer = run("check", "./...", cwd=root)
        expect("DIR/... finds both configurations", "2 configurations" in answer.stdout and answer.returncode == 1,
               answer)
        expect("and names the file", "bad/deep/main.tf:2:11" in answer.stderr, answer)
        module = pathlib.Path(root, "good/inner")
        module.mkdir()
        (module / "main.tf").write_text('variable "e" {\n  ephemeral = true\n}\n'
                                        'output "e" {\n  value     = var.e\n  ephemeral = true\n}\n')
        pathlib.Path(root, "good/call.tf").write_text('module "inner" {\n  source = "./inner"\n  e      = "x"\n}\n')
        answer = run("check", "good/...", cwd=root)
        expect("a module that is called is no configuration", answer.returncode == 0 and "2 modules" in answer.stdout,
               answer)
        answer = run("check", "good", "bad/deep", "-json", cwd=root)
        expect("several directories, one document", json.loads(answer.stdout)["error_count"] == 1, answer)
        answer = run("check", "good", cwd=root)
        expect("a good one is fine", answer.returncode == 0 and answer.stderr == "", answer)
        empty = pathlib.Path(root, "empty")
        empty.mkdir()
        answer = run("check", "empty/...", cwd=root)
        expect("a pattern that finds nothing is an error", answer.returncode == 1 and "no configuration" in answer.stderr,
               answer)
        answer = run("check", "nowhere", cwd=root)
        expect("a directory that is not there is an error", answer.returncode == 1 and "nowhere" in answer.stderr,
               answer)


def lost_files_are_one_error():
    encrypted = b"\0GITCRYPT\0" + bytes(range(256)) * 8
    with tempfile.TemporaryDirectory() as root:
        main_file = pathlib.Path(root, "main.tf")
        main_file.write_text('variable "a" {}\noutput "o" {\n  value = [var.b, local.c, module.d.e, terraform_data.f, '
                             'module.m.h]\n}\nmodule "m" {\n  source = "./m"\n  g      = var.a\n}\n')
        pathlib.Path(root, "m").mkdir()
        pathlib.Path(root, "m/secret.tf").write_bytes(encrypted)
        pathlib.Path(root, "terraform.tfvars").write_bytes(encrypted)

        def codes(*flags):
            answer = run("check", "-json", *flags, root)
            return sorted(d["code"] for d in json.loads(answer.stdout)["diagnostics"]), answer
        found, answer = codes()
        expect("what a file that is no text declares is not known", found == sorted(
            ["file-not-text"] * 2 + ["undeclared-variable", "undeclared-local", "undeclared-module",
                                     "undeclared-resource"]), answer)
        pathlib.Path(root, "secret.tf").write_bytes(encrypted)
        found, answer = codes()
        expect("in its own module, too", found == ["file-not-text"] * 3, answer)
        expect("the file is the place", all(d["range"]["start"]["line"] == 1 and "snippet" not in d
                                            for d in json.loads(answer.stdout)["diagnostics"]), answer)
        pathlib.Path(root, "secret.tf").unlink()
        pathlib.Path(root, "m/secret.tf").unlink()
        pathlib.Path(root, "terraform.tfvars").unlink()
        pathlib.Path(root, "m/main.tf").write_text('variable "g" {}\noutput "h" {\n  value = var.g\n}\n')
        pathlib.Path(root, "link.tf").symlink_to("../gone.tf")
        answer = run("check", root)
        expect("a link that leads nowhere", "it is a symbolic link to `../gone.tf`, which does not exist" in answer.stderr
               and "link.tf:1:1" in answer.stderr and answer.stderr.count("error:") == 1 and "|" not in answer.stderr,
               answer)


def one_slip_is_one_error():
    with tempfile.TemporaryDirectory() as root:
        file = pathlib.Path(root, "main.tf")
        for code, value in {
                "number-with-dots": "1.2.3", "unknown-operator": "[1] | length", "unclosed-bracket": "[1, 2}",
                "missing-newline": '"say "hi" there"', "unknown-directive": '"%{ if true }a%{ elseif 1 }b%{ endif }"',
                "invalid-heredoc-marker": "<<<EOT\nabc\nEOT", "expected-attribute-name": "var."}.items():
            file.write_text(f"locals {{\n  v = {value}\n  w = 2\n}}\n")
            answer = run("check", "-json", root)
            codes = [d["code"] for d in json.loads(answer.stdout)["diagnostics"] if d["severity"] == "error"]
            expect(f"one error for {value}", codes == [code], answer)
        file.write_text("locals {\n  v = 1.2.3\n  w = var.other\n}\n")
        answer = run("check", "-compact", root)
        expect("other lines are looked at", "main.tf:3:" in answer.stderr, answer)


def secrets_in_types_and_keys():
    with tempfile.TemporaryDirectory() as root:
        file = pathlib.Path(root, "main.tf")
        file.write_text('variable "e" {\n  ephemeral = true\n  default = "hunter2"\n}\n'
                        'variable "s" {\n  sensitive = true\n  default = "hunter3"\n}\n'
                        'variable "o" {\n  type = object({ name = string })\n  sensitive = true\n'
                        '  default = { name = "x" }\n}\n'
                        'output "v" {\n  value = [ephemeralasnull({ (var.e) = 1 })]\n}\n')
        for expression in ("type({ (var.e) = 1 })", "type([{ (var.s) = 1 }])", "{ (var.e) = 1 }"):
            for flags in ((), ("-json",)):
                answer = run("eval", *flags, expression, cwd=root)
                expect(f"eval {expression} keeps the key", answer.returncode == 0
                       and "hunter" not in answer.stdout + answer.stderr, answer)
        answer = run("eval", "type(var.o)", cwd=root)
        expect("a type that is declared is shown", "name: string" in answer.stdout, answer)
        answer = run("apply", "-auto-approve", cwd=root)
        texts = [answer.stdout, answer.stderr, pathlib.Path(root, "terraform.tfstate").read_text()]
        texts += [run("output", "-json", cwd=root).stdout, run("show", "-json", cwd=root).stdout]
        expect("nor does a null tell the type", answer.returncode == 0 and not any("hunter" in t for t in texts), answer)
        file.write_text('variable "s" {\n  sensitive = true\n  default = "hunter2"\n}\n'
                        'data "terraform_remote_state" "r" {\n  backend = "local"\n  config = { (var.s) = 1 }\n}\n')
        answer = run("plan", cwd=root)
        expect("nor does a provider's message tell a key", answer.returncode == 1
               and "no argument" in answer.stderr and "hunter" not in answer.stdout + answer.stderr, answer)


def what_comes_before_changes():
    with tempfile.TemporaryDirectory() as root:
        file = pathlib.Path(root, "main.tf")
        file.write_text('variable "role" {\n  ephemeral = true\n  validation {\n    condition = var.role != "bad"\n'
                        '    error_message = "no"\n  }\n}\nresource "terraform_data" "x" {\n'
                        '  depends_on = [terraform_data.x]\n}\n')
        answer = run("plan", "-var", "role=good", "-out=p", cwd=root)
        expect("a resource may depend on itself, which says nothing", answer.returncode == 0, answer)
        answer = run("apply", "-var", "role=bad", "p", cwd=root)
        expect("values are refused before anything is done", answer.returncode == 1
               and "Creation complete" not in answer.stdout and "[validation-failed]" in answer.stderr, answer)
        file.write_text('resource "terraform_data" "x" {\n  count = 1\n}\n'
                        'output "o" {\n  value = terraform_data.x[length(terraform_data.x)].id\n}\n')
        answer = run("plan", cwd=root)
        expect("what could be planned is shown beside errors", answer.returncode == 1
               and "terraform_data.x[0] will be created" in answer.stdout and "no plan" in answer.stdout, answer)


def mistakes():
    answer = run("chek")
    expect("an unknown command is corrected", answer.returncode == 1 and "did you mean `check`?" in answer.stderr,
           answer)
    answer = run("check", "-jsn")
    expect("an unknown option is an error with a way on", answer.returncode == 1 and "-help" in answer.stderr, answer)
    answer = run()
    expect("no arguments show the help", answer.returncode == 0 and "check" in answer.stdout, answer)
    answer = run("plan", "-help")
    expect("help shows one dash", " -out" in answer.stdout and " --out" not in answer.stdout, answer)
    answer = run("explain", "ephemeral-in-resourc")
    expect("explain corrects an id", "did you mean `ephemeral-in-resource`?" in answer.stderr, answer)
    answer = run("explain", "ephemeral-in-resource")
    expect("explain prints a page", answer.returncode == 0 and "```hcl" in answer.stdout, answer)
    answer = run("-chdir=/nonexistent", "check")
    expect("a wrong -chdir is an error", answer.returncode == 1 and "/nonexistent" in answer.stderr, answer)


def intermediate_forms():
    answer = run("ir", str(LEAK), "-stage=lowered")
    expect("ir prints the program", answer.stdout.startswith("module @root {"), answer)
    answer = run("ir", str(LEAK))
    expect("with the marks that were found", "; marks" in answer.stdout, answer)


def everything(_):
    check_of_a_leak()
    several_directories()
    one_slip_is_one_error()
    secrets_in_types_and_keys()
    what_comes_before_changes()
    lost_files_are_one_error()
    mistakes()
    intermediate_forms()
    phases_of_the_compiler()
    init_and_validate()
    workspaces_and_backends()
    arguments_of_the_environment()
    unusual_output()
    replacements()


if __name__ == "__main__":
    sys.exit(main(everything))
