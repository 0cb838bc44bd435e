#!/usr/bin/env python3
"""Questions on a real terminal (a pty): values of variables that have none, and approval."""
# ctest-labels: golden
import os
import pathlib
import pty
import select
import signal
import subprocess
import sys
import time

from expectations import PRAVOC, expect, main

CONFIGURATION = """
variable "zone" {
  type        = string
  description = "where it runs"
}
variable "sizes" {
  type = list(number)
}
variable "token" {
  type      = string
  ephemeral = true
}
variable "given" {
  default = "x"
}
resource "terraform_data" "x" {
  input = [var.zone, var.sizes, var.given]
}
"""


class Session:
    """A program whose terminal is ours."""

    def __init__(self, directory, *arguments):
        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            signal.signal(signal.SIGINT, signal.SIG_DFL)  # whoever runs tests in the background ignores it
            os.chdir(directory)
            os.execv(PRAVOC, [PRAVOC, *arguments])
        self.shown = ""

    def wait_for(self, text):
        """Reads until `text` has come, and returns what came with it."""
        start = len(self.shown)
        end = time.monotonic() + 30
        while text not in self.shown[start:]:
            if not select.select([self.fd], [], [], max(0, end - time.monotonic()))[0]:
                break
            try:
                data = os.read(self.fd, 65536)
            except OSError:  # the program has ended
                break
            if not data:
                break
            self.shown += data.decode()
        return self.shown[start:]

    def type(self, text):
        os.write(self.fd, text.encode())

    def end(self):
        """Its exit code; a program that goes on is killed."""
        self.wait_for("\0")
        if os.waitid(os.P_PID, self.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is None:
            time.sleep(1)  # its terminal was closed before it ended
            os.kill(self.pid, signal.SIGKILL)
        _, status = os.waitpid(self.pid, 0)
        os.close(self.fd)
        return os.waitstatus_to_exitcode(status)


def answers(directory):
    session = Session(directory, "apply", "-no-color")
    expect("lists are asked for in HCL", "var.sizes" in session.wait_for("A value: "), session.shown)
    session.type("[1, 2]\n")
    shown = session.wait_for("not shown): ")
    expect("a secret is announced", "var.token" in shown, session.shown)
    session.type("hunter2hunter2\n")
    shown = session.wait_for("A value: ")
    expect("a description is shown", "var.zone" in shown and "where it runs" in shown, session.shown)
    expect("a secret is not echoed", "hunter2" not in session.shown, session.shown)
    session.type("north\n")
    shown = session.wait_for("goes on: ")
    expect("the answers are used", '"north"' in shown and "given" not in shown, session.shown)
    session.type("yes\n")
    code = session.end()
    expect("and applied", code == 0 and "1 added" in session.shown, session.shown)
    expect("the secret is nowhere", "hunter2" not in session.shown, session.shown)
    state = pathlib.Path(directory, "terraform.tfstate").read_text()
    expect("the state has the answers", "north" in state and "hunter2" not in state, state)


def refusals(directory):
    session = Session(directory, "plan", "-no-color", "-var", "zone=x", "-var", "token=t")
    session.wait_for("A value: ")
    session.type("{ not a list\n")
    code = session.end()
    expect("a wrong answer is an error", code == 1 and "<answer for sizes>" in session.shown, session.shown)

    session = Session(directory, "plan", "-no-color", "-input=false")
    code = session.end()
    expect("-input=false does not ask", code == 1 and "A value" not in session.shown
           and session.shown.count("[missing-variable]") == 3, session.shown)

    session = Session(directory, "plan", "-no-color")
    session.wait_for("A value: ")
    session.type("\x03")
    code = session.end()
    expect("Ctrl-C ends it", code in (-2, 130), f"{code} {session.shown}")

    answer = subprocess.run([PRAVOC, "plan"], cwd=directory, stdin=subprocess.DEVNULL, capture_output=True, text=True,
                            timeout=60)
    expect("without a terminal nothing is asked", answer.returncode == 1 and "A value" not in answer.stdout
           and answer.stderr.count("[missing-variable]") == 3, answer.stdout + answer.stderr)

    pathlib.Path(directory, "bad.tf").write_text('output "z" {\n  value = var.nope\n}\n')
    session = Session(directory, "plan", "-no-color")
    code = session.end()
    expect("nobody is asked for what is refused", code == 1 and "A value" not in session.shown
           and "var.nope" in session.shown, session.shown)


def everything(directory):
    pathlib.Path(directory, "main.tf").write_text(CONFIGURATION)
    answers(directory)
    pathlib.Path(directory, "terraform.tfstate").unlink()
    refusals(directory)


if __name__ == "__main__":
    sys.exit(main(everything))
