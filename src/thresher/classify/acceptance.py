"""Acceptance rules: when a topic accepts a page, according to the tree and the user."""

from collections.abc import Mapping
from typing import Final

from msgspec import Struct

from thresher.reasons import Unmet
from thresher.types import ParsedPage, Rejection

EMPTY: Final = 1.0
"""Extra confidence that a page needs to stay at a topic without pages of its own after all topics below it have
rejected it: nobody has shown that such pages exist.
"""


class Rules(Struct, frozen=True, kw_only=True):
    """When a page is accepted: its confidence exceeds `threshold` (0 is the plain classifier, more is stricter).

    It must have at least `min_features` stems of the feature space (N_w), and `min_indicators` of the indicators if the
    topic has any.
    """

    threshold: float = 0.0
    min_features: int = 3
    min_indicators: int = 1


class TopicWishes(Struct, frozen=True):
    """A person's requirements for the pages of a topic: indicator stems, and languages as ISO codes (empty for all).

    `good` stems are always features of the topic, whatever the examples say; `bad` stems never are.
    """

    indicators: tuple[str, ...] = ()
    languages: tuple[str, ...] = ()
    good: tuple[str, ...] = ()
    bad: tuple[str, ...] = ()


Wishes = Mapping[str, TopicWishes]
"""Wishes by the written path of the topic."""


def refusal(
    page: ParsedPage, topic: str, confidence: float, features: int, rules: Rules, wishes: TopicWishes | None = None
) -> Rejection | None:
    """Return why a topic rejects a page, by the first rule that is not met; None if it accepts the page.

    `features` is the number of its stems in the feature space. A page in an unknown language passes.

    >>> boats = ParsedPage(url="", title="", words=[], links=[], terms={"boat": 1}, language="de")
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
