"""Archetypes: crawled pages that are good enough to be training pages (Sizov, section 2.2.4).

Two rules propose them. Authorities: the best authorities of a topic with a higher confidence than its own training
pages had while held out. Confident pages: the most confident pages that have any authority at all. So neither a popular
page off the topic nor an isolated page that repeats its words teaches anything. Each host provides only a share of
them.
"""

from collections import Counter
from collections.abc import Callable, Iterable
from enum import StrEnum
from typing import Final

from msgspec import Struct

HOSTS: Final = 4
"""A host provides at most one in this many archetypes of a topic."""

TRIED: Final = 10
"""Number of pages to try for each one wanted before a rule gives up."""


class ProposalRule(StrEnum):
    """The rule by which an archetype was proposed."""

    AUTHORITY = "authority"
    CONFIDENCE = "confidence"
    BOTH = "both"
    ADMITTED = "admitted"


class Graded(Struct, frozen=True):
    """A page of a topic, by its id and host number, with the results of link analysis and classification."""

    page: int
    confidence: float
    authority: float
    host: int = 0


class Archetype(Struct, frozen=True):
    """A page proposed to teach a topic."""

    topic: str
    page: int
    rule: ProposalRule
    confidence: float
    authority: float


def propose(
    topic: str,
    pages: Iterable[Graded],
    border: float,
    confirmed: Callable[[Graded], bool] = lambda _: True,
    *,
    authorities: int = 5,
    confident: int = 20,
    admit_all: bool = False,
) -> list[Archetype]:
    """Return the archetypes of a topic among its pages, most confident first.

    `border` is the mean confidence of its training pages while held out, `authorities` is N_auth and `confident`
    N_conf; training pages must not be among the pages. Each archetype must be `confirmed`. With `admit_all`, every page
    of positive confidence is admitted unconfirmed, up to the sum of both numbers: the choice for topics with a page or
    two, about which little is known.

    >>> pages = [Graded(1, 1.5, 0.9), Graded(2, 0.4, 0.8, 1), Graded(3, 1.2, 0.0, 2)]
    >>> [(found.page, found.rule.value) for found in propose("T", pages, 1.0, authorities=2, confident=2)]
    [(1, 'both'), (2, 'confidence')]
    """
    positive = [page for page in pages if page.confidence > 0]
    if admit_all:
        chosen = sorted(positive, key=_by_confidence)[: authorities + confident]
        return [_made(topic, page, ProposalRule.ADMITTED) for page in chosen]
    linked = [page for page in positive if page.authority > 0]
    passing = [page for page in linked if page.confidence > max(0.0, border)]
    by_authority = _best(sorted(passing, key=_by_authority), authorities, confirmed)
    by_confidence = _best(sorted(linked, key=_by_confidence), confident, confirmed)
    found = [
        _made(topic, page, _rule(page.page in by_authority, page.page in by_confidence))
        for page in positive
        if page.page in by_authority or page.page in by_confidence
    ]
    return sorted(found, key=lambda archetype: (-archetype.confidence, archetype.page))


def _best(pages: list[Graded], number: int, confirmed: Callable[[Graded], bool]) -> set[int]:
    """Return the first confirmed pages, at most `number`, and only a share of them from one host."""
    hosts: Counter[int] = Counter()
    found: set[int] = set()
    for page in pages[: TRIED * number]:
        if len(found) == number:
            break
        if hosts[page.host] < max(1, number // HOSTS) and confirmed(page):
            hosts[page.host] += 1
            found.add(page.page)
    return found


def _rule(authority: bool, confidence: bool) -> ProposalRule:
    if authority and confidence:
        return ProposalRule.BOTH
    return ProposalRule.AUTHORITY if authority else ProposalRule.CONFIDENCE


def _made(topic: str, page: Graded, rule: ProposalRule) -> Archetype:
    return Archetype(topic, page.page, rule, page.confidence, page.authority)


def _by_authority(page: Graded) -> tuple[float, int]:
    return -page.authority, page.page


def _by_confidence(page: Graded) -> tuple[float, int]:
    return -page.confidence, page.page
