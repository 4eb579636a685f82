"""Repeated measurements as a mean and a band. No Streamlit here."""

import numpy as np


def bands(values: dict[str, dict[float, list[float]]]) -> tuple[np.ndarray, dict[str, np.ndarray]]:
    """(xs (k,), {name: rows mean, low, high of an array (3, k)}) of `values` {name: {x: measurements}}.

    low and high are the 10th and 90th percentile; xs are those that all names share, in order. Without any, no names.
    """
    xs = sorted(set.intersection(*map(set, values.values()))) if values else []
    if not xs:
        return np.array(xs), {}
    return np.array(xs), {
        name: np.array([(np.mean(at[x]), *np.percentile(at[x], [10, 90])) for x in xs]).T for name, at in values.items()
    }
