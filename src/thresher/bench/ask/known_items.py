"""Known items: pages to find by a few of their words, with a start page for each search.

The query for a labelled page consists of its five words with the highest TF·IDF that are not in its title; the start
page is two to four clicks away. Items are drawn by a seed and alternate between a set for tuning and a set for
reporting.
"""

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from random import Random
from typing import Final, Literal

import numpy as np
from msgspec import Struct

from thresher.bench.link_graph import Mask, SparseGraph
from thresher.bench.page_cache import PageCache
from thresher.bench.webs.web import BenchWeb
from thresher.errors import InputError
from thresher.text.language import identify
from thresher.text.stems import count_stems, stems_of
from thresher.types import ParsedPage
from thresher.web.robots import allowed
from thresher.web.urls import host_of
from thresher.web.user_agent import TOKEN

WORDS: Final = 5
CLICKS: Final = (2, 3, 4)
LEAST_WORDS: Final = 200
"""Minimum number of words on a page, so that somebody could remember some."""

SHUT: Final = frozenset(["noindex", "nofollow", "none"])
"""Robots directives of pages that are not kept or whose links are not followed."""

Split = Literal["choose", "report"]


class KnownItem(Struct, frozen=True, kw_only=True):
    """A page to find with the words of `query`, from `start`, which is `clicks` clicks away."""

    url: str
    title: str
    query: str
    start: str
    clicks: int
    split: Split


class Rarity:
    """The document frequency of each stem on a web, counted once for all items."""

    def __init__(self, pages: PageCache) -> None:
        self.pages = 0
        self._having: Counter[str] = Counter()
        self._texts: Counter[bytes] = Counter()
        for url in pages.urls:
            page = pages.page(url)
            if page is not None:
                self.pages += 1
                self._having.update(page.terms.keys())
                self._texts[page.digest] += 1

    def of(self, stem: str) -> float:
        """Return the IDF of a stem."""
        return math.log(self.pages / max(1, self._having[stem]))

    def is_single(self, page: ParsedPage) -> bool:
        """Return whether no other page has the same text."""
        return self._texts[page.digest] == 1


def draw_items(web: BenchWeb, pages: PageCache, number: int, seed: int = 0) -> list[KnownItem]:
    """Return `number` items of a web, alternating between tuning and reporting.

    Raises InputError if the web has too few.
    """
    rarity = Rarity(pages)
    open_pages = _open(web, pages)
    before = _reversed(pages.graph)
    rng = Random(f"{web.name}/known items/{seed}")
    found: list[KnownItem] = []
    for url in rng.sample(pages.urls, len(pages.urls)):
        if len(found) == number:
            return found
        place, page = pages.number(url), pages.page(url)
        fit = place is not None and open_pages[place] and bool(web.labels.get(url))
        if place is None or page is None or not fit or not rarity.is_single(page):
            continue
        words = remembered(page, rarity)
        starts = _starts(before, place, open_pages)
        if len(words) == WORDS and starts:
            clicks = rng.choice(sorted(starts))
            start = pages.urls[rng.choice(starts[clicks])]
            split: Split = "report" if len(found) % 2 else "choose"
            query = " ".join(words)
            found.append(KnownItem(url=url, title=page.title, query=query, start=start, clicks=clicks, split=split))
    if len(found) < number:
        raise InputError(f"'{web.name}' has {len(found)} known items, fewer than {number}.", "Ask for fewer.")
    return found


def remembered(page: ParsedPage, rarity: Rarity) -> list[str]:
    """Return the heaviest words of a page that are not in its title, in their most frequent form.

    Returns none if the page is short or was not read in its own language.
    """
    if len(page.words) < LEAST_WORDS or identify(page.words).code != page.language:
        return []
    named = count_stems(page.title.split(), page.language)
    title = page.title.lower()
    written = _written(page)
    weighed: list[tuple[float, str]] = []
    for stem, times in page.terms.items():
        word = written.get(stem, "")
        if stem not in named and word.isalpha() and len(word) > 2 and word not in title:
            weighed.append((-times * rarity.of(stem), word))
    return [word for _, word in sorted(weighed)[:WORDS]]


def _written(page: ParsedPage) -> Mapping[str, str]:
    """Return the most frequent form of each stem, in lower case."""
    forms: dict[str, Counter[str]] = {}
    for word, stems in zip(page.words, stems_of(page.words, page.language), strict=True):
        if len(stems) == 1:
            forms.setdefault(stems[0], Counter())[word.lower()] += 1
    return {stem: min(counts, key=lambda word: (-counts[word], word)) for stem, counts in forms.items()}


def _open(web: BenchWeb, pages: PageCache) -> Mask:
    """Return which pages a crawler may fetch, keep and follow."""
    found = np.zeros(len(pages.urls), bool)
    for number, url in enumerate(pages.urls):
        robots, page = web.robots.get(host_of(url)), pages.page(url)
        if page is not None and url in web.served and (robots is None or allowed(robots, TOKEN, url)):
            found[number] = not SHUT.intersection(page.robots)
    return found


def _reversed(graph: SparseGraph) -> SparseGraph:
    rows: list[list[int]] = [[] for _ in range(graph.count)]
    for page in range(graph.count):
        for target in graph.after(page).tolist():
            rows[target].append(page)
    return SparseGraph.of(rows)


def _starts(before: SparseGraph, item: int, open_pages: Mask) -> dict[int, Sequence[int]]:
    """Return the pages from which an item can be reached, by the number of clicks."""
    reached = np.zeros(before.count, bool)
    reached[item] = True
    level = np.array([item], np.int64)
    found: dict[int, Sequence[int]] = {}
    for clicks in range(1, max(CLICKS) + 1):
        near = before.after_all(level)
        level = near[~reached[near] & open_pages[near]]
        reached[level] = True
        if not len(level):
            break
        if clicks in CLICKS:
            found[clicks] = level.tolist()
    return found
