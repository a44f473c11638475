"""A bookmark file with everything that goes wrong, from `new` over `train` to a crawl on a generated web over HTTP."""

import json
from collections.abc import Iterator
from html import escape
from pathlib import Path
from typing import Any

import pytest

from thresher.bench.crash import Served, served
from thresher.classify.hierarchical import HierarchicalClassifier
from thresher.cli.main import call
from thresher.portals import load_topics
from thresher.simweb.parameters import WebParameters
from thresher.simweb.web import Web
from thresher.taxonomy.topic_tree import written

PARAMETERS = WebParameters(pages=300, hosts=10, seed=8, profile="clean")
WEB = Web(PARAMETERS)
ONE, TWO, THREE = WEB.topics()[:3]
LEVELS = tuple(f"Level {number}" for number in range(1, 11))
LONG = "A very long name " * 58 + "which ends " + "x" * 100
SHIPS = "Ships/Boote ⛵ 100%"
DEAD = ["http://nobody.invalid/", "http://127.0.0.1:9/nothing", "http://www.no-such-host.test/"]


def folder(name: str, *inside: str) -> str:
    return f"<DT><H3>{escape(name)}</H3><DL><p>{''.join(inside)}</DL><p>"


def links(urls: list[str]) -> str:
    return "".join(f'<DT><A HREF="{escape(url)}">{escape(url)}</A>' for url in urls)


def bookmarks() -> str:
    one, two, three = (WEB.examples(topic, 9) for topic in (ONE, TWO, THREE))
    deep = links(one[:4])
    for name in reversed(LEVELS):
        deep = folder(name, deep)
    return "".join(
        [
            "<!DOCTYPE NETSCAPE-Bookmark-file-1><DL><p>",
            deep,
            folder(LONG, links(two[:4])),
            folder(SHIPS, links([*three[:4], *DEAD])),
            folder("Empty", folder("Empty too")),
            folder("One page", links(two[8:])),
            links(["javascript:void(0)", "http://"]),
            "</DL>",
        ]
    )


def told(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, Any]:
    capsys.readouterr()
    assert call([*arguments, "--json"]) == 0
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    return found


@pytest.fixture(scope="module")
def web(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with served(tmp_path_factory.mktemp("web"), PARAMETERS) as found:
        yield found


@pytest.mark.slow
def test_everything_usable_is_used_and_each_problem_is_one_sentence(
    tmp_path: Path, web: Served, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "marks.html").write_text(bookmarks(), "utf-8")
    portal = tmp_path / "p"
    made = told(capsys, "new", str(portal), "--bookmarks", str(tmp_path / "marks.html"))
    assert sorted(made["notices"]) == [
        "'http://' is not a URL and was left out.",
        "1 entry is not a web page and was left out (javascript).",
        "1 name of a folder is longer than 1,000 characters and cut there.",
        "Not topics, because they are empty: Empty, Empty/Empty too.",
    ]
    paths = [path for path, _ in load_topics(portal).walk()]
    assert paths == [*(LEVELS[:depth] for depth in range(1, 11)), (LONG[:1000].strip(),), (SHIPS,), ("One page",)]

    (portal / "thresher.toml").write_text(
        f'[network]\ncontact = "test@localhost"\n[network.map]\n"*.test" = "127.0.0.1:{web.port}"\n'
        "[manners]\ndelay = 0\nbackoff = 0.05\nretry = 0.05\n[engine]\nworkers = 0\n[store]\nmin_free_mb = 0\n"
        "[train]\ncandidates = 5000\n"
    )
    trained = told(capsys, "train", str(portal))
    assert {page["url"] for page in trained["failed"]} == set(DEAD)
    assert {page["topic"] for page in trained["failed"]} == {written((SHIPS,))}
    assert all(page["reason"] for page in trained["failed"])
    assert trained["pages"] == 13
    rows = {row["path"]: row for row in trained["topics"]}
    assert rows.keys() == {written(path) for path in paths}
    assert all("training page" in row["warnings"][0] for row in rows.values() if row["pages"] < 5)
    assert rows["One page"]["f"] is None
    model = HierarchicalClassifier.load(portal / "models" / f"{trained['model']}.zip")
    assert model.parameters.candidates == 5000

    crawled = told(capsys, "crawl", str(portal), "--pages", "30", "--strategy", "classifier")
    assert crawled["pages"] == 30
    assert crawled["harvest_rate"] > 0
