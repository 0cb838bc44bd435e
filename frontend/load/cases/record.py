#!/usr/bin/env python3
"""Records what Terraform says about the cases in this folder.

    record.py [--all] FILE.cases...

A case without a `=== terraform` section gets one (with --all: every case, anew). Its lines are the severity and
place of each diagnostic that `terraform validate` gives (`-` for none), `valid` when it accepts. That a provider
plugin is missing is left out.
"""
import json
import os
import re
import subprocess
import sys
import tempfile

ENVIRONMENT = dict(os.environ, TF_CLI_CONFIG_FILE="/dev/null", CHECKPOINT_DISABLE="1", TF_IN_AUTOMATION="1")


def split(text):
    """[(heading, lines)] of a file; the first heading is None."""
    sections = [(None, [])]
    for line in text.split("\n"):
        if line.startswith("=== "):
            sections.append((line, []))
        else:
            sections[-1][1].append(line)
    return sections


def terraform(files, want_text=False):
    with tempfile.TemporaryDirectory() as folder:
        for name, text in files.items():
            path = os.path.join(folder, name)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "w", newline="") as out:
                out.write(text)
        if any("module" in text for text in files.values()):
            subprocess.run(["terraform", "get"], cwd=folder, env=ENVIRONMENT, capture_output=True)
        run = subprocess.run(["terraform", "validate", "-json"], cwd=folder, env=ENVIRONMENT, capture_output=True)
    result = []
    for d in json.loads(run.stdout)["diagnostics"]:
        place = d.get("range")
        if place is None:
            if want_text:
                result.append("- %s: %s | %s" % (d["severity"], d["summary"], d["detail"].replace("\n", " ")))
            elif d["summary"] != "Missing required provider":
                line = "%s -" % d["severity"]
                if line not in result:
                    result.append(line)
            continue
        start, end = place["start"], place["end"]
        line = "%s %s:%d:%d-%d:%d" % (d["severity"], place["filename"], start["line"], start["column"], end["line"],
                                      end["column"])
        if want_text:
            line += " " + d["summary"] + " | " + d["detail"].replace("\n", " ")
        if line not in result:
            result.append(line)
    if not any(line.startswith("error") for line in result):
        result.append("valid")
    return result


def cases(sections):
    """Index ranges of the sections of each case."""
    starts = [i for i, (heading, _) in enumerate(sections) if heading and heading.startswith("=== case ")]
    return zip(starts, starts[1:] + [len(sections)])


def record(path, everything, show):
    sections = split(open(path, newline="").read())
    output = [sections[0]]
    for begin, end in cases(sections):
        case = sections[begin:end]
        known = any(heading == "=== terraform" for heading, _ in case)
        files = {}
        for heading, lines in case:
            match = re.match(r"=== file (\S+)$", heading)
            if match:
                files[match.group(1)] = "\n".join(lines) + "\n"
        if not known or everything or show:
            if show:
                print(case[0][0])
                for line in terraform(files, True):
                    print("   ", line[:400])
                continue
            lines = terraform(files)
            case = [s for s in case if s[0] != "=== terraform"]
            at = next((i for i, s in enumerate(case) if s[0] == "=== expect"), len(case))
            case.insert(at, ("=== terraform", lines))
        output.extend(case)
    if show:
        return
    text = ""
    for heading, lines in output:
        if heading is not None:
            text += heading + "\n"
        body = "\n".join(lines)
        if body:
            text += body + "\n"
    open(path, "w", newline="").write(text.rstrip("\n") + "\n")


def main():
    arguments = sys.argv[1:]
    everything = "--all" in arguments
    show = "--show" in arguments  # prints Terraform's own words, writes nothing
    for path in arguments:
        if not path.startswith("--"):
            record(path, everything, show)


main()
