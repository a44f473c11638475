"""When a topic takes a page: the rules of the tree, and what a person asks of the pages of a topic."""

from collections.abc import Mapping

from msgspec import Struct

from thresher.types import Page


class Rules(Struct, frozen=True, kw_only=True):
    """When a page is taken: its confidence exceeds `threshold` (0 is the plain machine, more is stricter).

    It must have at least `min_features` stems of the feature space (N_w), and of a topic with indicators at least
    `min_indicators` of these.
    """

    threshold: float = 0.0
    min_features: int = 3
    min_indicators: int = 1


class TopicWishes(Struct, frozen=True):
    """What a person asks of the pages of a topic: indicator stems, and languages as ISO codes (empty for all)."""

    indicators: tuple[str, ...] = ()
    languages: tuple[str, ...] = ()


Wishes = Mapping[str, TopicWishes]
"""Wishes by the written path of their topic."""


def fulfils(page: Page, wishes: TopicWishes | None, rules: Rules) -> bool:
    """Tell whether a page has what a person asked for; a page of unknown language passes.

    >>> boats = Page(url="", title="", words=[], links=[], terms={"boat": 1}, language="de")
    >>> fulfils(boats, TopicWishes(("boat", "sail")), Rules()), fulfils(boats, TopicWishes((), ("en",)), Rules())
    (True, False)
    """
    if wishes is None:
        return True
    if wishes.languages and page.language and page.language not in wishes.languages:
        return False
    had = sum(stem in page.terms for stem in wishes.indicators)
    return had >= min(rules.min_indicators, len(wishes.indicators))
