#!/usr/bin/env python3
"""Measure pravoc against terraform on generated configurations of the built-in provider.

Both programs run on the same directory in the same session, turn by turn, so that what else the machine does hits
both; medians are compared. Commands:

  check   `pravoc check` with an empty cache (cold) and with a filled one (warm), against `terraform validate`
  plan    `plan -out=FILE` without a state
  apply   `apply FILE` of that plan
  noop    `plan` on the applied state

wall: elapsed seconds; cpu: user + system seconds, so more than wall with threads; MB: peak resident memory. A ratio
is terraform's median over pravoc's: 50 means that pravoc takes a fiftieth. A size after which a program ran out of
time is not tried again with a larger one, and the table says so. `--big` sizes are for pravoc alone; between the two
largest sizes of a shape the growth of its CPU time is printed as an exponent (1 is linear).
"""
import argparse
import datetime
import json
import math
import os
import pathlib
import platform
import re
import resource
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
sys.dont_write_bytecode = True
import gen  # noqa: E402

COMMANDS = ["check", "plan", "apply", "noop"]
# What we aim at, at N = 10000, for check: ratios of wall time and memory.
AIMS = {"cold": 50, "warm": 100, "memory": 10}
STATE_FILES = ("terraform.tfstate", "terraform.tfstate.backup", ".terraform.tfstate.lock.info")


class Failed(Exception):
    """A command that did not end well; the text says how."""


class Run:
    """One execution: seconds, seconds, megabytes."""

    def __init__(self, wall, cpu, rss):
        self.wall, self.cpu, self.rss = wall, cpu, rss


def execute(command, cwd, env, timeout):
    """Runs a command to its end. Raises Failed, with `out of time` when the limit was reached."""
    with tempfile.TemporaryFile() as errors:
        start = time.perf_counter()
        process = subprocess.Popen(
            command, cwd=cwd, env=env, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=errors,
            start_new_session=True,
        )  # fmt: skip
        expired = False

        def expire(*_):
            nonlocal expired
            expired = True
            os.killpg(process.pid, signal.SIGKILL)

        previous = signal.signal(signal.SIGALRM, expire)
        signal.setitimer(signal.ITIMER_REAL, timeout)
        try:
            # wait4, since only it gives the resources of this one child and what it waited for.
            _, status, usage = os.wait4(process.pid, 0)
            wall = time.perf_counter() - start
        except BaseException:
            os.killpg(process.pid, signal.SIGKILL)
            os.wait4(process.pid, 0)
            raise
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, previous)
            process.returncode = 0  # reaped above; Popen must not look for it
        if expired:
            raise Failed(f"out of time ({timeout:g} s)")
        code = os.waitstatus_to_exitcode(status)
        if code != 0:
            errors.seek(0)
            lines = errors.read().decode(errors="replace").strip().splitlines()
            text = " ".join(filter(None, (re.sub(r"\x1b\[[0-9;]*m", "", line).strip(" │╷╵") for line in lines)))
            raise Failed(f"exit code {code}: {text[:160]}")
    return Run(wall, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024)


def measure(command, cwd, env, timeout):
    """execute(), with a peak memory that is the command's own.

    The kernel counts what a process had before exec, here this interpreter, into its peak. Where that could matter
    the memory comes from a second run below time(1), which is small.
    """
    run = execute(command, cwd, env, timeout)
    own = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    if run.rss <= own * 1.3 and MEASURE_SMALL:
        with tempfile.NamedTemporaryFile("r") as report:
            execute([MEASURE_SMALL, "-f", "%M", "-o", report.name, *command], cwd, env, timeout + 1)
            run.rss = int(report.read().split()[-1]) / 1024
    return run


MEASURE_SMALL = shutil.which("time")


