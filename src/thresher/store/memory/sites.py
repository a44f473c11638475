"""The sites that crawls for websites have read, in memory."""

from collections.abc import Sequence

from thresher.site_types import SitePageRow, SiteRow, SiteState, SiteVerdict
from thresher.store.memory.tables import Tables
from thresher.store.records import Batch


class MemorySites:
    """The sites that crawls for websites have read, and what people say of them."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables

    def of_crawl(self, crawl: int) -> list[SiteRow]:
        """Return all sites of a crawl in the order of their names."""
        with self._tables.lock:
            found = [row for (number, _), row in self._tables.sites.items() if number == crawl]
        return sorted(found, key=lambda row: row.site)

    def get(self, crawl: int, site: str) -> SiteRow | None:
        """Return a site of a crawl, or None if the crawl has not met it."""
        return self._tables.sites.get((crawl, site))

    def pages(self, crawl: int, site: str) -> list[SitePageRow]:
        """Return the pages that a crawl has read of a site, in the order of reading."""
        with self._tables.lock:
            return [row for _, row in sorted(self._tables.site_pages.get((crawl, site), {}).items())]

    def listed(
        self, crawl: int, states: Sequence[SiteState], topic: str | None = None, *, limit: int = 0, offset: int = 0
    ) -> list[SiteRow]:
        """Return the sites in some states, of a topic or of all, the most probable first; a limit of 0 gives all."""
        found = [row for row in self.of_crawl(crawl) if row.state in states and topic in (None, row.topic)]
        found.sort(key=lambda row: (-row.posterior, row.site))
        return found[offset : offset + limit if limit else None]

    def count(self, crawl: int, states: Sequence[SiteState], topic: str | None = None) -> int:
        """Return how many sites `listed` gives without a limit."""
        return len(self.listed(crawl, states, topic))

    def say(self, verdict: SiteVerdict) -> None:
        """Write what a person says of a site, in place of what was said before."""
        with self._tables.lock:
            self._tables.site_verdicts[verdict.site] = verdict

    def unsay(self, site: str) -> None:
        """Take back what a person said of a site; one that nobody spoke of stays as it is."""
        with self._tables.lock:
            self._tables.site_verdicts.pop(site, None)

    def verdicts(self) -> list[SiteVerdict]:
        """Return what people said of sites, in the order of their names."""
        with self._tables.lock:
            return [self._tables.site_verdicts[site] for site in sorted(self._tables.site_verdicts)]


def write_sites(tables: Tables, batch: Batch) -> None:
    """Write what a crawl has read and decided of sites."""
    tables.sites.update({(batch.crawl, row.site): row for row in batch.sites.sites})
    for page in batch.sites.pages:
        tables.site_pages.setdefault((batch.crawl, page.site), {})[page.number] = page
