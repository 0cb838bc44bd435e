"""The configuration that random expressions refer to: variables of many types, each in many flavours.

A variable is called TYPE_FLAVOUR. Flavours: k known, n null, s sensitive, e ephemeral, b both, u unknown (it has no
value), us, ue and ub unknown and marked, un unknown but not null. Local values hold what no variable can: values that
are known, unknown or marked in parts. Nothing is in a state, so every attribute of the resource is unknown.
"""
import pathlib
import shutil

from terms import ANY, BOOL, NUMBER, STRING, list_of, map_of, object_of, set_of, tuple_of, written

HERE = pathlib.Path(__file__).resolve().parent
FIXTURES = HERE.parent / "fixtures"

# name: (type, a known value)
TYPES = {
    "str": (STRING, '"hello"'),
    "dig": (STRING, '"12"'),
    "num": (NUMBER, "3"),
    "flag": (BOOL, "true"),
    "ls": (list_of(STRING), '["b", "a", "b"]'),
    "ln": (list_of(NUMBER), "[3, 1, 2]"),
    "le": (list_of(STRING), "[]"),
    "ss": (set_of(STRING), '["x", "y"]'),
    "sn": (set_of(NUMBER), "[1, 20]"),
    "ms": (map_of(STRING), '{ a = "one", k1 = "two" }'),
    "mn": (map_of(NUMBER), "{ a = 1, b = 2 }"),
    "lo": (list_of(object_of(a=STRING, b=NUMBER)), '[{ a = "p", b = 1 }, { a = "q", b = 2 }]'),
    "mls": (map_of(list_of(STRING)), '{ a = ["x"], b = [] }'),
    "ll": (list_of(list_of(NUMBER)), "[[1, 2], [], [3]]"),
    "obj": (object_of(a=STRING, b=NUMBER, c=BOOL), '{ a = "z", b = 7, c = false }'),
    "deep": (object_of(a=object_of(b=list_of(STRING)), k1=map_of(NUMBER)), '{ a = { b = ["m", "n"] }, k1 = { a = 5 } }'),
    "mo": (map_of(object_of(a=STRING)), '{ a = { a = "v" }, b = { a = "w" } }'),
    "tup": (tuple_of(STRING, NUMBER, BOOL), '["t", 4, true]'),
    "so": (set_of(object_of(a=STRING)), '[{ a = "v" }, { a = "w" }]'),
    "any": (ANY, '{ a = [1, "x"], b = null }'),
}

FLAVOURS = {
    "k": "default = {value}",
    "n": "default = null",
    "s": "default = {value}\n  sensitive = true",
    "e": "default = {value}\n  ephemeral = true",
    "b": "default = {value}\n  sensitive = true\n  ephemeral = true",
    "u": "",
    "us": "sensitive = true",
    "ue": "ephemeral = true",
    "ub": "sensitive = true\n  ephemeral = true",
    "un": "nullable = false",
}

# name: (type, expression)
LOCALS = {
    "p_list": (list_of(STRING), '["a", var.str_u, "c"]'),
    "p_list_s": (list_of(STRING), '["a", var.str_s]'),
    "p_tolist_s": (list_of(STRING), 'tolist(["a", var.str_s])'),
    "p_tolist_e": (list_of(STRING), 'tolist([var.str_e, "b"])'),
    "p_tolist_u": (list_of(NUMBER), "tolist([1, var.num_u])"),
    "p_set_u": (set_of(STRING), 'toset(["a", var.str_u])'),
    "p_set_s": (set_of(STRING), 'toset(["a", var.str_s])'),
    "p_map_s": (map_of(STRING), 'tomap({ a = "a", b = var.str_s })'),
    "p_map_e": (map_of(STRING), 'tomap({ a = "a", k1 = var.str_e })'),
    "p_map_u": (map_of(NUMBER), "tomap({ a = 1, b = var.num_u })"),
    "p_obj_u": (object_of(a=STRING, b=NUMBER), "{ a = var.str_u, b = 1 }"),
    "p_obj_s": (object_of(a=STRING, b=NUMBER), '{ a = "a", b = var.num_s }'),
    "p_obj_e": (object_of(a=STRING, b=NUMBER), "{ a = var.str_e, b = 2 }"),
    "p_obj_n": (object_of(a=STRING, b=NUMBER), "{ a = null, b = 2 }"),
    "p_obj_d": (object_of(a=STRING, b=NUMBER), "{ a = terraform_data.u.output, b = 2 }"),
    "p_deep": (object_of(a=object_of(b=list_of(STRING)), k1=map_of(NUMBER)),
               "{ a = { b = [var.str_b, var.str_u] }, k1 = { a = var.num_e } }"),
    "p_tup": (tuple_of(STRING, NUMBER, BOOL), "[var.str_s, var.num_u, true]"),
    "p_text": (STRING, '"pre-${var.str_u}"'),
    "p_text_s": (STRING, '"pre-${var.str_us}"'),
    "dyn": (ANY, "terraform_data.u.output"),
    "dyn_s": (ANY, "sensitive(terraform_data.u.output)"),
    "nothing": (ANY, "null"),
    "lit": (list_of(NUMBER), "[1, 2, 3]"),
    "tmpl": (STRING, '"<$${a}%%{ if true }$${b}%%{ endif }>"'),
    "lines": (STRING, '"one\\ntwo\\n"'),
}

OTHERS = {
    "terraform_data.u": ANY,
    "terraform_data.u.id": STRING,
    "terraform_data.u.output": ANY,
    "terraform_data.many": list_of(object_of(id=STRING)),
    "module.m.y": NUMBER,
    "module.m.z": STRING,
    "path.module": STRING,
    "terraform.workspace": STRING,
}

MODULE = """\
variable "x" {}
variable "z" { type = string }
output "y" { value = var.x + 1 }
output "z" { value = var.z }
"""


def variables():
    """(name, type, flavour) of every variable."""
    return [(f"{name}_{flavour}", term, flavour) for name, (term, _) in TYPES.items() for flavour in FLAVOURS]


def text():
    blocks = []
    for name, (term, value) in TYPES.items():
        for flavour, body in FLAVOURS.items():
            blocks.append(f'variable "{name}_{flavour}" {{\n  type = {written(term)}\n  {body.format(value=value)}\n}}\n')
    blocks.append("locals {\n" + "".join(f"  {name} = {value}\n" for name, (_, value) in LOCALS.items()) + "}\n")
    blocks.append('resource "terraform_data" "u" {}\n')
    blocks.append('resource "terraform_data" "many" {\n  count = 2\n}\n')
    blocks.append('module "m" {\n  source = "./m"\n  x      = 1\n  z      = var.str_u\n}\n')
    return "\n".join(blocks)


def write(directory):
    """Writes the configuration, its module and the files that functions read into a directory, which may be new."""
    directory = pathlib.Path(directory)
    shutil.copytree(FIXTURES, directory, dirs_exist_ok=True)
    (directory / "m").mkdir(exist_ok=True)
    (directory / "m/main.tf").write_text(MODULE, encoding="utf-8")
    (directory / "main.tf").write_text(text(), encoding="utf-8")
    # Terraform asks for `init` before it installs a module; this is what `init` leaves for a local one.
    (directory / ".terraform/modules").mkdir(parents=True, exist_ok=True)
    (directory / ".terraform/modules/modules.json").write_text(
        '{"Modules":[{"Key":"","Source":"","Dir":"."},{"Key":"m","Source":"./m","Dir":"m"}]}\n', encoding="utf-8")
