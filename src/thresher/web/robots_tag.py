"""Merges X-Robots-Tag headers and robots meta elements; the most restrictive directive wins.

A field may address all crawlers or name one: `X-Robots-Tag: thresher: nofollow, otherbot: noindex`; a name holds until
the next one. Directives for all crawlers and for this one add up. Directives are separated by commas; spaces and other
signs that no directive contains, which people also write, count as well.
"""

import math
import re
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Final

from thresher.web.user_agent import TOKEN

MAX_DIRECTIVES: Final = 32
"""Maximum number of directives read from one field, and kept in all."""

_MAX_LENGTH: Final = 100
_MAX_FIELD: Final = 4096
# Any other word before a colon is the name of a crawler.
_WITH_VALUE: Final = frozenset(["max-image-preview", "max-snippet", "max-video-preview", "unavailable_after"])
# Dates contain some of these signs, but only before or after digits.
_SEPARATOR: Final = re.compile(r"""[,;|&"'()\[\]<>{}、，；・]|\+(?!\d)|(?<!\d)/(?!\d)|\.\s*\Z""")
_NAMED: Final = re.compile(r"([a-z0-9_*-]+)\s*:\s*(.*)", re.DOTALL)
_WEEKDAY: Final = re.compile(r"unavailable_after\s*:\s*(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*\Z")
# A date continues to the next comma; everything else ends at a space, except those around a colon.
_WISH: Final = re.compile(
    r"(?:[^\s:]++\s*+:\s*+)?unavailable_after\s*+:.*+|(?:[^\s:]++\s*+:\s*+)++\S*+|\S++", re.DOTALL
)
# These ask for nothing that is not done anyway.
_IDLE: Final = frozenset(["", "all", "index", "follow", "archive", "snippet", "odp", "ydir"])
_PREVIEWS: Final = ("none", "standard", "large")


def robots_directives(fields: Iterable[str], agent: str = TOKEN) -> tuple[str, ...]:
    """Return the merged directives for a crawler from X-Robots-Tag fields or robots meta elements.

    They are in lower case, each once; `none` becomes its two parts, and permissive ones are left out.

    >>> robots_directives(["noindex, otherbot: nofollow", "Thresher: max-snippet: 20", "max-snippet:5, all"])
    ('noindex', 'max-snippet:5')
    """
    return merge(directive for field in fields for directive in _meant_for(field, agent.lower()))


def merge(directives: Iterable[str]) -> tuple[str, ...]:
    """Return the most restrictive of several directives.

    >>> merge(["none", "index", "max-image-preview:large", "max-image-preview:none", "noindex"])
    ('noindex', 'nofollow', 'max-image-preview:none')
    """
    plain: dict[str, None] = {}
    tightest: dict[str, tuple[float, str]] = {}
    for directive in directives:
        name, colon, value = (part.strip() for part in directive.lower().partition(":"))
        if colon and name in _WITH_VALUE:
            measure = _measure(name, value)
            if measure is not None and measure < tightest.get(name, (math.inf,))[0]:
                tightest[name] = measure, f"{name}:{value}"[:_MAX_LENGTH]
        elif directive == "none":
            plain |= {"noindex": None, "nofollow": None}
        elif name not in _IDLE:
            plain[directive[:_MAX_LENGTH]] = None
    return (*plain, *(text for _, text in tightest.values()))[:MAX_DIRECTIVES]


def _meant_for(field: str, agent: str) -> Iterator[str]:
    """Yield the directives of one field that address all crawlers or this one."""
    meant = True
    for part in _parts(field[:_MAX_FIELD].lower()):
        named = _NAMED.match(part)
        directive = part
        if named is not None and named[1] not in _WITH_VALUE:
            meant = named[1] in (agent, "*")
            directive = named[2].strip()
        if meant and directive:
            yield directive


def _parts(field: str) -> list[str]:
    """Split a field at commas and other separators, but not inside a date or at the comma after its weekday."""
    parts: list[str] = []
    for part in _SEPARATOR.split(field)[: 2 * MAX_DIRECTIVES]:
        if parts and _WEEKDAY.search(parts[-1]):
            parts[-1] += ", " + part.strip()
        else:
            parts += _WISH.findall(part)
    return parts


def _measure(name: str, value: str) -> float | None:
    """Return how much a directive allows (less is more restrictive), or None if its value is broken."""
    if name == "max-image-preview":
        return float(_PREVIEWS.index(value)) if value in _PREVIEWS else None
    if name == "unavailable_after":
        return _moment(value)
    if not re.fullmatch(r"-1|[0-9]{1,9}", value):
        return None
    # -1 means no limit.
    return float(value) if value != "-1" else 1e12


def _moment(value: str) -> float | None:
    """Return a date as seconds since the epoch, in any of the usual formats, or None if it is not a date."""
    for read in (datetime.fromisoformat, parsedate_to_datetime):
        try:
            date = read(value)
            return (date if date.tzinfo else date.replace(tzinfo=UTC)).timestamp()
        except (ValueError, TypeError, IndexError, OverflowError, OSError):
            continue
    return None
