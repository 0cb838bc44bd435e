#!/usr/bin/env python3
# ctest-labels: limits
"""Nothing takes ten times ten as long for ten times the elements: every operation on collections and texts, with 3,000
and with 30,000 elements. Time is what the processor spent; what is done in a moment either way is not looked at.
"""
import os
import pathlib
import subprocess
import sys
import tempfile

PRAVOC = os.environ["PRAVOC"]
SMALL = 3  # thousands
LARGE = 30
MOMENT = 0.3  # seconds
MAX_RATIO = 40  # 10 log 10 and what caches do; squares have 100

CONFIGURATION = """
locals {
  n    = [for p in setproduct(range(1000), range(THOUSANDS)) : p[0] * THOUSANDS + p[1]]
  l    = [for i in local.n : "item-${i}"]
  ls   = tolist(local.l)
  s    = toset(local.l)
  s2   = toset([for i in local.n : "item-${i + length(local.n) / 2}"])
  m    = { for i in local.n : "key-${i}" => "v${i}" }
  m2   = { for i in local.n : "key-${i * 2}" => "w${i}" }
  mm   = tomap(local.m)
  o    = [for i in local.n : { id = i, name = "n${i}", tags = { a = "x", b = "y${i}" } }]
  ol   = tolist(local.o)
  ll   = [for i in local.n : ["a${i}", "b"]]
  sens = [for i in local.n : sensitive("s${i}")]
  txt  = join("\\n", local.l)
  mix  = [for i in local.n : i % 2 == 0 ? tostring(i) : jsonencode(i)]
  het  = [for i in local.n : i % 2 == 0 ? { a = i } : { a = "x" }]
  ta   = { for i in local.n : "k${i}" => tolist(["x${i}", "y${i % 100}"]) }
  maps = [for i in local.n : { "k${i}" = i }]
  csv  = "id,name\\n${join("\\n", [for i in local.n : "${i},n${i}"])}"
  eot  = join("\\n", [for i in range(200) : "EOT${join("", [for j in range(i) : "_"])}"])
}
"""

