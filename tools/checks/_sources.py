"""What the checks share: the files of the repository and C++ text without comments and literals."""
import os
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
SKIP = 77  # CTest's exit code for a check that cannot run here


def paths(*patterns, tracked_only=False):
    """Repository files that match one of the git patterns, relative, sorted. New files count unless tracked_only."""
    command = ["git", "-C", str(ROOT), "ls-files", "-z", "--cached"]
    if not tracked_only:
        command += ["--others", "--exclude-standard"]
    try:
        out = subprocess.run(command + ["--", *patterns], check=True, capture_output=True).stdout
        found = {p for p in out.decode().split("\0") if p}
    except (OSError, subprocess.CalledProcessError):
        # An unpacked archive has no git; everything but build trees belongs to it.
        found = set()
        for base, folders, files in os.walk(ROOT):
            folders[:] = [d for d in folders if not d.startswith((".", "build"))]
            for name in files:
                relative = os.path.relpath(os.path.join(base, name), ROOT)
                if not patterns or any(pathlib.PurePath(relative).match(p) for p in patterns):
                    found.add(relative)
    return sorted(p for p in found if (ROOT / p).is_file())


def read(path):
    return (ROOT / path).read_text(encoding="utf-8", errors="replace")


_TOKEN = re.compile(
    r'(?P<raw>R"(?P<delimiter>[^()\\\s]{0,16})\(.*?\)(?P=delimiter)")'
    r'|(?P<string>"(?:\\.|[^"\\\n])*")'
    r"|(?P<char>(?<![\w])'(?:\\.|[^'\\\n])+')"
    r"|(?P<line>//[^\n]*)"
    r"|(?P<block>/\*.*?\*/)",
    re.S,
)


def code_only(text, keep_strings=False):
    """C++ text with comments, and unless kept also literals, blanked out. Line numbers stay."""

    def blank(match):
        if match.lastgroup is not None and keep_strings and match.group(0)[0] not in "/":
            return match.group(0)
        return re.sub(r"[^\n]", " ", match.group(0))

    return _TOKEN.sub(blank, text)


def strings_only(text):
    """The string literals of C++ text, raw ones too."""
    return [match.group(0) for match in _TOKEN.finditer(text) if match.group("raw") or match.group("string")]


def finish(name, problems):
    """Prints the problems, one a line, and ends the process."""
    for problem in problems:
        print(problem)
    if problems:
        print(f"{name}: {len(problems)} problem{'s' if len(problems) > 1 else ''}")
        sys.exit(1)
    print(f"{name}: ok")
    sys.exit(0)
