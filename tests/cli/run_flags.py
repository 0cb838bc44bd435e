#!/usr/bin/env python3
"""Options that contradict each other are refused before anything is done, -chdir in each spelling works in the
directory it names, and help says what there is."""
# ctest-labels: golden
import itertools
import os
import pathlib
import subprocess
import sys

from expectations import ONE_RESOURCE, PRAVOC, expect, main


def run(*arguments, cwd=None, **environment):
    return subprocess.run([PRAVOC, *arguments], capture_output=True, text=True, cwd=cwd, stdin=subprocess.DEVNULL,
                          timeout=60, env={**os.environ, "TF_WORKSPACE": "", **environment})


def contradictions(root):
    path = pathlib.Path(root, "contradictions")
    path.mkdir()
    (path / "main.tf").write_text(ONE_RESOURCE)
    assert run("apply", "-auto-approve", cwd=path).returncode == 0
    state = path / "terraform.tfstate"
    before = state.read_text()
    replace = "-replace=terraform_data.a"
    refused = [{"-destroy", "-refresh-only"}, {"-refresh-only", "-refresh=false"}, {"-destroy", replace},
               {"-refresh-only", replace}]
    flags = ["-destroy", "-refresh-only", "-refresh=false", replace]
    for command in ("plan", "apply"):
        for chosen in (set(c) for n in (2, 3, 4) for c in itertools.combinations(flags, n)):
            if not any(pair <= chosen for pair in refused):
                continue
            more = ["-auto-approve"] if command == "apply" else []
            answer = run(command, *sorted(chosen), *more, cwd=path)
            expect(f"{command} {sorted(chosen)} is refused", answer.returncode == 1 and "exclude each other" in
                   answer.stderr and answer.stdout == "" and f"pravoc {command} -help" in answer.stderr, answer)
    for flag in ("-destroy", "-refresh-only", replace):
        answer = run("destroy", flag, "-auto-approve", cwd=path)
        expect(f"destroy {flag} is refused", answer.returncode == 1 and "`destroy` takes no " + flag.split("=")[0] in
               answer.stderr and answer.stdout == "", answer)
        expect("and not offered", flag.split("=")[0] + " " not in run("destroy", "-help").stdout, answer)
    expect("the state is as it was", state.read_text() == before, answer)
    # What goes together, and what is said to be off.
    for arguments in (["plan", "-destroy", "-refresh=false"], ["plan", "-refresh=false", replace],
                      ["plan", "-destroy=false", "-refresh-only"], ["plan", "-refresh-only=false", replace]):
        answer = run(*arguments, cwd=path)
        expect(" ".join(arguments), answer.returncode == 0, answer)

    # A saved plan is what it is.
    assert run("plan", "-out=p", "-var=v=2", cwd=path).returncode == 0
    for flag, words in (("-destroy", "was not planned with -destroy"), (replace, "give -replace to `pravoc plan`"),
                        ("-refresh-only", "was not planned with -refresh-only")):
        answer = run("apply", flag, "p", cwd=path)
        expect(f"apply {flag} PLAN", answer.returncode == 1 and words in answer.stderr and state.read_text() == before,
               answer)
    assert run("plan", "-out=d", "-destroy", cwd=path).returncode == 0
    answer = run("apply", "-destroy", "d", cwd=path)
    expect("a plan to destroy is one", answer.returncode == 0 and "1 destroyed" in answer.stdout, answer)


