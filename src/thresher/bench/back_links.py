"""Training on link contexts: the words around links to the examples (Pant and Srinivasan, section 10.4).

`FlatClassifier.fit_bags` learns from these bags as it does from whole pages, so that training and use see contexts of
the same size; the study found it no better than training on whole pages.

The study asked a search engine which pages link to an example. Here the link graph of the web answers in its place, for
any page but a target: not a word of a page that is held out is learned from. What a crawler learns this way from pages
it has not fetched is as much as a search engine would tell it, and no more than that.
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
from thresher.types import Page

Bags = dict[str, list[dict[str, int]]]

BACK_LINKS: Final = 10
"""Pages that are asked for per example: what a search engine would show first."""


def windows_to(urls: Iterable[str], pages: Iterable[Page], size: int = 40) -> Bags:
    """Return for each URL the stems around every link to it, `size` words and the anchor, in the order of the pages.

    A page's links to itself do not count; a URL that no page links to has an empty list.

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
    """Return windows around links to the examples and negatives of a task, with their topic or none.

    Of each page up to ten others that link to it and are no targets are drawn by `lot`, a text; of all their windows as
    many as there are examples and negatives, or all where there are fewer. Raises InputError if there are none.
    """
    rng = Random(lot)
    known = task.open & ~task.targets
    found: list[tuple[dict[str, int], str | None]] = []
    for urls, label in ((task.examples, topic), (task.negatives, None)):
        windows = [bag for url in urls for bag in _windows(url, pages, known, rng)]
        if not windows:
            raise InputError(
                f"No page that may be learnt from links to the {'examples' if label else 'negatives'} of '{topic}'.",
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
