#!/usr/bin/env python3
"""Writes what a fuzzer starts from: FUZZER is the name of a *_fuzz.cpp, FOLDER gets a file for each seed."""
import hashlib
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]


def expressions():
    for table in sorted((ROOT / "tests/expressions").glob("*.tsv")):
        for line in table.read_text(encoding="utf-8").split("\n"):
            columns = line.split("\t")
            # argued.tsv names the table first.
            expression = columns[1] if table.name == "argued.tsv" and len(columns) > 1 else columns[0]
            if expression:
                yield expression


def sections():
    """The files of golden cases, by name and text."""
    for case in sorted((ROOT / "tests").rglob("*.test")):
        name, lines = None, []
        for line in [*case.read_text(encoding="utf-8").split("\n"), "=== end"]:
            if not line.startswith("=== "):
                lines.append(line)
                continue
            if name:
                yield name, "\n".join(lines)
            words = line[4:].split()
            name = words[1] if words[0] == "file" and len(words) > 1 else "ir" if words[0] == "ir" else None
            lines = []


def seeds(fuzzer):
    if fuzzer == "eval_fuzz":
        return [e.encode() for e in expressions()]
    # The first byte chooses the parser.
    if fuzzer == "hcl_fuzz":
        files = [(b"\x04" if name.endswith(".json") else b"\x00") + text.encode() for name, text in sections()
                 if name != "ir"]
        return [*files, *(b"\x02" + e.encode() for e in expressions()), *(b"\x03${" + e.encode() + b"}" for e in expressions())]
    if fuzzer == "text_fuzz":
        return [text.encode() for name, text in sections() if name == "ir"]
    if fuzzer == "load_fuzz":
        return [text.encode() for name, text in sections() if name.endswith(".tf")]
    if fuzzer == "decode_fuzz":
        texts = [b'{"a": [1, "b", null, true], "c": {}}', b'object({ a = string, b = optional(list(any)) })\0{"a":"x"}',
                 b'["object",{"a":"string"}]', b"-12.5e-7", b"a: &x [1, 2]\nb: *x\nc: |\n  text\n", b'a,b\n1,"x ""y"""\n',
                 b"DD MMM YYYY hh:mm ZZZ\0002024-02-29T12:34:56Z", b"2024-02-29T12:34:56Z\0001h30m", b"10.0.0.0/8\0abc",
                 b"fe80::/64\0abcdefgh", b"(a+)(?P<b>[^x]*)\0aab", b"/(.)/\0text", b"%s %-5d %v %q\0x", b"aGk=\0UTF-16LE",
                 b"key\0value\n with: lines", b"-----BEGIN RSA PRIVATE KEY-----\nMAA=\n-----END RSA PRIVATE KEY-----\n"]
        return [bytes([kind]) + text for kind, text in enumerate(texts)]
    raise SystemExit(f"no seeds for {fuzzer}")


def main():
    fuzzer, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    folder.mkdir(parents=True, exist_ok=True)
    made = seeds(fuzzer)
    for seed in made:
        (folder / hashlib.sha1(seed).hexdigest()).write_bytes(seed)
    print(f"{len(made)} seeds for {fuzzer} in {folder}")


if __name__ == "__main__":
    main()
