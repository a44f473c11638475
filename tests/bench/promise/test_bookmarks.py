"""Bookmarks that are drawn, and the cells they are drawn for."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.bench.promise.hand import hand_hosts
from thresher.bench.distant_hosts import USUAL, HostProfile
from thresher.bench.promise.bookmarks import DEAD, draw_bookmarks
from thresher.bench.promise.cells import Cell, all_cells, named_cells
from thresher.bench.promise.scenario import SLOW, best_host, bookmarks_of, hosts_in
from thresher.bench.webs.catalogue import find
from thresher.bench.webs.web import BenchWeb
from thresher.errors import InputError
from thresher.taxonomy.from_bookmarks import from_bookmarks
from thresher.taxonomy.topic_tree import written
from thresher.web.urls import host_of

WEB = find("generated(pages=1500;hosts=30)")
LEAVES = [topic for topic in WEB.topics if "/" in topic][:3]


def folders(data: bytes) -> dict[str, list[str]]:
    """Return the pages of each folder, as a portal would have them."""
    return {written(path): [page.url for page in topic.pages] for path, topic in from_bookmarks(data).taxonomy.walk()}


@given(seed=st.integers(0, 50), examples=st.integers(1, 4))
def test_bookmarks_are_pages_of_their_topic_and_the_same_for_a_seed(seed: int, examples: int) -> None:
    data = draw_bookmarks(WEB, LEAVES, examples, "many", seed)
    assert data == draw_bookmarks(WEB, LEAVES, examples, "many", seed)
    found = folders(data)
    assert [len(pages) for pages in found.values()] == [examples] * len(LEAVES)
    for topic, pages in zip(LEAVES, found.values(), strict=True):
        assert all(topic in WEB.labels[url] for url in pages)
        own = {host_of(url) for url, labels in WEB.labels.items() if topic in labels}
        assert len({host_of(url) for url in pages}) == min(examples, len(own)), (
            "each from another host while there is one"
        )


def test_bookmarks_of_one_host() -> None:
    for pages in folders(draw_bookmarks(WEB, LEAVES, 4, "one", 3)).values():
        assert len(pages) == 4
        assert len({host_of(url) for url in pages}) == 1


def test_wrong_and_dead_bookmarks_take_the_place_of_the_last() -> None:
    web = hand_hosts()
    pages = folders(draw_bookmarks(web, ["boats"], 3, "one", 0, wrong=1, dead=1))["boats"]
    assert [web.labels.get(url) for url in pages[:2]] == [("boats",), None]
    assert pages[1] == f"http://a.test/{DEAD}"
    assert "boats" not in web.labels[pages[2]]


def test_too_few_pages_are_refused() -> None:
    with pytest.raises(InputError, match="3 pages of 'cars'"):
        draw_bookmarks(hand_hosts(), ["cars"], 3, "one", 0)
    with pytest.raises(InputError, match="has no bookmarks 'mine'"):
        bookmarks_of(Cell(name="x", web="hand", bookmarks="mine"), hand_hosts(), 0)


def test_cells_have_names_and_those_for_reporting_other_topics() -> None:
    cells = all_cells()
    assert max(Counter(cell.name for cell in cells).values()) == 1
    assert {cell.web.partition("(")[0] for cell in cells if cell.quick} >= {"manuals", "wikispeedia", "generated"}
    assert all(cell.pages or cell.hours for cell in cells)
    chosen: dict[str, set[str]] = {}
    reported: dict[str, set[str]] = {}
    for cell in cells:
        # Webs that differ in their hosts alone share their topics; each seed of the generated web has its own.
        web = cell.web if cell.web.startswith("generated") else cell.web.partition("(")[0]
        (chosen if cell.split == "choose" else reported).setdefault(web, set()).update(cell.topics)
    assert all(not topics & reported.get(web, set()) for web, topics in chosen.items())


def test_cells_are_named_by_name_web_and_split() -> None:
    assert [cell.name for cell in named_cells(["manuals/spread"])] == ["manuals/spread"]
    assert {cell.web for cell in named_cells(["wikispeedia(hosts=5)"])} == {"wikispeedia(hosts=5)"}
    assert {cell.split for cell in named_cells(["choose"])} == {"choose"}
    assert len(named_cells(["choose", "report", "manuals"])) == len(all_cells())
    with pytest.raises(InputError, match="no cell 'manual/spread'"):
        named_cells(["manual/spread"])


def hosts(web: BenchWeb, cell: Cell) -> dict[str, HostProfile]:
    return hosts_in(cell, web, ["boats"], frozenset(["a.test"]), 0)


def test_hosts_are_as_a_cell_has_them() -> None:
    web = hand_hosts()
    assert set(hosts(web, Cell(name="x", web="w")).values()) == {USUAL}
    assert {host.delay for host in hosts(web, Cell(name="x", web="w", delays=60.0)).values()} == {60.0}
    drawn = [host.delay or 0.0 for host in hosts(web, Cell(name="x", web="w", delays="drawn")).values()]
    assert all(0.1 <= delay <= 60.0 for delay in drawn)
    assert len(set(drawn)) > 1
    assert best_host(web, ["boats"], frozenset()) == "a.test"
    assert hosts(web, Cell(name="x", web="w", best="slow")) == {
        **dict.fromkeys(hosts(web, Cell(name="x", web="w")), USUAL),
        "b.test": SLOW,
    }
    assert hosts(web, Cell(name="x", web="w", best="down"))["b.test"].down
