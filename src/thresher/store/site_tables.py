"""The tables of sites."""

from collections.abc import Sequence
from typing import Protocol

from thresher.site_types import SitePageRow, SiteRow, SiteState, SiteVerdict


class Sites(Protocol):
    """The sites that crawls for websites have read, and what people say of them.

    What a crawl reads and decides is written by `Store.commit`.
    """

    def of_crawl(self, crawl: int) -> list[SiteRow]:
        """Return all sites of a crawl in the order of their names."""

    def get(self, crawl: int, site: str) -> SiteRow | None:
        """Return a site of a crawl, or None if the crawl has not met it."""

    def pages(self, crawl: int, site: str) -> list[SitePageRow]:
        """Return the pages that a crawl has read of a site, in the order of reading."""

    def listed(
        self, crawl: int, states: Sequence[SiteState], topic: str | None = None, *, limit: int = 0, offset: int = 0
    ) -> list[SiteRow]:
        """Return the sites in some states, of a topic or of all, the most probable first; a limit of 0 gives all."""

    def count(self, crawl: int, states: Sequence[SiteState], topic: str | None = None) -> int:
        """Return how many sites `listed` gives without a limit."""

    def say(self, verdict: SiteVerdict) -> None:
        """Write what a person says of a site, in place of what was said before. Durable at once."""

    def unsay(self, site: str) -> None:
        """Take back what a person said of a site; one that nobody spoke of stays as it is. Durable at once."""

    def verdicts(self) -> list[SiteVerdict]:
        """Return what people said of sites, in the order of their names."""