class Case:
    """A configuration on disk and what runs on it."""

    def __init__(self, options, shape, size, folder):
        self.options, self.shape, self.size = options, shape, size
        self.folder = folder
        self.config = folder / "config"
        self.warm_cache = folder / "cache"
        self.cold_number = 0
        self.config.mkdir(parents=True)
        gen.SHAPES[shape](size, str(self.config))
        self.no_terraform = None
        if options.terraform and size in options.sizes:
            # Before anything runs, so that both programs find the same directory each time.
            init = [options.terraform, "init", "-input=false", "-no-color"]
            try:
                execute(init, self.config, self.environment("terraform", ""), options.timeout)
            except Failed as failure:
                self.no_terraform = f"init: {failure}"

    def environment(self, tool, variant):
        env = {k: v for k, v in os.environ.items() if not k.startswith(("TF_", "PRAVO_"))}
        env.update(TF_CLI_CONFIG_FILE=os.devnull, CHECKPOINT_DISABLE="1", TF_IN_AUTOMATION="1")
        if tool == "pravoc":
            cache = self.warm_cache
            if variant == "cold":
                self.cold_number += 1
                cache = self.folder / f"cold{self.cold_number}"
            cache.mkdir(exist_ok=True)
            env["PRAVO_CACHE_DIR"] = str(cache)
        return env

    def remove_state(self):
        for name in STATE_FILES:
            (self.config / name).unlink(missing_ok=True)
        for path in self.config.glob("terraform.tfstate*"):
            path.unlink()

    def state_of(self, tool):
        return self.folder / f"{tool}.tfstate"

    def plan_of(self, tool):
        return self.folder / f"{tool}.plan"

    def program(self, tool):
        return self.options.pravoc if tool == "pravoc" else self.options.terraform

    def command(self, tool, name):
        program = self.program(tool)
        plan = str(self.plan_of(tool))
        if name == "check":
            return [program, "check", "."] if tool == "pravoc" else [program, "validate", "-no-color"]
        if name == "plan":
            return [program, "plan", "-input=false", "-no-color", f"-out={plan}"]
        if name == "apply":
            return [program, "apply", "-input=false", "-no-color", plan]
        return [program, "plan", "-input=false", "-no-color"]

    def prepare(self, tool, name, variant):
        """Everything before a run that is not measured."""
        self.remove_state()
        env = self.environment(tool, variant)
        timeout = self.options.timeout
        if name == "plan":
            self.plan_of(tool).unlink(missing_ok=True)
        if name in ("apply", "noop") and not self.plan_of(tool).exists():
            execute(self.command(tool, "plan"), self.config, env, timeout)
        if name == "noop":
            if not self.state_of(tool).exists():
                execute(self.command(tool, "apply"), self.config, env, timeout)
                (self.config / "terraform.tfstate").rename(self.state_of(tool))
            shutil.copy(self.state_of(tool), self.config / "terraform.tfstate")
        return env

    def run(self, tool, name, variant):
        env = self.prepare(tool, name, variant)
        run = measure(self.command(tool, name), self.config, env, self.options.timeout)
        if variant == "cold":
            shutil.rmtree(self.folder / f"cold{self.cold_number}", ignore_errors=True)
        return run


def contenders(options, command, size):
    """(tool, variant) pairs that take part."""
    found = []
    if options.pravoc:
        found += [("pravoc", "cold"), ("pravoc", "warm")] if command == "check" else [("pravoc", "warm")]
    if options.terraform and size in options.sizes:
        found.append(("terraform", ""))
    return found


def measure_case(options, case, command, gave_up):
    """Interleaved rounds. Returns {(tool, variant): list of Run or text why there is none}."""
    results = {}
    taking_part = []
    for who in contenders(options, command, case.size):
        reason = gave_up.get((case.shape, command, *who)) or (case.no_terraform if who[0] == "terraform" else None)
        if reason:
            results[who] = f"skipped: {reason}"
            continue
        results[who] = []
        taking_part.append(who)
    if ("pravoc", "warm") in taking_part:
        try:
            case.run("pravoc", command, "warm")  # fills the cache, not counted
        except Failed:
            pass  # the first counted run says so
    spent = dict.fromkeys(taking_part, 0.0)
    for _ in range(options.repeats):
        for who in taking_part:
            if isinstance(results[who], str) or (results[who] and spent[who] > options.budget):
                continue
            tool, variant = who
            start = time.perf_counter()
            try:
                results[who].append(case.run(tool, command, variant))
            except Failed as failure:
                results[who] = str(failure)
                if "out of time" in str(failure):
                    gave_up[(case.shape, command, *who)] = f"{failure} at N = {case.size}"
            spent[who] += time.perf_counter() - start
    case.remove_state()
    return results


def medians(runs):
    return {
        "wall": statistics.median(r.wall for r in runs),
        "cpu": statistics.median(r.cpu for r in runs),
        "rss": statistics.median(r.rss for r in runs),
        "runs": len(runs),
    }


