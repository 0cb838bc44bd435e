"""Runs one random configuration through two programs, step by step, and tells where they differ."""
import json
import os
import pathlib
import re
import shutil
import subprocess

UUID = re.compile(r"[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}")
HASH = re.compile(r"\b[0-9a-f]{40}\b|\b[0-9A-F]{40}\b")
MOVE = "a move"  # Terraform moves what `count` was added to or taken from; pravoc refuses that so far
CYCLE = "a cycle"  # Terraform's own, of objects that are created before others are destroyed
ENVIRONMENT = {"TF_CLI_CONFIG_FILE": "/dev/null", "CHECKPOINT_DISABLE": "1", "TF_IN_AUTOMATION": "1", "TF_WORKSPACE": "",
               "TF_PLUGIN_CACHE_DIR": ""}


class Program:
    """One of the two, with a directory of its own."""

    def __init__(self, command, directory):
        self.command = command
        self.directory = pathlib.Path(directory)
        self.directory.mkdir(parents=True)
        self.ids = {}  # UUID -> the address of the object that has it

    def run(self, *arguments):
        return subprocess.run([self.command, *arguments], cwd=self.directory, capture_output=True, text=True, timeout=120,
                              stdin=subprocess.DEVNULL, env={**os.environ, **ENVIRONMENT})

    def write(self, files):
        for path in self.directory.rglob("*.tf"):
            path.unlink()
        for name, text in files.items():
            path = self.directory / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)

    def json(self, *arguments):
        answer = self.run("show", "-json", *arguments)
        if answer.returncode:
            return {"failed": answer.stderr}
        return json.loads(answer.stdout)

    def learn_ids(self, state):
        def visit(module):
            for resource in module.get("resources", []):
                self.ids.setdefault(resource["values"].get("id"), resource["address"])
            for child in module.get("child_modules", []):
                visit(child)
        visit(state.get("values", {}).get("root_module", {}))

    def named(self, value):
        """The value with addresses for random ids, and a word for what was made of one."""
        if isinstance(value, dict):
            return {key: self.named(inner) for key, inner in value.items()}
        if isinstance(value, list):
            return [self.named(inner) for inner in value]
        if isinstance(value, str):
            value = UUID.sub(lambda m: self.ids.get(m.group(0).lower(), "UUID"), value)
            return HASH.sub("HASH", value)
        return value

    def plan(self, *arguments):
        """What the plan says of each object and output."""
        answer = self.run("plan", "-out=plan.bin", *arguments)
        if answer.returncode:
            return {"plan failed": True}, answer.stdout + answer.stderr
        shown = self.json("plan.bin")
        found = {}
        for change in shown.get("resource_changes", []):
            deltas = change["change"]
            found[change["address"] + (" deposed" if change.get("deposed") else "")] = self.named(
                {"actions": deltas["actions"], "reason": change.get("action_reason"), "after": deltas.get("after"),
                 "before": deltas.get("before"), "unknown": deltas.get("after_unknown"),
                 "replace": deltas.get("replace_paths")})
        for name, change in shown.get("output_changes", {}).items():
            found["output " + name] = self.named({"actions": change["actions"], "after": change.get("after"),
                                                  "unknown": change.get("after_unknown")})
        return found, answer.stdout + answer.stderr

    def apply(self):
        answer = self.run("apply", "plan.bin")
        if answer.returncode:
            return {"apply failed": True}, answer.stdout + answer.stderr
        state = self.json()
        self.learn_ids(state)
        found = {}

        def visit(module):
            for resource in module.get("resources", []):
                depends = sorted(resource.get("depends_on", []))
                found[resource["address"]] = self.named({"values": resource["values"], "depends": depends})
            for child in module.get("child_modules", []):
                visit(child)
        values = state.get("values", {})
        visit(values.get("root_module", {}))
        for name, output in values.get("outputs", {}).items():
            found["output " + name] = self.named(output)
        return found, answer.stdout + answer.stderr


def differences(ours, theirs):
    out = []
    for key in sorted({*ours, *theirs}):
        # Terraform takes `module.m[*].o` for a use of all outputs of the module.
        if key in ours and key in theirs and isinstance(ours[key], dict) and "depends" in ours[key]:
            if set(ours[key]["depends"]) <= set(theirs[key].get("depends", [])):
                ours[key]["depends"] = theirs[key]["depends"]
        if ours.get(key) != theirs.get(key):
            out.append(f"  {key}\n    terraform {json.dumps(theirs.get(key), sort_keys=True)}\n"
                       f"    pravoc    {json.dumps(ours.get(key), sort_keys=True)}")
    return out


def run(seed, versions, pravoc, terraform, directory):
    """Plans and applies both versions, and destroys. None when all is equal, MOVE or CYCLE when that ended it, else a text."""
    ours = Program(pravoc, pathlib.Path(directory, "pravoc"))
    theirs = Program(terraform, pathlib.Path(directory, "terraform"))
    for version, files in enumerate(versions):
        for program in (ours, theirs):
            program.write(files)
        told = theirs.run("init", "-input=false")
        if told.returncode:
            return f"seed {seed}: terraform init: {told.stderr}"
        ours.run("init")
        steps = [(f"plan {version}", lambda p: p.plan()), (f"apply {version}", lambda p: p.apply()),
                 (f"plan {version} again", lambda p: p.plan())]
        if version + 1 == len(versions):
            steps += [("plan -destroy", lambda p: p.plan("-destroy")), ("destroy", lambda p: p.apply())]
        for what, step in steps:
            a, said = step(ours)
            if "moving `" in said and "[not-supported-yet]" in said:
                shutil.rmtree(directory)
                return MOVE
            b, expected = step(theirs)
            if "plan failed" in b and "Error: Cycle" in expected and "plan failed" not in a:
                shutil.rmtree(directory)
                return CYCLE
            found = differences(a, b)
            if found:
                return f"seed {seed}, {what}:\n" + "\n".join(found[:6]) + f"\n{said[-1500:]}\n---\n{expected[-800:]}"
            if "plan failed" in a:
                return None
    shutil.rmtree(directory)
    return None
