"""The neighbourhood of pages: what the portal has of the pages a few clicks away, and which of them it lacks."""

from collections.abc import Iterator, Sequence
from itertools import zip_longest
from typing import Final

from msgspec import Struct

from thresher.reasons import Reason
from thresher.store.page_records import DocumentRow, LinkRow
from thresher.store.protocol import Store
from thresher.types import Candidate

_NO_CLICK: Final = frozenset(["alternate", "canonical", "nofollow"])
_MORE: Final = 4
"""Addresses remembered for each page that is looked for, since many of them lead nowhere."""


class Neighbourhood(Struct, frozen=True):
    """Stored pages in the order of their distance, and the addresses between them that were never fetched."""

    pages: list[DocumentRow]
    unknown: list[Candidate]


def neighbourhood(store: Store, starts: Sequence[DocumentRow], clicks: int, limit: int) -> Neighbourhood:
    """Return at most `limit` stored pages one to `clicks` clicks from the starts, and addresses to fetch the rest from.

    The pages of one distance give their links in turn, so that no large page crowds the others out. Links that are not
    to be followed lead nowhere.
    """
    seen = {row.url_id for row in starts}
    found: list[DocumentRow] = []
    unknown: dict[int, Candidate] = {}
    level = list(starts)
    for depth in range(1, clicks + 1):
        following: list[DocumentRow] = []
        for source, link in _in_turn(level):
            if len(found) >= limit or len(unknown) >= _MORE * limit:
                break
            if link.target in seen or not _NO_CLICK.isdisjoint(link.rel.split()):
                continue
            seen.add(link.target)
            document = store.documents.document(link.target)
            if document is not None:
                found.append(document)
                following.append(document)
            else:
                unknown[link.target] = Candidate(
                    url=link.target_url,
                    priority=(1.0 / (depth + 1),),
                    depth=depth,
                    parent=source.url,
                    anchor=link.anchor,
                )
        level = following
    unfollowed = _unfollowed(store, list(unknown))
    return Neighbourhood(found, [candidate for id_, candidate in unknown.items() if id_ not in unfollowed])


def _in_turn(pages: Sequence[DocumentRow]) -> Iterator[tuple[DocumentRow, LinkRow]]:
    """Give the first link of every page, then the second of every page, and so on."""
    for row in zip_longest(*([(page, link) for link in page.links] for page in pages)):
        yield from (entry for entry in row if entry is not None)


def _unfollowed(store: Store, ids: list[int]) -> set[int]:
    """Return the addresses that the newest crawl which met them found only on pages that ask not to be followed."""
    unfollowed: set[int] = set()
    waiting = set(ids)
    crawl = store.crawls.get()
    while crawl is not None and waiting:
        rows = store.urls.rows(crawl.id, sorted(waiting))
        unfollowed |= {id_ for id_, row in rows.items() if row.reason is Reason.NOFOLLOW}
        waiting -= rows.keys()
        crawl = store.crawls.get(crawl.id - 1)
    return unfollowed
