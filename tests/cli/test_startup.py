"""Commands that only look things up start fast: they leave out what they can do without."""

import subprocess
import sys

import pytest

LOAD = "import sys; from thresher.cli.main import commands; commands(sys.argv[1]); print('numpy' in sys.modules)"


@pytest.mark.parametrize("name", ["new", "topics", "status", "explain", "log", "config", "doctor"])
def test_a_command_that_computes_nothing_loads_no_numpy(name: str) -> None:
    done = subprocess.run([sys.executable, "-c", LOAD, name], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"
