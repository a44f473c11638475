"""Folds for cross-validation: pages of one site are held out together, because they are too much alike.

A site is a host; a page without a host, such as a local file, is its own site.
"""

from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from thresher.types import ParsedPage
from thresher.web import urls

FOLDS: Final = 5

Folds = NDArray[np.int64]
"""The fold of each page, −1 for pages that are never held out."""

Members = NDArray[np.bool_]


def site_of(page: ParsedPage) -> str:
    """Return the site of a page.

    >>> site_of(ParsedPage(url="http://a.test/b", title="", words=[], links=[]))
    'a.test'
    >>> site_of(ParsedPage(url="query:boats", title="", words=[], links=[]))
    'query:boats'
    """
    return urls.site_of(page.url)


def sites_of(pages: Sequence[ParsedPage]) -> list[str]:
    """Return the site of each page; pages without a URL are their own sites."""
    return [site_of(page) or f"#{place}" for place, page in enumerate(pages)]


def topic_folds(members: Members, sites: Sequence[str], asked: NDArray[np.bool_]) -> Folds:
    """Return folds that each have a part of every topic's pages: whole sites if it has several, else single pages.

    `members` has a row per page and a column per topic; pages that are not `asked` are held out with the pages of their
    topic and site, never by themselves. There are five folds, or as many as the smallest topic has pages; with one page
    per topic nothing can be held out.

    >>> members = np.array([[True, False], [True, False], [True, False], [False, True], [False, True]])
    >>> topic_folds(members, ["a", "a", "b", "c", "c"], np.ones(5, bool)).tolist()
    [1, 1, 0, 0, 1]
    """
    folds = np.full(len(members), -1, np.int64)
    sizes = members[asked].sum(axis=0)
    if not (sizes > 1).any():
        folds[asked] = 0
        return folds
    number = int(min(FOLDS, *sizes[sizes > 1].tolist()))
    _, kinds = np.unique(members, axis=0, return_inverse=True)
    for start, kind in enumerate(np.unique(kinds)):
        rows = np.flatnonzero((kinds.ravel() == kind) & asked)
        groups = _by_site(rows, sites)
        if len(groups) == 1:
            groups = [[row] for row in rows.tolist()]
        else:
            silent = _by_site(np.flatnonzero((kinds.ravel() == kind) & ~asked), sites)
            beside = {sites[group[0]]: group for group in silent}
            groups = [[*group, *beside.get(sites[group[0]], ())] for group in groups]
        for place, group in enumerate(groups):
            folds[group] = (start + place) % number
    return folds


def site_folds(sites: Sequence[str]) -> Folds:
    """Return folds that do not split sites: as many as there are sites, at most five.

    >>> site_folds(["a", "b", "a"]).tolist()
    [0, 1, 0]
    """
    groups = _by_site(np.arange(len(sites)), sites)
    folds = np.zeros(len(sites), np.int64)
    for place, group in enumerate(groups):
        folds[group] = place % FOLDS
    return folds


def _by_site(rows: NDArray[np.int64], sites: Sequence[str]) -> list[list[int]]:
    """Return rows by site, sites with the most rows first."""
    found: dict[str, list[int]] = {}
    for row in rows.tolist():
        found.setdefault(sites[row], []).append(row)
    return sorted(found.values(), key=lambda group: -len(group))
