"""Meta elements with robots directives and opt-outs."""

from collections.abc import Mapping
from typing import Final

from thresher.web.user_agent import TOKEN

MAX_WISHES: Final = 64
"""Maximum number of such elements kept per page."""

_LONGEST: Final = 4096
_NAMES: Final = frozenset(["robots", TOKEN, "tdm-reservation", "tdm-policy", "content-usage", "content-signal"])


def wish(attributes: Mapping[str, str | None]) -> tuple[str, str] | None:
    """Return the name and content of a meta element with directives, or None for any other element.

    Directives for this crawler by name count like those for all robots.

    >>> wish({"name": "Robots", "content": "noindex"}), wish({"name": "author", "content": "Me"})
    (('robots', 'noindex'), None)
    """
    name = (attributes.get("name") or "").strip().lower()
    content = attributes.get("content")
    if name not in _NAMES or not content:
        return None
    return "robots" if name == TOKEN else name, content[:_LONGEST]
