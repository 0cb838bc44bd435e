"""What the functions of the language take and give, as patterns for the generator.

A pattern is a type of terms.py, in which "T" and "K" stand for any type, or one of the words of WORDS, which stand for
strings and numbers of a certain look. A last parameter in brackets may be given any number of times.
"""
from terms import ANY, BOOL, NUMBER, STRING, list_of, map_of, set_of

S, N, B, A = STRING, NUMBER, BOOL, ANY
T, K = "T", "K"
LIST, SET, MAP = list_of, set_of, map_of

WORDS = {
    "int": ("0", "1", "2", "3", "-1", "5"),
    "small": ("1", "2", "3", "0"),
    "base": ("10", "16", "2", "62", "8", "1"),
    "digits": ('"12"', '"ff"', '"-7"', '"0x1"', '"z"', '"101"', "12"),
    "cidr": ('"10.0.0.0/8"', '"192.168.1.0/24"', '"fd00::/48"', '"10.1.2.3/30"', '"0.0.0.0/0"', '"10.0.0.0"'),
    # Of 0.0.0.0/0 cidrsubnets takes no subnets in Terraform, which is argued.
    "block": ('"10.0.0.0/8"', '"192.168.1.0/24"', '"fd00::/48"', '"10.1.2.3/30"', '"10.0.0.0"'),
    "bits": ("4", "8", "1", "0", "2"),
    "time": ('"2024-02-29T12:30:00Z"', '"2017-11-22T00:00:00+01:00"', '"2024-01-01"', '"1999-12-31T23:59:59.5Z"'),
    "span": ('"1h30m"', '"-24h"', '"10s"', '"1.5h"', '"day"'),
    "dates": ('"DD MMM YYYY hh:mm ZZZ"', '"EEEE, DD-MMM-YY"', '"\'at\' h:mm aa"', '"YYYY-MM-DD\'T\'hh:mm:ssZ"', '"Q"'),
    "regex": ('"[a-z]+"', '"(h)(e)?"', '"(?P<n>[0-9]+)-?(?P<m>x)?"', '"^$"', '"l"', '"("', '"."', '"(.)(.)"'),
    "pattern": ('"/[a-z]/"', '"l"', '"/(.)(.)/"', '""', '"/x$/"', '"/(/"'),
    "replacement": ('"$1"', '"${1}-"', '"x"', '""', '"$$"', '"$n"'),
    "base64": ('"aGVsbG8="', '"YQ=="', '"!!"', '"/w=="', '"w6k="', '""'),
    "charset": ('"UTF-8"', '"UTF-16LE"', '"ISO-8859-1"', '"windows-1252"', '"nope"'),
    "json": ('"{\\"a\\": [1, null, true]}"', '"[]"', '"\\"x\\""', '"1e3"', '"{"', '"[{\\"a\\": 1}, {\\"a\\": \\"b\\"}]"', '"null"'),
    "yaml": ('"a: 1\\nb: [x, y]"', '"- 1\\n- true\\n- ~"', '"x"', '"[1, {a: 2}]"', '"a: b: c"', '"null"', '"1.50"'),
    "csv": ('"a,b\\n1,2\\n3,4\\n"', '"a\\n"', '"a,a\\n1,2"', '""', '"x,y\\n\\"p,q\\",r"'),
    "path": ('"hello.txt"', '"${path.module}/sub/one.txt"', '"nope.txt"', '"/a/b.c"', '"sub"', '"."', '"a//b/../c.tf"'),
    "absolute": ('"/a/b/../c"', '"/x//y/."', '"/"'),
    "existing": ('"hello.txt"', '"utf8.txt"', '"empty.txt"', '"lines.txt"', '"data.json"', '"bin.dat"', '"sub/one.txt"', '"no"'),
    "glob": ('"*.txt"', '"sub/**"', '"{hello,lines}.txt"', '"sub/*"', '"**/*.md"', '"["'),
    "format": ('"%s"', '"%d"', '"%s-%v"', '"%05.2f"', '"%q"', '"%#v"', '"%t"', '"%%"', '"%[2]s%[1]s"', '"%-6s|"', '"%x"',
               '"%e"', '"plain"', '"%s %"', '"%6.1f|%+d"', '"%08b"', '"%c"'),
    "template": ('"hello.tmpl"', '"loop.tmpl"', '"hello.txt"', '"nope.tmpl"'),
    "templates": ("local.tmpl", "local.tmpl", "local.lines", "var.str_u", "local.p_text_s"),
    "uuids": ('"dns"', '"url"', '"6ba7b810-9dad-11d1-80b4-00c04fd430c8"', '"x"'),
    "key": ('"a"', '"b"', '"k1"', '"zz"'),
    "separator": ('","', '"l"', '""', '"-"', '"\\n"'),
    "piece": ('"he"', '"o"', '""', '"x"', '"l"', '"12"'),
    "number": ("0.5", "-2.5", "16", "1e3", "2", "0", "-1", "100"),
}

