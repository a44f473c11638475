"""Archetypes: pages found by a crawl that are good enough to teach a topic (Sizov, section 2.2.4).

Two rules propose them. Authorities: the best authorities of a topic that are more confident than its own training pages
were while held out. Confident pages: the most confident pages with more authority than the training pages have in the
mean. A page must pass a border of both kinds, so that neither a popular page off the topic nor a lonely page that
repeats its words teaches anything.
"""

from collections.abc import Iterable, Sequence
from enum import StrEnum

from msgspec import Struct


class Rule(StrEnum):
    """By which rule an archetype was proposed."""

    AUTHORITY = "authority"
    CONFIDENCE = "confidence"
    BOTH = "both"
    ADMITTED = "admitted"


class Graded(Struct, frozen=True):
    """A page of a topic, by its id, as link analysis and classifier see it."""

    page: int
    confidence: float
    authority: float


class Border(Struct, frozen=True):
    """What training pages of a topic reach in the mean: confidence while held out, and authority."""

    confidence: float
    authority: float


class Archetype(Struct, frozen=True):
    """A page proposed to teach a topic."""

    topic: str
    page: int
    rule: Rule
    confidence: float
    authority: float


def propose(
    topic: str,
    pages: Iterable[Graded],
    border: Border,
    *,
    authorities: int = 20,
    confident: int = 20,
    admit_all: bool = False,
) -> list[Archetype]:
    """Return the archetypes of a topic among its pages, the most confident first.

    `authorities` is N_auth and `confident` N_conf; training pages must not be among the pages. With `admit_all` every
    page of positive confidence is admitted, up to the sum of both numbers: the choice for topics with a page or two,
    whose borders mean little.

    >>> pages = [Graded(1, 1.5, 0.9), Graded(2, 0.4, 0.8), Graded(3, 1.2, 0.0)]
    >>> [(found.page, found.rule.value) for found in propose("T", pages, Border(1.0, 0.1), authorities=2, confident=2)]
    [(1, 'both'), (2, 'confidence')]
    """
    positive = [page for page in pages if page.confidence > 0]
    if admit_all:
        chosen = sorted(positive, key=_by_confidence)[: authorities + confident]
        return [_made(topic, page, Rule.ADMITTED) for page in chosen]
    passing = [page for page in positive if page.confidence > border.confidence and page.authority > 0]
    by_authority = {page.page for page in sorted(passing, key=_by_authority)[:authorities]}
    linked = [page for page in positive if page.authority > border.authority]
    by_confidence = {page.page for page in sorted(linked, key=_by_confidence)[:confident]}
    found = [
        _made(topic, page, _rule(page.page in by_authority, page.page in by_confidence))
        for page in positive
        if page.page in by_authority or page.page in by_confidence
    ]
    return sorted(found, key=lambda archetype: (-archetype.confidence, archetype.page))


def border_of(mean_confidence: float, training: Sequence[float]) -> Border:
    """Return the border of a topic from the mean confidence of its training pages and the authority of each.

    A training page that link analysis knows nothing of counts with an authority of 0.

    >>> border_of(-0.2, [0.2, 0.4, 0.0]).confidence
    0.0
    """
    return Border(max(0.0, mean_confidence), sum(training) / len(training) if training else 0.0)


def _rule(authority: bool, confidence: bool) -> Rule:
    if authority and confidence:
        return Rule.BOTH
    return Rule.AUTHORITY if authority else Rule.CONFIDENCE


def _made(topic: str, page: Graded, rule: Rule) -> Archetype:
    return Archetype(topic, page.page, rule, page.confidence, page.authority)


def _by_authority(page: Graded) -> tuple[float, int]:
    return -page.authority, page.page


def _by_confidence(page: Graded) -> tuple[float, int]:
    return -page.confidence, page.page
