"""Random expressions that mostly have the type that was asked for.

Expression number I of seed S depends on S and I alone. It has a bounded depth. Types, forms and names are drawn from
lists in source order, so that the same seed gives the same text everywhere.
"""
import random

import configuration
import signatures
from terms import ANY, BOOL, NAMES, NUMBER, PRIMITIVES, STRING, kind, list_of, map_of, object_of, random_type, set_of
from tree import PART, Node, leaf, sequence

STRINGS = ('"a"', '"b"', '"x"', '"hello"', '""', '"12"', '"-1.5"', '"true"', '"h\\u00e9"', '"🎉z"', '"a\\nb"', '"k1"', '"A-b c"',
           '"10.0.0.0/8"', '"$${x}"', '"  s "', '"null"')
NUMBERS = ("0", "1", "2", "3", "-1", "10", "0.5", "1.50", "-2.25", "1e3", "12345678901234567890", "0.1", "1e-7", "255", "1/3")
MAX_DEPTH = 5
# How often a part has another type than fits, is null, or is a number where a string is asked for and so on.
WRONG = 0.012
NULL = 0.012
CONVERTED = 0.08

VARIABLES = configuration.variables()
MENU = [(f"var.{name}", term) for name, term, _ in VARIABLES]
MENU += [(f"local.{name}", term) for name, (term, _) in configuration.LOCALS.items()] * 3
MENU += list(configuration.OTHERS.items())
# What is known and not marked shows most, so it comes most often.
MENU += [(f"var.{name}", term) for name, term, flavour in VARIABLES if flavour == "k"] * 9
MENU += [(f"var.{name}", term) for name, term, flavour in VARIABLES if flavour in ("s", "e")]
BY_TYPE = {}
for _text, _term in MENU:
    BY_TYPE.setdefault(_term, []).append(_text)


