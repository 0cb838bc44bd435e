#!/usr/bin/env python3
# ctest-labels: cli
# ctest-timeout: 900
"""An apply of 200 resources is killed at a random moment; then one more apply converges, and nothing is lost.

    run_kill.py [ROUNDS]

Creates, replacements in both orders, updates and destroys are under way when the signal comes. What exists is a
directory of files (pravoc_with_test_provider), so it can be compared with the state: each object is in the state, or its address
is named as possibly created. In every third round the apply that recovers is killed, too. KILL_JOBS rounds run at the same time.
"""
import concurrent.futures
import json
import os
import pathlib
import random
import re
import shutil
import signal
import subprocess
import sys
import time

from expectations import expect, main

PROGRAM = os.environ.get("PRAVOC_WITH_TEST_PROVIDER")
ROUNDS = int(sys.argv[1]) if len(sys.argv) > 1 else 30
SEED = 20261130
CONFIGURATION = """
variable "step" {
  type = number
}
resource "fake_object" "replaced" {
  count = 40
  name  = "replaced-${count.index}-${var.step}"
}
resource "fake_object" "first" {
  count = 30
  name  = "first-${count.index}-${var.step}"
  lifecycle {
    create_before_destroy = true
  }
}
resource "fake_object" "updated" {
  count  = 20
  name   = "updated-${count.index}"
  size   = var.step
  parent = fake_object.first[count.index].id
}
resource "fake_object" "going" {
  count  = var.step == 1 ? 50 : 0
  name   = "going-${count.index}"
  parent = fake_object.replaced[count.index % 40].id
}
resource "fake_object" "coming" {
  count  = var.step == 1 ? 0 : 60
  name   = "coming-${count.index}"
  parent = fake_object.replaced[count.index % 40].id
}
output "parents" {
  value = [for o in fake_object.updated : o.parent]
}
"""


def environment(delay):
    return {**os.environ, "CLOUD": "cloud", "CLOUD_DELAY": str(delay)}


def run(directory, *arguments, delay=0):
    return subprocess.run([PROGRAM, *arguments], cwd=directory, env=environment(delay), capture_output=True, text=True)


APPLY = ("apply", "-auto-approve", "-no-color", "-var=step=2")


def start(directory):
    return subprocess.Popen([PROGRAM, *APPLY], cwd=directory, env=environment(4), stdout=subprocess.DEVNULL,
                            stderr=subprocess.DEVNULL)


def journal_size(directory):
    try:
        return (directory / "terraform.tfstate.journal").stat().st_size
    except FileNotFoundError:
        return 0


def kill(process, directory, size, pause):
    """Kills it a little after its journal has reached a size; however busy the machine is, that hits."""
    while process.poll() is None and journal_size(directory) < size:
        time.sleep(0.0005)
    time.sleep(pause)
    process.send_signal(signal.SIGKILL)
    process.wait()


def recorded(directory):
    """id -> name of the objects in the state."""
    path = directory / "terraform.tfstate"
    if not path.exists() or not path.stat().st_size:
        return {}
    state = json.loads(path.read_text())
    return {i["attributes"]["id"]: i["attributes"]["name"] for r in state["resources"] for i in r["instances"]}


def existing(directory):
    return {p.name: p.read_text() for p in (directory / "cloud").iterdir() if not p.name.startswith(".")}


def unconfirmed(directory):
    path = directory / "terraform.tfstate.unconfirmed"
    return [json.loads(line)["address"] for line in path.read_text().splitlines()] if path.exists() else []


def address_of(name):
    kind, index = re.fullmatch(r"([a-z]+)-(\d+)(?:-\d+)?", name).groups()
    return f"fake_object.{kind}[{index}]"


