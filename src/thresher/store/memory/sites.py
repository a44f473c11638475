"""The sites that crawls for websites have read, in memory."""

from collections.abc import Sequence

from thresher.site_types import SitePageRow, SiteRow, SiteState, SiteVerdict
from thresher.store.memory.tables import Tables
from thresher.store.records import Batch


class MemorySites:
    """The sites that crawls for websites have read, and people's verdicts on them."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables

    def of_crawl(self, crawl: int) -> list[SiteRow]:
        """Return all sites of a crawl in order of name."""
        with self._tables.lock:
            found = [row for (number, _), row in self._tables.sites.items() if number == crawl]
        return sorted(found, key=lambda row: row.site)

    def get(self, crawl: int, site: str) -> SiteRow | None:
        """Return a site of a crawl, or None if the crawl has not seen it."""
        return self._tables.sites.get((crawl, site))

    def pages(self, crawl: int, site: str) -> list[SitePageRow]:
        """Return the pages of a site that a crawl has read, in the order of reading."""
        with self._tables.lock:
            return [row for _, row in sorted(self._tables.site_pages.get((crawl, site), {}).items())]

    def listed(
        self, crawl: int, states: Sequence[SiteState], topic: str | None = None, *, limit: int = 0, offset: int = 0
    ) -> list[SiteRow]:
        """Return the sites in some states, of one topic or all, most probable first; a limit of 0 returns all."""
        found = [row for row in self.of_crawl(crawl) if row.state in states and topic in (None, row.topic)]
        found.sort(key=lambda row: (-row.posterior, row.site))
        return found[offset : offset + limit if limit else None]

    def count(self, crawl: int, states: Sequence[SiteState], topic: str | None = None) -> int:
        """Return how many sites `listed` returns without a limit."""
        return len(self.listed(crawl, states, topic))

    def say(self, verdict: SiteVerdict) -> None:
        """Write a person's verdict on a site, replacing any earlier one."""
        with self._tables.lock:
            self._tables.site_verdicts[verdict.site] = verdict

    def unsay(self, site: str) -> None:
        """Delete the verdict on a site, if there is one."""
        with self._tables.lock:
            self._tables.site_verdicts.pop(site, None)

    def verdicts(self) -> list[SiteVerdict]:
        """Return all verdicts on sites, in order of site name."""
        with self._tables.lock:
            return [self._tables.site_verdicts[site] for site in sorted(self._tables.site_verdicts)]


def write_sites(tables: Tables, batch: Batch) -> None:
    """Write what a crawl has read and decided about sites."""
    tables.sites.update({(batch.crawl, row.site): row for row in batch.sites.sites})
    for page in batch.sites.pages:
        tables.site_pages.setdefault((batch.crawl, page.site), {})[page.number] = page
