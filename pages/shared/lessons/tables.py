"""The tables of a text file, read with the line of everything that is wrong in it."""

import re
from collections import Counter
from typing import Any, NoReturn


class LessonError(ValueError):
    """A lesson that cannot be read, and why: `line` is where (0 if that is not known)."""

    def __init__(self, problem: str, line: int = 0):
        super().__init__(f"Line {line}: {problem}" if line else problem)
        self.line = line


class CheckedTable:
    """A table of the file with its name in messages, and its place: (prompt, "option", option) counted from 0."""

    def __init__(self, values, name, places, place):
        if not isinstance(values, dict):
            raise LessonError(f"{name} must be a table, got {values!r}.", places.line(place))
        self.values, self.name, self.places, self.place = values, name, places, place

    def line(self, key="") -> int:
        """The line of a key, or of the table."""
        return self.places.line(self.place, key)

    def refuse(self, key, problem) -> NoReturn:
        """Raises LessonError with the name of the table and the line of the key."""
        raise LessonError(f"{self.name}: `{key}` {problem}.", self.line(key))

    def only(self, names) -> None:
        """Refuses a key that is not among the names, which are separated by blanks."""
        for key in self.values:
            if key not in names.split():
                above = "; those of the table around it stand above it" * (len(self.place) > 1)
                self.refuse(key, f"is not known here; expected are {', '.join(names.split())}{above}")

    def take(self, key, kinds, default=...) -> Any:
        """The value of a key, of one of the kinds (types); without a default it must be there."""
        if key not in self.values:
            if default is ...:
                self.refuse(key, "is missing")
            return default
        value = self.values[key]
        kinds = kinds if isinstance(kinds, tuple) else (kinds,)
        if not isinstance(value, kinds) or (isinstance(value, bool) and bool not in kinds):
            self.refuse(key, f"must be {' or '.join(_KINDS[kind] for kind in kinds)}, got {repr(value)[:100]}")
        value = value.strip() if isinstance(value, str) else value
        if value == "" and default is ...:
            self.refuse(key, "is empty")
        return value

    def among(self, key, known, default=...) -> str:
        """The value of a key that must be one of those known."""
        value = self.take(key, str, default)
        if value not in known:
            self.refuse(key, f"must be one of {', '.join(filter(None, known))}, got {value!r}")
        return value

    def texts(self, key, default=...) -> tuple[str, ...]:
        """The value of a key that must be a list of texts."""
        value = self.take(key, list, default)
        if not all(isinstance(text, str) for text in value):
            self.refuse(key, f"must be a list of texts, got {value!r}")
        return tuple(value)

    def table(self, key) -> "CheckedTable":
        return CheckedTable(self.take(key, dict), f"{self.name}, {key}", self.places, (*self.place, key))

    def inner(self, row, k, name) -> "CheckedTable":
        """The table `row`, the one with number k in the list of that name."""
        return CheckedTable(row, f"{self.name}, {name} {k + 1}", self.places, (*self.place, name, k))


_KINDS = {
    str: "a text", dict: "a table", list: 'a list, ["a", "b"] or tables under [[ ]]', int: "a whole number",
    float: "a number", bool: "true or false",
}  # fmt: skip
_PLAIN = {  # beginnings of what tomllib says, and what a writer of lessons can do
    r"Illegal character '\n'": "a text has no quotation mark at its end; one of several lines stands between three of "
    "them",
    "Invalid value": 'a text stands between straight quotation marks, "like this", a number has a point, 0.5, and the '
    "only other words are true and false",
    "Expected newline": "the line goes on after its value; a number has a point, 0.5, and a quotation mark in a text "
    'is \\"',
    ("Expected '='", "Invalid statement"): "here a key of a to z, 0 to 9 and _ is expected, then = and its value; a "
    "number has a point, 0.5, not a comma",
    ("Unclosed", "Unterminated"): "a comma, a bracket or a quotation mark is missing before this",
    "Invalid initial": "what stands between { and } is one line, without a comma at its end; a pair of [ ] has a name",
    ("Unescaped", "Invalid hex"): r"a text with \ stands between apostrophes, '\alpha'",
    ("Cannot", "Duplicate"): "this is here a second time; of what there may be several, such as [[prompt]], each has "
    "two brackets on both sides",
}  # fmt: skip
_HEAD = re.compile(r"\s*(\[\[?)\s*([\w.]+)\s*\]\]?")


class Places:
    """The lines on which the tables and keys of a file begin: tomllib does not say."""

    def __init__(self, text):
        self.found, place, quoted = {}, (), False
        prompt, rows = -1, Counter()
        for number, line in enumerate(text.split("\n"), 1):
            if not quoted and (head := _HEAD.match(line)):
                first, *rest = head[2].split(".")
                if head[2] == "prompt":
                    prompt, rows, place = prompt + 1, Counter(), (prompt + 1,)
                elif head[1] == "[[":
                    place = (prompt, *rest, rows[head[2]])
                    rows[head[2]] += 1
                else:
                    place = (prompt, *rest) if first == "prompt" else (first, *rest)
                self.found.setdefault((place, ""), number)
            elif not quoted and (key := re.match(r"\s*([\w]+)\s*=", line)):
                self.found.setdefault((place, key[1]), number)
            quoted ^= (line.count('"""') + line.count("'''")) % 2 == 1

    def line(self, place, key="") -> int:
        """The line of a key, else of its table, else of the table around that."""
        for table, name in ((place, key), ((*place, key), ""), ((*place, key, 0), ""), (place, "")):
            if (table, name) in self.found:
                return self.found[table, name]
        return self.line(place[:-1], str(place[-1])) if place else 1


def syntax(error, text) -> LessonError:
    """The LessonError for a text that is no TOML, from the error of tomllib."""
    place = re.search(r"\(at line (\d+), column \d+\)", str(error))
    line = int(place[1]) if place else text.count("\n") + 1
    words = str(error).rpartition(" (at ")[0] or str(error)
    words = next((plain for begin, plain in _PLAIN.items() if words.startswith(begin)), words[:1].lower() + words[1:])
    return LessonError(f"This is not TOML: {words}.", line)
