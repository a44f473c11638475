"""The neighbourhood of pages: what the portal has of the pages a few clicks away, and which of them it lacks."""

from collections.abc import Callable, Iterator, Sequence
from itertools import zip_longest
from typing import Final

from msgspec import Struct

from thresher.store.page_records import DocumentRow, LinkRow
from thresher.store.protocol import Store
from thresher.types import Candidate

_NO_CLICK: Final = frozenset(["alternate", "canonical"])
_MORE: Final = 4
"""Addresses remembered for each page that is looked for, since many of them lead nowhere."""


class Neighbourhood(Struct, frozen=True):
    """Stored pages in the order of their distance, and the addresses between them that were never fetched."""

    pages: list[DocumentRow]
    unknown: list[Candidate]


def neighbourhood(
    store: Store,
    starts: Sequence[DocumentRow],
    clicks: int,
    limit: int,
    followed: Callable[[DocumentRow], Sequence[LinkRow]],
) -> Neighbourhood:
    """Return at most `limit` stored pages one to `clicks` clicks from the starts, and addresses to fetch the rest from.

    `followed` gives the links of a page that may be followed. The pages of one distance give theirs in turn, so that no
    large page crowds the others out.
    """
    seen = {row.url_id for row in starts}
    found: list[DocumentRow] = []
    unknown: dict[int, Candidate] = {}
    level = list(starts)
    for depth in range(1, clicks + 1):
        following: list[DocumentRow] = []
        for source, link in _in_turn([(page, followed(page)) for page in level]):
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
    return Neighbourhood(found, list(unknown.values()))


def _in_turn(pages: Sequence[tuple[DocumentRow, Sequence[LinkRow]]]) -> Iterator[tuple[DocumentRow, LinkRow]]:
    """Give the first link of every page, then the second of every page, and so on."""
    for row in zip_longest(*([(page, link) for link in links] for page, links in pages)):
        yield from (entry for entry in row if entry is not None)
