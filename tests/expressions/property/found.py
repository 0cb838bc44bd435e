"""found.tsv: expressions that once showed a difference, with what Terraform answers.

Rows are `expression TAB answer`, both escaped as `pravoc eval -lines` does it.
"""
import pathlib
import re

TABLE = pathlib.Path(__file__).resolve().parent / "found.tsv"
ARGUED = TABLE.parents[1] / "argued.tsv"


def unescaped(text):
    return re.sub(r"\\(.)", lambda found: {"n": "\n", "t": "\t", "r": "\r"}.get(found[1], found[1]), text)


def argued():
    """The answers of pravoc that docs/expressions.md argues for, by expression."""
    lines = [line.split("\t") for line in ARGUED.read_text(encoding="utf-8").splitlines()]
    return {unescaped(expression): answer for table, expression, answer in lines if table == TABLE.name}


def rows():
    """(expression, answer) of each row, the expression as it is written."""
    for line in TABLE.read_text(encoding="utf-8").splitlines():
        expression, answer = line.split("\t")
        yield unescaped(expression), answer
