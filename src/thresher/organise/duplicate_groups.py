"""Finds near-duplicate accepted pages, and sites that mirror each other.

The best page of a group stays: the one with the highest authority, then the highest PageRank, then the most confident.
Of two sites that mirror each other, all pages of one stay, that whose shared pages have the higher sum of authority.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import permutations
from typing import Final, TypeAlias

import numpy as np
from msgspec import Struct

from thresher.organise.moving import moved_to
from thresher.organise.topic_pages import AT_ONCE, TopicPage, pages_of
from thresher.store.organise_records import DUPLICATES, StepKind, StepRow
from thresher.store.protocol import Store
from thresher.text.shingles import PLACES, Hashes, resemblance, shingles, sketch
from thresher.text.words import words
from thresher.web.urls import host_of
from thresher.work_steps import OnStep, StepProgress, WorkStep, nobody

SIMILAR: Final = 0.8
"""Share of shingles that duplicates have in common."""

BAND: Final = 4
"""Number of sketch positions that must agree before two pages are compared.

Texts with a similarity of 0.5 are found with a probability of 64 %, of 0.8 with more than 99.9 %.
"""

SHORTEST: Final = 20
"""Minimum number of words of a page to be compared; very short texts may agree by chance."""

MIRRORED: Final = 3
"""Minimum number of pages of a mirror."""

_LONGEST: Final = 200_000
"""Maximum number of characters compared per page."""

_HELD: Final = 256
"""Number of pages whose shingles are kept in memory."""


Worth: TypeAlias = tuple[float, float, float, int, str]
"""Authority, PageRank and confidence of a page, minus the length of its address, and the address."""


class Duplicate(Struct, frozen=True):
    """A near-duplicate of the best page of its group; `similarity` is the share of shingles in common."""

    page: TopicPage
    similarity: float


class DuplicateGroup(Struct, frozen=True):
    """Near-duplicate pages; `authority` is that of the best, None if unknown."""

    best: TopicPage
    authority: float | None
    others: list[Duplicate]


class Mirror(Struct, frozen=True):
    """A host that repeats `pages` pages of another, at least half of its own."""

    host: str
    of: str
    pages: int


class Duplicated(Struct, frozen=True):
    """The groups of a portal, largest first, its mirrors, and the number of pages compared."""

    groups: list[DuplicateGroup]
    mirrors: list[Mirror]
    pages: int


def find_duplicates(store: Store, similar: float = SIMILAR, on_step: OnStep = nobody) -> Duplicated:
    """Return the near-duplicates among the accepted pages."""
    pages = {page.id: page for page in pages_of(store)}
    load = _loader(store)
    found = _connected(list(_alike(_texts(store, list(pages), on_step), load, similar)))
    scores = store.scores.of([id_ for members in found for id_ in members])

    def worth(id_: int) -> Worth:
        score = scores.get(id_)
        authority, rank = (score.authority, score.pagerank) if score else (None, None)
        return authority or 0.0, rank or 0.0, pages[id_].confidence, -len(pages[id_].url), pages[id_].url

    pages_of_host = Counter(host_of(page.url) for page in pages.values())
    mirrors = _mirrors([[(host_of(pages[id_].url), worth(id_)) for id_ in members] for members in found], pages_of_host)
    copies = {(mirror.host, mirror.of) for mirror in mirrors}
    groups = []
    for members in found:
        hosts = {host_of(pages[id_].url) for id_ in members}
        originals = [id_ for id_ in members if not any((host_of(pages[id_].url), of) in copies for of in hosts)]
        best = max(originals or members, key=worth)
        text = load(best)
        others = [(id_, resemblance(text, load(id_))) for id_ in members if id_ != best]
        # Pages that resemble other pages of the group but not the best one stay.
        close = sorted(((value, id_) for id_, value in others if value >= similar), reverse=True)
        if close:
            score = scores.get(best)
            repeats = [Duplicate(pages[id_], value) for value, id_ in close]
            groups.append(DuplicateGroup(pages[best], score.authority if score else None, repeats))
    groups.sort(key=lambda group: (-len(group.others), group.best.url))
    return Duplicated(groups, mirrors, len(pages))


def apply_dedupe(store: Store, found: Duplicated, *, at: float) -> StepRow:
    """Hide all but the best page of each group, and return the step."""
    moves = {other.page.id: (DUPLICATES,) for group in found.groups for other in group.others}
    row = StepRow(kind=StepKind.DEDUPE, at=at, detail={"groups": len(found.groups)}, hides=DUPLICATES)
    return store.organising.take(row, moved_to(store, moves))


def _texts(store: Store, ids: Sequence[int], on_step: OnStep) -> Iterator[tuple[int, Hashes]]:
    """Yield the shingles of the pages that are long enough to be compared."""
    for start in range(0, len(ids), AT_ONCE):
        on_step(StepProgress(WorkStep.COMPARING, start, len(ids)))
        for id_, head in store.search_feed.heads(ids[start : start + AT_ONCE]).items():
            text = words(head.text[:_LONGEST])
            if len(text) >= SHORTEST:
                yield id_, shingles(text)


def _loader(store: Store) -> Callable[[int], Hashes]:
    """Return a cached function that reads the shingles of a page; it returns none for pages that are gone."""

    @lru_cache(_HELD)
    def load(id_: int) -> Hashes:
        head = store.search_feed.heads([id_]).get(id_)
        return shingles(words(head.text[:_LONGEST]) if head else [])

    return load


def _alike(
    texts: Iterable[tuple[int, Hashes]], load: Callable[[int], Hashes], similar: float
) -> Iterator[tuple[int, int]]:
    """Yield pairs of similar pages; each page is compared with the first page that shares a band with it."""
    first: dict[tuple[int, bytes], int] = {}
    for id_, text in texts:
        bands = sketch(text).reshape(PLACES // BAND, BAND)
        candidates = dict.fromkeys(
            first.setdefault((place, np.ascontiguousarray(band).tobytes()), id_) for place, band in enumerate(bands)
        )
        for other in candidates:
            if other != id_ and resemblance(load(other), text) >= similar:
                yield other, id_


def _connected(pairs: Sequence[tuple[int, int]]) -> list[list[int]]:
    """Return the connected components of the pairs."""
    leader: dict[int, int] = {}

    def find(id_: int) -> int:
        while leader.setdefault(id_, id_) != id_:
            leader[id_] = leader[leader[id_]]
            id_ = leader[id_]
        return id_

    for one, other in pairs:
        leader[find(one)] = find(other)
    groups: dict[int, list[int]] = {}
    for id_ in leader:
        groups.setdefault(find(id_), []).append(id_)
    return list(groups.values())


def _mirrors(groups: Sequence[Sequence[tuple[str, Worth]]], pages: Mapping[str, int]) -> list[Mirror]:
    """Return the hosts that mirror another, given the host and worth of every page of each group.

    At least half of the pages of a mirror repeat pages of the other host. If that holds for both, the one with the
    lower sum of authority is the mirror, then that with the lower sums of PageRank and confidence.
    """
    shared = Counter[tuple[str, str]]()
    sums: dict[tuple[str, str], list[float]] = {}
    for group in groups:
        best: dict[str, Worth] = {}
        for host, worth in group:
            best[host] = max(worth, best.get(host, worth))
        for pair in permutations(sorted(best), 2):
            shared[pair] += 1
            total = sums.setdefault(pair, [0.0, 0.0, 0.0])
            sums[pair] = [one + more for one, more in zip(total, best[pair[0]][:3], strict=True)]
    found: list[Mirror] = []
    for (host, of), number in sorted(shared.items(), key=lambda item: (-item[1], item[0])):
        repeats, repeated = (number >= MIRRORED and 2 * number >= pages[one] for one in (host, of))
        lower = (sums[host, of], host) < (sums[of, host], of)
        if repeats and (lower or not repeated):
            found.append(Mirror(host, of, number))
    return found
