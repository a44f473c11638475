"""Training on link contexts: the words around links to the examples (Pant and Srinivasan, section 10.4).

`FlatClassifier.fit_bags` learns from these bags as it does from whole pages, so training and use see contexts of the
same size; the study found this no better than training on whole pages.

The study asked a search engine which pages link to an example. Here the link graph of the web answers instead, for all
pages except targets, so nothing is learned from held-out pages. A crawler thus learns no more from unfetched pages than
a search engine would reveal.
"""

from collections.abc import Iterable, Sequence
from random import Random
from typing import Final

import numpy as np

from thresher.bench.link_graph import Mask
from thresher.bench.page_cache import PageCache
from thresher.bench.protocol import Task
from thresher.errors import InputError
from thresher.strategies.contexts import PageStems, text_window
from thresher.types import ParsedPage

Bags = dict[str, list[dict[str, int]]]

BACK_LINKS: Final = 10
"""Linking pages used per example: as many as a search engine would show first."""


def windows_to(urls: Iterable[str], pages: Iterable[ParsedPage], size: int = 40) -> Bags:
    """Return for each URL the stems around every link to it: `size` words and the anchor, in the order of the pages.

    Links from a page to itself are ignored; a URL without links has an empty list.

    >>> from thresher.documents import read
    >>> page = read(b"<p>Fast <a href='/x'>boats</a> float", "text/html", "http://a.test/")
    >>> windows_to(["http://a.test/x"], [page])
    {'http://a.test/x': [{'fast': 1, 'boat': 1, 'float': 1}]}
    """
    found: Bags = {url: [] for url in urls}
    for page in pages:
        links = [link for link in page.links if link.url in found and link.url != page.url]
        if not links:
            continue
        stems, words = PageStems(page.words, page.language), len(page.words)
        for link in links:
            found[link.url].append(dict(stems.bag(text_window(link, words, size))))
    return found


def back_link_bags(task: Task, pages: PageCache, topic: str, lot: str) -> list[tuple[dict[str, int], str | None]]:
    """Return windows around links to the examples and negatives of a task, with their topic or None.

    For each page, up to ten linking pages that are not targets are drawn with the seed `lot`. From their windows, as
    many are drawn as there are examples and negatives, or all if there are fewer. Raises InputError if there are none.
    """
    rng = Random(lot)
    known = task.open & ~task.targets
    found: list[tuple[dict[str, int], str | None]] = []
    for urls, label in ((task.examples, topic), (task.negatives, None)):
        windows = [bag for url in urls for bag in _windows(url, pages, known, rng)]
        if not windows:
            raise InputError(
                f"No page available for training links to the {'examples' if label else 'negatives'} of '{topic}'.",
                "Train on whole pages, with --train pages.",
            )
        found += [(bag, label) for bag in rng.sample(windows, min(len(urls), len(windows)))]
    return found


def _windows(url: str, pages: PageCache, known: Mask, rng: Random) -> Sequence[dict[str, int]]:
    number = pages.number(url)
    if number is None:
        return []
    graph = pages.graph
    places = np.flatnonzero(graph.targets == number)
    linking = np.searchsorted(graph.starts, places, side="right") - 1
    urls = [pages.urls[source] for source in linking.tolist() if known[source]]
    drawn = rng.sample(urls, min(BACK_LINKS, len(urls)))
    return windows_to([url], [page for source in drawn if (page := pages.page(source)) is not None])[url]
