"""Page ids in addresses: the URL id as sixteen hexadecimal digits."""

import re
from typing import Final
from urllib.parse import quote

_ID: Final = re.compile(r"[0-9a-f]{16}")
_MASK: Final = (1 << 64) - 1


def page_name(url_id: int) -> str:
    """Return the name of a page from its URL id.

    >>> page_name(-1), page_name(255)
    ('ffffffffffffffff', '00000000000000ff')
    """
    return format(url_id & _MASK, "016x")


def page_id(name: str) -> int | None:
    """Return the id for a page name, or None if the name is invalid.

    >>> page_id("ffffffffffffffff"), page_id("00000000000000ff"), page_id("../etc")
    (-1, 255, None)
    """
    if not _ID.fullmatch(name):
        return None
    number = int(name, 16)
    return number - (_MASK + 1) if number >> 63 else number


def topic_address(path: str) -> str:
    """Return the address of a topic's page from its written path.

    >>> topic_address("Science/TCP%2FIP & more")
    '/t/Science/TCP%252FIP%20%26%20more'
    """
    return "/t/" + quote(path, safe="/")


def site_address(host: str) -> str:
    """Return the address of a site's page."""
    return "/site/" + quote(host, safe="")
