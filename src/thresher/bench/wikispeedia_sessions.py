"""Browsing sessions from people's paths through wikispeedia.

A session has the visited pages, the real links between them, and the target article as the useful page. Going back is
not a link, as in any session.
"""

import gzip
from collections.abc import Collection, Sequence
from pathlib import Path
from random import Random
from urllib.parse import unquote

from thresher.bench.page_cache import PageCache
from thresher.bench.webs.wikispeedia import NAME
from thresher.errors import InputError
from thresher.sessions.session import Session, VisitedPage, session_of

PATHS = "paths_finished.ngram.gz"


def sessions_to(targets: Collection[str], pages: PageCache, data: Path, number: int, seed: str) -> list[Session]:
    """Return at most `number` random sessions of people who looked for one of some pages and found it."""
    names = {unquote(url.rpartition("/")[2]).removesuffix(".htm"): url for url in pages.urls}
    wanted = set(targets)
    found: list[list[str]] = []
    try:
        with gzip.open(data / NAME / PATHS, "rt", encoding="utf-8") as lines:
            for line in lines:
                path = [names[name] for name in line.strip().split(",") if name in names]
                if path and path[-1] in wanted:
                    found.append(path)
    except OSError as error:
        raise InputError(
            f"'{data / NAME / PATHS}' cannot be read: {error}.", "docs/DATA.md says where it is from."
        ) from None
    drawn = Random(seed).sample(found, min(number, len(found)))
    return [_session(path, pages) for path in drawn]


def context_graph(targets: Sequence[str], pages: PageCache, layers: int, most: int, seed: str) -> Session:
    """Return the pages that link to some pages, those that link to these, and so on, at most `most` per layer."""
    graph = pages.graph
    before: dict[int, list[int]] = {}
    for page in range(graph.count):
        for target in graph.after(page).tolist():
            before.setdefault(target, []).append(page)
    layer = [number for url in targets if (number := pages.number(url)) is not None]
    known, draw = dict.fromkeys(layer), Random(seed)
    for _ in range(layers):
        linking = sorted({page for target in layer for page in before.get(target, ())} - known.keys())
        layer = sorted(draw.sample(linking, min(most, len(linking))))
        known |= dict.fromkeys(layer)
    return _with_links([pages.urls[number] for number in known], pages, targets)


def _session(path: Sequence[str], pages: PageCache) -> Session:
    return _with_links(path, pages, [path[-1]])


def _with_links(urls: Sequence[str], pages: PageCache, useful: Sequence[str]) -> Session:
    """Return a session of pages with all links between them."""
    read = ((url, pages.page(url)) for url in dict.fromkeys(urls))
    visited = [VisitedPage(url, page.terms) for url, page in read if page is not None]
    own = {pages.number(seen.url): seen.url for seen in visited}
    links = [
        (url, own[target])
        for number, url in own.items()
        if number is not None
        for target in pages.graph.after(number).tolist()
        if target in own
    ]
    return session_of(visited, links, useful)
