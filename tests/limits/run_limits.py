#!/usr/bin/env python3
# ctest-labels: limits
"""What would take all memory or all day ends with a clear error, soon and within one and a half gigabytes: docs/language/limits.md.

Expressions go through `pravoc eval -lines`, configurations through check, plan and apply. Time is what the processor
spent, so that a busy machine fails nothing.
"""
import os
import pathlib
import resource
import subprocess
import sys
import tempfile

PRAVOC = os.environ["PRAVOC"]
MAX_SECONDS = 60
MAX_MEGABYTES = 1500

STEPS = "takes more than 100000000 steps"
TEXT = "the string would be larger than 128 MiB"
SIZE = "the value with everything in it would be larger than 256 MiB"
DEEP = "nests more than 1000 levels deep"

KILO = 'join("", [for i in range(1000) : "0123456789"])'
MEGA10 = f'join("", [for i in range(1000) : {KILO}])'
MEGA100 = f'join("", [for i in range(1000) : join("", [for j in range(1000) : "{"0123456789" * 10}"])])'
MILLION = "setproduct(range(1000), range(1000))"
BRACKETS = 'join("", [for i in range(100) : join("", [for j in range(1000) : "["])])'


def aliases():
    """YAML whose anchors multiply: 9 to the 9th."""
    text = "a: &a [" + ",".join("x" * 9) + "]\\n"
    for name, last in zip("bcdefghi", "abcdefgh"):
        text += f"{name}: &{name} [" + ",".join([f"*{last}"] * 9) + "]\\n"
    return text


