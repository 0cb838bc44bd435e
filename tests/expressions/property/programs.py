"""The answers of both programs to many expressions.

An answer is what the program prints, with `\\\\`, line breaks, tabs and carriage returns escaped, or ERROR.
"""
import concurrent.futures
import os
import pathlib
import pty
import re
import shutil
import subprocess
import tempfile
import threading
import time
import tty

import configuration

ERROR = "ERROR"
# Terraform itself broke down, or did not answer.
CRASH = "CRASH"
# Marks that a value has and that `check` would not have known of.
UNPREDICTED = re.compile(r"error: line (\d+): not all marks of .* were predicted$")
BATCH = 500
SECONDS_WITHOUT_AN_ANSWER = 15
ENVIRONMENT = {"TF_CLI_CONFIG_FILE": os.devnull, "CHECKPOINT_DISABLE": "1", "NO_COLOR": "1", "TERM": "dumb", "TZ": "UTC"}


def environment():
    inherited = {name: value for name, value in os.environ.items() if not name.startswith(("TF_", "PRAVOC_"))}
    return {**inherited, **ENVIRONMENT}


def escaped(text):
    for raw, written in (("\\", "\\\\"), ("\n", "\\n"), ("\t", "\\t"), ("\r", "\\r")):
        text = text.replace(raw, written)
    return text


VERSION = "1.11.4"


def terraform():
    """The path of Terraform, or None. Other versions answer otherwise here and there."""
    path = shutil.which("terraform")
    if path is None:
        return None
    shown = subprocess.run([path, "version", "-json"], env=environment(), capture_output=True, check=False).stdout
    return path if f'"{VERSION}"'.encode() in shown else None


class Console:
    """`terraform console` in one directory.

    Behind a pipe it prints the last answer only and ends at the first error, so it gets a terminal for its input, and
    a file for its output: then it shows no prompts, and an error is an empty line. After every expression comes a
    string that marks where the answer ends.
    """

    def __init__(self, program, directory):
        self.program = program
        self.directory = directory

    def answers(self, expressions):
        found = []
        while len(found) < len(expressions):
            found += self._run(expressions[len(found):])
            if len(found) < len(expressions):
                found.append(CRASH)
        return found

    def _run(self, expressions):
        """The answers until Terraform broke down."""
        ours, theirs = pty.openpty()
        tty.setraw(theirs)
        with tempfile.TemporaryFile() as output:
            process = subprocess.Popen([self.program, "console"], cwd=self.directory, env=environment(), stdin=theirs,
                                       stdout=output, stderr=subprocess.DEVNULL, start_new_session=True)
            os.close(theirs)
            writer = threading.Thread(target=_feed, args=(ours, expressions), daemon=True)
            writer.start()
            _wait(process, output)
            os.close(ours)
            writer.join()
            output.seek(0)
            rest = output.read().decode("utf-8", "replace")
        found = []
        for number in range(len(expressions)):
            answer, end, rest = rest.partition(f'"@@{number}@@"\n')
            if not end:
                break
            found.append(escaped(answer.removesuffix("\n")) or ERROR)
        return found


def _wait(process, output):
    """Waits for a program as long as it writes more; kills one that has stopped."""
    size, since = 0, time.monotonic()
    while True:
        try:
            process.wait(timeout=0.05)
            return
        except subprocess.TimeoutExpired:
            pass
        now = os.fstat(output.fileno()).st_size
        if now != size:
            size, since = now, time.monotonic()
        elif time.monotonic() - since > SECONDS_WITHOUT_AN_ANSWER:
            process.kill()
            process.wait()
            return


def _feed(terminal, expressions):
    try:
        for number, expression in enumerate(expressions):
            _write(terminal, expression)
            _write(terminal, f'"@@{number}@@"')
        _write(terminal, "exit")
    except OSError:
        pass  # Terraform broke down: what it has answered tells where


def _write(terminal, line):
    data = line.replace("\n", "\r").encode() + b"\r"
    while data:
        data = data[os.write(terminal, data):]


class Programs:
    """Terraform and pravoc beside each other, on the configuration of configuration.py."""

    def __init__(self, pravoc, work, workers=2):
        self.pravoc = str(pathlib.Path(pravoc).resolve())
        self.directories = [pathlib.Path(work, f"console{number}") for number in range(workers)]
        for directory in self.directories:
            configuration.write(directory)
        self.program = terraform()
        self.seconds = 0.0  # that Terraform took

    def terraform(self, expressions):
        started = time.monotonic()
        batches = [expressions[start:start + BATCH] for start in range(0, len(expressions), BATCH)]
        free = list(self.directories)

        def run(batch):
            directory = free.pop()
            try:
                return Console(self.program, directory).answers(batch)
            finally:
                free.append(directory)

        with concurrent.futures.ThreadPoolExecutor(len(self.directories)) as pool:
            found = [answer for answers in pool.map(run, batches) for answer in answers]
        self.seconds += time.monotonic() - started
        return found

    def pravo(self, expressions, *options):
        return pravo_answers(self.pravoc, self.directories[0], expressions, *options)


def pravo_answers(pravoc, directory, expressions, *options):
    """What `pravoc eval -lines` answers; an expression may have several lines."""
    if not expressions:
        return []
    run = subprocess.run([pravoc, "eval", "-lines", "-null", *options], cwd=directory, env=environment(), capture_output=True,
                         input="".join(expression + "\0" for expression in expressions).encode(), timeout=600, check=False)
    found = run.stdout.decode("utf-8").split("\n")
    errors = run.stderr.decode("utf-8", "replace")
    faults = [line for line in errors.split("\n") if line.startswith("error: ")]
    unpredicted = [match for match in map(UNPREDICTED.match, faults) if match]
    if found.pop() != "" or len(found) != len(expressions) or (run.returncode != 0 and len(unpredicted) != len(faults)):
        raise RuntimeError(f"{len(found)} answers to {len(expressions)} expressions, exit code {run.returncode}:\n{errors[-1500:]}")
    for match in unpredicted:
        found[int(match[1]) - 1] = "MARKS THAT NOBODY PREDICTED"
    return found
