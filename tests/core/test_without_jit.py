"""The compiled functions as plain Python: a debugger can step through them, and coverage can count their lines."""

import os
import platform
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
SCRIPT = ROOT / "tests" / "helpers" / "without_jit.py"


def run(out, **environment):
    """What the script writes with these variables in its environment."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "NUMBA_DISABLE_JIT": "0", **environment}
    subprocess.run([sys.executable, str(SCRIPT), str(out)], env=environment, check=True, timeout=300)
    with np.load(out) as found:
        return dict(found)


@pytest.fixture(scope="module")
def plain(tmp_path_factory):
    return run(tmp_path_factory.mktemp("plain") / "found.npz", NUMBA_DISABLE_JIT="1")


def test_every_line_of_the_compiled_functions_is_executed(plain):
    assert plain["missed"].tolist() == []


@pytest.mark.skipif(
    platform.machine() not in ("x86_64", "AMD64"), reason="only there a generic processor has no fused multiply-add"
)
def test_compiled_and_plain_compute_the_same_bits(plain, tmp_path):
    """Compiled for a processor that rounds a * b + c twice, as Python does."""
    compiled = run(tmp_path / "found.npz", NUMBA_CPU_NAME="generic", NUMBA_CACHE_DIR=str(tmp_path / "cache"))
    assert compiled.keys() == plain.keys() - {"missed"} and len(compiled) > 400
    assert [name for name in compiled if not np.array_equal(compiled[name], plain[name], equal_nan=True)] == []
