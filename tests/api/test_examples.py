"""What the documents promise about Python: a crawl by one's own strategy in ten lines, accepted pages in three."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.cli.test_pages import portal as pages_portal  # noqa: F401
from thresher.bench.crash import Served, served
from thresher.simweb.parameters import WebParameters


@pytest.fixture(scope="module")
def web(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with served(tmp_path_factory.mktemp("web"), WebParameters(pages=300, hosts=10, seed=3, profile="clean")) as found:
        yield found


DOCUMENT = Path(__file__).parents[2] / "docs" / "API.md"


def example(heading: str) -> str:
    """Return the code below a heading of the document."""
    text = DOCUMENT.read_text("utf-8").partition(f"## {heading}\n")[2]
    return text.partition("```python\n")[2].partition("```")[0]


def executed(source: str, **given: Any) -> dict[str, Any]:
    names: dict[str, Any] = {"__name__": "__main__", **given}
    exec(source, names)
    return names


@pytest.mark.slow
def test_a_researcher_crawls_by_an_own_strategy_in_ten_lines(
    web: Served, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = example("Your own strategy in ten lines")
    assert len(list(filter(str.strip, source.splitlines()))) <= 10
    monkeypatch.chdir(tmp_path)
    local = {"network.map": {"*.test": f"127.0.0.1:{web.port}"}, "manners.delay": 0}
    source = source.replace('["https://example.org/"]', "seeds").replace("progress=True", "settings=local")
    printed: list[Any] = []
    names = executed(source.replace("pages=500", "pages=40"), seeds=web.start_pages, local=local, print=printed.append)
    (report,) = printed
    assert (report.pages, report.stopped_because) == (40, "pages")
    with names["portal"] as portal:
        assert portal.explain(web.start_pages[0]).strategy.endswith(":Shortest")


def test_a_data_team_loops_over_accepted_pages_in_three_lines(
    pages_portal: Path,  # noqa: F811
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    source = example("A corpus in three lines")
    assert len(list(filter(str.strip, source.splitlines()))) == 3
    monkeypatch.chdir(pages_portal.parent)
    printed: list[Any] = []
    source = source.replace("my-portal", pages_portal.name).replace("Science/Physics", "Pets/Cats")
    executed(source, print=lambda *words: printed.append(words))
    assert printed == [(3.0, "Page 3", 18), (1.0, "Page 1", 18)]


def test_importing_thresher_loads_next_to_nothing() -> None:
    asked = "import sys, thresher; print([n for n in sys.modules if n.startswith(('thresher', 'numpy'))])"
    done = subprocess.run([sys.executable, "-c", asked], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "['thresher']"
