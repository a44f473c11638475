"""What a page or its headers ask of robots: `noindex`, `nofollow` and their kind."""

import re
from typing import Final

from thresher.web.user_agent import TOKEN

MAX_DIRECTIVES: Final = 32

# Directives with a colon of their own; any other word before a colon names a crawler.
_WITH_VALUE: Final = frozenset(["max-image-preview", "max-snippet", "max-video-preview", "unavailable_after"])
_NAMED: Final = re.compile(r"\s*([A-Za-z0-9_-]+)\s*:(.*)", re.DOTALL)


def directives(content: str) -> list[str]:
    """Return the directives of a robots meta element in lower case; `none` stands for two of them.

    >>> directives("NOINDEX, max-snippet:20"), directives("none")
    (['noindex', 'max-snippet:20'], ['noindex', 'nofollow'])
    """
    found = []
    for part in content.lower().split(",")[:MAX_DIRECTIVES]:
        directive = part.strip()
        found += ["noindex", "nofollow"] if directive == "none" else [directive]
    return [directive for directive in found if directive]


def header_directives(value: str) -> list[str]:
    """Return the directives of an X-Robots-Tag field that are meant for all crawlers or for this one.

    >>> header_directives("thresher: noindex"), header_directives("otherbot: noindex")
    (['noindex'], [])
    """
    named = _NAMED.match(value)
    if named is None or named[1].lower() in _WITH_VALUE:
        return directives(value)
    return directives(named[2]) if named[1].lower() == TOKEN else []
