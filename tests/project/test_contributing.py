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
    r"^```(?:python|toml|markdown)\n(?:# |<!-- )((?:src|docs|tests)/\S+?)(?:, below: (.*?))?(?: -->)?\n(.*?)^```$",
    re.MULTILINE | re.DOTALL,
)

USE = """
import msgspec
from pathlib import Path
from thresher import Portal
from thresher.bench.crash import make_portal, served
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
parameters = WebParameters(pages=200, hosts=8, seed=1, profile="clean")
web = Web(parameters)


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
with served(Path("web"), parameters) as address:
    make_portal(Path("crawled"), address)
    call(["crawl", "crawled", "--strategy", "shortest(weight=2)", "--pages", "30", "--json"])
call(["titles", "--help"])
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


def passed(copy: Path, *arguments: str) -> int:
    """Run tests in the copy and return how many passed; none may fail."""
    told = run(copy, "-m", "pytest", "-q", "-p", "no:xdist", "-p", "no:cacheprovider", *arguments)
    found = re.search(r"(\d+) passed", told)
    assert found, told
    return int(found[1])


@pytest.fixture(scope="module")
def followed(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[str]]:
    """Make all five changes in a copy, write its documents, use what is new; return the copy and what was printed."""
    copy = tmp_path_factory.mktemp("followed")
    for part in ("src", "docs", "scripts", "tests"):
        shutil.copytree(ROOT / part, copy / part, ignore=shutil.ignore_patterns("*.egg-info"))
    shutil.copy(ROOT / "pyproject.toml", copy)
    assert len(follow(GUIDE.read_text(), copy)) == 19
    return copy, run(copy, "-c", USE).splitlines()


@pytest.mark.slow
def test_what_was_added_works(followed: tuple[Path, list[str]]) -> None:
    seen, shown, titles, crawled = [json.loads(line) for line in followed[1][:4]]
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
    assert (crawled["pages"], crawled["stopped_because"]) == (30, "pages")
    assert "List the titles of all accepted pages, best page first." in "\n".join(followed[1][4:])


@pytest.mark.slow
def test_the_new_web_is_listed_and_crawled_by_the_bench(followed: tuple[Path, list[str]]) -> None:
    webs, runs = [json.loads(line) for line in run(followed[0], "-c", BENCH).splitlines()]
    assert webs["topics"]
    assert {row["strategy"] for row in runs["runs"]} == {"shortest"}


@pytest.mark.slow
def test_the_battery_of_strategies_tests_the_new_one(followed: tuple[Path, list[str]]) -> None:
    assert passed(followed[0], "tests/strategies/test_battery.py", "-k", "shortest") > 5


@pytest.mark.slow
def test_the_tests_that_the_guide_adds_pass(followed: tuple[Path, list[str]]) -> None:
    written = [name for name, _, _ in BLOCK.findall(GUIDE.read_text()) if name.startswith("tests/")]
    assert sorted(name.split("/")[1] for name in written) == ["bench", "cli", "documents", "shard", "strategies"]
    assert passed(followed[0], *written) == 12


@pytest.mark.slow
def test_the_rules_of_the_project_hold_for_what_was_added(followed: tuple[Path, list[str]]) -> None:
    checked = ("test_generated_docs", "test_commands_use_the_api", "test_layers", "test_class_names")
    assert passed(followed[0], *(f"tests/project/{name}.py" for name in checked)) > 50


@pytest.mark.slow
def test_make_docs_writes_what_was_added(followed: tuple[Path, list[str]]) -> None:
    docs = followed[0] / "docs"
    assert "| `crawl.max_segments` | `0` | Path segments" in (docs / "SETTINGS.md").read_text()
    assert "application/x-logbook" in (docs / "SETTINGS.md").read_text()
    assert "### `thresher titles PORTAL`" in (docs / "COMMANDS.md").read_text()
    assert "\n## `shortest`\n" in (docs / "STRATEGIES.md").read_text()
    assert "\n| `archipelago(islands=12)` |" in (docs / "BENCH.md").read_text()
    assert "archipelago" in (docs / "DATA.md").read_text()
    modules = (docs / "MODULES.md").read_text()
    assert all(f"`{name}.py`" in modules for name in ("shortest", "logbook", "titles", "archipelago"))


@pytest.mark.slow
def test_the_example_code_passes_the_checks(followed: tuple[Path, list[str]]) -> None:
    copy = followed[0]
    names = [copy / name for name, line, _ in BLOCK.findall(GUIDE.read_text()) if not line]
    assert len(names) == 9
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