def seconds(value):
    return f"{value:.4f}" if value < 0.1 else f"{value:.3f}" if value < 1 else f"{value:.2f}"


def print_table(header, rows):
    widths = [max(len(str(row[i])) for row in [header, *rows]) for i in range(len(header))]

    def line(cells):
        return "| " + " | ".join(str(c).rjust(w) if i else str(c).ljust(w) for i, (c, w) in enumerate(zip(cells, widths))) + " |"

    print(line(header))
    print("|" + "|".join("-" * (w + 2) for w in widths) + "|")
    for row in rows:
        print(line(row))


def label(who):
    return " ".join(part for part in who if part)


def report(options, records):
    for command in options.commands:
        mine = [r for r in records if r["command"] == command]
        if not mine:
            continue
        everyone = []
        for record in mine:
            everyone += [who for who in record["results"] if who not in everyone]
        ours = [who for who in everyone if who[0] == "pravoc"]
        theirs = ("terraform", "")
        header = ["shape", "N"] + [f"{label(who)} wall / cpu / MB" for who in everyone]
        compared = [who for who in ours if theirs in everyone]
        header += [f"ratio {who[1] if len(compared) > 1 else ''} wall / cpu / MB".replace("  ", " ") for who in compared]
        rows, remarks = [], []
        for record in mine:
            cells = [record["shape"], record["size"]]
            for who in everyone:
                result = record["results"].get(who)
                if isinstance(result, dict):
                    few = "*" if result["runs"] < options.repeats else ""
                    cells.append(f"{seconds(result['wall'])} / {seconds(result['cpu'])} / {result['rss']:.0f}{few}")
                else:
                    cells.append("-")
                    if result is not None:
                        remarks.append(f"{record['shape']} {record['size']}: {label(who)}: {result}")
            for who in compared:
                a, b = record["results"].get(theirs), record["results"].get(who)
                if isinstance(a, dict) and isinstance(b, dict):
                    cells.append(" / ".join(f"{a[k] / max(b[k], 1e-6):.1f}" for k in ("wall", "cpu", "rss")))
                else:
                    cells.append("-")
            rows.append(cells)
        print(f"\n{command}: medians of up to {options.repeats} runs (* fewer)\n")
        print_table(header, rows)
        for remark in remarks:
            print(remark)
        print_growth(mine, ours)
        if command == "check" and compared:
            print_aims(mine)
    if not options.terraform:
        print("\nterraform was not found: its columns and the ratios are left out")


def growth(low, high, key):
    return math.log(high[key] / low[key]) / math.log(high["size"] / low["size"])


def print_growth(records, ours):
    for who in ours:
        parts = []
        for shape in dict.fromkeys(r["shape"] for r in records):
            points = [
                {"size": r["size"], **r["results"][who]}
                for r in records
                if r["shape"] == shape and isinstance(r["results"].get(who), dict)
            ]
            points.sort(key=lambda p: p["size"])
            if len(points) < 2:
                continue
            low, high = points[-2:]
            parts.append(f"{shape} {growth(low, high, 'cpu'):.2f} cpu {growth(low, high, 'wall'):.2f} wall ({low['size']}-{high['size']})")
        if parts:
            print(f"growth of {label(who)}: " + ", ".join(parts))


def print_aims(records):
    for variant in ("cold", "warm"):
        ratios = []
        for record in records:
            a, b = record["results"].get(("terraform", "")), record["results"].get(("pravoc", variant))
            if record["size"] == 10000 and isinstance(a, dict) and isinstance(b, dict):
                ratios.append((record["shape"], a["wall"] / b["wall"], a["rss"] / b["rss"]))
        if ratios:
            slow = min(ratios, key=lambda r: r[1])
            fat = min(ratios, key=lambda r: r[2])
            print(
                f"at N = 10000 {variant}: the least of the ratios is {slow[1]:.0f} in wall time ({slow[0]}; aim {AIMS[variant]}) "
                f"and {fat[2]:.1f} in memory ({fat[0]}; aim {AIMS['memory']})"
            )


def version(program, *arguments):
    try:
        out = subprocess.run([program, *arguments], capture_output=True, text=True, timeout=20).stdout
        return out.strip().splitlines()[0] if out.strip() else "unknown"
    except (OSError, subprocess.SubprocessError):
        return "unknown"


