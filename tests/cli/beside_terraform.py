"""The same commands in two directories that start as one: pravoc's and Terraform's."""
import contextlib
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

from expectations import PRAVOC, expect

TERRAFORM = shutil.which("terraform")
ENVIRONMENT = {**os.environ, "TF_WORKSPACE": "", "TF_CLI_CONFIG_FILE": "/dev/null", "CHECKPOINT_DISABLE": "1"}


def run(tool, cwd, *arguments, stdin=None, **environment):
    extra = {} if stdin is not None else {"stdin": subprocess.DEVNULL}
    return subprocess.run([tool, *arguments], capture_output=True, text=True, cwd=cwd, timeout=120, input=stdin,
                          env={**ENVIRONMENT, **environment}, **extra)


@contextlib.contextmanager
def held_lock(path):
    """Another process locks this file as terraform does. (This one would lose the lock at the next look at the file.)"""
    program = ("import fcntl, sys\nfile = open(sys.argv[1], 'r+')\nfcntl.lockf(file, fcntl.LOCK_EX)\n"
               "print('held', flush=True)\nsys.stdin.read()\n")
    with subprocess.Popen([sys.executable, "-c", program, str(path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                          text=True) as holder:
        assert holder.stdout.readline() == "held\n"
        try:
            yield
        finally:
            holder.stdin.close()


def skip_without_terraform(what):
    if TERRAFORM:
        return False
    print(f"skipped: {what}: terraform is not on the PATH")
    return True


def state_of(path):
    """A state as data, without what says who wrote it. (Terraform sorts instances only of one kind of keys.)"""
    text = path.read_text() if path.exists() else ""
    if not text:
        return None
    state = json.loads(text)
    state.pop("terraform_version")
    for resource in state["resources"]:
        resource["instances"].sort(key=lambda instance: json.dumps(instance.get("index_key")))
    return state


def shown(answer):
    """What was printed, without colours and the lines that end it."""
    return re.sub(r"\x1b\[[0-9;]*m", "", answer.stdout).rstrip("\n")


class Pair:
    """`source` is copied twice. Each step runs in both, and has to leave the same behind."""

    def __init__(self, root, name, source):
        self.name = name
        self.directories = {}
        self.tools = (PRAVOC, TERRAFORM)
        for tool in self.tools:
            self.directories[tool] = pathlib.Path(root, f"{name}-{'pravoc' if tool == PRAVOC else 'terraform'}")
            shutil.copytree(source, self.directories[tool], symlinks=True)

    def both(self, action):
        """Calls action(directory) for each."""
        for directory in self.directories.values():
            action(directory)

    def step(self, *arguments, output=True, state="terraform.tfstate", stdin=None, **environment):
        """The exit codes and the states agree, and with `output` what is printed where both succeed."""
        answers = {tool: run(tool, directory, *arguments, stdin=stdin, **environment)
                   for tool, directory in self.directories.items()}
        ours, theirs = answers[PRAVOC], answers[TERRAFORM]
        what = f"{self.name}: {' '.join(arguments)}"
        told = f"pravoc: {ours.returncode}\n{ours.stdout}{ours.stderr}\nterraform: {theirs.returncode}\n" \
               f"{theirs.stdout}{theirs.stderr}"
        expect(f"{what}: the same exit code", ours.returncode == theirs.returncode, told)
        if output and ours.returncode == 0 == theirs.returncode:
            expect(f"{what}: the same output", shown(ours) == shown(theirs), told)
        states = [state_of(directory / state) for directory in self.directories.values()]
        expect(f"{what}: the same state", states[0] == states[1],
               told + "\n" + "\n".join(json.dumps(s, indent=1)[:6000] for s in states))
        return ours
