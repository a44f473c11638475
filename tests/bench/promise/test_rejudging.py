"""Pages of a trial judged again, without a crawl."""

import types
import typing
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from tests.bench.promise.hand import LINKS, hand_hosts
from thresher.bench.page_building import build_pages
from thresher.bench.promise.cells import Cell, described
from thresher.bench.promise.records import SUFFIX, Fetch, Promise, PromiseRecord, write_record
from thresher.bench.promise.rejudging import FetchedAround, rejudge_trial
from thresher.cli.main import call
from thresher.types import Link, ParsedPage


@pytest.fixture(scope="module", autouse=True)
def cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patched:
        patched.setenv("XDG_CACHE_HOME", str(tmp_path_factory.mktemp("cache")))
        yield None


def record(fetched: list[str]) -> PromiseRecord:
    """Return the record of a trial that fetched some pages; no figure of its run is used."""
    cell = Cell(name="hand", web="hand-hosts", topics=("boats", "cars"), examples=2, pages=8)
    unused: dict[str, Any] = {"cell": "hand", "split": "choose", "seed": 0, "budget": 8}
    for field in msgspec.structs.fields(Promise):
        if field.required and field.name not in unused:
            kind = typing.get_origin(field.type) or field.type
            unused[field.name] = kind() if isinstance(kind, type) and kind is not types.UnionType else None
    return PromiseRecord(
        run=Promise(**unused),
        cell=described(cell),
        bookmarks="",
        log=[Fetch(url, 0.0, "harvest") for url in fetched],
        changed=[],
        data="",
        versions={},
        seconds=0.0,
    )


def test_fetched_pages_are_counted_by_their_label_and_host() -> None:
    web = hand_hosts()
    found = rejudge_trial(record(sorted(LINKS)), web, build_pages(web.collection), ["train.min_features=0"])
    assert (found.cell, found.split, found.seed) == ("hand", "choose", 0)
    assert [topic.topic for topic in found.topics_new_hosts] == ["boats", "cars"]
    # Two of the five pages about boats and both about cars are bookmarks.
    assert found.right + found.wrong <= 4
    assert found.right_new_hosts <= found.right
    assert found.wrong_new_hosts <= found.wrong
    nothing = rejudge_trial(record([]), web, build_pages(web.collection))
    assert (nothing.right, nothing.wrong, nothing.f_new_hosts) == (0, 0, None)


def test_pages_around_are_those_that_were_fetched() -> None:
    def page(url: str, *links: str) -> ParsedPage:
        found = [Link(to, f"to {to}", 0, 0) for to in links]
        return ParsedPage(url=url, title="", words=[], links=found, terms={url: 1})

    one, two, three = (
        page("http://a.test/", "http://b.test/"),
        page("http://b.test/", "http://c.test/"),
        "http://c.test/",
    )
    around = FetchedAround({one.url: one, two.url: two})
    assert around.anchors(two) == [(one.url, "to http://b.test/")]
    assert around.neighbours(two) == [one.terms]
    assert around.anchors(page(three)) == [(two.url, "to http://c.test/")]


def test_a_directory_without_records_gets_a_sentence(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert call(["bench", "rejudge", str(tmp_path)]) == 7
    assert "has no records of trials" in capsys.readouterr().err
    write_record(tmp_path / f"hand{SUFFIX}", record([]))
    assert call(["bench", "rejudge", str(tmp_path), "--quick"]) == 7
    assert "has no record of these cells" in capsys.readouterr().err
