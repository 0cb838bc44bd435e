#!/usr/bin/env python3
# ctest-labels: cli
# ctest-timeout: 600
"""Full disks, read-only directories, states that are replaced, cut short or newer, dead locks, two runs at once, interrupts: each
ends with a message that says what to do, and nothing is lost.
"""
import json
import os
import pathlib
import shutil
import signal
import stat
import subprocess
import sys
import tempfile
import time

from expectations import ONE_RESOURCE, expect, failures, main

PROGRAM = os.environ.get("PRAVOC_WITH_TEST_PROVIDER")
MANY = """
resource "fake_object" "a" {
  count = var.n
  name  = "a-${count.index}"
}
variable "n" {
  default = 40
}
"""


def fresh(directory, name, text=MANY):
    path = pathlib.Path(directory) / name
    (path / "cloud").mkdir(parents=True)
    (path / "main.tf").write_text(text)
    return path


def environment(delay):
    return {**os.environ, "CLOUD": "cloud", "CLOUD_DELAY": str(delay), "TMPDIR": tempfile.gettempdir()}


def run(path, *arguments, delay=0, **more):
    return subprocess.run([PROGRAM, *arguments], cwd=path, env=environment(delay), capture_output=True, text=True,
                          **more)


def start(path, *arguments, delay=0):
    return subprocess.Popen([PROGRAM, *arguments], cwd=path, env=environment(delay), stdout=subprocess.PIPE,
                            stderr=subprocess.PIPE, text=True)


def end(process):
    out, err = process.communicate(timeout=120)
    return subprocess.CompletedProcess(process.args, process.returncode, out, err)


def wait_until(condition):
    limit = time.monotonic() + 60
    while not condition() and time.monotonic() < limit:
        time.sleep(0.01)
    return condition()


def existing(path):
    return {p.name for p in (path / "cloud").iterdir() if not p.name.startswith(".")}


def recorded(path, name="terraform.tfstate"):
    text = (path / name).read_text() if (path / name).exists() else ""
    state = json.loads(text) if text else {"resources": []}
    return {i["attributes"]["id"] for r in state["resources"] for i in r["instances"]}


def mode(path):
    return stat.S_IMODE(path.stat().st_mode) if path.exists() else 0


APPLY = ("apply", "-auto-approve", "-no-color")


