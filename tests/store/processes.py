"""Runs pieces of the tests in processes of their own, so that they can be killed."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]


def python(code: str, *arguments: object) -> subprocess.Popen[str]:
    """Start a Python process that runs `code` with arguments in `sys.argv[1:]`; its output is read line by line."""
    return subprocess.Popen(
        [sys.executable, "-c", code, *map(str, arguments)], stdout=subprocess.PIPE, text=True, cwd=ROOT
    )


def line(process: subprocess.Popen[str]) -> str:
    """Return the next line a process prints."""
    assert process.stdout is not None
    return process.stdout.readline().strip()


def kill(process: subprocess.Popen[str]) -> None:
    """Kill a process with SIGKILL and wait until it is gone."""
    process.kill()
    process.wait()
    assert process.stdout is not None
    process.stdout.close()
