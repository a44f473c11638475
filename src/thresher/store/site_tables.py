"""The tables of sites."""

from collections.abc import Sequence
from typing import Protocol

from thresher.site_types import SitePageRow, SiteRow, SiteState, SiteVerdict


class Sites(Protocol):
    """The sites that crawls for websites have read, and people's verdicts on them.

    What a crawl reads and decides is written by `Store.commit`.
    """

    def of_crawl(self, crawl: int) -> list[SiteRow]:
        """Return all sites of a crawl in order of name."""

    def get(self, crawl: int, site: str) -> SiteRow | None:
        """Return a site of a crawl, or None if the crawl has not seen it."""

    def pages(self, crawl: int, site: str) -> list[SitePageRow]:
        """Return the pages of a site that a crawl has read, in the order of reading."""

    def listed(
        self, crawl: int, states: Sequence[SiteState], topic: str | None = None, *, limit: int = 0, offset: int = 0
    ) -> list[SiteRow]:
        """Return the sites in some states, of one topic or all, most probable first; a limit of 0 returns all."""

    def count(self, crawl: int, states: Sequence[SiteState], topic: str | None = None) -> int:
        """Return how many sites `listed` returns without a limit."""

    def say(self, verdict: SiteVerdict) -> None:
        """Write a person's verdict on a site, replacing any earlier one. Durable at once."""

    def unsay(self, site: str) -> None:
        """Delete the verdict on a site, if there is one. Durable at once."""

    def verdicts(self) -> list[SiteVerdict]:
        """Return all verdicts on sites, in order of site name."""
