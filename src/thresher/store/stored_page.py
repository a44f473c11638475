"""A stored page as it was read: its words in order, and its links at their places again."""

from collections.abc import Sequence
from typing import Final

from thresher.store.page_records import DocumentRow, LinkRow
from thresher.text.words import words
from thresher.types import Link, Page

NEAR: Final = 400
"""How many words ahead the text of a link is looked for; further on it would be another link's."""


def page_of(document: DocumentRow) -> Page:
    """Return the page of a document.

    The store keeps the text and, in their order, the links, but not where among the words a link stands: its text is
    looked for from the place of the link before. A link that is not found stands there without words. Elements around
    links are not known any more.
    """
    text = words(document.text) or words(document.title)
    return Page(
        url=document.url,
        title=document.title,
        words=text,
        text=document.text,
        links=links_of(document.links, text),
        terms=document.terms,
        language=document.language,
        digest=document.digest,
        simhash=document.simhash,
        encoding=document.encoding,
        opt_outs=document.opt_outs,
    )


def links_of(rows: Sequence[LinkRow], text: Sequence[str]) -> list[Link]:
    """Return links at their places in a text.

    >>> rows = [LinkRow(1, "http://a.test/", "sea"), LinkRow(2, "http://b.test/", "the sea")]
    >>> [(link.position, link.length) for link in links_of(rows, "The sea and the sea".split())]
    [(1, 1), (3, 2)]
    """
    found: list[Link] = []
    place = 0
    for row in rows:
        anchor = words(row.anchor)
        at = _next(anchor, text, place)
        length = len(anchor) if at is not None else 0
        place = at if at is not None else place
        found.append(Link(row.target_url, row.anchor, place, length, rel=tuple(row.rel.split())))
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
