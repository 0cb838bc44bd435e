#!/usr/bin/env python3
"""Each row of ir/diagnostics/*.def is emitted, tested and documented, and its message reads as ours do.

    diagnostics.py [--strict]

Without --strict a missing page or test is a warning. Emitted means that code other than a test names
`diag::Name`; tested, that a test expects its id; documented, that docs/diagnostics/ID.md exists.
"""
import re
import sys

import _sources

TABLES = "ir/diagnostics/*.def"
ROW = re.compile(r'^PRAVO_DIAG\(\s*(\w+)\s*,\s*"([^"]*)"\s*,\s*(\w+)\s*,\s*((?:"(?:\\.|[^"\\])*"\s*)+)', re.M)
TEST_CODE = re.compile(r"(^tests/.*|_(test|fuzz|bench))\.(cpp|h)$")


def find_problems(tables, code, tests, pages):
    """tables, code, tests: path -> text; pages: paths. Returns (errors, warnings)."""
    errors, warnings = [], []
    names, ids = {}, {}
    used = set()
    for path, text in code.items():
        used.update(re.findall(r"\bdiag::(\w+)", _sources.code_only(text)))
    tested = set()
    for text in tests.values():
        tested.update(re.findall(r"(?<![\w-])[a-z0-9]+(?:-[a-z0-9]+)+(?![\w-])", text))
    documented = {p.rsplit("/", 1)[1].removesuffix(".md") for p in pages}

    rows = []
    for path, table in tables.items():
        table_code = _sources.code_only(table, keep_strings=True)
        found = [(f"{path}:{table.count(chr(10), 0, row.start()) + 1}", row) for row in ROW.finditer(table_code)]
        declared = len(re.findall(r"^PRAVO_DIAG\(", table_code, re.M))
        if declared != len(found):
            errors.append(f"{path}:1: {declared} rows, but only {len(found)} could be read")
        rows += found
    for place, row in rows:
        name, identifier, severity, literals = row.groups()
        message = "".join(re.findall(r'"((?:\\.|[^"\\])*)"', literals))
        where = f"{place}: {identifier}"
        if not re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)+", identifier):
            errors.append(f"{where}: an id is kebab-case, of two words or more")
        if name in names or identifier in ids:
            errors.append(f"{where}: used twice")
        names[name] = ids[identifier] = True
        if severity not in ("Error", "Warning", "Note"):
            errors.append(f"{where}: unknown severity {severity}")
        # An acronym may start a message: its second letter is upper case too.
        if re.match(r"[A-Z](?![A-Z])", message):
            errors.append(f"{where}: the message starts with a capital letter")
        if message.endswith(".") and not message.endswith("..."):
            errors.append(f"{where}: the message ends with a period")
        if re.search(r"'[^' ]*\{[^}]*\}[^' ]*'", message):
            errors.append(f"{where}: names go in backquotes, not in quotation marks")
        if name not in used:
            errors.append(f"{where}: no code emits diag::{name}")
        if identifier not in tested:
            warnings.append(f"{where}: no test expects it")
        if identifier not in documented:
            warnings.append(f"{where}: docs/diagnostics/{identifier}.md is missing")
    for stale in sorted(documented - set(ids) - {"README", "index"}):
        errors.append(f"docs/diagnostics/{stale}.md:1: no row of {TABLES} has this id")
    return errors, warnings


def self_test():
    row = 'PRAVO_DIAG(BadName, "bad-name", Error, "name `{}` is "\n           "bad", "")\n'
    good = dict(
        code={"passes/a.cpp": "diags.emit(r, diag::BadName, n);"},
        tests={"tests/a.test": "main.tf:1:1: error: name `x` is bad [bad-name]"},
        pages=["docs/diagnostics/bad-name.md"],
    )
    table = {"a.def": row}
    assert find_problems(table, **good) == ([], []), find_problems(table, **good)
    assert len(find_problems(table, **{**good, "code": {"a.cpp": "// diag::BadName"}})[0]) == 1
    assert len(find_problems(table, **{**good, "tests": {"tests/a.test": "[bad-name-too]"}})[1]) == 1
    assert len(find_problems(table, **{**good, "pages": []})[1]) == 1
    assert len(find_problems(table, **{**good, "pages": good["pages"] + ["docs/diagnostics/old-name.md"]})[0]) == 1
    assert len(find_problems({"a.def": row, "b.def": row}, **good)[0]) == 1
    assert len(find_problems({"a.def": row.replace("name `{}`", "Name '{}'")}, **good)[0]) == 2
    assert len(find_problems({"a.def": row.replace('bad", ""', 'bad.", ""')}, **good)[0]) == 1
    assert len(find_problems({"a.def": row.replace('"bad-name"', "BAD_NAME")}, **good)[0]) >= 1


def main():
    self_test()
    strict = "--strict" in sys.argv[1:]
    cpp = _sources.paths("*.cpp", "*.h")
    code = {p: _sources.read(p) for p in cpp if not TEST_CODE.search(p)}
    tests = {p: _sources.read(p) for p in cpp if TEST_CODE.search(p)}
    tests |= {p: _sources.read(p) for p in _sources.paths("*.test", "tests/*") if p not in tests}
    pages = _sources.paths("docs/diagnostics/*.md")
    errors, warnings = find_problems({p: _sources.read(p) for p in _sources.paths(TABLES)}, code, tests, pages)
    if strict:
        errors += warnings
    else:
        for warning in warnings:
            print(f"warning: {warning}")
    _sources.finish("diagnostics", errors)


if __name__ == "__main__":
    main()
