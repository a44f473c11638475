"""Makes the five changes that docs/CONTRIBUTING.md explains, from its code blocks, in a copy of the source."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
GUIDE = ROOT / "docs" / "CONTRIBUTING.md"

BLOCK = re.compile(
    r"^```(?:python|toml|markdown)\n(?:# |<!-- )((?:src|docs)/\S+?)(?:, below: (.*?))?(?: -->)?\n(.*?)^```$",
    re.MULTILINE | re.DOTALL,
)

USE = """
import msgspec
from thresher import Portal
from thresher.bench.webs.catalogue import WEBS
from thresher.cli.main import call
from thresher.documents.formats.kinds import by_ending, kind_of
from thresher.documents.formats.limits import Limits
from thresher.plugins import make_strategy, meaning
from thresher.simulate import simulate
from thresher.simweb.parameters import WebParameters
from thresher.simweb.web import Web
from scripts.make_docs import DOCUMENTS

for path, made in DOCUMENTS.items():
    path.write_text(made(), "utf-8")
web = Web(WebParameters(pages=200, hosts=8, seed=1, profile="clean"))



def deepest(most):
    run = simulate(web, "breadth-first", pages=60, overrides=[f"crawl.max_segments={most}"])
    return max(url.count("/") - 2 for url in run.store.documents.urls())


logbook = b"LOGBOOK\\nWind from the west"
seen = {
    "weight": make_strategy("shortest(weight=2)").weight,
    "meaning": meaning("shortest"),
    "crawled": simulate(web, "shortest", pages=30).progress.pages,
    "ending": by_ending()[".logbook"],
    "words": kind_of(logbook).text(logbook, "http://a.test/x.logbook", Limits()).markup.words,
    "hosts": len(WEBS.all()["archipelago"].opens(islands=3).collection.web.hosts),
    "segments": [deepest(0) > 1, deepest(1)],
}
print(msgspec.json.encode(seen).decode(), flush=True)
call(["config", "show", "--key", "crawl.max_segments", "--json"])
Portal.create("portal", seeds=["https://example.org/"], contact="you@example.org").close()
call(["titles", "portal", "--json"])
"""

BENCH = """
from thresher.cli.main import call

call(["bench", "webs", "archipelago(islands=6)", "--json"])
options = "--seeds 1 --examples 2 --start 2 --budget 20 --processes 1 --out runs --json".split()
call(["bench", "run", "archipelago(islands=6)", "--strategies", "shortest", *options])
"""


def follow(guide: str, copy: Path) -> list[str]:
    """Make the changes that the blocks of the guide show, and return the files that were changed."""
    changed = []
    for name, line, text in BLOCK.findall(guide):
        file = copy / name
        if line:
            before = file.read_text()
            assert before.count(line) == 1, f"{name} has no single line: {line}"
            file.write_text(before.replace(line, f"{line}\n{text.rstrip()}"))
        else:
            assert not file.exists(), f"{name} is there already"
            file.write_text(text)
        changed.append(name)
    return changed


def run(copy: Path, *arguments: str) -> str:
    paths = os.pathsep.join([str(copy / "src"), str(copy)])
    done = subprocess.run(
        [sys.executable, *arguments],
        cwd=copy,
        env={**os.environ, "PYTHONPATH": paths, "XDG_CACHE_HOME": str(copy / "cache")},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def followed(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[str]]:
    """Make all five changes in a copy, write its documents, use what is new; return the copy and what was printed."""
    copy = tmp_path_factory.mktemp("followed")
    for part in ("src", "docs", "scripts", "tests"):
        shutil.copytree(ROOT / part, copy / part, ignore=shutil.ignore_patterns("*.egg-info"))
    assert len(follow(GUIDE.read_text(), copy)) == 12
    return copy, run(copy, "-c", USE).splitlines()


@pytest.mark.slow
def test_what_was_added_works(followed: tuple[Path, list[str]]) -> None:
    seen, shown, titles = [json.loads(line) for line in followed[1]]
    assert seen == {
        "weight": 2,
        "meaning": "Prefers short addresses; `weight` scales the preference.",
        "crawled": 30,
        "ending": "application/x-logbook",
        "words": ["Wind", "from", "the", "west"],
        "hosts": 3,
        "segments": [True, 1],
    }
    (row,) = shown["settings"]
    assert (row["value"], row["meaning"]) == (0, "Path segments a URL may have; 0 means no limit.")
    assert titles == {"portal": "portal", "titles": []}


@pytest.mark.slow
def test_the_new_web_is_listed_and_crawled_by_the_bench(followed: tuple[Path, list[str]]) -> None:
    webs, runs = [json.loads(line) for line in run(followed[0], "-c", BENCH).splitlines()]
    assert webs["topics"]
    assert {row["strategy"] for row in runs["runs"]} == {"shortest"}


@pytest.mark.slow
def test_the_battery_of_strategies_tests_the_new_one(followed: tuple[Path, list[str]]) -> None:
    battery = ["tests/strategies/test_battery.py", "-k", "shortest"]
    told = run(followed[0], "-m", "pytest", "-q", "-p", "no:xdist", "-p", "no:cacheprovider", *battery)
    assert re.search(r"\d+ passed", told)


@pytest.mark.slow
def test_make_docs_writes_what_was_added(followed: tuple[Path, list[str]]) -> None:
    docs = followed[0] / "docs"
    assert "| `crawl.max_segments` | `0` | Path segments" in (docs / "SETTINGS.md").read_text()
    assert "application/x-logbook" in (docs / "SETTINGS.md").read_text()
    assert "### `thresher titles PORTAL`" in (docs / "COMMANDS.md").read_text()
    assert "\n## `shortest`\n" in (docs / "STRATEGIES.md").read_text()
    modules = (docs / "MODULES.md").read_text()
    assert all(f"`{name}.py`" in modules for name in ("shortest", "logbook", "titles", "archipelago"))


@pytest.mark.slow
def test_the_example_code_passes_the_checks(followed: tuple[Path, list[str]]) -> None:
    copy = followed[0]
    names = [copy / name for name, line, _ in BLOCK.findall(GUIDE.read_text()) if not line]
    assert len(names) == 4
    settings = ["--config", str(ROOT / "pyproject.toml")]
    run(copy, "-m", "ruff", "check", *settings, *map(str, names))
    run(copy, "-m", "ruff", "format", "--check", *settings, *map(str, names))


def test_a_wrong_block_is_noticed(tmp_path: Path) -> None:
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "a.py").write_text("A = {\n}\n")
    with pytest.raises(AssertionError, match="no single line: B ="):
        follow("```python\n# src/a.py, below: B = {\n    1,\n```\n", tmp_path)
    with pytest.raises(AssertionError, match="is there already"):
        follow("```python\n# src/a.py\nA = 1\n```\n", tmp_path)
    assert follow("```python\n# src/a.py, below: A = {\n    1,\n```\n", tmp_path) == ["src/a.py"]
    assert (tmp_path / "src" / "a.py").read_text() == "A = {\n    1,\n}\n"