def states_that_cannot_be_read(directory):
    path = fresh(directory, "states", ONE_RESOURCE)
    run(path, *APPLY)
    good = (path / "terraform.tfstate").read_text()
    for what, text, identifier in (("cut short", good[:len(good) // 2], "state-damaged"),
                                   ("newer", good.replace('"version": 4', '"version": 5'), "state-version")):
        (path / "terraform.tfstate").write_text(text)
        for command in (("plan",), APPLY, ("show",), ("output",)):
            answer = run(path, *command)
            expect(f"{command} with a state that is {what}",
                   answer.returncode == 1 and identifier in answer.stderr
                   and (path / "terraform.tfstate").read_text() == text, answer)
    expect("nothing else was made", sorted(p.name for p in path.iterdir()) == ["cloud", "main.tf", "terraform.tfstate"],
           str(sorted(path.iterdir())))


def a_plan_applied_twice(directory):
    path = fresh(directory, "twice", ONE_RESOURCE)
    run(path, "plan", "-out=p")
    first, second = run(path, "apply", "p"), run(path, "apply", "p")
    expect("a plan applied twice", first.returncode == 0 and second.returncode == 1 and "plan-stale" in second.stderr,
           second)


def two_at_once(directory):
    path = fresh(directory, "two")
    first = start(path, *APPLY, delay=300)
    wait_until(lambda: (path / "terraform.tfstate.journal").exists())
    for command in (("plan",), APPLY):
        answer = run(path, *command)
        expect(f"{command} while an apply runs",
               answer.returncode == 1 and "state-locked" in answer.stderr and "held by" in answer.stderr
               and "OperationTypeApply" in answer.stderr, answer)
    answer = run(path, *APPLY, "-lock=false")
    expect("an apply past the lock leaves the other's journal alone",
           answer.returncode == 1 and "state-locked" in answer.stderr, answer)
    answer = run(path, "show")
    expect("show while an apply runs", answer.returncode == 0 and "journal-left" not in answer.stderr, answer)
    answer = run(path, *APPLY, "-lock-timeout=60s")
    expect("an apply that waits for the lock", answer.returncode == 0, answer)
    answer = end(first)
    expect("the first apply", answer.returncode == 0 and existing(path) == recorded(path), answer)
    expect("files of a run that ended", sorted(p.name for p in path.iterdir()) == ["cloud", "main.tf", "terraform.tfstate"],
           str(sorted(path.iterdir())))
    expect("a new state is private", mode(path / "terraform.tfstate") == 0o600, oct(mode(path / "terraform.tfstate")))


def a_dead_lock(directory):
    path = fresh(directory, "dead")
    (path / "terraform.tfstate").write_text("")
    process = start(path, *APPLY, delay=300)
    journal = path / "terraform.tfstate.journal"
    wait_until(lambda: journal.exists() and '{"result"' in journal.read_text())
    process.kill()
    end(process)
    expect("a journal is private", mode(journal) == 0o600, oct(mode(journal)))
    answer = run(path, "show")
    expect("show after a kill", answer.returncode == 0 and "journal-left" in answer.stderr and journal.exists(), answer)
    answer = run(path, "plan")
    expect("plan after a kill",
           answer.returncode == 0 and all(word in answer.stderr for word in (
               "lock-left-behind", "state-recovered", "recovered: created `fake_object.a[", "possibly-created"))
           and journal.exists(), answer)
    answer = run(path, "plan", "-out=p")
    applied = run(path, "apply", "p")
    expect("a plan from recovered changes", answer.returncode == 0 and applied.returncode == 0
           and not journal.exists() and len(recorded(path)) == 40, applied)
    again = run(path, *APPLY)
    expect("what may exist is told again", again.returncode == 0 and "possibly-created" in again.stderr
           and "state-recovered" not in again.stderr, again)
    (path / "terraform.tfstate.unconfirmed").unlink()
    again = run(path, *APPLY)
    expect("nothing is left to tell", again.returncode == 0 and again.stderr == "", again)


def a_replaced_state(directory):
    path = fresh(directory, "replaced")
    run(path, *APPLY, "-var=n=1")
    (path / "terraform.tfstate").chmod(0o640)
    other = (path / "terraform.tfstate").read_text().replace('"outputs": {}', '"outputs": {"o": {"value": "x", "type": "string"}}')
    (path / "errored.tfstate").write_text("an older one")
    process = start(path, *APPLY, "-var=n=120", delay=200)
    wait_until(lambda: len(existing(path)) > 4)
    (path / "terraform.tfstate").write_text(other)
    answer = end(process)
    saved = path / "errored-2.tfstate"
    expect("a state that is replaced under the run",
           answer.returncode == 1 and "state-replaced" in answer.stderr and "state-saved-elsewhere" in answer.stderr
           and "pravoc state push errored-2.tfstate" in " ".join(answer.stderr.split())
           and (path / "terraform.tfstate").read_text() == other
           and (path / "errored.tfstate").read_text() == "an older one", answer)
    expect("the emergency file", mode(saved) == 0o600 and recorded(path, saved.name) == existing(path),
           f"{oct(mode(saved))} {recorded(path, saved.name) ^ existing(path)}")
    before = existing(path)
    expect("nothing more is started", len(before) < 120, str(len(before)))
    answer = run(path, *APPLY, "-var=n=120")
    expect("the next apply refuses",
           answer.returncode == 1 and "journal-of-other-state" in answer.stderr and "not in the state: created" in answer.stderr
           and existing(path) == before and (path / "terraform.tfstate").read_text() == other, answer)
    (path / "terraform.tfstate").write_bytes(saved.read_bytes())
    answer = run(path, *APPLY, "-var=n=120")
    expect("with the emergency file in its place", answer.returncode == 0 and existing(path) == recorded(path)
           and len(existing(path)) == 120 and not (path / "terraform.tfstate.journal").exists(), answer)
    expect("modes are kept", mode(path / "terraform.tfstate") == mode(path / "terraform.tfstate.backup") == 0o640,
           oct(mode(path / "terraform.tfstate.backup")))


STUCK = MANY + """
resource "fake_object" "stuck" {
  name = "stuck"
}
"""


def interrupts(directory):
    path = fresh(directory, "interrupts")
    process = start(path, *APPLY, "-parallelism=4", delay=200)
    wait_until(lambda: existing(path))
    process.send_signal(signal.SIGINT)
    answer = end(process)
    expect("one interrupt", answer.returncode == 1 and "run-interrupted" in answer.stderr
           and existing(path) == recorded(path) and 0 < len(existing(path)) < 40
           and not (path / "terraform.tfstate.journal").exists(), answer)

    path = fresh(directory, "stuck", STUCK)
    process = start(path, *APPLY)
    wait_until(lambda: len(existing(path)) == 40)
    process.send_signal(signal.SIGTERM)
    time.sleep(0.3)
    expect("one interrupt waits", process.poll() is None, "the program has ended")
    process.send_signal(signal.SIGTERM)
    answer = end(process)
    expect("two interrupts", answer.returncode == 1 and "the call was cancelled" in answer.stderr
           and existing(path) == recorded(path) and len(existing(path)) == 40, answer)

    process = start(path, *APPLY)
    wait_until(lambda: (path / "terraform.tfstate.journal").exists()
               and "intent" in (path / "terraform.tfstate.journal").read_text())
    process.kill()
    answer = end(process)
    answer = run(path, "plan")
    expect("the kill of a creation", answer.returncode == 0 and "`fake_object.stuck` may exist" in answer.stderr, answer)


def a_limited_file(directory):
    import resource
    path = fresh(directory, "limited")

    def limit():
        resource.setrlimit(resource.RLIMIT_FSIZE, (6000, 6000))

    answer = run(path, *APPLY, delay=5, preexec_fn=limit)
    expect("files that may not grow", answer.returncode == 1 and "journal-write-failed" in answer.stderr
           and 0 < len(existing(path)) < 40, answer)
    made = existing(path)
    after = run(path, *APPLY)
    named = after.stderr.count("may exist")
    expect("an apply with room again", after.returncode == 0 and len(made - recorded(path)) <= named
           and len(recorded(path)) == 40, after)


def disks(directory):
    """Runs in a namespace of its own, where it may mount."""
    def mount(*arguments):
        subprocess.run(["mount", *arguments], check=True)

    # What goes elsewhere goes there.
    tempfile.tempdir = directory
    for size in ("64k", "96k", "128k"):
        path = pathlib.Path(directory) / f"full-{size}"
        path.mkdir()
        mount("-t", "tmpfs", "-o", f"size={size}", "none", str(path))
        (path / "cloud").mkdir()
        elsewhere = pathlib.Path(directory) / f"cloud-{size}"
        elsewhere.mkdir()
        mount("--bind", str(elsewhere), str(path / "cloud"))
        (path / "main.tf").write_text(MANY)
        (path / "ballast").write_bytes(bytes(30000))
        answer = run(path, *APPLY, "-var=n=300", delay=2)
        made = existing(path)
        expect(f"a disk of {size} that fills up", answer.returncode == 1 and len(made) < 300
               and ("journal-write-failed" in answer.stderr or "state-saved-elsewhere" in answer.stderr), answer)
        mount("-o", "remount,size=16m", str(path))
        after = run(path, *APPLY, "-var=n=300")
        lost = made - recorded(path)
        expect(f"an apply with room again, after {size}", after.returncode == 0 and len(recorded(path)) == 300
               and len(lost) <= after.stderr.count("may exist"), after)
        print(f"disk of {size}: {len(made)} objects were made, {len(lost)} only named")

    path = fresh(directory, "read-only")
    run(path, *APPLY, "-var=n=1")
    mount("--bind", str(path), str(path))
    mount("-o", "remount,ro,bind", str(path))
    before = (path / "terraform.tfstate").read_text()
    for arguments, identifier in ((APPLY, "state-lock-failed"), ((*APPLY, "-lock=false"), "journal-write-failed")):
        answer = run(path, *arguments)
        expect(f"{arguments} in a read-only directory", answer.returncode == 1 and identifier in answer.stderr
               and "read-only" in answer.stderr.lower() and len(existing(path)) == 1
               and (path / "terraform.tfstate").read_text() == before, answer)
    answer = run(path, "plan", "-lock=false")
    expect("a plan in a read-only directory", answer.returncode == 0, answer)


def beside_terraform(directory):
    if not shutil.which("terraform"):
        print("skipped: how Terraform sees our files: there is no terraform")
        return
    path = fresh(directory, "terraform", ONE_RESOURCE)
    terraform_environment = {**os.environ, "TF_CLI_CONFIG_FILE": "/dev/null", "CHECKPOINT_DISABLE": "1"}

    def terraform(*arguments):
        return subprocess.run(["terraform", *arguments], cwd=path, env=terraform_environment, capture_output=True,
                              text=True)

    expect("terraform init", terraform("init").returncode == 0, "failed")
    # A run of ours that is killed while it waits for somebody to read on.
    (path / "main.tf").write_text(ONE_RESOURCE.replace("{\n  input", "{\n  count = 800\n  input"))
    process = start(path, *APPLY)
    journal = path / "terraform.tfstate.journal"
    while "Creating" not in process.stdout.readline():
        pass
    wait_until(lambda: journal.read_text().count('{"result"') > 100)
    process.kill()
    process.communicate()
    shutil.copytree(path, path.with_name("alone"))
    answer = run(path.with_name("alone"), *APPLY)
    expect("recovery without Terraform", answer.returncode == 0 and "state-recovered" in answer.stderr, answer)
    answer = terraform("apply", "-auto-approve", "-no-color", "-parallelism=50")
    expect("Terraform goes on with our state", answer.returncode == 0 and journal.exists(), answer)
    before = (path / "terraform.tfstate").read_bytes()
    for command in (("plan",), APPLY):
        answer = run(path, *command)
        expect(f"{command} after Terraform", answer.returncode == 1 and "journal-of-other-state" in answer.stderr
               and (path / "terraform.tfstate").read_bytes() == before, answer)
    journal.unlink(missing_ok=True)
    answer = run(path, "plan", "-detailed-exitcode")
    expect("and we with Terraform's", answer.returncode == 0, answer)

    # Each respects the other's lock.
    holder = subprocess.Popen(["terraform", "apply", "-no-color", "-var=v=2"], cwd=path, env=terraform_environment,
                              stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    wait_until(lambda: (path / ".terraform.tfstate.lock.info").exists())
    answer = run(path, "plan")
    expect("Terraform's lock", answer.returncode == 1 and "state-locked" in answer.stderr
           and "OperationTypeApply" in answer.stderr, answer)
    holder.communicate("no\n", timeout=60)
    holder = subprocess.Popen([PROGRAM, "apply", "-no-color", "-var=v=2"], cwd=path, stdin=subprocess.PIPE,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    wait_until(lambda: (path / ".terraform.tfstate.lock.info").exists())
    answer = terraform("plan", "-no-color")
    expect("our lock", answer.returncode == 1 and "Error acquiring the state lock" in answer.stderr
           and "OperationTypeApply" in answer.stderr, answer)
    holder.communicate("no\n", timeout=60)


def body(directory):
    states_that_cannot_be_read(directory)
    a_plan_applied_twice(directory)
    two_at_once(directory)
    a_dead_lock(directory)
    a_replaced_state(directory)
    interrupts(directory)
    a_limited_file(directory)
    beside_terraform(directory)
    probe = subprocess.run(["unshare", "-rm", "mount", "-t", "tmpfs", "none", directory], capture_output=True, text=True)
    if probe.returncode:
        print(f"skipped: full and read-only disks: nothing can be mounted here ({probe.stderr.strip()})")
        return
    inside = subprocess.run(["unshare", "-rm", sys.executable, __file__, "disks", directory], capture_output=True,
                            text=True)
    print(inside.stdout, end="")
    expect("full and read-only disks", inside.returncode == 0, inside)


if __name__ == "__main__":
    if not PROGRAM or not os.path.exists(PROGRAM):
        print("skipped: pravoc_with_test_provider is not built")
        sys.exit(77)
    if sys.argv[1:2] == ["disks"]:
        disks(sys.argv[2])
        for failure in failures:
            print("FAILED " + failure)
        sys.exit(1 if failures else 0)
    sys.exit(main(body))