def write_json(path, options, records):
    document = {
        "date": datetime.datetime.now(datetime.timezone.utc).isoformat(timespec="seconds"),
        "processors": os.cpu_count(),
        "system": platform.platform(),
        "pravoc": version(options.pravoc, "version") if options.pravoc else None,
        "terraform": version(options.terraform, "version") if options.terraform else None,
        "repeats": options.repeats,
        "cases": [
            {
                "command": r["command"],
                "shape": r["shape"],
                "n": r["size"],
                "results": {
                    label(who): result if isinstance(result, dict) else {"none": result}
                    for who, result in r["results"].items()
                },
            }
            for r in records
        ],
    }
    pathlib.Path(path).write_text(json.dumps(document, indent=1) + "\n", encoding="utf-8")


def numbers(text):
    return [int(part) for part in text.split(",") if part]


def choice(known):
    def parse(text):
        if text == "all":
            return list(known)
        parts = [part for part in text.split(",") if part]
        for part in parts:
            if part not in known:
                raise argparse.ArgumentTypeError(f"`{part}` is none of {', '.join(known)}")
        return parts

    return parse


def parse_options():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pravoc", default=os.environ.get("PRAVOC") or shutil.which("pravoc"), help="the program")
    parser.add_argument("--terraform", default=shutil.which("terraform"), help="the program, or `none`")
    parser.add_argument("--commands", type=choice(COMMANDS), default=["check"], help="comma-separated, or `all` (default check)")
    parser.add_argument("--shapes", type=choice(list(gen.SHAPES)), default=list(gen.SHAPES), help="comma-separated, or `all`")
    parser.add_argument("--sizes", type=numbers, default=[100, 1000, 10000], help="default 100,1000,10000")
    parser.add_argument("--big", type=numbers, default=[100000], help="sizes for pravoc alone (default 100000; '' for none)")
    parser.add_argument("--repeats", type=int, default=5, help="runs of each command (default 5)")
    parser.add_argument("--timeout", type=float, default=120, help="seconds for one run (default 120)")
    parser.add_argument("--budget", type=float, default=30, help="no further repeat after this many seconds (default 30)")
    parser.add_argument("--json", metavar="FILE", help="write the figures there too")
    parser.add_argument("--work", metavar="DIR", help="keep the configurations there instead of a temporary folder")
    options = parser.parse_args()
    if options.terraform == "none":
        options.terraform = None
    for name in ("pravoc", "terraform"):
        path = getattr(options, name)
        if path:
            path = shutil.which(path) or path
            if not os.access(path, os.X_OK):
                parser.error(f"{path} is no program")
            setattr(options, name, os.path.abspath(path))
    if not options.pravoc:
        parser.error("no pravoc: build it and give --pravoc, or call `tools/dev bench`")
    if options.repeats < 1:
        parser.error("--repeats must be at least 1")
    return options


def main():
    options = parse_options()
    if not MEASURE_SMALL:
        print("time(1) is missing: peak memory below that of this interpreter cannot be seen", file=sys.stderr)
    work = pathlib.Path(options.work or tempfile.mkdtemp(prefix="pravo-bench-"))
    records, gave_up = [], {}
    failed = False
    try:
        for shape in options.shapes:
            for size in sorted(set(options.sizes + options.big)):
                folder = work / f"{shape}-{size}"
                shutil.rmtree(folder, ignore_errors=True)
                case = Case(options, shape, size, folder)
                for command in options.commands:
                    print(f"{shape} {size} {command} ...", end=" ", flush=True, file=sys.stderr)
                    start = time.perf_counter()
                    results = measure_case(options, case, command, gave_up)
                    print(f"{time.perf_counter() - start:.1f} s", file=sys.stderr)
                    for who, result in results.items():
                        if isinstance(result, list):
                            results[who] = medians(result)
                        elif who[0] == "pravoc" and "exit code" in result:
                            failed = True
                    records.append({"command": command, "shape": shape, "size": size, "results": results})
                if not options.work:
                    shutil.rmtree(folder, ignore_errors=True)
    except KeyboardInterrupt:
        print("\ninterrupted: what was measured so far", file=sys.stderr)
    finally:
        if not options.work:
            shutil.rmtree(work, ignore_errors=True)
    report(options, records)
    if options.json:
        write_json(options.json, options, records)
    # A program that fails on a valid configuration is no result to be compared.
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
