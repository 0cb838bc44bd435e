#!/usr/bin/env python3
"""Enforces the layers of docs/architecture.md by walking #include lines.

  ir <- frontend      ir <- passes <- runtime      tools and tests see all

Further: ANTLR is seen only by frontend/LANGUAGE/parser*, also through other headers; gRPC and protobuf only by
runtime/provider/transport*; and only tools print, so that no layer can show a value on its own account.
"""
import posixpath
import re

import _sources

MAY_SEE = {
    "ir": {"ir"},
    "frontend": {"frontend", "ir"},
    "passes": {"passes", "ir"},
    "runtime": {"runtime", "passes", "ir"},
    "tools": {"tools", "runtime", "passes", "frontend", "ir"},
    "tests": {"tests", "tools", "runtime", "passes", "frontend", "ir"},
}

# Third parties that only some files may see: name, pattern of the include, pattern of the files that may.
CONFINED = [
    ("ANTLR", re.compile(r"^(antlr4-runtime|antlr/|(Hcl|Cue)\.(h|cpp)$)"), re.compile(r"^frontend/[^/]+/parser[^/]*$")),
    ("gRPC and protobuf", re.compile(r"^(grpc|google/protobuf/)|\.pb\.h$"), re.compile(r"^runtime/provider/transport")),
]

GENERATED = re.compile(r"^((Hcl|Cue)\.(h|cpp)|[a-z_]+\.inc|[a-z0-9_./]+\.pb\.h)$")

INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*([<"])([^>"\n]+)[>"]', re.M)
PRINTING = re.compile(
    r"\bstd::(cout|cerr|clog|wcout|wcerr)\b"
    r"|\bfmt::print\s*\("
    r"|(?<![\w.>:])(std::)?(printf|vprintf|fprintf|vfprintf|puts|putchar|perror)\s*\("
    r"|\bllvm::(outs|errs|dbgs)\s*\("
    r"|\b(stdout|stderr)\b"
)
# Tests, fuzzers and benchmarks are programs of their own, so they may print.
PROGRAM = re.compile(r"^(tools|tests)/|_(test|fuzz|bench)\.cpp$")


def line_of(text, position):
    return text.count("\n", 0, position) + 1


def find_problems(files):
    """files: path -> text. Returns problems as `path:line: what`."""
    problems = []
    includes = {}
    for path, text in sorted(files.items()):
        layer = path.split("/")[0]
        if layer not in MAY_SEE:
            problems.append(f"{path}:1: C++ outside of the layers {', '.join(MAY_SEE)}")
            continue
        code = _sources.code_only(text, keep_strings=True)
        includes[path] = []
        for match in INCLUDE.finditer(code):
            quote, target = match.groups()
            line = line_of(code, match.start())
            first = target.split("/")[0]
            where = f"{path}:{line}"
            includes[path].append((target, line))
            if first in MAY_SEE and "/" in target:
                if quote == "<":
                    problems.append(f'{where}: our own header in angle brackets: write "{target}"')
                if first not in MAY_SEE[layer]:
                    problems.append(f"{where}: {layer} must not know {first} (includes {target})")
            elif quote == '"' and not GENERATED.match(target):
                sibling = posixpath.normpath(posixpath.join(posixpath.dirname(path), target))
                hint = f'write "{sibling}"' if sibling in files else "third parties go in angle brackets"
                problems.append(f"{where}: include of {target} is not from the project root: {hint}")
            if target == "iostream" and not PROGRAM.search(path):
                problems.append(f"{where}: only tools print, so only they include <iostream>")
        if not PROGRAM.search(path):
            bare = _sources.code_only(text)
            for match in PRINTING.finditer(bare):
                problems.append(f"{path}:{line_of(bare, match.start())}: only tools print (`{match.group(0).strip()}`)")

    for name, pattern, allowed in CONFINED:
        # Files that see it, and through which include: directly first, then whoever includes such a file.
        seen = {}
        for path, found in includes.items():
            for target, line in found:
                if pattern.search(target):
                    seen.setdefault(path, (line, target))
        grew = True
        while grew:
            grew = False
            for path, found in includes.items():
                if path in seen:
                    continue
                for target, line in found:
                    if target in seen:
                        seen[path] = (line, target)
                        grew = True
                        break
        for path, (line, target) in sorted(seen.items()):
            if not allowed.search(path) and not path.startswith("tests/"):
                problems.append(f"{path}:{line}: must not see {name} (through {target})")
    return problems


def self_test():
    def problems(**files):
        named = {k.replace("__", "/").replace("_h", ".h").replace("_cpp", ".cpp"): v for k, v in files.items()}
        return find_problems(named)

    def catches(fragment, **files):
        found = problems(**files)
        assert any(fragment in p for p in found), f"`{fragment}` not found in {found}"

    clean = problems(
        ir__value_h="#include <vector>\n",
        frontend__hcl__parser_fast_cpp='#include <antlr4-runtime.h>\n#include "Hcl.cpp"\n#include "ir/value.h"\n',
        passes__fold_cpp='#include "ir/value.h"\n// std::cout is not for passes\nconst char* s = "printf(";\n',
        runtime__run_cpp='#include "passes/fold.h"\n#include "ir/value.h"\nvoid f() { printer.printf(1); snprintf(b, 1, ""); }\n',
        runtime__provider__transport_cpp="#include <grpcpp/grpcpp.h>\n",
        tools__pravoc__main_cpp='#include <iostream>\n#include "frontend/load/load.h"\nint main() { std::cout << 1; }\n',
    )
    assert clean == [], clean
    catches("ir must not know passes", ir__a_cpp='#include "passes/x.h"\n')
    catches("frontend must not know runtime", frontend__a_cpp='#include "runtime/x.h"\n')
    catches("frontend must not know passes", frontend__a_cpp='\n # include "passes/x.h"\n')
    catches("passes must not know frontend", passes__a_cpp='#include "frontend/x.h"\n')
    catches("passes must not know runtime", passes__a_cpp='#include "runtime/x.h"\n')
    catches("runtime must not know frontend", runtime__a_cpp='#include "frontend/x.h"\n')
    catches("runtime must not know tools", runtime__a_cpp='#include "tools/x.h"\n')
    catches("angle brackets", passes__a_cpp="#include <ir/x.h>\n")
    catches('write "ir/b.h"', ir__a_cpp='#include "b.h"\n', ir__b_h="")
    catches("must not see ANTLR", frontend__load__a_cpp="#include <antlr4-runtime/Parser.h>\n")
    catches(
        "frontend/load/a.cpp:1: must not see ANTLR (through frontend/hcl/parser.h)",
        frontend__load__a_cpp='#include "frontend/hcl/parser.h"\n',
        frontend__hcl__parser_h="#include <antlr4-runtime.h>\n",
    )
    catches("must not see gRPC", runtime__state__a_cpp='#include "tfplugin6.pb.h"\n')
    catches("ir/a.cpp:2: only tools print (`std::cout`)", ir__a_cpp="void f() {\n  std::cout << 1;\n}\n")
    catches("only tools print (`printf(`)", runtime__a_cpp='void f() { printf("x"); }\n')
    catches("only tools print (`stderr`)", runtime__a_cpp="void f() { fputs(x, stderr); }\n")
    catches("only tools print (`fmt::print(`)", passes__a_cpp='void f() { fmt::print("x"); }\n')
    catches("C++ outside", docs__a_cpp="")


def main():
    self_test()
    files = {p: _sources.read(p) for p in _sources.paths("*.cpp", "*.h", "*.def", "*.cc", "*.hpp")}
    _sources.finish("layering", find_problems(files))


if __name__ == "__main__":
    main()
