"""A change in a file is noticed by the compiled functions of other files that call its functions; the code of one
installation serves another.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

SVMCORE = Path(__file__).parents[2] / "svmcore"
RUN = """
import numpy as np
from svmcore.solvers.box_dual import planar_steps
columns, part = np.array([[0.0, 1.0], [0.0, 0.0]]), np.zeros((6, 2))
part[0], part[1], part[5] = -10.0, 10.0, [1.0, -1.0]
planar_steps.minimise(columns, 1.0, part, 1e-6, 100, np.empty(0))
print(part[4, 0], sum(planar_steps.minimise.stats.cache_hits.values()))
"""


@pytest.mark.slow  # compiles the planar steps twice
def test_a_change_of_the_gaussian_reaches_the_compiled_steps_that_call_it_and_a_copy_has_their_code(tmp_path):
    here = shutil.copytree(SVMCORE, tmp_path / "here" / "svmcore")  # with the compiled code, if it is beside the files
    environment = {name: value for name, value in os.environ.items() if name != "NUMBA_CACHE_DIR"}

    def run(folder=here.parent):
        command, given = [sys.executable, "-c", RUN], environment | {"PYTHONPATH": str(folder)}
        done = subprocess.run(command, cwd=folder, env=given, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        beta, hits = done.stdout.split()
        return float(beta), int(hits)

    first, _ = run()
    assert run() == (first, 1)
    shutil.copytree(here, tmp_path / "there" / "svmcore", copy_function=shutil.copyfile)  # with other time stamps
    assert run(tmp_path / "there") == (first, 1)
    path = here / "kernels" / "gaussian.py"
    path.write_text(path.read_text().replace("return p * np.int64", "return 0.5 * p * np.int64"))
    changed, hits = run()
    assert hits == 0 and abs(changed - 2.0 * first) < 1e-6
    assert run() == (changed, 1)
