"""Meta elements with robots directives and opt-outs."""

from collections.abc import Mapping
from typing import Final

from thresher.web.user_agent import TOKEN

MAX_WISHES: Final = 64
"""Such elements of a page that are kept."""

_LONGEST: Final = 4096
_NAMES: Final = frozenset(["robots", TOKEN, "tdm-reservation", "tdm-policy", "content-usage", "content-signal"])


def wish(attributes: Mapping[str, str | None]) -> tuple[str, str] | None:
    """Return name and content of a meta element that is a wish, None if it is none.

    Directives for this crawler by name count like those for all robots.

    >>> wish({"name": "Robots", "content": "noindex"}), wish({"name": "author", "content": "Me"})
    (('robots', 'noindex'), None)
    """
    name = (attributes.get("name") or "").strip().lower()
    content = attributes.get("content")
    if name not in _NAMES or not content:
        return None
    return "robots" if name == TOKEN else name, content[:_LONGEST]
