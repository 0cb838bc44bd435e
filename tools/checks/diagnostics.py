#!/usr/bin/env python3
"""Each row of ir/diagnostics/*.def is emitted, tested and documented, and its message reads as ours do.

    diagnostics.py

Emitted means that code other than a test names `diag::Name`; tested, that a test expects its id, where a comment or
a text around it is no expectation; documented, that docs/diagnostics/ID.md exists.
"""
import ast
import json
import re

import _sources

TABLES = "ir/diagnostics/*.def"
ROW = re.compile(r'^PRAVO_DIAG\(\s*(\w+)\s*,\s*"([^"]*)"\s*,\s*(\w+)\s*,\s*((?:"(?:\\.|[^"\\])*"\s*)+)', re.M)
TEST_CODE = re.compile(r"(^tests/.*|_(test|fuzz|bench))\.(cpp|h)$")
ID = r"[a-z0-9]+(?:-[a-z0-9]+)+"


def strings_of_python(text):
    """The strings of a script that are not there to be read only."""
    tree = ast.parse(text)
    comments = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    return [node.value for node in ast.walk(tree)
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in comments]


def expected_ids(path, text):
    """The ids that the test file `path` expects to see."""
    if path.endswith((".test", ".cases")):
        # Markers and expectations alike end in the id; what stands before the first section is a comment.
        sections = text[text.find("=== "):]
        return set(re.findall(rf"\[({ID})\]$", sections, re.M))
    if path.endswith("/check.json"):
        return {row[1] for row in json.loads(text)["diagnostics"]}
    if path.endswith((".cpp", ".h")):
        strings = _sources.strings_only(text)
    elif path.endswith(".py"):
        strings = strings_of_python(text)
    else:
        return set()
    return {found for string in strings for found in re.findall(rf"(?<![\w-]){ID}(?![\w-])", string)}


def find_problems(tables, code, tests, pages):
    """tables, code, tests: path -> text; pages: paths. Returns what is wrong, a line each."""
    errors = []
    names, ids = {}, {}
    used = set()
    for path, text in code.items():
        used.update(re.findall(r"\bdiag::(\w+)", _sources.code_only(text)))
    tested = set()
    for path, text in tests.items():
        tested |= expected_ids(path, text)
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
        if not re.fullmatch(ID, identifier):
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
            errors.append(f"{where}: no test expects it")
        if identifier not in documented:
            errors.append(f"{where}: docs/diagnostics/{identifier}.md is missing")
    for stale in sorted(documented - set(ids) - {"README", "index"}):
        errors.append(f"docs/diagnostics/{stale}.md:1: no row of {TABLES} has this id")
    return errors


def self_test():
    row = 'PRAVO_DIAG(BadName, "bad-name", Error, "name `{}` is "\n           "bad", "")\n'
    good = dict(
        code={"passes/a.cpp": "diags.emit(r, diag::BadName, n);"},
        tests={"tests/a.test": "=== expect diagnostics\nmain.tf:1:1: error: name `x` is bad [bad-name]\n"},
        pages=["docs/diagnostics/bad-name.md"],
    )
    table = {"a.def": row}
    assert find_problems(table, **good) == [], find_problems(table, **good)
    assert len(find_problems(table, **{**good, "code": {"a.cpp": "// diag::BadName"}})) == 1
    assert len(find_problems(table, **{**good, "pages": []})) == 1
    assert len(find_problems(table, **{**good, "pages": good["pages"] + ["docs/diagnostics/old-name.md"]})) == 1
    assert len(find_problems({"a.def": row, "b.def": row}, **good)) == 1
    assert len(find_problems({"a.def": row.replace("name `{}`", "Name '{}'")}, **good)) == 2
    assert len(find_problems({"a.def": row.replace('bad", ""', 'bad.", ""')}, **good)) == 1
    assert len(find_problems({"a.def": row.replace('"bad-name"', "BAD_NAME")}, **good)) >= 1
    for path, text, tested in (
        ("a.test", "=== file main.tf\n# error: ^ [bad-name]\n", True),
        ("a.test", "=== file main.tf\n# error: ^ [bad-name-too]\n", False),
        ("a.test", "About [bad-name]\n=== run check\n", False),
        ("a.cases", "=== expect\nerror main.tf:1:1-1:2 name `x` is bad [bad-name]\n", True),
        ("a_test.cpp", 'CHECK(ids == "bad-name good-name");', True),
        ("a_test.cpp", 'CHECK(ids == R"(1:1 [bad-name])");', True),
        ("a_test.cpp", '// "bad-name"\n', False),
        ("run_a.py", '"""bad-name"""\nexpect(codes == ["bad-name"])\n', True),
        ("run_a.py", '"""bad-name"""\n# "bad-name"\n', False),
        ("bugs/a/check.json", '{"diagnostics": [["error", "bad-name", "main.tf", 1]]}', True),
        ("bugs/a/note.md", "bad-name", False),
    ):
        assert ("bad-name" in expected_ids(path, text)) == tested, (path, text)


def main():
    self_test()
    cpp = _sources.paths("*.cpp", "*.h")
    code = {p: _sources.read(p) for p in cpp if not TEST_CODE.search(p)}
    tests = {p: _sources.read(p) for p in cpp if TEST_CODE.search(p)}
    tests |= {p: _sources.read(p) for p in _sources.paths("*.test", "*.cases", "tests/*") if p not in tests}
    pages = _sources.paths("docs/diagnostics/*.md")
    errors = find_problems({p: _sources.read(p) for p in _sources.paths(TABLES)}, code, tests, pages)
    _sources.finish("diagnostics", errors)


if __name__ == "__main__":
    main()
