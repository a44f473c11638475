"""Stores what a strategy decides about whole sites together with the pages behind the decision.

The decisions of a killed crawl therefore always match its pages, and it continues from the rows of its sites.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Protocol, runtime_checkable

from thresher.protocols import View
from thresher.site_types import SiteChanges, SitePageRow, SiteRow, SiteState
from thresher.store.protocol import Store


@runtime_checkable
class KeepsSites(Protocol):
    """A strategy that reads and decides about whole sites."""

    def site_changes(self, view: View) -> SiteChanges:
        """Return the sites and pages that changed since the last call; they are written in the next transaction."""

    def site_counts(self) -> tuple[int, ...]:
        """Return how many sites were decided, how many are relevant, and how many are open; or an empty tuple."""

    def recall(self, sites: Iterable[SiteRow], pages: Mapping[str, Sequence[SitePageRow]]) -> None:
        """Continue from the stored sites of the crawl, and from the stored pages of the open ones."""


def recall_sites(strategy: KeepsSites, store: Store, crawl: int) -> None:
    """Let a strategy continue from what is stored about a crawl."""
    rows = store.sites.of_crawl(crawl)
    pages = {row.site: store.sites.pages(crawl, row.site) for row in rows if row.state is SiteState.OPEN}
    strategy.recall(rows, pages)
