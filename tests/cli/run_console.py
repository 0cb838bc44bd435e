#!/usr/bin/env python3
# ctest-labels: golden
"""`pravoc console` at a terminal and behind a pipe, `pravoc eval`, `pravoc functions`."""
import json
import os
import pathlib
import pty
import re
import select
import signal
import subprocess
import sys
import tempfile
import time

PRAVOC = os.environ["PRAVOC"]
CONFIGURATION = """
variable "name" {
  type    = string
  default = "box"
}
variable "missing" {
  type = string
}
variable "token" {
  type      = string
  default   = "hunter2"
  ephemeral = true
}
variable "password" {
  type      = string
  default   = "swordfish"
  sensitive = true
}
locals {
  broken = tonumber("x${var.name}")
  length = length(var.name)
  planned = plantimestamp()
}
resource "terraform_data" "one" {
  input = var.name
}
resource "terraform_data" "many" {
  count = 2
  input = count.index
}
resource "terraform_data" "keyed" {
  for_each = toset(["a", "b"])
  input    = { key = each.key, secret = var.password }
}
module "inner" {
  source = "./inner"
  size   = local.length
}
"""
INNER = """
variable "size" {}
output "double" {
  value = var.size * 2
}
output "hidden" {
  value     = "x${var.size}"
  sensitive = true
}
"""
failures = []


def expect(what, condition, found):
    if not condition:
        failures.append(f"{what}\n  found: {found!r}")


def run(*arguments, cwd, stdin="", env=None):
    return subprocess.run([PRAVOC, *arguments], capture_output=True, text=True, cwd=cwd, input=stdin, timeout=60,
                          env={**os.environ, **(env or {})})