def directories(root):
    path = pathlib.Path(root, "directories")
    for name, value in (("here", 1), ("here/dev", 2)):
        (path / name).mkdir(parents=True)
        (path / name / "main.tf").write_text(f'output "o" {{\n  value = "of {value}"\n}}\n')
    here = path / "here"
    for option in (["-chdir=dev"], ["--chdir=dev"], ["-chdir", "dev"], ["--chdir", "dev"]):
        for arguments in ([*option, "plan"], ["plan", *option]):
            answer = run(*arguments, cwd=here)
            expect(" ".join(arguments), answer.returncode == 0 and "of 2" in answer.stdout, answer)
    answer = run("plan", cwd=here, TF_CLI_ARGS_plan="-chdir dev")
    expect("-chdir of the environment", answer.returncode == 0 and "of 2" in answer.stdout, answer)
    answer = run("-chdir", "dev", "plan", cwd=here, TF_CLI_ARGS_plan="-no-such-option")
    expect("the command is not the directory", "no-such-option" in answer.stderr, answer)
    for arguments, words in ((["plan", "-chdir"], "needs a directory"), (["-chdir=", "plan"], "needs a directory"),
                             (["-chdir", "-no-color", "plan"], "needs a directory"),
                             (["-chdir=dev", "-chdir=dev", "plan"], "given twice"),
                             (["-chdir", "nope", "plan"], "`nope`")):
        answer = run(*arguments, cwd=here)
        expect(" ".join(arguments), answer.returncode == 1 and words in answer.stderr and answer.stdout == "", answer)
    answer = run("-help")
    expect("help shows the form", "-chdir=DIR" in answer.stdout, answer)


def help_of_commands():
    whole = run("-help")
    for arguments in (["help"], []):
        answer = run(*arguments)
        expect(f"{arguments} is the help", answer.returncode == 0 and answer.stdout == whole.stdout, answer)
    listed = whole.stdout.split("Subcommands:")[1].splitlines()
    commands = [line.split()[0] for line in listed if line[:2] == "  " and line[2:3].isalpha()]
    expect("lines are short", max(map(len, whole.stdout.splitlines())) <= 100, whole)
    expect("the commands are listed", {"plan", "help", "eval", "version"} <= set(commands), whole)
    for command in commands:
        if command == "help":
            continue
        answer = run("help", command)
        direct = run(command, "-help")
        expect(f"help {command}", answer.returncode == 0 and answer.stdout == direct.stdout
               and f"Usage: pravoc {command}" in answer.stdout, answer)
        expect(f"the form of {command}", not any(form in answer.stdout for form in ("TEXT", "{false}", "UINT", " --")),
               answer)
        expect(f"lines of {command} are short", max(map(len, answer.stdout.splitlines())) <= 100, answer)
    answer = run("help", "ir")
    expect("nothing is lost where lines are broken", "one of parse, lower, mark-propagate, mark-check, fold, unused, advise"
           in " ".join(answer.stdout.split()), answer)
    answer = run("help", "plam")
    expect("help of what is no command", answer.returncode == 1 and "did you mean `plan`?" in answer.stderr, answer)
    answer = run("help", "plan")
    for part in ("-lock=false ", "-refresh=false ", "-out=FILE ", "-var=NAME=VALUE ", "(default: 10)"):
        expect(f"plan has {part}", part in answer.stdout, answer)


def small_mistakes(root):
    path = pathlib.Path(root, "mistakes")
    path.mkdir()
    (path / "main.tf").write_text(ONE_RESOURCE)
    answer = run("check", "nope", cwd=path)
    expect("what is not there was not checked", answer.returncode == 1 and answer.stdout == "", answer)
    answer = run("check", "nope", ".", cwd=path)
    expect("what is there was", answer.returncode == 1 and "Checked 1 module," in answer.stdout, answer)
    for value in ("=1", " =1"):
        answer = run("plan", f"-var={value}", cwd=path)
        expect("a variable has a name", answer.returncode == 1 and "there is no name" in answer.stderr
               and "``" not in answer.stderr, answer)
    answer = run("ir", "-only=nope", "-only=v", cwd=path)
    expect("a value that is not there", answer.returncode == 1 and "no value `%nope`" in answer.stderr
           and "%v" in answer.stdout and "`%v`" not in answer.stderr, answer)
    for expression, value in (("-(2-1)", "-1"), ("-1", "-1"), ("-var.v", "-1"), ("-length([1, 2])", "-2"),
                              ("--1", "1"), ("- 1", "-1")):
        for arguments in ([expression], [expression, "-no-color"], ["-var", "v=1", expression]):
            answer = run("eval", *arguments, cwd=path)
            expect(f"eval {arguments}", answer.returncode == 0 and answer.stdout == value + "\n", answer)
    answer = run("eval", "-jsn", "1", cwd=path)
    expect("an option with a mistake is one", answer.returncode == 1 and "-jsn" in answer.stderr, answer)

    lines = run("explain").stdout.splitlines()
    ids = [line.split()[0] for line in lines]
    expect("explain has a title for each id", len(ids) > 200 and all(
        len(line.split()) > 2 and line.split()[1] != line.split()[0] for line in lines), run("explain"))


