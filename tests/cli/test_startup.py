"""Commands that only look things up start fast: they leave out what they can do without."""

import os
import subprocess
import sys

import pytest

from thresher.cli.main import MODULES, call, commands

LOAD = "import sys; from thresher.cli.main import commands; commands(sys.argv[1]); print('numpy' in sys.modules)"


@pytest.mark.parametrize("name", ["new", "topics", "status", "pages", "explain", "log", "config", "doctor"])
def test_a_command_that_computes_nothing_loads_no_numpy(name: str) -> None:
    done = subprocess.run([sys.executable, "-c", LOAD, name], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"


def completions(words: str) -> list[str]:
    asked = {"_THRESHER_COMPLETE": "complete_bash", "COMP_WORDS": words, "COMP_CWORD": str(len(words.split(" ")) - 1)}
    done = subprocess.run(
        [sys.executable, "-m", "thresher"], capture_output=True, text=True, check=True, env={**os.environ, **asked}
    )
    return done.stdout.split()


def test_shells_complete_commands_and_options() -> None:
    assert completions("thresher pa") == ["pages"]
    assert set(MODULES) <= set(completions("thresher "))
    assert "--export" in completions("thresher pages my-portal --")


@pytest.mark.parametrize("name", ["answers", "archetypes", "history", "peers", "sessions", "sites", "topics", "users"])
def test_shells_complete_what_to_do_with_a_portal(name: str) -> None:
    shown = completions(f"thresher {name} my-portal ")
    assert len(shown) >= 3
    first = shown[0]
    assert completions(f"thresher {name} my-portal {first}") == [one for one in shown if one.startswith(first)]


def test_help_lists_every_command_and_imports_none() -> None:
    shown = (
        "import sys; from thresher.cli.main import call; code = call(['--help']);"
        "print(code, [name for name in sys.modules if name in ('numpy', 'thresher.cli.bench')])"
    )
    done = subprocess.run([sys.executable, "-c", shown], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "0 []"
    assert all(f"\n  {name} " in done.stdout for name in MODULES)


def test_a_listing_leaves_commands_that_are_loaded_alone(capsys: pytest.CaptureFixture[str]) -> None:
    commands()
    assert call(["--help"]) == 0
    assert call(["status", "--help"]) == 0
    assert "PORTAL" in capsys.readouterr().out.rpartition("Usage: thresher status")[2]