# An expression, and what its error says; or None: it has a value.
EXPRESSIONS = [
    # Nesting of the source
    ("[" * 100000 + "]" * 100000, "nest"),
    ("(" * 100000 + "1" + ")" * 100000, "nest"),
    ("abs(" * 100000 + "1" + ")" * 100000, "nest"),
    ('"${' * 50000 + "1" + '}"' * 50000, "nest"),
    ("-" * 100000 + "1", "nest"),
    ("+".join(["1"] * 100000), "nest"),
    ("true?1:" * 100000 + "1", "nest"),
    ("[1]" + "[0]" * 100000, "nest"),
    # Nesting of data
    (f"jsondecode({BRACKETS})", DEEP),
    (f"yamldecode({BRACKETS})", DEEP),
    ('yamldecode(join("", [for i in range(100) : join("", [for j in range(1000) : "- "])]))', DEEP),
    # Many of something
    ("range(1000000000)", "more than 1024 numbers"),
    ("range(0, 1, 0.000001)", "more than 1024 numbers"),
    ("setproduct(range(1000), range(1000), range(1000))", "more than 10000000 elements"),
    ("setproduct(range(1000), range(1000), range(9))", SIZE),
    (f"setproduct({', '.join(['[1, 2]'] * 23)})", SIZE),
    (f'yamldecode("{aliases()}")', "more than 10000000 elements"),
    (f'jsondecode("[${{join(",", [for i in {MILLION} : "[],[],[],[],[],[],[],[],[]"])}}]")', SIZE),
    (f'split("", {MEGA10})', SIZE),
    (f'regexall("", {MEGA10})', "more than 10000000 elements"),
    ('formatlist("%1000000d", range(1000))', SIZE),
    (f"length({MILLION})", None),
    (f'length(cidrsubnets("fc00::/8", [for i in {MILLION} : 64]...))', None),
    # Long texts
    ('indent(1000000000, "a\\nb")', TEXT),
    ('format("%1000000000d", 1)', "larger than 1000000"),
    ('format("%.1000000000f", 1)', "larger than 1000000"),
    (f'join({KILO}, [for i in {MILLION} : ""])', TEXT),
    (f'replace({KILO}, "0", {MEGA10})', TEXT),
    (f'replace({KILO}, "/[0-9]/", {MEGA10})', TEXT),
    (f'replace({MEGA10}, "", "0123456789012345678901234567890123456789")', TEXT),
    (f"length({MEGA100})", None),
    (f"length(upper({MEGA100}))", None),
    (f"length(strrev({MEGA100}))", None),
    (f"length(base64gzip({MEGA100}))", None),
    (f'textencodebase64({MEGA100}, "UTF-16LE")', TEXT),
    (f"base64gunzip(base64gzip({MEGA100}))", None),
    # Numbers
    ("1e1000000000", "too large or too small"),
    ("9" * 1000000, "too large or too small"),
    (f"parseint({MEGA10}, 10)", "not a whole number"),
    (f"tonumber({MEGA10})", "a number is required"),
    ("pow(2.5, 300) * 1e19000 * 1e19000", "too large"),
    ('timeadd("2020-01-01T00:00:00Z", "1000000000000000000000h")', "a duration"),
    # Work
    ("[for a in range(1000) : length([for b in range(1000) : length([for c in range(1000) : c])])]", STEPS),
    ("[for a in range(1000) : [for b in range(1000) : [for c in range(1000) : c]]]", SIZE),
    (f"[for a in range(1000) : length({MILLION})]", STEPS),
    (f"[for a in range(1000) : {MEGA10}]", STEPS),
    (f"[for a in {MILLION} : [for b in [1] : try(tonumber(\"x\"), 1)][0]]", None),
    ('bcrypt("a", 31)', "too large"),
    ('regex("a{1000}{1000}", "a")', "no valid regular expression"),
    ('regex("(((a{100}){100}){100})", "a")', "no valid regular expression"),
    (f'regex("{"(" * 50000}{")" * 50000}", "a")', "groups nest more than 1000 levels"),
    ('regex("((((x*)*)*)*)*y", join("", [for i in range(1000) : "xxxxxxxxxxxxxxxx"]))', "does not match"),
    # Files
    ('file("/dev/zero")', "the file is larger than 128 MiB"),
    ('filebase64("/dev/zero")', "the file is larger than 128 MiB"),
    ('filesha256("/dev/zero")', "it is no regular file"),
    ('templatefile("/dev/zero", {})', "the file is larger than 128 MiB"),
    ('file("bad.bin")', "not UTF-8"),
    ('templatefile("self.tpl", {})', "renders a template itself"),
    ('templatefile("first.tpl", {})', "renders a template itself"),
    ('templatefile("loops.tpl", {})', STEPS),
    ('fileset("linked", "**")', None),
    (f'fileset(".", "{"{a,b}" * 24}")', "malformed"),
]
FILES = {
    "bad.bin": b"a\xff\xfe",
    "self.tpl": b'${templatefile("self.tpl", {})}',
    "first.tpl": b'${templatefile("second.tpl", {})}',
    "second.tpl": b'${templatefile("first.tpl", {})}',
    "loops.tpl": b"%{ for a in range(1000) }${length([for b in range(1000) : length(range(1000))])}%{ endfor }",
}


def doubled(seed, step, levels=40):
    lines = [f"  a0 = {seed}"] + [f"  a{i} = {step.replace('@', f'local.a{i - 1}')}" for i in range(1, levels + 1)]
    return "locals {\n" + "\n".join(lines) + f"\n}}\noutput \"o\" {{\n  value = local.a{levels}\n}}\n"


# A configuration, and what plan says.
CONFIGURATIONS = [
    (doubled('"x"', "[@, @]"), SIZE),
    (doubled('"x"', "{ a = @, b = @ }"), SIZE),
    (doubled("null", "[@, @]"), SIZE),
    (doubled("[]", "[slice([[@]], 0, 1), slice([[@]], 0, 1)]"), SIZE),
    (doubled('tolist(["x"])', "slice(tolist([[@, @]]), 0, 0)"), SIZE),
    (doubled('["x"]', "tolist([@, @])"), SIZE),
    (doubled('["x"]', "[for x in [1, 2] : @]"), SIZE),
    (doubled('["x"]', "true ? [@, @] : [@, @]"), SIZE),
    (doubled('"x"', "toset([[@], [@, @]])"), SIZE),
    (doubled('"x"', 'zipmap(["a", "b"], [@, @])'), SIZE),
    (doubled('["x"]', "setproduct(@, @)"), SIZE),
    (doubled('["x"]', "concat(@, @)"), SIZE),
    (doubled('["x"]', "flatten([@, @])"), SIZE),
    (doubled('"x"', '"${@}${@}"'), TEXT),
    (doubled('"xxxx"', 'format("%s%s", @, @)'), TEXT),
    (doubled('"aa"', 'replace(@, "a", "aa")'), TEXT),
    (doubled('"x"', "jsonencode([@, @])"), TEXT),
    (doubled('"x"', "[@]", 5000), DEEP),
    (doubled("terraform_data.t.output", "[@, @]") + 'resource "terraform_data" "t" {}\n', SIZE),
    ('resource "terraform_data" "t" {\n  count = 1000000000\n}\n', "more than 1000000 instances"),
    ('locals {\n  x = "$${templatefile(\\"self.tpl\\", {})}"\n}\noutput "o" {\n  value = templatestring(local.x, {})\n}\n',
     "renders a template itself"),
    (f'variable "x" {{\n  type    = {"list(" * 100000}any{")" * 100000}\n  default = null\n}}\n', "nest"),
    (f'resource "terraform_data" "t" {{\n  input = {MEGA100}\n}}\n', None),
]