def lint(root):
    path = pathlib.Path(root, "lint")
    path.mkdir()
    (path / "main.tf").write_text(ONE_RESOURCE + 'variable "unused" {\n  default = 1\n}\n'
                                  'variable "e" {\n  default   = "x"\n  ephemeral = true\n}\n'
                                  'resource "terraform_data" "c" {\n  lifecycle {\n    precondition {\n'
                                  '      condition     = var.e != ""\n      error_message = "not ${var.e}"\n    }\n  }\n}\n')
    answer = run("check", cwd=path)
    expect("check has lint", all(f"[{i}]" in answer.stderr for i in ("unused-variable", "ephemeral-in-message")), answer)
    answer = run("validate", cwd=path)
    expect("validate, too", "[unused-variable]" in answer.stderr, answer)
    for arguments in (["plan", "-out=p"], ["apply", "p"], ["apply", "-auto-approve", "-var=v=2"],
                      ["destroy", "-auto-approve"]):
        answer = run(*arguments, cwd=path)
        expect(f"{arguments[0]} has none", answer.returncode == 0 and answer.stderr == "", answer)
    (path / "x.auto.tfvars").write_text("nobody = 1\n")
    answer = run("plan", cwd=path)
    expect("what concerns the run is said", "[undeclared-variable-value]" in answer.stderr
           and answer.stderr.count("warning:") == 1, answer)


def init_of_faults(root):
    path = pathlib.Path(root, "init")
    (path / "m").mkdir(parents=True)
    (path / "m" / "main.tf").write_text('output "o" {\n  value = var.no\n}\n')
    main = path / "main.tf"
    manifest = path / ".terraform" / "modules" / "modules.json"
    call = 'module "m" {\n  source = "./m"\n  nope   = 1\n}\n'
    main.write_text(call + 'output "o" {\n  value = var.nope\n}\n')
    answer = run("init", cwd=path)
    expect("faults of others are not init's", answer.returncode == 0 and "error" not in answer.stderr
           and '"Dir":"m"' in manifest.read_text() and "faults" in answer.stdout, answer)
    expect("validate has them", "[unknown-module-argument]" in run("validate", cwd=path).stderr, answer)
    for text, words in ((call + "output {{\n", "error:"), (call + 'output "o" {\n}\n', "[missing-argument]"),
                        (call + 'resource "terraform_data" "x" {\n  lifecycle {\n    nope = 1\n  }\n}\n', "[unknown-argument]"),
                        ('module "m" {\n  source = "./n"\n}\n', "module-directory-missing"),
                        (call + 'module "n" {\n  source = var.x\n}\n', "error:"), ('module "n" {\n}\n', "error:"),
                        ('terraform {\n  required_version = ">= 99"\n}\n', "unsupported-version")):
        main.write_text(text)
        manifest.unlink(missing_ok=True)
        answer = run("init", cwd=path)
        expect(f"{text} keeps init from it", answer.returncode == 1 and words in answer.stderr
               and not manifest.exists(), answer)


def everything(root):
    contradictions(root)
    directories(root)
    small_mistakes(root)
    lint(root)
    init_of_faults(root)
    help_of_commands()


if __name__ == "__main__":
    sys.exit(main(everything))
