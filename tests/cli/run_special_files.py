#!/usr/bin/env python3
"""Devices, pipes and closed descriptors: nothing is read for ever, nothing that was done is lost, and lost output is a
failure."""
# ctest-labels: golden
# ctest-timeout: 300
import functools
import json
import os
import pathlib
import resource
import signal
import subprocess
import sys

from expectations import ONE_RESOURCE, PRAVOC, expect, failures, main

MAX_BYTES = 4 << 30  # of addresses; what is used is less
MAX_MEGABYTES = 600


def limit_memory():
    if not is_sanitized():
        resource.setrlimit(resource.RLIMIT_AS, (MAX_BYTES, MAX_BYTES))


@functools.cache
def is_sanitized():
    """The sanitizers reserve address space without end, and do not start without it."""
    return subprocess.run([PRAVOC, "version"], capture_output=True, timeout=60, preexec_fn=lambda: resource.setrlimit(
        resource.RLIMIT_AS, (MAX_BYTES, MAX_BYTES))).returncode != 0


class Directory:
    def __init__(self, root, name):
        self.path = pathlib.Path(root, name)
        self.path.mkdir()
        (self.path / "main.tf").write_text(ONE_RESOURCE)

    def run(self, *arguments, stdin=subprocess.DEVNULL):
        is_sanitized()  # known before the child asks
        try:
            return subprocess.run([PRAVOC, *arguments], capture_output=True, text=True, cwd=self.path, timeout=60,
                                  stdin=stdin, preexec_fn=limit_memory, env={**os.environ, "TF_WORKSPACE": ""})
        except subprocess.TimeoutExpired:
            return subprocess.CompletedProcess(arguments, -signal.SIGALRM, "", "did not end")

    def shell(self, command):
        """The command with `pravoc` in it, by a shell."""
        return subprocess.run(["sh", "-c", command.replace("pravoc", '"$0"'), PRAVOC], cwd=self.path,
                              capture_output=True, text=True, timeout=60, stdin=subprocess.DEVNULL,
                              env={**os.environ, "TF_WORKSPACE": ""})


def files_without_end(root):
    d = Directory(root, "endless")
    for arguments in (["show", "/dev/zero"], ["plan", "-lock=false", "-state=/dev/zero"], ["output", "-state=/dev/zero"],
                      ["plan", "-var-file=/dev/zero"], ["check", "-var-file=/dev/zero"], ["apply", "/dev/zero"],
                      ["eval", "-state=/dev/zero", "1"]):
        answer = d.run(*arguments)
        expect(f"{' '.join(arguments)} ends with an error", answer.returncode == 1 and "64 MiB" in answer.stderr, answer)
    for command in (["eval", "-lines"], ["eval"], ["eval", "-lines", "-through-ir"], ["console"]):
        with open("/dev/zero", "rb") as zeros:
            answer = d.run(*command, stdin=zeros)
        expect(f"{' '.join(command)} < /dev/zero ends with an error", answer.returncode == 1 and "64 MiB" in answer.stderr,
               answer)
    (d.path / "zero.tf").symlink_to("/dev/zero")
    answer = d.run("check")
    expect("a source without end", answer.returncode == 1 and "64 MiB" in answer.stderr, answer)
    (d.path / "zero.tf").unlink()
    # An end that is not there yet: approval is asked for, and never comes.
    with open("/dev/zero", "rb") as zeros:
        answer = d.run("apply", stdin=zeros)
    expect("an answer without end is no yes", answer.returncode == 1 and not (d.path / "terraform.tfstate").exists(),
           answer)


def memory():
    used = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // 1024
    if used > MAX_MEGABYTES and not is_sanitized():
        failures.append(f"a file without end takes {used} megabytes")


def small_special_files(root):
    d = Directory(root, "special")
    answer = d.run("plan", "-var-file=/dev/null")
    expect("an empty device is an empty file", answer.returncode == 0 and "1 to add" in answer.stdout, answer)
    assert d.run("apply", "-auto-approve").returncode == 0
    answer = d.shell("mkfifo p; cat terraform.tfstate > p & pravoc show p")
    expect("a pipe is read once", answer.returncode == 0 and "terraform_data.a" in answer.stdout, answer)
    with open("/dev/null", "rb") as nothing:
        answer = d.run("eval", "-lines", stdin=nothing)
    expect("no lines, no answers", answer.returncode == 0 and answer.stdout == "", answer)
    answer = d.shell("printf '1\\n2' | pravoc eval -lines")
    expect("the last line needs no break", answer.stdout == "1\n2\n", answer)


def state_that_cannot_be_written(root):
    d = Directory(root, "full")
    answer = d.run("apply", "-auto-approve", "-lock=false", "-state-out=/dev/full")
    saved = d.path / "errored.tfstate"
    expect("a full device", answer.returncode == 1 and "[state-write-failed]" in answer.stderr
           and "[state-saved-elsewhere]" in answer.stderr and "64 MiB" not in answer.stderr, answer)
    expect("what was done is kept", saved.exists() and
           json.loads(saved.read_text())["resources"][0]["type"] == "terraform_data", answer)
    answer = d.run("apply", "-auto-approve", "-lock=false", "-state-out=/dev/null")
    expect("who throws the state away may", answer.returncode == 0, answer)


def lost_output(root):
    d = Directory(root, "closed")
    (d.path / "main.tf").write_text(ONE_RESOURCE + 'output "o" {\n  value = terraform_data.a.output\n}\n')
    assert d.run("apply", "-auto-approve").returncode == 0
    state = d.path / "terraform.tfstate"
    before = state.read_text()
    for command in ("show", "show -json", "plan", "plan -detailed-exitcode -var=v=2", "check", "output", "eval 1", "help",
                    "validate", "version", "explain", "ir"):
        for lost in (">&-", "> /dev/full"):
            answer = d.shell(f"pravoc {command} {lost}")
            expect(f"{command} {lost}", answer.returncode == 1 and "standard output could not be written" in answer.stderr,
                   answer)
    expect("the state is as it was", state.read_text() == before, answer)
    answer = d.shell("pravoc apply -auto-approve -var=v=2 >&-")
    expect("apply fails", answer.returncode == 1, answer)
    expect("and has recorded what it did", json.loads(state.read_text())["outputs"]["o"]["value"] == "2", answer)
    answer = d.shell("pravoc plan 2>&- <&-")
    expect("other descriptors may be closed", answer.returncode == 0, answer)


def everything(root):
    files_without_end(root)
    memory()
    for part in (small_special_files, state_that_cannot_be_written, lost_output):
        part(root)


if __name__ == "__main__":
    sys.exit(main(everything))
