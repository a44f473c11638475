"""A page as a strategy meets it: read in a worker, then ranked, in a crawl where nothing else is known."""

from typing import Any

from msgspec import json

from thresher.crawl.view import CrawlPages
from thresher.protocols import Strategy
from thresher.reading.features import read_features, unpacked
from thresher.store.memory import MemoryStore
from thresher.types import Candidate, Judgement, ParsedPage, Reading


class EmptyView:
    """A view of a crawl that has not begun."""

    def __init__(self) -> None:
        self.known = CrawlPages(MemoryStore())

    def memo(self, url: str) -> None:
        return None

    def yields(self, host: str) -> tuple[int, int]:
        return (0, 0)

    def under_way(self) -> dict[str, int]:
        return {}

    def waiting(self) -> dict[str, int]:
        return {}

    def pages(self) -> int:
        return 0

    def best(self, limit: int) -> list[Candidate]:
        return []


def read(
    strategy: Strategy, page: ParsedPage, judgement: Judgement | None = None, candidate: Candidate | None = None
) -> Reading[Any]:
    """Return what a strategy ranks a page from, with features that have been through MessagePack."""
    return Reading(
        candidate=candidate or Candidate(url=page.url, priority=(1.0,)),
        links=page.links,
        judgement=judgement,
        features=unpacked(strategy, read_features(strategy, page, judgement)),
    )


def followed(
    strategy: Strategy, page: ParsedPage, judgement: Judgement | None = None, candidate: Candidate | None = None
) -> list[Candidate]:
    """Return what a strategy makes of the links of a page."""
    return list(strategy.rank(read(strategy, page, judgement, candidate), EmptyView()))


def memo_of(candidate: Candidate) -> dict[str, Any]:
    """Return what was handed down to a candidate as plain data."""
    return json.decode(candidate.memo, type=dict[str, Any]) if candidate.memo else {}
