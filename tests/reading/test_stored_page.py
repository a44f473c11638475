"""A page that comes back from the repository is the page that was read."""

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from thresher.crawl.answer_rows import document_row
from thresher.documents.analyse import Reader
from thresher.reading.analysis import Analysis, PageAnalyser
from thresher.shard.values import Errand
from thresher.store.page_records import DocumentRow, LinkRow
from thresher.store.stored_page import layout_of, looked_for, page_of
from thresher.strategies.unfocused import BreadthFirst
from thresher.types import Candidate, Fetched, ParsedPage

URL = "http://a.test/"
READER = Reader("en")
ANALYSER = PageAnalyser(READER, BreadthFirst())


def fetched(markup: str, *headers: tuple[str, str]) -> Fetched:
    body = markup.encode("utf-8", "replace")
    return Fetched(url=URL, status=200, headers=list(headers), body=body, raw=body, mime="text/html", at=0.0)


def stored_row(answer: Fetched) -> DocumentRow:
    """Return the row by which a page is stored."""
    analysis = ANALYSER.run(answer)
    assert isinstance(analysis, Analysis)
    return document_row(Errand(candidate=Candidate(url=URL, priority=()), id=1, host="a.test"), answer, analysis)


def both(answer: Fetched) -> tuple[ParsedPage, ParsedPage]:
    """Return a page as it was read and as it comes back."""
    page = READER.read(answer)
    assert isinstance(page, ParsedPage)
    return page, page_of(stored_row(answer))


PIECES = [
    *("<p>", "<div>", "</div>", "<b>", "</b>", "<ul><li>", "<li>", "</ul>", "<br>", "<p hidden>", "<span>"),
    *("<a href=/x>", "<a href=/y rel='nofollow ugc'>", "</a>", "<area href=/z>", "<img alt=picture>"),
    *("<link rel=alternate type=application/rss+xml href=/feed>", "<iframe src=/frame></iframe>"),
    *("<meta name=robots content='nofollow, max-snippet:5'>", "<meta http-equiv=refresh content='0;url=/r'>"),
    *("word", " boats ", "Two.", "'", "-", "’s", "東京", "é", "<title>T</title>"),
]


@given(st.lists(st.sampled_from(PIECES), max_size=40).map("".join))
def test_a_stored_page_is_the_page_that_was_read(markup: str) -> None:
    page, stored = both(fetched(markup, ("X-Robots-Tag", "noarchive"), ("TDM-Reservation", "1")))
    assert stored == page


def test_wishes_and_elements_come_back() -> None:
    _, stored = both(fetched("<meta name=robots content=nofollow><a href=/x rel='ugc sponsored'>x</a>"))
    assert stored.robots == ("nofollow",)
    assert [(link.rel, link.tag) for link in stored.links] == [(("ugc", "sponsored"), "a")]


def test_links_with_the_same_surroundings_cost_few_bytes() -> None:
    links = " and ".join(f"<a href=/{n}>word {n}</a>" for n in range(100))
    page, stored = both(fetched(f"<div><div>Words.</div><p>{links}</p></div>"))
    assert stored == page
    assert len(layout_of(page)) < 400


def test_a_layout_without_paths_is_still_read() -> None:
    row = stored_row(fetched("<nav><a href=/x>x</a></nav><p>word <a href=/y>y</a>"))
    assert [link.path for link in page_of(row).links] == ["nav", "p"]
    older = msgspec.msgpack.encode(msgspec.msgpack.decode(row.layout)[:4])
    assert [(link.position, link.path) for link in page_of(replace(row, layout=older)).links] == [(0, ""), (2, "")]


def test_a_layout_of_other_links_is_noticed() -> None:
    row = stored_row(fetched("<a href=/x>x</a> <a href=/y>y</a>"))
    other = stored_row(fetched("<a href=/x>x</a>"))
    with pytest.raises(ValueError, match="shorter"):
        page_of(replace(row, layout=other.layout))


words = st.lists(st.sampled_from(["a", "b", "sea", "the"]), max_size=30)


@given(words, st.lists(st.sampled_from(["a", "the sea", "b a", "", "unseen"]), max_size=8))
def test_without_a_layout_links_stand_in_order_within_the_text(text: list[str], anchors: list[str]) -> None:
    rows = [LinkRow(n, f"http://{n}.test/", anchor, "ugc", "area") for n, anchor in enumerate(anchors)]
    links = looked_for(rows, text)
    assert all((link.rel, link.tag) == (("ugc",), "area") for link in links)
    places = [link.position for link in links]
    assert places == sorted(places)
    for link in links:
        assert 0 <= link.position <= link.position + link.length <= len(text)
        if link.length:
            assert " ".join(text[link.position : link.position + link.length]) == link.anchor
