"""Changes that numba's disk cache cannot see: a compiled function calls one of another file, which has changed.

The cache keeps the code of a function by the time stamp of its own file and by its signature
(https://numba.readthedocs.io/en/stable/developer/caching.html). The default of an argument is a part of the signature.
So compiled functions that call each other stand in one file, or one that calls those of others takes their `digest` as
the default of its last argument, which nobody passes: when one of these files changes, the signature does, and the
function is compiled again.
"""

import hashlib
from pathlib import Path


def digest(*modules) -> str:
    """A digest of the source files of these modules."""
    return hashlib.sha256(b"".join(Path(module.__file__).read_bytes() for module in modules)).hexdigest()[:16]
