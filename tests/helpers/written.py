"""Numbers in sentences and formulas in LaTeX, read back: what `svmcore.words` and the registries write."""

import re

import numpy as np

LOWERED = str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹−", "-0123456789-")
NUMBER = r"(−?\d+\.?\d*(?:·10)?[⁻⁰¹²³⁴⁵⁶⁷⁸⁹]*)"  # "0.5", "−1.2·10⁻⁵", "10⁻⁶"


def number_in(text) -> float:
    """The number in a text that is nothing else."""
    plain = text.rstrip("⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
    power = text[len(plain) :].translate(LOWERED)
    if not power:
        return float(plain.translate(LOWERED))
    factor = plain.removesuffix("10").removesuffix("·").translate(LOWERED)
    return float(f"{factor if factor.strip('-') else factor + '1'}e{power}")


def numbers_in(text) -> list[float]:
    """All numbers of a text."""
    return [number_in(found) for found in re.findall(NUMBER, text)]


TOKEN = re.compile(r"[A-Za-z]_\w|\\\\|\\[A-Za-z]+|\d+(?:\.\d+)?|\S")
WHERE = re.compile(r",\s*(\S+) = (\\cases.*|[^&]*)")  # "u^2, u = |r|": a name that stands for a part of the formula
FUNCTIONS = {rf"\{name}": getattr(np, name) for name in ("exp", "sinh", "cosh", "tanh", "sin", "cos", "arctan")}
FUNCTIONS |= {r"\max": np.maximum, r"\min": np.minimum, r"\ln": np.log, r"\sqrt": np.sqrt}
RELATIONS = {"<": np.less, r"\le": np.less_equal, ">": np.greater, r"\ge": np.greater_equal}
ENDS = {"", *")},|&+-=/", r"\\", r"\end", r"\cdot", *RELATIONS}


def formula(latex, names) -> list:
    """The values of all sides of the equation `latex`, computed as written; names: {symbol: number or array}."""
    latex = re.sub(r"\\(?:left|right|[,;])", " ", latex.replace(r"\begin{cases}", r"\cases").replace("{cases}", ""))
    if where := WHERE.search(latex):
        name, part = where.groups()
        latex = re.sub(rf"(?<![\w\\]){re.escape(name)}(?:\(t\))?(?!\w)", lambda _: f"{{{part}}}", WHERE.sub("", latex))
    return [Reader(side, names).sum() for side in latex.split(" = ")]


def kernel_formula(latex, names, X, Z) -> np.ndarray:
    """The matrix (n, m) of the formula of a kernel in x and z, for X (n, d) and Z (m, d)."""
    x, z = X.T[:, :, None], Z.T[:, None, :]
    parts = {
        r"x^\top z": lambda: sum(x * z),
        r"\|x-z\|_1": lambda: sum(abs(x - z)),
        r"\|x-z\|^2": lambda: sum((x - z) ** 2),
        r"\|x-z\|": lambda: np.sqrt(sum((x - z) ** 2)),
    }
    for symbol, (part, computed) in zip("ABCD", parts.items(), strict=True):
        if part in latex:
            latex, names = latex.replace(part, f" {symbol} "), {**names, symbol: computed()}
    (value,) = formula(latex, names)
    return value


class Reader:
    """Computes one side of an equation from left to right."""

    def __init__(self, latex, names):
        self.names, self.tokens = {**names, "e": np.e}, [*TOKEN.findall(latex), ""]

    def take(self, *among):
        """The next token, which is one of `among`."""
        token = self.tokens.pop(0)
        assert not among or token in among, f"{token!r} before {self.tokens} where one of {among} was expected"
        return token

    def sum(self):
        total = 0.0 if self.tokens[0] == "-" else self.product()
        while self.tokens[0] in ("+", "-"):
            total = total + self.product() if self.take() == "+" else total - self.product()
        return total

    def product(self):
        value = self.power()
        while self.tokens[0] not in ENDS or self.tokens[0] in ("/", r"\cdot"):
            sign = self.take() if self.tokens[0] in ENDS else ""
            value = value / self.power() if sign == "/" else value * self.power()
        return value

    def power(self):
        base = self.atom()
        if self.tokens[0] != "^":
            return base
        self.take()
        return base ** self.atom()

    def atom(self):
        token = self.take()
        if token in ("(", "{", "|"):
            value = self.sum()
            self.take({"(": ")", "{": "}", "|": "|"}[token])
            return abs(value) if token == "|" else value
        if token in (r"\frac", r"\tfrac"):
            return self.atom() / self.atom()
        if token in FUNCTIONS:
            end = {"(": ")", "{": "}"}[self.take("(", "{")]
            arguments = [self.sum()]
            while self.take(",", end) == ",":
                arguments.append(self.sum())
            many = len(arguments) > 1
            return FUNCTIONS[token].reduce(np.broadcast_arrays(*arguments)) if many else FUNCTIONS[token](*arguments)
        return self.cases() if token == r"\cases" else float(token) if token[0].isdigit() else self.names[token]

    def cases(self):
        values, conditions = [], []
        while not conditions or self.take(r"\\", r"\end") == r"\\":
            values.append(self.sum())
            self.take("&")
            low, holds = self.sum(), True
            while self.tokens[0] in RELATIONS:
                relation, high = RELATIONS[self.take()], self.sum()
                low, holds = high, holds & relation(low, high)
            conditions.append(holds)
        return np.select(conditions, np.broadcast_arrays(*values, *conditions)[: len(values)], np.nan)
