"""A page as a strategy meets it: read, then ranked, in a crawl where nothing else is known."""

from tests.strategies.test_battery import EmptyView
from thresher.strategies.learned import LearnedScorer
from thresher.types import Candidate, Judgement, Page, Reading


def followed(strategy: LearnedScorer, page: Page, judgement: Judgement | None = None) -> list[Candidate]:
    """Return what a strategy makes of the links of a page."""
    reading = Reading(
        candidate=Candidate(url=page.url, priority=(1.0,)),
        links=page.links,
        judgement=judgement,
        rows=strategy.read(page, judgement),
    )
    return list(strategy.rank(reading, EmptyView()))
