"""Numbers, shares and lists in sentences, as a reader sees them. Pure Python, below everything else.

Python writes -0.5, 1e-06 and 2e+03; in a text they are −0.5, 10⁻⁶ and 2000. A share keeps its sign % on the same line.
"""

import math
import re
from collections.abc import Iterable

FEW = 1e-4, 0.05  # per cent, from one in a million to what is rounded to a tenth
THIN = "\u202f"  # a narrow space at which no line is broken
POWER = re.compile(r"(?<![\w.])([−-]?)(\d+(?:\.\d+)?)e([+-]?\d+)\b")
MINUS = re.compile(r"-(?=\.?\d|inf|∞)")
RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
SHARE = re.compile(r"(?<=\d) (?=%)")
RELATION = re.compile(r"(\by) (f\b)| ([=<>≤≥]) ")
GREEK = {"alpha": "α", "beta": "β", "gamma": "γ", "delta": "δ", "epsilon": "ε", "eta": "η", "theta": "θ", "kappa": "κ"}
GREEK |= {"lambda": "λ", "mu": "μ", "rho": "ρ", "sigma": "σ", "tau": "τ"}
SPELLED = str.maketrans({letter: name for name, letter in GREEK.items()})


def readable(text: str) -> str:
    """A text that holds only numbers, with signs that are minus signs and with powers of ten: "−1.5·10⁻⁷"."""
    return MINUS.sub("−", POWER.sub(_power, text))


def _power(found):
    sign, factor, exponent = found.groups()
    if (-4 if "." in factor else 0) <= int(exponent) < 6:
        decimals = len(factor.partition(".")[2]) - int(exponent)
        return f"{sign}{float(f'{factor}e{exponent}'):.{max(decimals, 0)}f}"
    times = "" if factor == "1" else f"{factor}·"
    return f"{sign}{times}10{str(int(exponent)).translate(RAISED)}"


def number(x: float, form: str = ".3g") -> str:
    """A number in the format `form`, `readable`; three significant digits without one: 0.123, 1.23·10⁻⁵, −12.

    What is rounded to zero has no sign: 0.0, neither −0.0 nor +0.0.
    """
    text = f"{x:{form}}"
    return readable(text if float(text.replace(",", "")) else text.lstrip("+-"))


def percent(share: float, form: str = ".1f") -> str:
    """A share, 0 to 1, in per cent, such as "38.4 %" with a narrow space that keeps its two parts together.

    One in 5000 is not written as none, 0.0 %, nor all but one as all: they have as many decimals as that takes.
    """
    apart = 100.0 * min(share, 1.0 - share)
    if FEW[0] <= apart < FEW[1]:
        form = f".{-math.floor(math.log10(apart))}f"
    return f"{number(100.0 * share, form)}{THIN}%"


def keep_units(text: str) -> str:
    """The text with such a space in each "38.4 %"; each "C = 1" or "y f" has spaces at which no line is broken, too."""
    return RELATION.sub(lambda found: found[0].replace(" ", "\u00a0"), SHARE.sub(THIN, text))


def capital(text: str) -> str:
    """The same with a capital letter first."""
    return text[:1].upper() + text[1:]


def letter(latex: str) -> str:
    """A symbol of a formula as text: "μ" for "\\mu", "ε" for "\\varepsilon"; a Latin letter as it is."""
    return GREEK.get(latex.removeprefix("\\").removeprefix("var"), latex)


def spell(text: str) -> str:
    """The text with the names of Greek letters in their place, for those who hear it, and for fonts without them."""
    return text.translate(SPELLED)


def count(n: float) -> str:
    """A number of things: 7, 1200, 12,000."""
    return f"{n:{',' if n >= 10_000 else ''}.0f}"


def with_count(n: int, noun: str) -> str:
    """ "1 step", "7 steps", "1200 steps", "12,000 steps"."""
    return f"{count(n)} {noun}" if n == 1 else f"{count(n)} {noun}s"


def join_words(items: Iterable, last: str = "and") -> str:
    """ "3", "3 and 7", "3, 7 and 9": the items as a phrase, with the word `last` before the last one."""
    *others, final = map(str, items)
    return f"{', '.join(others)} {last} {final}" if others else final