class Prompt:
    """A console at a terminal of its own."""

    def __init__(self, directory, *arguments, env=None):
        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            signal.signal(signal.SIGINT, signal.SIG_DFL)  # whoever runs tests in the background ignores it
            os.chdir(directory)
            os.environ.update({"TERM": "dumb", "INPUTRC": "/dev/null", **(env or {})})
            os.execv(PRAVOC, [PRAVOC, "console", *arguments])
        self.status = None

    def until(self, end, timeout=20):
        """What is shown up to `end`."""
        shown = ""
        limit = time.monotonic() + timeout
        while not shown.endswith(end) and time.monotonic() < limit:
            if not select.select([self.fd], [], [], 0.1)[0]:
                continue
            try:
                shown += os.read(self.fd, 4096).decode()
            except OSError:
                break
        return re.sub(r"\x1b\[\?2004[hl]\r?", "", shown).replace("\r\n", "\n")

    def type(self, text):
        os.write(self.fd, text.encode())

    def answer(self, line, prompt="> "):
        """What comes between the echo of a line and the next prompt."""
        self.type(line + "\n")
        shown = self.until(prompt)
        return shown.split("\n", 1)[1].removesuffix(prompt).rstrip("\n") if "\n" in shown else shown

    def end(self):
        """Its exit code, and what it still showed; a program that goes on is killed."""
        shown = self.until("\0", 2)
        if os.waitid(os.P_PID, self.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is None:
            time.sleep(1)  # its terminal was closed before it ended
            os.kill(self.pid, signal.SIGKILL)
        _, status = os.waitpid(self.pid, 0)
        os.close(self.fd)
        return os.waitstatus_to_exitcode(status), shown


def at_a_terminal(directory):
    prompt = Prompt(directory)
    expect("a prompt", prompt.until("> ").endswith("> "), "")
    expect("a sum", prompt.answer("1 + 2") == "3", "")
    for expression, wanted in [
        ("var.name", '"box"'), ("local.length * 2", "6"), ("module.inner.double", "6"), ("var.token", "(ephemeral value)"),
        ("var.password", "(sensitive value)"), ("module.inner.hidden", "(sensitive value)"), ("var.missing", "(known after apply)"), ("", ""),
        ("type([1])", "tuple([\n    number,\n])"),
    ]:
        found = prompt.answer(expression)
        expect(expression, found == wanted, found)
    found = prompt.answer("var.nope")
    expect("an error with its place", "<console-input>:1:1" in found and "undeclared-variable" in found, found)
    for _ in range(2):
        found = prompt.answer("local.broken")
        expect("a fault of the configuration, each time", "main.tf:20:" in found, found)
    expect("an open bracket goes on", prompt.answer("[1,", ": ") == "", "")
    found = prompt.answer("2]")
    expect("and ends", found == "[\n  1,\n  2,\n]", found)
    prompt.answer("<<EOT", ": ")
    prompt.answer("a ${var.name}", ": ")
    found = prompt.answer("EOT")
    expect("a heredoc", found == "<<EOT\na box\n\nEOT", found)

    prompt.type("local.le\t\n")
    found = prompt.until("> ")
    expect("the tab key completes a name", "local.length\n3\n" in found, found)
    prompt.type("\x1b[A\n")
    found = prompt.until("> ")
    expect("the arrow key brings the last input back", "local.length\n3\n" in found, found)

    prompt.type("[1,\n")
    prompt.until(": ")
    prompt.type("\x03")
    expect("Ctrl-C leaves an input", prompt.until("> ").endswith("> "), "")
    prompt.type("nonsense")
    prompt.until("nonsense")
    prompt.type("\x03")
    expect("and a line", prompt.until("> ").endswith("> "), "")
    expect("nothing of it is left", prompt.answer("4") == "4", "")
    prompt.type("exit\n")
    status, _ = prompt.end()
    expect("exit ends with 0", status == 0, status)

    for what, keys in (("Ctrl-D", "\x04"), ("Ctrl-C", "\x03")):
        prompt = Prompt(directory)
        prompt.until("> ")
        prompt.type(keys)
        status, _ = prompt.end()
        expect(f"{what} on an empty line ends with 0", status == 0, status)

    prompt = Prompt(directory, "-var", "name=crate")
    prompt.until("> ")
    expect("-var", prompt.answer("var.name") == '"crate"', "")
    # A long evaluation can be interrupted as every program.
    prompt.type("length([for a in range(1000) : [for b in range(1000) : [for c in range(1000) : a * b * c]]])\n")
    time.sleep(0.5)
    prompt.type("\x03")
    status, _ = prompt.end()
    expect("Ctrl-C during an evaluation", status == -signal.SIGINT, status)


def history(directory):
    with tempfile.TemporaryDirectory() as home:
        prompt = Prompt(directory, env={"HOME": home})
        prompt.until("> ")
        prompt.answer("1 + 1")
        prompt.type("exit\n")
        prompt.end()
        expect("nothing is kept unasked", os.listdir(home) == [], os.listdir(home))

        path = pathlib.Path(home, "history")
        prompt = Prompt(directory, env={"PRAVOC_CONSOLE_HISTORY": str(path)})
        prompt.until("> ")
        for line in ("1 + 1", 'sensitive("typed")', "upper(var.token)", "nope"):
            prompt.answer(line)
        prompt.type("exit\n")
        prompt.end()
        expect("kept when asked, but for what is marked or fails", path.read_text() == "1 + 1\n", path.read_text())
        expect("for its owner alone", path.stat().st_mode & 0o777 == 0o600, oct(path.stat().st_mode))
        prompt = Prompt(directory, env={"PRAVOC_CONSOLE_HISTORY": str(path)})
        prompt.until("> ")
        prompt.type("\x1b[A\n")
        found = prompt.until("> ")
        expect("and comes back", "1 + 1\n2\n" in found, found)
        prompt.type("exit\n")
        prompt.end()


def behind_a_pipe(directory):
    for stdin, out, status in [("1\n2\n", "2\n", 0), ("", "\n", 0), ("1\nexit\n3\n", "", 0), ("1\nfoo\n3\n", "", 1),
                               ("[1,\n2]\n", "", 1), ("1\n\n", "\n", 0), ("  var.name \n", '"box"\n', 0)]:
        answer = run("console", cwd=directory, stdin=stdin)
        expect(f"console with {stdin!r}", (answer.stdout, answer.returncode) == (out, status),
               (answer.stdout, answer.returncode, answer.stderr))


def evaluate(directory):
    def value(*arguments, stdin=""):
        answer = run("eval", *arguments, cwd=directory, stdin=stdin)
        return answer.stdout if answer.returncode == 0 else f"exit code {answer.returncode}"

    for arguments, wanted in [
        (("1 + 1",), "2\n"), (("-var", "name=x", "var.name"), '"x"\n'), (("--var=name=x", "var.name"), '"x"\n'),
        (("var.name", "-var-file=crate.tfvars"), '"crate"\n'), (("-json", "1 + 1"), None), (("nope",), "exit code 1"),
        (("terraform_data.one.input",), '"recorded"\n'), (("terraform_data.many",), None),
        (("terraform_data.many[1].input",), "1\n"), (("terraform_data.many[5].input",), "exit code 1"),
        (("[for m in terraform_data.many : m.input]",), "[\n  0,\n  1,\n]\n"),
        (("terraform_data.keyed[\"a\"].input",), '{\n  "key" = "a"\n  "secret" = (sensitive value)\n}\n'),
        (("-state=other.tfstate", "terraform_data.one.input"), "(known after apply)\n"),
        (("terraform.workspace",), '"default"\n'), (("path.module",), '"."\n'), (('"a\tb"',), None),
        (("plantimestamp()",), "exit code 1"),
        (("[formatdate(\"YYYY\", core::plantimestamp())]",), "exit code 1"), (("\"plantimestamp()\"",), '"plantimestamp()"\n'),
        (("length(local.planned)",), "20\n"),
    ]:
        found = value(*arguments)
        if wanted is not None:
            expect(f"eval {arguments}", found == wanted, found)
    expect("an expression from standard input", value(stdin="var.name\n") == '"box"\n', "")
    expect("a heredoc from standard input", value(stdin="<<EOT\n${var.name}\nEOT\n") == '<<EOT\nbox\n\nEOT\n',
           value(stdin="<<EOT\n${var.name}\nEOT\n"))
    answer = run("-chdir=" + str(directory), "eval", "local.length", cwd="/")
    expect("-chdir", answer.stdout == "3\n", answer)

    answer = run("eval", "-lines", "-through-ir", cwd=directory, stdin="1\ncan(plantimestamp())\n")
    expect("a prompt plans nothing", answer.stdout == "1\nERROR\n" and "there is no function `plantimestamp`" in
           answer.stderr, answer.stderr)
    answer = run("eval", "upper(var.nope)", cwd=directory)
    expect("the place of a fault, on standard error", answer.stdout == "" and answer.returncode == 1 and
           "<console-input>:1:7" in answer.stderr, answer.stderr)
    answer = run("eval", 'tonumber(var.password)', cwd=directory)
    expect("no marked value in a message", answer.returncode == 1 and "swordfish" not in answer.stderr, answer.stderr)

    document = json.loads(value("-json", '{ n = 1, p = var.password, t = var.token, u = var.missing }'))
    expect("JSON: the value", document["value"] == {"n": 1, "p": "swordfish", "t": None}, document)
    expect("JSON: what is unknown", document["value_unknown"] == {"u": True}, document)
    expect("JSON: what is sensitive", document["value_sensitive"] == {"p": True} and document["ephemeral"] is True, document)
    expect("JSON: the ephemeral value is nowhere", "hunter2" not in json.dumps(document), document)
    answer = run("eval", "-json", "var.nope", cwd=directory)
    [diagnostic] = json.loads(answer.stdout)["diagnostics"]
    expect("JSON: a fault", diagnostic["code"] == "undeclared-variable" and answer.returncode == 1 and
           diagnostic["range"]["filename"] == "<console-input>" and answer.stderr == "", answer)

    answer = run("eval", "-lines", cwd=directory, stdin='var.name\nnope\n"a\\tb\\\\"\n<<x\n[1]\n')
    expect("one answer a line", answer.stdout == '"box"\nERROR\n"a\\\\tb\\\\\\\\"\nERROR\n[\\n  1,\\n]\n', answer.stdout)
    expect("faults with their line", "line 2: <console-input>:1:1: error:" in answer.stderr, answer.stderr)
    for way in ((), ("-through-ir",)):
        answer = run("eval", "-lines", "-null", *way, cwd=directory, stdin='1\0(<<EOT\na\nEOT\n)\0nope\0')
        expect("expressions of several lines", answer.stdout == '1\n<<EOT\\na\\n\\nEOT\nERROR\n', answer)
    process = subprocess.Popen([PRAVOC, "eval", "-lines"], cwd=directory, text=True, stdin=subprocess.PIPE,
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    for number in (1, 2):
        process.stdin.write(f"{number} + 1\n")
        process.stdin.flush()
        found = process.stdout.readline()
        expect("each answer comes before the next line", found == f"{number + 1}\n", found)
    process.communicate()
    begin = time.monotonic()
    answer = run("eval", "-lines", cwd=directory, stdin="upper(\"x${local.length}\")\n" * 20000)
    seconds = time.monotonic() - begin
    expect("many lines in one process", answer.stdout == '"X3"\n' * 20000, answer.stderr)
    expect("and fast", seconds < 10, seconds)

    for arguments, word in ((("-lines", "1"), "-lines"), (("-null", "1"), "-null"), (("-through-ir", "1"), "-through-ir")):
        answer = run("eval", *arguments, cwd=directory)
        expect(f"eval {arguments} is refused", answer.returncode == 1 and word in answer.stderr, answer)


def functions(directory):
    document = json.loads(run("functions", "-json", cwd=directory).stdout)
    signatures = document["function_signatures"]
    expect("functions -json", document["format_version"] == "1.0" and len(signatures) == 2 * len(set(
        name.removeprefix("core::") for name in signatures)), len(signatures))
    found = {k: v for k, v in signatures["lookup"].items() if k not in ("description", "since")}
    expect("a signature", found == {
        "return_type": "dynamic", "parameters": [{"name": "inputMap", "type": "dynamic"}, {"name": "key", "type": "string"}],
        "variadic_parameter": {"name": "default", "is_nullable": True, "type": "dynamic"}}, found)
    text = run("functions", cwd=directory).stdout
    expect("functions as text", "cidrhost(prefix string, hostnum number) string\n" in text, text[:300])
    answer = run("functions", "cidrhosts", cwd=directory)
    expect("a name that was probably meant", answer.returncode == 1 and "`cidrhost`" in answer.stderr, answer)


def main():
    with tempfile.TemporaryDirectory() as work:
        directory = pathlib.Path(work)
        # A local that fails cannot be applied, also where nothing needs it; expressions may come to it.
        working = CONFIGURATION.replace('tonumber("x${var.name}")', "1")
        assert working != CONFIGURATION
        (directory / "main.tf").write_text(working)
        (directory / "inner").mkdir()
        (directory / "inner/main.tf").write_text(INNER)
        (directory / "crate.tfvars").write_text('name = "crate"\n')
        answer = run("apply", "-auto-approve", "-var=missing=x", "-var=name=recorded", cwd=directory)
        (directory / "main.tf").write_text(CONFIGURATION)
        expect("the state is there", (directory / "terraform.tfstate").exists(), answer)
        for test in (behind_a_pipe, evaluate, functions, at_a_terminal, history):
            test(directory)
    for failure in failures:
        print(failure)
    print(f"{len(failures)} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