class Problems(list):
    def run(self, what, directory, arguments, text=""):
        """Exit code and both outputs of a run, whose time and memory are looked at."""
        with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err, tempfile.TemporaryFile() as stdin:
            stdin.write(text.encode())
            stdin.seek(0)
            process = subprocess.Popen(
                [PRAVOC, *arguments], cwd=directory, stdin=stdin, stdout=out, stderr=err,
                preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (3 * MAX_SECONDS, 3 * MAX_SECONDS)))
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = 0  # waited for above
            out.seek(0)
            err.seek(0)
            said = (out.read(2000), err.read(100000))
        seconds = usage.ru_utime + usage.ru_stime
        megabytes = usage.ru_maxrss // 1024
        if os.WIFSIGNALED(status):
            self.append(f"{what}: signal {os.WTERMSIG(status)} after {seconds:.1f} s and {megabytes} MB")
        elif seconds > MAX_SECONDS or megabytes > MAX_MEGABYTES:
            self.append(f"{what}: took {seconds:.1f} s and {megabytes} MB")
        return os.WEXITSTATUS(status), *(text.decode("utf-8", "replace") for text in said)

    def expect(self, what, wanted, errors):
        if wanted is None and "error" in errors:
            self.append(f"{what}: should have a value, but: {errors[:300]}")
        if wanted is not None and wanted not in errors:
            self.append(f"{what}: no `{wanted}` in: {errors[:300]}")


def main():
    problems = Problems()
    with tempfile.TemporaryDirectory() as directory:
        root = pathlib.Path(directory)
        for name, contents in FILES.items():
            (root / name).write_bytes(contents)
        # A directory that is inside itself.
        (root / "linked").mkdir()
        (root / "linked/again").symlink_to("..")
        for expression, wanted in EXPRESSIONS:
            shown = expression if len(expression) < 80 else expression[:60] + "..."
            _, out, err = problems.run(shown, root, ["eval", "-lines"], f"length([{expression}])\n" if wanted is None
                                       else expression + "\n")
            problems.expect(shown, wanted, err)
            if (out == "ERROR\n") == (wanted is None):
                problems.append(f"{shown}: {out[:200]}")
        for text, wanted in CONFIGURATIONS:
            shown = text if len(text) < 120 else text[:120].replace("\n", " ") + "..."
            (root / "main.tf").write_text(text, encoding="utf-8")
            problems.run(f"check: {shown}", root, ["check"])
            code, _, err = problems.run(f"plan: {shown}", root, ["plan", "-out=plan"])
            problems.expect(shown, wanted, " ".join(err.replace("|", " ").split()))
            if (code == 0) != (wanted is None):
                problems.append(f"plan: {shown}: exit code {code}")
            if code == 0:
                code, _, err = problems.run(f"apply: {shown}", root, ["apply", "plan"])
                if code != 0:
                    problems.append(f"apply: {shown}: {err[:300]}")
    for problem in problems:
        print(problem)
    print(f"{len(EXPRESSIONS)} expressions, {len(CONFIGURATIONS)} configurations, {len(problems)} problems")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
