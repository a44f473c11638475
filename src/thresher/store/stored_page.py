"""A stored page as it was read: words in order, links with positions, robots directives.

The repository stores the text, from which the words are recomputed, and the links one by one. The positions of the
links among the words, and their surroundings, are the layout of the page: one small record, because there are many
links.
"""

from collections.abc import Sequence
from typing import Final, TypeAlias

import msgspec

from thresher.store.page_records import DocumentRow, LinkRow
from thresher.text.words import words
from thresher.types import Link, ParsedPage

NEAR: Final = 400
"""How many words ahead to look for the text of a link; beyond that it would belong to another link."""

_Spans: TypeAlias = tuple[tuple[int, int], ...]


class _Layout(msgspec.Struct, frozen=True, array_like=True):
    """The positions of all links of a page.

    For each link: the words between the end of the previous link and its first word, its number of words, and the index
    of its surroundings, which are spans with their presentational bits; links often share them. `paths` has the tag
    path of each of the surroundings; layouts of older versions have none.
    """

    steps: list[int]
    lengths: list[int]
    around: list[int]
    surroundings: list[tuple[_Spans, int]]
    paths: list[str] = []


_encode: Final = msgspec.msgpack.Encoder().encode
_decode: Final = msgspec.msgpack.Decoder(_Layout).decode


def layout_of(page: ParsedPage) -> bytes:
    """Return the positions of a page's links as MessagePack, empty for a page without links."""
    if not page.links:
        return b""
    steps: list[int] = []
    around: list[int] = []
    surroundings: dict[tuple[_Spans, int, str], int] = {}
    end = 0
    for link in page.links:
        steps.append(link.position - end)
        end = link.position + link.length
        around.append(surroundings.setdefault((link.spans, link.presentational, link.path), len(surroundings)))
    layout = _Layout(
        steps,
        [link.length for link in page.links],
        around,
        [(spans, presentational) for spans, presentational, _ in surroundings],
        [path for _, _, path in surroundings],
    )
    return _encode(layout)


def page_of(document: DocumentRow) -> ParsedPage:
    """Return the page of a document as it was read.

    For pages stored without a layout, the positions of links are unknown, so their texts are searched for.
    """
    text = words(document.text)
    return ParsedPage(
        url=document.url,
        title=document.title,
        words=text,
        text=document.text,
        links=_placed(document.links, document.layout) if document.layout else looked_for(document.links, text),
        terms=document.terms,
        language=document.language,
        digest=document.digest,
        simhash=document.simhash,
        encoding=document.encoding,
        robots=document.robots,
        opt_outs=document.opt_outs,
        about=document.about,
        archive=document.archive,
    )


def _placed(rows: Sequence[LinkRow], packed: bytes) -> list[Link]:
    """Return links at the positions of a layout."""
    layout = _decode(packed)
    paths = layout.paths or [""] * len(layout.surroundings)
    links: list[Link] = []
    end = 0
    for row, step, length, number in zip(rows, layout.steps, layout.lengths, layout.around, strict=True):
        spans, presentational = layout.surroundings[number]
        place, end = end + step, end + step + length
        rel = tuple(row.rel.split())
        path = paths[number]
        links.append(Link(row.target_url, row.anchor, place, length, spans, rel, row.tag, presentational, path))
    return links


def looked_for(rows: Sequence[LinkRow], text: Sequence[str]) -> list[Link]:
    """Return links at the positions where their texts are found, each after the previous link; elements are unknown.

    A link whose text is not found gets the current position and no words.

    >>> rows = [LinkRow(1, "http://a.test/", "sea"), LinkRow(2, "http://b.test/", "the sea")]
    >>> [(link.position, link.length) for link in looked_for(rows, "The sea and the sea".split())]
    [(1, 1), (3, 2)]
    """
    found: list[Link] = []
    place = 0
    for row in rows:
        anchor = words(row.anchor)
        at = _next(anchor, text, place)
        length = len(anchor) if at is not None else 0
        place = at if at is not None else place
        found.append(Link(row.target_url, row.anchor, place, length, rel=tuple(row.rel.split()), tag=row.tag))
        place += length
    return found


def _next(anchor: Sequence[str], text: Sequence[str], place: int) -> int | None:
    if not anchor:
        return None
    length = len(anchor)
    for at in range(place, min(len(text) - length, place + NEAR) + 1):
        if text[at] == anchor[0] and list(text[at : at + length]) == list(anchor):
            return at
    return None
