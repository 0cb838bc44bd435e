"""Random configurations of terraform_data in modules, repeated or not, that refer to each other: valid, in two versions
each, so that the second is planned over the state of the first.

A configuration is a function of its seed. Names are declared in random order, references go to what was made earlier,
so that there are no cycles. Every value is a string, or a list or an object of strings.
"""
import random

LETTERS = "abcd"
DEPTH = 2  # of module calls


class Repetition:
    """How often a block is there, and with which keys. `keys` is None for a single one."""

    def __init__(self, keys=None, text=""):
        self.keys = keys
        self.text = text

    def indexes(self):
        if self.keys is None:
            return [""]
        return [f"[{k}]" if isinstance(k, int) else f'["{k}"]' for k in self.keys]


class Scope:
    """What an expression in one module may name: pairs of an expression and whether it is sensitive."""

    def __init__(self):
        self.strings = []
        self.lists = []

    def inside(self, repetition):
        """The same for the body of a repeated block."""
        scope = Scope()
        scope.strings = list(self.strings)
        scope.lists = list(self.lists)
        if repetition.keys is not None and repetition.keys and isinstance(repetition.keys[0], int):
            scope.strings.append(("tostring(count.index)", False))
        elif repetition.keys:
            scope.strings += [("each.key", False), ("each.value", False)]
        return scope


