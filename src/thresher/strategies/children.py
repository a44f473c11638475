"""Turns the links of a page into scored candidates."""

from collections.abc import Iterable, Iterator
from typing import Any

from thresher.types import Candidate, Link, Memo, Priority, Reading


def children(
    reading: Reading[Any], priced: Iterable[tuple[Link, Priority | float]], *, queue: str = "", memo: Memo = ""
) -> Iterator[Candidate]:
    """Yield one candidate per scored link, a hop deeper than its page; a score is a number or a whole priority.

    >>> link = Link("http://a.test/b", "b", 0, 1)
    >>> page = Reading(candidate=Candidate(url="http://a.test/", priority=(1.0,)), links=[link])
    >>> [(child.depth, child.parent) for child in children(page, [(link, 0.5)])]
    [(1, 'http://a.test/')]
    """
    depth = reading.candidate.depth + 1
    parent = reading.candidate.url or None
    for link, price in priced:
        yield Candidate(
            url=link.url,
            priority=price if isinstance(price, tuple) else (price,),
            queue=queue,
            depth=depth,
            parent=parent,
            anchor=link.anchor,
            memo=memo,
        )


def each_once(links: Iterable[Link]) -> list[Link]:
    """Return the first link to each URL.

    >>> [link.anchor for link in each_once([Link("http://a.test/", "one", 0, 1), Link("http://a.test/", "two", 1, 1)])]
    ['one']
    """
    found: dict[str, Link] = {}
    for link in links:
        found.setdefault(link.url, link)
    return list(found.values())
