"""Known items: how they are drawn, searched for and counted."""

import random
from pathlib import Path

import numpy as np
import pytest

from tests.bench.handmade import hand_web, url
from thresher.bench.ask.figures import figures, interval
from thresher.bench.ask.known_items import CLICKS, WORDS, Rarity, draw_items, remembered
from thresher.bench.ask.searches import WAYS, Search, search
from thresher.bench.page_building import build_pages
from thresher.bench.page_cache import PageCache
from thresher.bench.webs.web import BenchWeb
from thresher.errors import InputError

COMMON = [
    *("the", "harbour", "lies", "there", "in", "the", "evening", "and", "nobody", "has", "seen", "so", "many", "of"),
    *("them", "before", "on", "this", "side", "of", "it"),
]
LINKS = {f"p{n}": " ".join(f"p{m}" for m in (n + 1, (n * 3) % 40) if m < 40) for n in range(40)}


def said(name: str) -> str:
    """Return the words of a page: common ones, and a few that only it has and speaks of often."""
    rng = random.Random(name)
    own = [f"{name[0]}{''.join(rng.choices('bdfklmnoprstu', k=7))}" for _ in range(7)]
    words = [*rng.choices(COMMON, k=220), *(word for place, word in enumerate(own) for _ in range(9 - place))]
    return " ".join(words)


@pytest.fixture
def web() -> BenchWeb:
    return hand_web(LINKS, dict.fromkeys(LINKS, "Boats"), words={name: said(name) for name in LINKS})


@pytest.fixture
def pages(web: BenchWeb, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> PageCache:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    return build_pages(web.collection)


def clicks_between(pages: PageCache, start: str, item: str) -> int:
    level, seen, clicks = {pages.number(start)}, set[int | None](), 0
    while pages.number(item) not in level:
        seen |= level
        level = set(pages.graph.after_all(np.array(sorted(level))).tolist()) - seen
        clicks += 1
        assert level, "the item cannot be reached"
    return clicks


def test_items_are_asked_for_by_their_own_words_from_some_clicks_away(web: BenchWeb, pages: PageCache) -> None:
    items = draw_items(web, pages, 12)
    assert items == draw_items(web, pages, 12)
    assert items != draw_items(web, pages, 12, seed=1)
    assert [item.split for item in items] == ["choose", "report"] * 6
    for item in items:
        words = item.query.split()
        page = pages.page(item.url)
        assert page is not None
        assert len(words) == WORDS
        assert not any(word in page.title.lower() for word in words)
        assert not set(words) & set(COMMON)
        assert item.clicks in CLICKS
        assert clicks_between(pages, item.start, item.url) == item.clicks
    with pytest.raises(InputError, match="fewer than 400"):
        draw_items(web, pages, 400)


def test_pages_without_a_topic_are_no_items(pages: PageCache) -> None:
    topics = {name: "Boats" if int(name[1:]) % 2 else "-" for name in LINKS}
    web = hand_web(LINKS, topics, words={name: said(name) for name in LINKS})
    assert all(int(item.url.rpartition("p")[2]) % 2 for item in draw_items(web, pages, 8))


def test_the_heaviest_words_come_first_and_short_pages_have_none(web: BenchWeb, pages: PageCache) -> None:
    page = pages.page(url("p7"))
    assert page is not None
    rarity = Rarity(pages)
    counts = [page.words.count(word) for word in remembered(page, rarity)]
    assert counts == sorted(counts, reverse=True)
    assert min(counts) >= 5
    page.words[:] = page.words[:50]
    assert remembered(page, rarity) == []


@pytest.mark.parametrize("way", WAYS)
def test_a_search_says_when_the_item_was_fetched_and_where_it_stands(way: str, web: BenchWeb, pages: PageCache) -> None:
    item = draw_items(web, pages, 2)[0]
    done = search(item, way, web, pages, budget=40)
    assert (done.web, done.way, done.item, done.split) == ("hand", way, item.url, "choose")
    assert done.fetched is not None, "the whole web was fetched"
    assert item.clicks < done.fetched <= done.pages <= 40
    assert done.rank == 1
    assert search(item, way, web, pages, budget=1).fetched is None


def test_figures_count_what_was_found() -> None:
    def done(way: str, fetched: int | None, rank: int | None) -> Search:
        return Search(
            web="w",
            way=way,
            split="report",
            item="i",
            query="q",
            start="s",
            clicks=2,
            fetched=fetched,
            rank=rank,
            pages=200,
            virtual_seconds=9.0,
        )

    rows = figures(
        [done("ask", 10, 1), done("ask", 30, 11), done("ask", None, None), done("breadth-first", None, None)]
    )
    assert [(row.way, row.items, row.found) for row in rows] == [("ask", 3, 2 / 3), ("breadth-first", 1, 0.0)]
    assert (rows[0].first, rows[0].in_ten, rows[0].pages) == (0.5, 0.5, 20)
    assert (rows[1].first, rows[1].pages) == (None, None)
    low, high = interval(0, 10)
    assert low == 0.0
    assert 0.2 < high < 0.35
