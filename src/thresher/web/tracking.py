"""Tracking parameters, which only tell a site which advertisement, newsletter or post led to it.

The page is the same without them, and each of them would make another URL. Only names without another use count; names
that also mean something to pages, such as `ref`, stay.
"""

from typing import Final

_PREFIX: Final = "utm_"
_NAMES: Final = frozenset(
    [
        *("fbclid", "gclid", "gclsrc", "dclid", "gbraid", "wbraid", "msclkid", "yclid", "twclid", "ttclid", "igshid"),
        *("mc_cid", "mc_eid", "_hsenc", "_hsmi", "mkt_tok"),
    ]
)


def without_tracking(query: str) -> str:
    """Return a query without tracking parameters, ignoring case; the others are unchanged.

    >>> without_tracking("id=7&utm_source=letter&UTM_Medium=mail&page=2"), without_tracking("fbclid=x")
    ('id=7&page=2', '')
    """
    parts = query.split("&")
    kept = [part for part in parts if not _tracks(part.partition("=")[0].lower())]
    return query if len(kept) == len(parts) else "&".join(kept)


def _tracks(name: str) -> bool:
    return name.startswith(_PREFIX) or name in _NAMES
