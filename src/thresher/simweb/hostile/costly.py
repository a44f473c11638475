"""Costly pages: small to send, within every limit, and as expensive to read as a page can be made."""

import gzip
from collections.abc import Callable
from functools import cache
from typing import Final

from thresher.simweb.hostile.talk import Asked, Behaviour, Sender, page

SIZE: Final = 9_900_000
"""Bytes of a costly page once it is unpacked: a little below the usual limit for HTML."""


def _filled(item: Callable[[int], bytes]) -> bytes:
    """Return as many items as a costly page holds, packed."""
    parts: list[bytes] = []
    size = number = 0
    while size < SIZE:
        parts.append(item(number))
        size += len(parts[-1])
        number += 1
    return gzip.compress(b"".join(parts), 6)


@cache
def _links() -> bytes:
    return _filled(lambda number: b"<a href=%x/>" % number)


@cache
def _words() -> bytes:
    # A few links first, so that there is always another page to ask for.
    return _filled(lambda number: b"<a href=%x/>more</a> " % number if number < 100 else b"word%x " % number)


def costly(packed: Callable[[], bytes]) -> Behaviour:
    """Return a host that says something new under every path, and then the same costly page."""

    async def behaviour(asked: Asked, sender: Sender) -> None:
        # Two gzip members are one body: the large one is packed once for all paths.
        new = gzip.compress(f"<title>{asked.behaviour}</title><p>Here is {asked.target}".encode(), 1)
        await page(sender, new + packed(), b"Content-Encoding: gzip")

    return behaviour


def pack_costly() -> None:
    """Make all costly pages before they are asked for."""
    _links()
    _words()


COSTLY: Final[dict[str, Behaviour]] = {"costly-links": costly(_links), "costly-words": costly(_words)}
"""Behaviours by the first label of their hosts' names; a crawl of such a host does not come to an end."""
