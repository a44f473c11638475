"""Folding: redirects and duplicates count as the page they stand for."""

from collections.abc import Iterable

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

Ids = NDArray[np.int64]
Pairs = Iterable[tuple[int, int]]


class Folding(Struct, frozen=True):
    """The page each address stands for: `addresses` are sorted ids, `pages` the ids of stored pages."""

    addresses: Ids
    pages: Ids


def fold(stored: Ids, redirects: Pairs, duplicates: Pairs) -> Folding:
    """Return the stored page that every known address stands for; most stand for themselves.

    `stored` are the sorted ids of pages, the pairs are (id, id of its target). A chain leads to its last stored page, a
    cycle to its page with the smallest id; addresses that lead to no stored page are left out. A redirect does not
    count if its address has a stored page. Of several pairs with the same address, the first that leads to a page
    counts.

    >>> found = fold(np.array([3, 5]), [(1, 2), (2, 3)], [(5, 3), (7, 8)])
    >>> dict(zip(found.addresses.tolist(), found.pages.tolist()))
    {1: 3, 2: 3, 3: 3, 5: 3}
    """
    told, duplicated = list(redirects), list(duplicates)
    mentioned = np.unique(np.array([*told, *duplicated], np.int64).reshape(-1))
    there = set(np.intersect1d(mentioned, stored, assume_unique=True).tolist())
    pairs = [pair for pair in told if pair[0] not in there] + duplicated
    ends = _ends(_next(pairs, there), there)
    changed = np.array([(id_, end) for id_, end in ends.items() if end is not None], np.int64).reshape(-1, 2)
    addresses = np.union1d(stored, changed[:, 0]) if len(changed) else stored
    pages = addresses.copy()
    pages[np.searchsorted(addresses, changed[:, 0])] = changed[:, 1]
    return Folding(addresses, pages)


def _next(pairs: list[tuple[int, int]], there: set[int]) -> dict[int, int]:
    """Return the single target of each address: the first that is a page, otherwise the first that leads further."""
    following: dict[int, int] = {}
    for known in (there, {id_ for id_, _ in pairs}):
        for id_, to in pairs:
            if id_ != to and to in known:
                following.setdefault(id_, to)
    return following


def _ends(following: dict[int, int], there: set[int]) -> dict[int, int | None]:
    """Return the page each address leads to, None if there is none."""
    ends: dict[int, int | None] = {}
    for start in following:
        path: dict[int, None] = {}
        here: int | None = start
        while here is not None and here not in ends and here not in path:
            path[here] = None
            here = following.get(here)
        walked = list(path)
        end = ends.get(here) if here is not None else None
        if here in path:
            circle = walked[walked.index(here) :]
            end = min((id_ for id_ in circle if id_ in there), default=None)
            ends.update(dict.fromkeys(circle, end))
            walked = walked[: -len(circle)]
        for id_ in reversed(walked):
            end = id_ if end is None and id_ in there else end
            ends[id_] = end
    return ends