EXPRESSIONS = r"""
distinct(local.l)
distinct(local.o)
distinct(concat(local.l,local.l))
contains(local.l,"nope")
contains(local.o,{id=-1})
index(local.l,"item-${length(local.n)-1}")
setunion(local.s,local.s2)
setintersection(local.s,local.s2)
setsubtract(local.s,local.s2)
toset(local.o)
setunion(toset(local.o),toset(local.o))
toset(local.n)
transpose(local.ta)
zipmap(local.l,local.n)
zipmap(local.ls,local.ls)
sort(local.l)
reverse(local.l)
chunklist(local.l,3)
slice(local.l,1,length(local.l)-1)
slice(local.ls,1,length(local.ls)-1)
merge(local.m,local.m2)
merge(local.mm,tomap(local.m2))
merge(local.maps...)
concat(local.l,local.l)
concat(local.ll...)
flatten(local.ll)
keys(local.m)
values(local.m)
matchkeys(local.ls,local.ls,local.ls)
compact(local.l)
coalescelist(local.l)
coalesce(local.l...)
max(local.n...)
sum(local.n)
alltrue([for i in local.n: i>=0])
tolist(local.l)
tolist(local.o)
tomap(local.m)
tolist(local.mix)
tolist(local.het)
tolist(local.n)==tolist(local.n)
local.l==local.l
local.o==local.ol
true ? local.l : local.n
true ? local.o : local.ol
[for x in local.o: x.name]
{for x in local.o: x.name=>x}
{for x in local.o: "g${x.id%10}"=>x...}
[for i in local.n: local.l[i]]
[for i in local.n: local.ls[i]]
[for i in local.n: local.m["key-${i}"]]
[for i in local.n: lookup(local.m,"key-${i}","d")]
[for i in local.n: lookup(local.mm,"key-${i}","d")]
[for i in local.n: element(local.l,i)]
[for i in local.n: try(local.o[i].nope,local.o[i].name)]
[for i in local.n: can(local.o[i].nope)]
local.o[*].tags.b
tolist(local.o)[*].name
jsonencode(local.o)
jsondecode(jsonencode(local.o))
yamlencode(local.o)
yamldecode(yamlencode(local.o))
csvdecode(local.csv)
split("\n",local.txt)
join(",",local.l)
replace(local.txt,"item","x")
replace(local.txt,"/item-([0-9]+)/","$1")
regexall("item-[0-9]+",local.txt)
regexall("(?P<x>item)-(?P<n>[0-9]+)",local.txt)
formatlist("%s=%d",local.l,local.n)
upper(local.txt)
title(local.txt)
strrev(local.txt)
substr(local.txt,-100,100)
indent(2,local.txt)
trimspace(local.txt)
chomp(local.txt)
urlencode(local.txt)
base64encode(local.txt)
base64gzip(local.txt)
sha256(local.txt)
textencodebase64(local.txt,"UTF-16LE")
type(local.o)
type(local.m)
nonsensitive(sensitive(local.o))
[for x in sensitive(local.l): x]
sensitive(local.o)[*].name
setproduct(local.ls,["a","b"])
cidrsubnets("10.0.0.0/8",[for i in local.n: 24]...)
one([for i in local.n: i if i==7])
"%{for x in local.l}${x},%{endfor}"
local.o
local.ol
local.m
local.s
[for i in local.n: sensitive(i)]
keys({for i in local.n: "k${i}"=>sensitive(i)})
length(local.s)
toset([for x in local.n: {a=x}])
[for i in local.n: contains(["a","b"],"c")]
flatten([for x in local.o: [for k,v in x.tags: "${x.name}${k}${v}"]])
[for i in local.n : local.sens[i]]
[for x in local.sens : upper(x)]
join(",", local.sens)
distinct(local.sens)
contains(local.sens, "x")
local.eot
length(local.eot)
toset(local.sens)
jsonencode(local.sens)
element(local.sens, 7)
"""


class Session:
    """One `pravoc eval -lines`, asked line by line."""

    def __init__(self, directory, thousands):
        path = pathlib.Path(directory, str(thousands))
        path.mkdir()
        (path / "main.tf").write_text(CONFIGURATION.replace("THOUSANDS", str(thousands)), encoding="utf-8")
        self.process = subprocess.Popen([PRAVOC, "eval", "-lines"], cwd=path, stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)

    def used(self):
        fields = pathlib.Path(f"/proc/{self.process.pid}/stat").read_text().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def ask(self, expression):
        before = self.used()
        self.process.stdin.write(expression.encode() + b"\n")
        self.process.stdin.flush()
        answer = self.process.stdout.readline()
        return self.used() - before, answer


def main():
    problems = []
    expressions = [line for line in EXPRESSIONS.split("\n") if line]
    with tempfile.TemporaryDirectory() as directory:
        small = Session(directory, SMALL)
        large = Session(directory, LARGE)
        names = [line.split("=")[0].strip() for line in CONFIGURATION.split("\n") if " = " in line and "=>" not in line]
        names += ["m", "m2", "ta"]
        for session in (small, large):
            _, answer = session.ask(f"length([{', '.join(f'local.{name}' for name in sorted(set(names)))}])")
            if answer == b"ERROR\n":
                problems.append("the locals have no value")
        for expression in expressions:
            seconds, answer = large.ask(expression)
            if answer == b"ERROR\n" or not answer:
                problems.append(f"{expression}: no value")
                continue
            if seconds < MOMENT:
                continue
            few, _ = small.ask(expression)
            if seconds > MAX_RATIO * max(few, 0.01):
                problems.append(f"{expression}: {few:.2f} s, with ten times the elements {seconds:.2f} s")
        for session in (small, large):
            session.process.stdin.close()
            session.process.wait(60)
    for problem in problems:
        print(problem)
    print(f"{len(expressions)} expressions, {len(problems)} problems")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
