"""Expressions as trees, so that one that shows a difference can be made smaller."""


class Node:
    """A piece of text around other pieces. `items` are what may be left out one by one; they stand between `parts`."""

    __slots__ = ("parts", "items", "separator", "term")

    def __init__(self, parts, term, items=None, separator=", "):
        self.parts = parts
        self.items = items
        self.separator = separator
        self.term = term

    def children(self):
        for part in self.parts:
            if isinstance(part, Node):
                yield part
        yield from self.items or ()

    def descendants(self):
        for child in self.children():
            yield child
            yield from child.descendants()

    def size(self):
        return 1 + sum(child.size() for child in self.children())

    def text(self):
        if self.items is None:
            return "".join(part if isinstance(part, str) else part.text() for part in self.parts)
        first, last = self.parts
        return first + self.separator.join(item.text() for item in self.items) + last

    def replaced(self, old, new):
        """This tree with the node `old` (the very object) replaced, or left out if `new` is None."""
        if self is old:
            return new
        parts = [part.replaced(old, new) if isinstance(part, Node) else part for part in self.parts]
        items = self.items
        if items is not None:
            items = [item for item in (item.replaced(old, new) for item in items) if item is not None]
        return Node(parts, self.term, items, self.separator)


# The `term` of a node that is no expression by itself: part of a template, an entry, an expanded argument.
PART = "part"


def leaf(text, term=None):
    return Node([text], term)


def sequence(first, items, last, term, separator=", "):
    return Node([first, last], term, list(items), separator)


# What a part of an expression is replaced with to make it smaller.
SIMPLE = ("1", '"a"', "true", "null", "[]", "{}", "[1]", '{ a = 1 }', "terraform_data.u.id", "var.str_u", "var.str_s",
          "var.str_e", "var.flag_u")


def stays_open(text):
    """Whether a console reads on after the first line of this text."""
    first, line_break, _ = text.partition("\n")
    if any(not line.strip() for line in text.split("\n")):
        return False
    return not line_break or sum(map(first.count, "([{")) > sum(map(first.count, ")]}"))


def smaller(tree):
    """Trees that are smaller than this one by one step, smallest first."""
    seen = {tree.text()}
    found = []
    for node in (tree, *tree.descendants()):
        part = node.term == PART
        options = [below for below in node.descendants() if (below.term == PART) == part]
        if not part and (any(True for _ in node.children()) or len(node.text()) > 4):
            options += [leaf(text) for text in SIMPLE if len(text) < len(node.text())]
        for option in options:
            found.append(tree.replaced(node, option))
        for item in node.items or ():
            found.append(tree.replaced(item, None))
    for candidate in sorted(found, key=lambda one: len(one.text())):
        text = candidate.text()
        if text not in seen and len(text) < len(tree.text()) and stays_open(text):
            seen.add(text)
            yield candidate