class Generator:
    def __init__(self, seed, version):
        self.shape = random.Random(f"{seed} shape")
        # Draws of the second version differ now and then.
        self.seed = seed
        self.version = version
        self.draws = 0
        self.files = {}
        self.modules = 0

    def changed(self, share=0.15):
        """Whether the second version has something else here."""
        self.draws += 1
        return self.version > 0 and random.Random(f"{self.seed} {self.draws}").random() < share

    def literal(self):
        value = self.shape.choice(LETTERS) + str(self.shape.randrange(9))
        return f'"{value}{"x" if self.changed() else ""}"'

    # --- expressions

    def string(self, scope, depth=0):
        """A string, and whether it is sensitive."""
        s = self.shape
        kind = s.randrange(10) if depth < 2 else 0
        if kind < 5 and scope.strings:
            return s.choice(scope.strings)
        if kind == 5 and scope.lists:
            text, secret = s.choice(scope.lists)
            return f'join(",", {text})', secret
        if kind == 6:
            a, b = self.string(scope, depth + 1), self.string(scope, depth + 1)
            return f'"${{{a[0]}}}-${{{b[0]}}}"', a[1] or b[1]
        if kind == 7:
            c, a, b = (self.string(scope, depth + 1) for _ in range(3))
            return f'({c[0]} == "a1" ? {a[0]} : {b[0]})', a[1] or b[1] or c[1]
        if kind == 8:
            a = self.string(scope, depth + 1)
            return f'{s.choice(["upper", "trimspace", "sha1"])}({a[0]})', a[1]
        if kind == 9 and scope.lists:
            text, secret = s.choice(scope.lists)
            other = self.string(scope, depth + 1)
            return f"try({text}[0], {other[0]})", secret or other[1]
        return self.literal(), False

    def value(self, scope):
        """Of any of the types that there are."""
        s = self.shape
        kind = s.randrange(6)
        if kind == 0:
            parts = [self.string(scope) for _ in range(s.randrange(3))]
            return f"[{', '.join(p[0] for p in parts)}]", any(p[1] for p in parts)
        if kind == 1:
            parts = [self.string(scope) for _ in range(1 + s.randrange(2))]
            return "{ " + ", ".join(f"{LETTERS[i]} = {p[0]}" for i, p in enumerate(parts)) + " }", any(p[1] for p in parts)
        if kind == 2 and scope.lists:
            text, secret = s.choice(scope.lists)
            return f'[for x in {text} : "<${{x}}>"]', secret
        return self.string(scope)

    def repetition(self):
        s = self.shape
        kind = s.randrange(10)
        changes = self.changed(0.3)
        if kind < 5:
            if changes and kind == 0:
                return Repetition(["a", "b"], 'for_each = toset(["a", "b"])')
            return Repetition()
        if kind < 8:
            number = s.choice([0, 1, 2, 2, 3]) + (1 if changes else 0)
            return Repetition(list(range(number)), f"count = {number}")
        keys = sorted(s.sample(LETTERS, s.randrange(4)))
        if changes:
            keys = keys[1:] if kind == 8 else sorted({*keys, "e"})
        if kind == 8:
            return Repetition(keys, "for_each = toset([" + ", ".join(f'"{k}"' for k in keys) + "])")
        return Repetition(keys, "for_each = {" + ", ".join(f' {k} = "v{k}"' for k in keys) + " }")

    # --- blocks

    def lifecycle(self):
        s = self.shape
        lines = []
        if s.randrange(5) == 0:
            lines.append("    create_before_destroy = true")
        if s.randrange(6) == 0:
            lines.append("    ignore_changes = [input]")
        if s.randrange(6) == 0:
            lines.append('    postcondition {\n      condition     = self.id != ""\n      error_message = "no id"\n    }')
        return ["  lifecycle {", *lines, "  }"] if lines else []

    def resource(self, name, scope, earlier):
        """The text, and what others may then name."""
        s = self.shape
        repetition = self.repetition()
        inner = scope.inside(repetition)
        lines = [f'resource "terraform_data" "{name}" {{']
        if repetition.text:
            lines.append("  " + repetition.text)
        value, _ = self.string(inner) if s.randrange(2) else self.value(inner)
        plain = s.randrange(5) != 0
        if plain:
            lines.append(f"  input = {value}")
        if s.randrange(4) == 0:
            lines.append(f"  triggers_replace = {self.string(inner)[0]}")
        if earlier and s.randrange(6) == 0:
            lines.append(f"  depends_on = [{s.choice(earlier)}]")
        lines += [*self.lifecycle(), "}"]
        all_of = f"terraform_data.{name}"
        for index in repetition.indexes():
            scope.strings += [(f"{all_of}{index}.id", False), (f"jsonencode({all_of}{index}.output)", False)]
        if repetition.keys is not None:
            listed = f"{all_of}[*]" if not repetition.keys or isinstance(repetition.keys[0], int) else f"values({all_of})[*]"
            if repetition.text.startswith("for_each"):
                listed = f"values({all_of})[*]"
            scope.lists.append((f"{listed}.id", False))
        earlier.append(all_of)
        return "\n".join(lines)

    def call(self, name, scope, earlier, depth):
        repetition = self.repetition()
        inner = scope.inside(repetition)
        source, outputs, variables = self.module(depth + 1)
        lines = [f'module "{name}" {{', f'  source = "./{source}"' if depth == 0 else f'  source = "../{source}"']
        if repetition.text:
            lines.append("  " + repetition.text)
        for variable in variables:
            lines.append(f"  {variable} = {self.string(inner)[0]}")
        if earlier and self.shape.randrange(8) == 0:
            lines.append(f"  depends_on = [{self.shape.choice(earlier)}]")
        lines.append("}")
        for index in repetition.indexes():
            for output, listed in outputs:
                (scope.lists if listed else scope.strings).append((f"module.{name}{index}.{output}", False))
        if repetition.keys is not None:
            listed = f"values(module.{name})[*]" if repetition.text.startswith("for_each") else f"module.{name}[*]"
            for output, is_list in outputs:
                if not is_list:
                    scope.lists.append((f"{listed}.{output}", False))
        earlier.append(f"module.{name}")
        return "\n".join(lines)

    def module(self, depth):
        """Writes a module; its directory, outputs as (name, is a list), and names of variables."""
        s = self.shape
        directory = "" if depth == 0 else f"m{self.modules}"
        self.modules += 1
        scope = Scope()
        blocks, variables, outputs, earlier = [], [], [], []
        for i in range(s.randrange(3) if depth else 1):
            variables.append(f"v{i}")
            default = "" if depth else f"  default = {self.literal()}\n"
            blocks.append(f'variable "v{i}" {{\n  type = string\n{default}}}')
            scope.strings.append((f"var.v{i}", False))
        for i in range(2 + s.randrange(4)):
            kind = s.randrange(8)
            if kind < 4:
                blocks.append(self.resource(f"t{i}", scope, earlier))
            elif kind < 6 and depth < DEPTH:
                blocks.append(self.call(f"c{i}", scope, earlier, depth))
            else:
                text, secret = self.string(scope)
                blocks.append(f"locals {{\n  l{i} = {text}\n}}")
                scope.strings.append((f"local.l{i}", secret))
        for i in range(1 + s.randrange(3)):
            is_list = bool(scope.lists) and s.randrange(3) == 0
            text = s.choice(scope.lists)[0] if is_list else self.string(scope)[0]
            blocks.append(f'output "o{i}" {{\n  value = {text}\n}}')
            outputs.append((f"o{i}", is_list))
        s.shuffle(blocks)
        self.files[f"{directory}/main.tf" if directory else "main.tf"] = "\n".join(blocks) + "\n"
        return directory, outputs, variables


def configuration(seed, version):
    """The files of a configuration by their paths; `version` 0 or 1."""
    generator = Generator(seed, version)
    generator.module(0)
    return generator.files
