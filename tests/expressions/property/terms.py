"""Types of the language as Python values, for the generator of random expressions.

"string", "number", "bool" and "any" stand for themselves; ("list", T), ("set", T), ("map", T), ("tuple", (T, ...)) and
("object", ((name, T), ...)) are built of them.
"""

STRING, NUMBER, BOOL, ANY = "string", "number", "bool", "any"
PRIMITIVES = (STRING, NUMBER, BOOL)
NAMES = ("a", "b", "c", "k1", "x-y")


def list_of(element):
    return ("list", element)


def set_of(element):
    return ("set", element)


def map_of(element):
    return ("map", element)


def tuple_of(*elements):
    return ("tuple", tuple(elements))


def object_of(**attributes):
    return ("object", tuple(attributes.items()))


def kind(term):
    return term if isinstance(term, str) else term[0]


def written(term):
    """A type as a type constraint."""
    if isinstance(term, str):
        return term
    name, argument = term
    if name == "tuple":
        return f"tuple([{', '.join(map(written, argument))}])"
    if name == "object":
        return "object({ " + ", ".join(f"{key} = {written(t)}" for key, t in argument) + " })"
    return f"{name}({written(argument)})"


def random_type(rng, depth):
    """A type whose nesting is at most `depth` levels below a collection."""
    if depth <= 0 or rng.random() < 0.45:
        return rng.choice(PRIMITIVES)
    shape = rng.choice(("list", "list", "set", "map", "map", "tuple", "object", "object"))
    if shape == "tuple":
        return ("tuple", tuple(random_type(rng, depth - 1) for _ in range(rng.choice((0, 1, 2, 2, 3)))))
    if shape == "object":
        names = sorted(rng.sample(NAMES, rng.choice((0, 1, 2, 2, 3))))
        return ("object", tuple((name, random_type(rng, depth - 1)) for name in names))
    return (shape, random_type(rng, depth - 1))
