"""Costly pages: small to send, within every limit, and as expensive to read as possible."""

import gzip
from collections.abc import Callable
from functools import cache
from typing import Final

from thresher.simweb.hostile.talk import Behaviour, ClientRequest, Sender, page

SIZE: Final = 9_900_000
"""Unpacked size of a costly page in bytes: slightly below the usual limit for HTML."""


def _filled(item: Callable[[int], bytes]) -> bytes:
    """Return as many items as fit into a costly page, packed."""
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
    # A few links come first, so there is always another page to request.
    return _filled(lambda number: b"<a href=%x/>more</a> " % number if number < 100 else b"word%x " % number)


def costly(packed: Callable[[], bytes]) -> Behaviour:
    """Return a host that serves a new sentence under every path, followed by the same costly page."""

    async def behaviour(asked: ClientRequest, sender: Sender) -> None:
        # Two gzip members are one body: the large one is packed once for all paths.
        new = gzip.compress(f"<title>{asked.behaviour}</title><p>Here is {asked.target}".encode(), 1)
        await page(sender, new + packed(), b"Content-Encoding: gzip")

    return behaviour


def pack_costly() -> None:
    """Create all costly pages before they are requested."""
    _links()
    _words()


COSTLY: Final[dict[str, Behaviour]] = {"costly-links": costly(_links), "costly-words": costly(_words)}
"""Behaviours by the first label of their hosts' names; a crawl of such a host never ends."""