# (name, parameters, result); a function may have several rows.
ROWS = (
    ("abs", (N,), N), ("abspath", ("absolute",), S), ("alltrue", (LIST(B),), B), ("anytrue", (LIST(B),), B),
    ("base64decode", ("base64",), S), ("base64encode", (S,), S), ("base64gzip", (S,), S), ("base64sha256", (S,), S),
    ("base64sha512", (S,), S), ("basename", ("path",), S), ("can", (A,), B), ("ceil", (N,), N), ("chomp", (S,), S),
    ("chunklist", (LIST(T), "small"), LIST(LIST(T))), ("cidrhost", ("cidr", "int"), S), ("cidrnetmask", ("cidr",), S),
    ("cidrsubnet", ("cidr", "bits", "int"), S), ("cidrsubnets", ("block", ["bits"]), LIST(S)),
    ("coalesce", (T, [T]), T), ("coalescelist", (LIST(T), [LIST(T)]), LIST(T)), ("compact", (LIST(S),), LIST(S)),
    ("concat", (LIST(T), [LIST(T)]), LIST(T)), ("concat", (LIST(T), LIST(K)), A), ("contains", (LIST(T), T), B),
    ("contains", (SET(T), T), B), ("csvdecode", ("csv",), A), ("dirname", ("path",), S),
    ("distinct", (LIST(T),), LIST(T)), ("element", (LIST(T), "int"), T), ("endswith", (S, "piece"), B),
    ("ephemeralasnull", (T,), T), ("file", ("existing",), S), ("filebase64", ("existing",), S),
    ("filebase64sha256", ("existing",), S), ("filebase64sha512", ("existing",), S), ("fileexists", ("existing",), B),
    ("filemd5", ("existing",), S), ("fileset", ("path", "glob"), SET(S)), ("filesha1", ("existing",), S),
    ("filesha256", ("existing",), S), ("filesha512", ("existing",), S), ("flatten", (LIST(LIST(T)),), LIST(T)),
    ("flatten", (A,), A), ("floor", (N,), N), ("format", ("format", [A]), S), ("format", ("format", S), S),
    ("format", ("format", N, N), S), ("formatdate", ("dates", "time"), S), ("formatlist", ("format", [A]), LIST(S)),
    ("formatlist", ("format", LIST(S), LIST(N)), LIST(S)), ("formatlist", ("format", LIST(T), S), LIST(S)),
    ("indent", ("small", S), S), ("index", (LIST(T), T), N), ("issensitive", (A,), B), ("join", ("separator", [LIST(S)]), S),
    ("jsondecode", ("json",), A), ("jsonencode", (A,), S), ("keys", (MAP(T),), LIST(S)), ("length", (LIST(T),), N),
    ("length", (MAP(T),), N), ("length", (SET(T),), N), ("length", (S,), N), ("log", ("number", "number"), N),
    ("lookup", (MAP(T), "key", T), T), ("lookup", (MAP(T), "key"), T), ("lower", (S,), S),
    ("matchkeys", (LIST(T), LIST(K), LIST(K)), LIST(T)), ("max", (N, [N]), N), ("md5", (S,), S),
    ("merge", (MAP(T), [MAP(T)]), MAP(T)), ("merge", (A, A), A), ("min", (N, [N]), N), ("nonsensitive", (T,), T),
    ("one", (LIST(T),), T), ("one", (SET(T),), T), ("parseint", ("digits", "base"), N), ("pathexpand", ("path",), S),
    ("pow", ("number", "int"), N), ("range", ("small", ["int"]), LIST(N)), ("regex", ("regex", S), A),
    ("regexall", ("regex", S), LIST(A)), ("replace", (S, "pattern", "replacement"), S), ("reverse", (LIST(T),), LIST(T)),
    ("rsadecrypt", ("base64", S), S), ("sensitive", (T,), T), ("setintersection", (SET(T), [SET(T)]), SET(T)),
    ("setproduct", (LIST(T), LIST(K)), A), ("setproduct", (SET(T), SET(T)), A), ("setsubtract", (SET(T), SET(T)), SET(T)),
    ("setunion", (SET(T), [SET(T)]), SET(T)), ("sha1", (S,), S), ("sha256", (S,), S), ("sha512", (S,), S),
    ("signum", (N,), N), ("slice", (LIST(T), "small", "small"), LIST(T)), ("sort", (LIST(S),), LIST(S)),
    ("split", ("separator", S), LIST(S)), ("startswith", (S, "piece"), B), ("strcontains", (S, "piece"), B),
    ("strrev", (S,), S), ("substr", (S, "int", "int"), S), ("sum", (LIST(N),), N), ("sum", (SET(N),), N),
    ("templatefile", ("template", A), S), ("templatestring", ("templates", A), S),
    ("textdecodebase64", ("base64", "charset"), S), ("textencodebase64", (S, "charset"), S),
    ("timeadd", ("time", "span"), S), ("timecmp", ("time", "time"), N), ("title", (S,), S), ("tobool", (B,), B),
    ("tobool", (S,), B), ("tolist", (LIST(T),), LIST(T)), ("tolist", (SET(T),), LIST(T)), ("tomap", (MAP(T),), MAP(T)),
    ("tonumber", (N,), N), ("tonumber", (S,), N), ("toset", (LIST(T),), SET(T)), ("toset", (SET(T),), SET(T)),
    ("tostring", (S,), S), ("tostring", (N,), S), ("tostring", (B,), S), ("transpose", (MAP(LIST(S)),), MAP(LIST(S))),
    ("trim", (S, "piece"), S), ("trimprefix", (S, "piece"), S), ("trimspace", (S,), S), ("trimsuffix", (S, "piece"), S),
    ("try", (T, [T]), T), ("upper", (S,), S), ("urlencode", (S,), S), ("uuidv5", ("uuids", S), S),
    ("values", (MAP(T),), LIST(T)), ("yamldecode", ("yaml",), A), ("yamlencode", (A,), S), ("zipmap", (LIST(S), LIST(T)), MAP(T)),
)

# A console has no time of a plan; the other one came after Terraform 1.11.4.
ABSENT = ("plantimestamp", "convert")

# These give another value at each call; what they are made into is the same.
CHANGING = (("length(uuid())", N), ("can(timestamp())", B), ('length(bcrypt("x", 4))', N),
            ("timestamp() != \"\"", B))


def match(pattern, term, bound):
    """Whether a pattern can be a type; binds the pattern's letters in `bound`."""
    if pattern in (T, K):
        return bound.setdefault(pattern, term) == term
    if isinstance(pattern, str) or isinstance(term, str):
        return pattern == term
    if pattern[0] != term[0] or pattern[0] in ("tuple", "object"):
        return pattern == term
    return match(pattern[1], term[1], bound)


def filled(pattern, bound):
    """A pattern with its letters replaced."""
    if pattern in (T, K):
        return bound[pattern]
    if isinstance(pattern, tuple) and pattern[0] in ("list", "set", "map"):
        return (pattern[0], filled(pattern[1], bound))
    return pattern
