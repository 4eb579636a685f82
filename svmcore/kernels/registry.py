"""Declares what a kernel consists of, and holds the registry of all kernels by name."""

import math
from collections import namedtuple
from collections.abc import Callable
from dataclasses import dataclass, field
from numbers import Integral, Real
from typing import NamedTuple


class Parameter(NamedTuple):
    """One parameter of kernels, a field of `Kernel`: its numbers are of a `kind`, above `above` and finite."""

    latex: str
    kind: type
    above: float
    words: str  # the range, for the manual and for errors


PARAMETERS = {
    "gamma": Parameter(r"\gamma", Real, 0.0, "a positive finite number"),
    "degree": Parameter("p", Integral, -1, "a whole number >= 0"),
    "coef0": Parameter("c_0", Real, -math.inf, "a finite number"),
}


# the parameters of a kernel as they stand in its formula: LaTeX symbols, or numbers as LaTeX; gamma = 1 / sigma^2
SYMBOLS = {name: one.latex for name, one in PARAMETERS.items()} | {"sigma": r"\sigma"}
Shown = namedtuple("Shown", SYMBOLS, defaults=SYMBOLS.values())


@dataclass(frozen=True, eq=False)
class KernelFamily:
    """A kernel k(x, z) for all values of its parameters: formulas, properties, and how other software writes it.

    `parameters` names the keys of `PARAMETERS` that it uses; the formulas take these as keywords. Either `of_products`
    or `values_of` has the values:

    - `of_products(K, **parameters)`: those of a function of x'z, from an array of inner products, in place or not;
    - `values_of(X, Z, **parameters)`: the matrix (n, m) for points X (n, d) and Z (m, d). It is tested for its shape,
      for finite numbers, and for symmetry if X is Z, unless the family is `exact`: then it is all that by itself.

    What follows from them may be given where there is a faster way: `diagonal_of(X, **parameters)`, (n,);
    `product_of(X, Z, c, **parameters)`, the matrix times c, or None where the matrix in blocks is faster;
    `single_product_of`, (the same in single precision for c (m,), the most that any number of it is wrong);
    `largest_of(X, **parameters)`, a bound on |k(x, z)| and on what an ulp in each step changes in it, in ulp.
    With up to `cheap_features` features a value is computed as fast as it is read from memory, and none is stored.

    `definite`: whether every Gram matrix is positive semidefinite, "always", "never" (whatever the parameters) or
    "depends"; in this case `definite_if(**parameters)` says for which parameters, None that it depends on the points.
    `stationary`: k(x, z) depends on x - z only. `latex_of(shown)` is the formula with the parameters `Shown`.
    `gamma_means`, a sentence for the app, whose control is sigma: what gamma = 1 / sigma^2 does, unless the formula
    has sigma itself. `libsvm` is the `kernel_type` in a LIBSVM model file, `numpy` an expression of NumPy for points x
    (n, d) and z (m, d) with the parameters in braces; None for what cannot be written.
    """

    key: str
    label: str
    definite: str
    source: str
    latex_of: Callable[[Shown], str] = field(repr=False)
    of_products: Callable | None = field(repr=False, default=None)
    values_of: Callable | None = field(repr=False, default=None)
    diagonal_of: Callable | None = field(repr=False, default=None)
    product_of: Callable | None = field(repr=False, default=None)
    single_product_of: Callable | None = field(repr=False, default=None)
    largest_of: Callable | None = field(repr=False, default=None)
    definite_if: Callable | None = field(repr=False, default=None)
    parameters: tuple[str, ...] = ()
    gamma_means: str = ""
    libsvm: str | None = None
    numpy: str | None = None
    exact: bool = False
    stationary: bool = False
    cheap_features: float = 0.0

    def __post_init__(self):
        if (self.of_products is None) == (self.values_of is None):
            raise TypeError(f"the {self.key} kernel needs either of_products or values_of")
        if unknown := set(self.parameters) - set(PARAMETERS) - {"name"}:
            raise TypeError(f"the {self.key} kernel has {', '.join(unknown)}, which PARAMETERS needs a line for")

    @property
    def latex(self) -> str:
        """The formula with the symbols of the parameters, in LaTeX."""
        return self.latex_of(Shown())


KERNELS: dict[str, KernelFamily] = {}  # in the order of menus; filled by `families`
