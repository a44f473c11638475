"""Acceptance rules: when a topic accepts a page, by the rules of the tree and of the user."""

from collections.abc import Mapping
from typing import Final

from msgspec import Struct

from thresher.reasons import Unmet
from thresher.types import Page, Rejection

EMPTY: Final = 1.0
"""How much more confidence a page needs to stay at a topic without pages of its own after all topics below it have
rejected it: nobody has shown that such pages exist."""


class Rules(Struct, frozen=True, kw_only=True):
    """When a page is taken: its confidence exceeds `threshold` (0 is the plain machine, more is stricter).

    It must have at least `min_features` stems of the feature space (N_w), and of a topic with indicators at least
    `min_indicators` of these.
    """

    threshold: float = 0.0
    min_features: int = 3
    min_indicators: int = 1


class TopicWishes(Struct, frozen=True):
    """What a person asks of the pages of a topic: indicator stems, and languages as ISO codes (empty for all).

    Stems that are `good` are features of the topic whatever the examples say, and those that are `bad` never are.
    """

    indicators: tuple[str, ...] = ()
    languages: tuple[str, ...] = ()
    good: tuple[str, ...] = ()
    bad: tuple[str, ...] = ()


Wishes = Mapping[str, TopicWishes]
"""Wishes by the written path of their topic."""


def refusal(
    page: Page, topic: str, confidence: float, features: int, rules: Rules, wishes: TopicWishes | None = None
) -> Rejection | None:
    """Return why a topic does not take a page, by the first rule that it does not meet; None if it takes it.

    `features` is the number of its stems in the feature space. A page of unknown language passes.

    >>> boats = Page(url="", title="", words=[], links=[], terms={"boat": 1}, language="de")
    >>> refusal(boats, "Boats", 0.5, 9, Rules(), TopicWishes(("boat", "sail")))
    >>> refusal(boats, "Boats", 0.5, 9, Rules(), TopicWishes((), ("en",))).rule.value
    'other-language'
    """
    if not confidence > rules.threshold:
        return Rejection(rule=Unmet.BELOW_THRESHOLD, topic=topic, needed=rules.threshold)
    if features < rules.min_features:
        return Rejection(rule=Unmet.TOO_FEW_FEATURES, topic=topic, needed=rules.min_features, found=features)
    if wishes is None:
        return None
    if wishes.languages and page.language and page.language not in wishes.languages:
        return Rejection(rule=Unmet.LANGUAGE, topic=topic)
    had, needed = (
        sum(stem in page.terms for stem in wishes.indicators),
        min(rules.min_indicators, len(wishes.indicators)),
    )
    return None if had >= needed else Rejection(rule=Unmet.INDICATORS_MISSING, topic=topic, needed=needed, found=had)
