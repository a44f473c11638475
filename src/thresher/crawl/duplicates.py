"""Finds pages whose text repeats another page.

A text that is already stored, word for word, is not stored again. Similar texts are stored with a note of the page they
repeat, as is the canonical address of a page (`rel=canonical`) if it is in the same registered domain. Both are hints
for ranking and display.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, NamedTuple

from thresher.store.page_records import Alike, DocumentRow, DuplicateKind, DuplicateRow
from thresher.store.protocol import Store
from thresher.store.records import Batch
from thresher.store.simhash_blocks import blocks
from thresher.text.simhash import distance
from thresher.types import Link
from thresher.web.urls import host_of, registered_domain, url_id

MIN_WORDS: Final = 20
"""Minimum number of words, without stop words, to compare a text by simhash: short texts may be similar by chance."""

SIMILAR: Final = 0.5
"""Minimum share of stems that near-duplicates have in common; simhashes alone are wrong too often."""

_CANDIDATES: Final = 8


class Original(NamedTuple):
    """A page that already has a text."""

    id: int
    url: str


class KnownTexts:
    """Finds the page that already has a text, by its digest: in the store, or among pages not yet written.

    `room` is the number of texts remembered; it must be larger than two batches of pages.
    """

    def __init__(self, store: Store | None = None, room: int = 10_000) -> None:
        self._store = store
        self._room = room
        self._recent: dict[bytes, Original] = {}
        self._unstored: dict[bytes, None] = {}

    def original(self, digest: bytes, page: int) -> Original | None:
        """Return a page with the same text as the page with this id, or None if there is none or it has no text."""
        if not digest:
            return None
        recent = self._recent.get(digest)
        if recent is not None:
            return recent if recent.id != page else None
        found = self._store.duplicates.same_text(digest) if self._store is not None else []
        if not found or any(id_ == page for id_, _ in found):
            return None
        return self._remember(digest, Original(*found[0]))

    def store(self, digest: bytes, page: Original) -> None:
        """Remember the text of a page that is going to be stored."""
        if digest:
            self._remember(digest, page)

    def pass_over(self, digest: bytes) -> None:
        """Remember a text that is not going to be stored."""
        self._unstored[digest] = None
        _forget(self._unstored, self._room)

    def is_passed_over(self, digest: bytes) -> bool:
        """Return whether a text was seen before on a page that was not stored."""
        return digest in self._unstored

    def is_stored(self, page: int) -> bool:
        """Return whether the portal has a document of this page from an earlier visit."""
        return self._store is not None and self._store.documents.document(page) is not None

    def asks_the_same(self, page: int, robots: Sequence[str], links: Sequence[Link]) -> bool:
        """Return whether a page and its stored copy have the same robots directives and links."""
        stored = self._store.documents.document(page) if self._store is not None else None
        if stored is None:
            return True
        refused = {link.target_url for link in stored.links if "nofollow" in link.rel.split()}
        return stored.robots == tuple(robots) and refused == {link.url for link in links if "nofollow" in link.rel}

    def _remember(self, digest: bytes, page: Original) -> Original:
        self._recent[digest] = page
        _forget(self._recent, self._room)
        return page


class NearDuplicates:
    """Notes which pages of a batch are nearly the same as stored ones; `within` is in bits, 0 to 3."""

    def __init__(self, store: Store, within: int = 3) -> None:
        self._store = store
        self._within = within

    def note(self, batch: Batch) -> None:
        """Set the near-duplicate rows of a batch by comparing its pages with stored ones and with each other."""
        rows = [row for row in batch.duplicates if row.kind is not DuplicateKind.NEAR]
        equal = {row.url_id for row in rows if row.kind is DuplicateKind.DIGEST}
        compared = [page for page in batch.documents if page.url_id not in equal and _is_comparable(page)]
        stored = self._store.duplicates.alike([page.simhash for page in compared], self._within) if compared else {}
        before: list[DocumentRow] = []
        # The places in `before` of the pages with each block.
        places: dict[int, list[int]] = {}
        for page in compared:
            own = blocks(page.simhash)
            sharing = sorted({place for block in own for place in places.get(block, ())})
            beside = self._alike(page, [before[place] for place in sharing])
            row = _row(page, [*stored.get(page.simhash, ()), *beside])
            rows += [row] if row is not None else []
            for block in own:
                places.setdefault(block, []).append(len(before))
            before.append(page)
        batch.duplicates = rows

    def _alike(self, document: DocumentRow, pages: Iterable[DocumentRow]) -> Iterable[Alike]:
        for page in pages:
            bits = distance(page.simhash, document.simhash)
            if bits <= self._within:
                yield Alike(page.url_id, page.url, bits, page.terms)


def _is_comparable(document: DocumentRow) -> bool:
    return bool(document.simhash) and _length(document.terms) >= MIN_WORDS


def _row(document: DocumentRow, alike: Sequence[Alike]) -> DuplicateRow | None:
    """Return the nearest of the pages that share enough stems with a page."""
    candidates = [page for page in alike if page.url_id != document.url_id]
    for page in sorted(candidates, key=lambda page: page.distance)[:_CANDIDATES]:
        shared = similarity(document.terms, page.terms)
        if shared >= SIMILAR:
            return DuplicateRow(
                url_id=document.url_id,
                url=document.url,
                original=page.url_id,
                original_url=page.url,
                kind=DuplicateKind.NEAR,
                distance=page.distance,
                similarity=shared,
            )
    return None


def similarity(one: Mapping[str, int], other: Mapping[str, int]) -> float:
    """Return the share of stems, with their counts, that two texts have in common.

    >>> similarity({"boat": 2, "sail": 1}, {"boat": 1, "sail": 1})
    0.6666666666666666
    """
    shared = sum(min(count, other[stem]) for stem, count in one.items() if stem in other)
    return shared / ((_length(one) + _length(other) - shared) or 1)


def canonical_row(page: int, url: str, links: Sequence[Link]) -> DuplicateRow | None:
    """Return the canonical address a page gives within its registered domain, or None if it gives no other."""
    for link in links:
        if link.tag == "link" and "canonical" in link.rel:
            same = registered_domain(host_of(link.url)) == registered_domain(host_of(url))
            if link.url == url or not same:
                return None
            return DuplicateRow(
                url_id=page,
                url=url,
                original=url_id(link.url),
                original_url=link.url,
                kind=DuplicateKind.CANONICAL,
                similarity=0.0,
            )
    return None


def _forget(memory: dict[bytes, Any], room: int) -> None:
    """Forget the oldest entries if there are too many."""
    if len(memory) > room:
        del memory[next(iter(memory))]


def _length(terms: Mapping[str, int]) -> int:
    return sum(terms.values())
