"""Ageing: with every generation of a web, some of its pages change, and some vanish for good."""

from random import Random
from typing import Final

from thresher.simweb.pages import PageKind
from thresher.simweb.text import base_words
from thresher.simweb.web import Web

_VANISH: Final = 0.04
_CHANGE: Final = 0.2
_NEWS: Final = 30


def version_of(web: Web, page: int) -> int | None:
    """Return how often a page has changed by the web's generation, or None if it has vanished.

    A mirror ages with its original; home pages never vanish.
    """
    original = original_of(web, page)
    home = original == web.hosts[int(web.pages.host[original])].first
    version = 0
    for generation in range(1, web.parameters.generation + 1):
        draw = Random(f"{web.parameters.seed} {original} {generation}").random()
        if draw < _VANISH and not home:
            return None
        version += _VANISH <= draw < _VANISH + _CHANGE
    return version


def news(web: Web, page: int, version: int) -> str:
    """Return the text that the latest change added to a page, empty for its first version."""
    if not version:
        return ""
    original = original_of(web, page)
    language = web.hosts[int(web.pages.host[original])].language
    rng = Random(f"{web.parameters.seed} {original} news {version}")
    if web.vocabulary.english is not None:
        return " ".join(web.vocabulary.english.everyday(language, _NEWS, rng))
    return " ".join(base_words(web, language, _NEWS, rng))


def original_of(web: Web, page: int) -> int:
    """Return the page whose bytes a page shows: itself, or the page it mirrors."""
    return int(web.pages.original[page]) if web.pages.kind_of(page) is PageKind.MIRROR else page
