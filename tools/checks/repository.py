#!/usr/bin/env python3
"""The shape of the repository: its top level, and nothing in it that a tool generates."""
import re

import _sources

TOP_LEVEL = {
    "CMakeLists.txt", "CMakePresets.json", "LICENSE", "README.md",
    "docs", "frontend", "grammar", "ir", "passes", "runtime", "tests", "tools",
}  # fmt: skip

# Generated code that is committed gets edited, and then disagrees with its source.
GENERATED_NAME = re.compile(r"\.(interp|tokens|pb\.h|pb\.cc|pb\.cpp)$|(^|/)(Hcl|Cue)(Lexer|Parser|Listener|Visitor)?\.(h|cpp)$")
GENERATED_TEXT = re.compile(r"^(//|#) Generated (from .* by ANTLR|by the protocol buffer compiler)", re.M)
MAX_BYTES = 1 << 20


def find_problems(files):
    """files: path -> text"""
    problems = []
    for path, text in sorted(files.items()):
        top = path.split("/")[0]
        if top not in TOP_LEVEL and not top.startswith("."):
            problems.append(f"{path}:1: `{top}` is not part of the top level: {' '.join(sorted(TOP_LEVEL))}")
        if GENERATED_NAME.search(path) or (path.endswith((".h", ".cpp", ".cc")) and GENERATED_TEXT.search(text[:2000])):
            problems.append(f"{path}:1: generated code is built, not committed")
        if len(text) > MAX_BYTES:
            problems.append(f"{path}:1: larger than 1 MB: generate it where it is needed")
    return problems


def self_test():
    assert find_problems({"ir/value.h": "// Values\n", ".ci/run": "", "README.md": ""}) == []
    for path, text in [
        ("src/a.cpp", ""),
        ("grammar/Hcl.interp", ""),
        ("frontend/hcl/Hcl.cpp", ""),
        ("frontend/hcl/p.cpp", "\n// Generated from Hcl.g4 by ANTLR 4.7.2\n"),
        ("docs/big.md", "x" * (MAX_BYTES + 1)),
    ]:
        assert len(find_problems({path: text})) == 1, path


def main():
    self_test()
    _sources.finish("repository", find_problems({p: _sources.read(p) for p in _sources.paths(tracked_only=True)}))


if __name__ == "__main__":
    main()