class Generator:
    def __init__(self, seed, number):
        self.rng = random.Random(f"{seed}:{number}")
        self.scope = []  # (name, type) of what `for` declares, innermost last
        self.names = 0

    # --- drawing -----------------------------------------------------------------------------------------------------

    def chance(self, share):
        return self.rng.random() < share

    def pick(self, options):
        return options[self.rng.randrange(len(options))]

    def count(self):
        return self.pick((0, 1, 1, 2, 2, 2, 3))

    def index(self):
        return self.pick(("0", "0", "0", "1", "1", "2", "-1", '"0"'))

    # --- a whole expression ------------------------------------------------------------------------------------------

    def expression(self):
        depth = self.pick((1, 2, 2, 3, 3, 3, 4, 4, MAX_DEPTH))
        term = self.pick((random_type(self.rng, 2), self.pick(PRIMITIVES), self.pick(MENU)[1]))
        if term == ANY:
            term = random_type(self.rng, 2)
        tree = self.compound(term, depth)
        roll = self.rng.random()
        if roll < 0.2:
            return Node(["type(", tree, ")"], None)
        if roll < 0.25:
            return Node([self.pick(("issensitive(", "can(", "nonsensitive(", "ephemeralasnull(", "jsonencode(")), tree, ")"], None)
        return tree

    def make(self, term, depth):
        """An expression that mostly has a type."""
        if self.chance(WRONG):
            term = random_type(self.rng, 1)
        elif self.chance(NULL):
            return leaf("null", term)
        elif term == STRING and self.chance(CONVERTED):
            term = self.pick((NUMBER, BOOL))
        elif term in (NUMBER, BOOL) and self.chance(CONVERTED / 3):
            return leaf('"7"' if term == NUMBER else '"true"', term)
        if term in ("T", "K"):
            term = random_type(self.rng, 1)
        if term == ANY:
            if self.chance(0.12):
                return self.name_of(ANY)
            term = random_type(self.rng, 2)
        if depth <= 0 or self.chance(0.2):
            return self.simple(term)
        return self.compound(term, depth)

    def compound(self, term, depth):
        roll = self.rng.random()
        if roll < 0.27 and term not in (NUMBER, BOOL):
            return self.literal(term, depth)
        if roll < 0.47:
            return self.call(term, depth)
        if roll < 0.6:
            return self.conditional(term, depth)
        if roll < 0.72:
            return self.part_of(term, depth)
        return self.special(term, depth)

    def simple(self, term):
        if self.chance(0.6):
            return self.name_of(term)
        return self.literal(term, 0)

    def name_of(self, term):
        local = [name for name, declared in self.scope if declared == term]
        if local and self.chance(0.75):
            return leaf(self.pick(local), term)
        if self.scope and self.chance(0.1):
            return leaf(self.pick(self.scope)[0], term)
        if term in BY_TYPE:
            return leaf(self.pick(BY_TYPE[term]), term)
        return self.literal(term, 0)

    # --- literals ----------------------------------------------------------------------------------------------------

    def literal(self, term, depth):
        shape = kind(term)
        if shape == "string":
            return self.template(depth) if depth > 0 else leaf(self.pick(STRINGS), term)
        if shape == "number":
            return leaf(self.pick(NUMBERS), term)
        if shape == "bool":
            return leaf(self.pick(("true", "false")), term)
        below = depth - 1
        if shape == "list":
            return self.elements(term, term[1], below, "tolist", 0.35)
        if shape == "set":
            return self.elements(term, term[1], below, "toset", 0.9)
        if shape == "tuple":
            return sequence("[", (self.make(t, below) for t in term[1]), "]", term)
        if shape == "map":
            names = NAMES[:self.count()]
            made = self.entries(((name, term[1]) for name in names), below, term)
            return Node(["tomap(", made, ")"], term) if self.chance(0.35) else made
        return self.entries(term[1], below, term)

    def elements(self, term, element, depth, wrapper, share):
        made = sequence("[", [self.make(element, depth) for _ in range(self.count())], "]", term)
        return Node([f"{wrapper}(", made, ")"], term) if self.chance(share) else made

    def entries(self, pairs, depth, term):
        made = []
        for name, wanted in pairs:
            roll = self.rng.random()
            key = name if roll < 0.7 and name != "x-y" else f'"{name}"'
            if roll > 0.95:
                key = "(" + self.pick(("var.str_k", "var.str_s", "var.str_e", "var.str_u", '"n"', f'"{name}"')) + ")"
            made.append(Node([key, self.pick((" = ", " = ", ": ")), self.make(wanted, depth)], PART))
        return sequence("{ ", made, " }", term)

    # --- templates ---------------------------------------------------------------------------------------------------

    def template(self, depth):
        if self.chance(0.35):
            return leaf(self.pick(STRINGS), STRING)
        if self.chance(0.1):
            # A console takes a line without text for the end, so each has some.
            lines = [Node(["| ", self.template_part(depth, "")], PART) for _ in range(self.pick((1, 2)))]
            return sequence(self.pick(("(<<EOT\n", "(<<-EOT\n")) + self.pick(("", "  ", "    ")), lines, "\nEOT\n)", STRING,
                            self.pick(("", "\n  ", "\n", "\n    ")))
        parts = [self.template_part(depth, "\\n") for _ in range(self.pick((1, 1, 2, 3)))]
        return sequence('"', parts, '"', STRING, "")

    def strip(self, text):
        """A template sequence's bracket, sometimes with a strip marker."""
        if not self.chance(0.2):
            return text
        return text[:2] + "~" if text in ("${", "%{") else "~" + text

    def template_part(self, depth, line_break):
        roll = self.rng.random()
        below = depth - 1
        if roll < 0.3:
            return leaf(self.pick(("x", " ", "-", "lit ", " " + line_break + " ", "$", "%", "$${", "%%{", "h\u00e9", "#")), PART)
        if roll < 0.75:
            return Node([self.strip("${"), " ", self.make(self.pick(PRIMITIVES), below), " ", self.strip("}")], PART)
        if roll < 0.9:
            parts = [self.strip("%{"), " if ", self.make(BOOL, below), " ", self.strip("}"), self.template_part(below, line_break)]
            if self.chance(0.6):
                parts += [self.strip("%{"), " else ", self.strip("}"), self.template_part(below, line_break)]
            return Node([*parts, self.strip("%{"), " endif ", self.strip("}")], PART)
        source, element, key = self.iterated(below)
        names, declared = self.declare(element, key)
        parts = [self.strip("%{"), f" for {names} in ", source, " ", self.strip("}")]
        self.scope += declared
        parts += [self.template_part(below, line_break), self.strip("%{"), " endfor ", self.strip("}")]
        del self.scope[len(self.scope) - len(declared):]
        return Node(parts, PART)

    # --- calls -------------------------------------------------------------------------------------------------------

    def call(self, term, depth):
        fitting = []
        for row in signatures.ROWS:
            bound = {}
            if signatures.match(row[2], term, bound):
                fitting.append((row, bound))
        if not fitting or self.chance(0.04):
            fitting = [(self.pick(signatures.ROWS), {})]
        row, bound = self.pick(fitting)
        if term in (NUMBER, BOOL) and self.chance(0.02):
            fixed = [text for text, result in signatures.CHANGING if result == term]
            return leaf(self.pick(fixed), term)
        name, parameters, _ = row
        for letter in ("T", "K"):
            bound.setdefault(letter, random_type(self.rng, 1))
        arguments = []
        for parameter in parameters:
            times = self.count() if isinstance(parameter, list) else 1
            pattern = parameter[0] if isinstance(parameter, list) else parameter
            arguments += [self.argument(pattern, bound, depth - 1) for _ in range(times)]
        if self.chance(0.01):
            arguments.append(self.make(ANY, 0))
        if isinstance(parameters[-1], list) and self.chance(0.08) and len(parameters) < 3:
            rest = parameters[-1][0]
            rest = STRING if isinstance(rest, str) and rest in signatures.WORDS else signatures.filled(rest, bound)
            arguments = arguments[:len(parameters) - 1]
            arguments.append(Node([self.make(list_of(rest), depth - 1), "..."], PART))
        return sequence(f"{name}(", arguments, ")", term)

    def argument(self, pattern, bound, depth):
        if isinstance(pattern, str) and pattern in signatures.WORDS:
            # A relative path would become one below the directory of this run; a template must be a reference.
            if pattern not in ("absolute", "templates") and self.chance(0.08):
                numeric = pattern in ("int", "small", "base", "bits", "number")
                return self.make(NUMBER if numeric else STRING, min(depth, 1))
            return leaf(self.pick(signatures.WORDS[pattern]), None)
        return self.make(signatures.filled(pattern, bound), depth)

    # --- forms that give any type --------------------------------------------------------------------------------------

    def condition(self, depth):
        if self.chance(0.3):
            return leaf(self.pick(("var.flag_u", "var.flag_u", "var.flag_us", "var.flag_un", "var.flag_ue", "local.dyn")), BOOL)
        return self.make(BOOL, depth)

    def conditional(self, term, depth):
        first, second = term, term
        if self.chance(0.12):
            second = self.near(term)
        if self.chance(0.5):
            first, second = second, first
        return Node(["(", self.condition(depth - 1), " ? ", self.make(first, depth - 1), " : ", self.make(second, depth - 1), ")"], term)

    def near(self, term):
        """A type like another one, as the arms of conditionals have them."""
        shape = kind(term)
        if shape in ("list", "set", "tuple"):
            element = term[1] if shape != "tuple" else self.pick((*term[1], STRING))
            return self.pick((list_of(element), set_of(element), ("tuple", (element,)), list_of(self.near(element)), ("tuple", ())))
        if shape in ("map", "object"):
            element = term[1] if shape == "map" else self.pick((*(t for _, t in term[1]), STRING))
            return self.pick((map_of(element), object_of(a=element), map_of(self.near(element)), object_of(), object_of(a=element, b=STRING)))
        return self.pick(PRIMITIVES)

    def part_of(self, term, depth):
        """A value that is inside of another one."""
        below = depth - 1
        form = self.rng.randrange(7)
        if form == 0:
            return Node([self.make(list_of(term), below), "[", self.index(), "]"], term)
        if form == 1:
            return Node([self.make(("tuple", (term, term)), below), "[", self.make(NUMBER, 0) if self.chance(0.2) else self.index(), "]"], term)
        if form == 2 and self.chance(0.15):
            # What a marked key of an object marks is argued, so this is a map for sure.
            key = self.pick(('sensitive("a")', 'sensitive("b")', "var.str_e", "var.str_us"))
            return Node(["tomap(", self.make(map_of(term), below), ")[", key, "]"], term)
        if form == 2:
            return Node([self.make(map_of(term), below), "[", self.pick(('"a"', '"a"', '"b"', '"k1"', "var.str_u")), "]"], term)
        if form == 3:
            name = self.pick(("a", "a", "b", "k1"))
            return Node([self.make(map_of(term), below), ".", name], term)
        if form == 4:
            return Node([self.make(("object", (("a", term), ("b", self.pick(PRIMITIVES)))), below), self.pick((".a", '["a"]', ".a", ".b"))], term)
        if form == 5:
            return Node([self.make(list_of(object_of(a=term)), below), self.pick(("[*].a", ".*.a", "[*]['a']".replace("'", '"'))), "[0]"], term)
        return Node([self.make(list_of(term), below), ".", self.pick(("0", "1"))], term)

    # --- forms that give some types ------------------------------------------------------------------------------------

    def special(self, term, depth):
        below = depth - 1
        shape = kind(term)
        if shape == "string":
            return self.template(depth)
        if shape == "number":
            if self.chance(0.2):
                return Node(["-", self.make(NUMBER, below)], term)
            return Node(["(", self.make(NUMBER, below), self.pick((" + ", " - ", " * ", " / ", " % ")), self.make(NUMBER, below), ")"], term)
        if shape == "bool":
            return self.comparison(below, term)
        if shape in ("list", "set"):
            made = self.for_list(term[1], below) if self.chance(0.7) else self.splat(term[1], below)
            wrapper = {"list": "tolist", "set": "toset"}[shape]
            return Node([f"{wrapper}(", made, ")"], term) if self.chance(0.4 if shape == "list" else 0.9) else made
        if shape == "tuple":
            return self.for_list(self.pick((*term[1], STRING)), below)
        element = term[1] if shape == "map" else self.pick((*(t for _, t in term[1]), STRING))
        made = self.for_object(element, below)
        return Node(["tomap(", made, ")"], term) if shape == "map" and self.chance(0.3) else made

    def comparison(self, depth, term):
        roll = self.rng.random()
        if roll < 0.15:
            return Node(["!", self.make(BOOL, depth)], term)
        if roll < 0.4:
            return Node(["(", self.make(BOOL, depth), self.pick((" && ", " || ")), self.make(BOOL, depth), ")"], term)
        if roll < 0.6:
            return Node(["(", self.make(NUMBER, depth), self.pick((" < ", " <= ", " > ", " >= ")), self.make(NUMBER, depth), ")"], term)
        compared = random_type(self.rng, 2)
        other = compared if self.chance(0.8) else self.near(compared)
        right = leaf("null") if self.chance(0.2) else self.make(other, depth)
        return Node(["(", self.make(compared, depth), self.pick((" == ", " != ")), right, ")"], term)

    def splat(self, element, depth):
        roll = self.rng.random()
        if roll < 0.4:
            return Node([self.make(list_of(object_of(a=element)), depth), self.pick(("[*].a", ".*.a"))], None)
        if roll < 0.6:
            return Node([self.make(self.pick((list_of(element), set_of(element), ("tuple", (element, element)))), depth), "[*]"], None)
        if roll < 0.8:
            return Node([self.make(element, depth), "[*]"], None)
        return Node([self.make(list_of(list_of(element)), depth), self.pick(("[*][0]", ".*.0", "[*][1]"))], None)

    def iterated(self, depth):
        """What a `for` goes over, the type of its elements and of its keys."""
        element = random_type(self.rng, 1)
        shape = self.rng.randrange(6)
        if shape < 2:
            return self.make(list_of(element), depth), element, NUMBER
        if shape == 2:
            return self.make(set_of(element), depth), element, element
        if shape == 3:
            return self.make(("tuple", (element,) * self.count()), depth), element, NUMBER
        if shape == 4:
            return self.make(map_of(element), depth), element, STRING
        text, term = self.pick(MENU)
        if kind(term) in ("list", "set", "map"):
            return leaf(text, term), term[1], NUMBER if kind(term) == "list" else STRING if kind(term) == "map" else term[1]
        return self.make(("object", (("a", element), ("b", element))), depth), element, STRING

    def declare(self, element, key):
        self.names += 1
        value = f"v{self.names}"
        if self.chance(0.4):
            return f"i{self.names}, {value}", [(f"i{self.names}", key), (value, element)]
        return value, [(value, element)]

    def for_list(self, element, depth):
        source, given, key = self.iterated(depth)
        names, declared = self.declare(given, key)
        self.scope += declared
        parts = [f"[for {names} in ", source, " : ", self.make(element, depth), *self.clause(depth), "]"]
        del self.scope[len(self.scope) - len(declared):]
        return Node(parts, None)

    def for_object(self, element, depth):
        source, given, key = self.iterated(depth)
        names, declared = self.declare(given, key)
        self.scope += declared
        group = self.chance(0.3)
        parts = [f"{{ for {names} in ", source, " : ", self.key(declared, group, depth), " => ", self.make(element, depth),
                 "..." if group else "", *self.clause(depth), " }"]
        del self.scope[len(self.scope) - len(declared):]
        return Node(parts, None)

    def key(self, declared, group, depth):
        strings = [name for name, term in declared if term in PRIMITIVES]
        if strings and self.chance(0.8):
            name = leaf(self.pick(strings), STRING)
            return name if self.chance(0.6) else Node(['"k${', name, '}"'], STRING)
        return self.make(STRING, min(depth, 1)) if group or self.chance(0.2) else leaf('"a"', STRING)

    def clause(self, depth):
        return [" if ", self.make(BOOL, min(depth, 2))] if self.chance(0.3) else []


def expression(seed, number):
    """The tree of expression `number` of a seed."""
    return Generator(seed, number).expression()