def one_round(number, base, directory, first, second):
    """Returns what went wrong."""
    shutil.copytree(base, directory)
    wrong = []
    process = start(directory)
    kill(process, directory, *first)
    before = {p.name: p.read_bytes() for p in directory.iterdir() if p.is_file()}
    shown = run(directory, "show", "-no-color")
    plan = run(directory, "plan", "-no-color", "-var=step=2", "-detailed-exitcode")
    if shown.returncode or plan.returncode not in (0, 2):
        wrong.append(f"show or plan after the kill: {shown.stderr} {plan.stderr}")
    now = {p.name: p.read_bytes() for p in directory.iterdir() if p.is_file() and not p.name.endswith(".info")}
    if now != {name: text for name, text in before.items() if not name.endswith(".info")}:
        wrong.append("show or plan changed a file")
    if second is not None:
        process = start(directory)
        kill(process, directory, *second)
    told = run(directory, *APPLY)
    if told.returncode:
        wrong.append(f"the next apply fails with {told.returncode}: {told.stderr[-1500:]}")
    files = {p.name for p in directory.iterdir()} - {"terraform.tfstate.backup", "terraform.tfstate.unconfirmed"}
    if files != {"main.tf", "cloud", "terraform.tfstate"}:
        wrong.append(f"these files are there: {sorted(files)}")
    state, cloud, maybe = recorded(directory), existing(directory), unconfirmed(directory)
    for identifier, name in cloud.items():
        if identifier in state:
            continue
        address = address_of(name)
        if address not in maybe:
            wrong.append(f"{name} exists, and neither the state nor an intent knows it")
        elif f"`{address}` may exist" not in told.stderr:
            wrong.append(f"{name} may exist, and nobody was told")
    for identifier, name in state.items():
        if identifier not in cloud:
            wrong.append(f"{name} is in the state and does not exist")
    again = run(directory, "plan", "-no-color", "-var=step=2", "-detailed-exitcode")
    if again.returncode != 0:
        wrong.append(f"the next apply does not converge: {again.stdout[-500:]} {again.stderr}")
    if len(state) != 150:
        wrong.append(f"{len(state)} objects in the state, not 150")
    orphans = len(cloud) - len(state)
    recovered = "[state-recovered]" in told.stderr
    if not wrong:
        shutil.rmtree(directory)
    return [f"round {number}, killed at {first}, {second}: {w}" for w in wrong], orphans, recovered


def body(directory):
    base = pathlib.Path(directory) / "base"
    (base / "cloud").mkdir(parents=True)
    (base / "main.tf").write_text(CONFIGURATION)
    first = run(base, "apply", "-auto-approve", "-var=step=1")
    expect("the first apply", first.returncode == 0 and len(existing(base)) == 140, first)
    whole = pathlib.Path(directory) / "whole"
    shutil.copytree(base, whole)
    begin = time.monotonic()
    process = start(whole)
    size = 0
    while process.poll() is None:
        size = max(size, journal_size(whole))
        time.sleep(0.0005)
    length = time.monotonic() - begin
    expect("an apply that nobody kills", process.returncode == 0 and existing(whole).keys() == recorded(whole).keys(),
           "the state and what exists differ")

    rng = random.Random(SEED)

    def moment():
        return rng.uniform(0, 1.02) * size, rng.uniform(0, 0.01)

    moments = [(moment(), moment() if i % 3 == 2 else None) for i in range(ROUNDS)]
    orphans = recoveries = 0
    with concurrent.futures.ThreadPoolExecutor(int(os.environ.get("KILL_JOBS", "2"))) as pool:
        rounds = [pool.submit(one_round, i, base, pathlib.Path(directory) / f"r{i}", *moments[i])
                  for i in range(ROUNDS)]
        for done in rounds:
            wrong, more, recovered = done.result()
            orphans += more
            recoveries += recovered
            for what in wrong:
                expect(what, False, "")
    print(f"{ROUNDS} rounds, an apply takes {length:.2f} s and writes {size >> 10} KiB of journal: {recoveries} recovered from a journal, "
          f"{orphans} objects that only an intent names")
    # Moments that all fall before the first change or behind the last would prove nothing.
    expect("most kills hit", recoveries >= ROUNDS // 2, f"{recoveries} of {ROUNDS}")


if __name__ == "__main__":
    if not PROGRAM or not os.path.exists(PROGRAM):
        print("skipped: pravoc_with_test_provider is not built")
        sys.exit(77)
    sys.exit(main(body))
