"""The tables `sites`, `site_pages` and `site_verdicts`."""

from collections.abc import Sequence
from typing import Any, Final

import apsw

from thresher.site_types import SiteEnd, SitePageRow, SiteRow, SiteState, SiteVerdict
from thresher.store.records import Batch
from thresher.store.sqlite.connection import Database, fetch
from thresher.store.sqlite.jsontext import decode, encode

_COLUMNS: Final = "site, home, topic, posterior, pages, texts, state, ending, found, same_as"
_PUT: Final = (
    "INSERT OR REPLACE INTO sites (crawl, site, home, topic, posterior, pages, texts, state, ending, found, same_as)"
    " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
)
_PUT_PAGE: Final = (
    "INSERT OR REPLACE INTO site_pages (crawl, site, number, url, confidences, posterior) VALUES (?, ?, ?, ?, ?, ?)"
)
_SAY: Final = "INSERT OR REPLACE INTO site_verdicts (site, topic, accepted, home, at) VALUES (?, ?, ?, ?, ?)"
_PAGES: Final = (
    "SELECT site, number, url, confidences, posterior FROM site_pages WHERE crawl = ? AND site = ? ORDER BY number"
)


class SqliteSites:
    """The sites that crawls for websites have read, and people's verdicts on them."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def of_crawl(self, crawl: int) -> list[SiteRow]:
        """Return all sites of a crawl in order of name."""
        return self._rows("crawl = ? ORDER BY site", (crawl,))

    def get(self, crawl: int, site: str) -> SiteRow | None:
        """Return a site of a crawl, or None if the crawl has not seen it."""
        return next(iter(self._rows("crawl = ? AND site = ?", (crawl, site))), None)

    def pages(self, crawl: int, site: str) -> list[SitePageRow]:
        """Return the pages of a site that a crawl has read, in the order of reading."""
        return [
            SitePageRow(
                site=name, number=number, url=url, confidences=tuple(decode(said, list[float])), posterior=posterior
            )
            for name, number, url, said, posterior in fetch(self._database.reader(), _PAGES, (crawl, site))
        ]

    def listed(
        self, crawl: int, states: Sequence[SiteState], topic: str | None = None, *, limit: int = 0, offset: int = 0
    ) -> list[SiteRow]:
        """Return the sites in some states, of one topic or all, most probable first; a limit of 0 returns all."""
        where, values = _where(crawl, states, topic)
        return self._rows(
            f"{where} ORDER BY posterior DESC, site LIMIT ? OFFSET ?", (*values, limit if limit else -1, offset)
        )

    def count(self, crawl: int, states: Sequence[SiteState], topic: str | None = None) -> int:
        """Return how many sites `listed` returns without a limit."""
        where, values = _where(crawl, states, topic)
        ((number,),) = fetch(self._database.reader(), f"SELECT count(*) FROM sites WHERE {where}", values)  # noqa: S608
        return int(number)

    def say(self, verdict: SiteVerdict) -> None:
        """Write a person's verdict on a site, replacing any earlier one."""
        values = (verdict.site, verdict.topic, int(verdict.accepted), verdict.home, verdict.at)
        with self._database.writing(durable=True) as connection:
            connection.execute(_SAY, values)

    def unsay(self, site: str) -> None:
        """Delete the verdict on a site, if there is one."""
        with self._database.writing(durable=True) as connection:
            connection.execute("DELETE FROM site_verdicts WHERE site = ?", (site,))

    def verdicts(self) -> list[SiteVerdict]:
        """Return all verdicts on sites, in order of site name."""
        found = fetch(
            self._database.reader(), "SELECT site, topic, accepted, home, at FROM site_verdicts ORDER BY site"
        )
        return [
            SiteVerdict(site=site, topic=topic, accepted=bool(accepted), home=home, at=at)
            for site, topic, accepted, home, at in found
        ]

    def _rows(self, where: str, values: tuple[Any, ...]) -> list[SiteRow]:
        found = fetch(self._database.reader(), f"SELECT {_COLUMNS} FROM sites WHERE {where}", values)  # noqa: S608
        return [
            SiteRow(
                site=site,
                home=home,
                topic=topic,
                posterior=posterior,
                pages=pages,
                texts=texts,
                state=SiteState(state),
                end=SiteEnd(ending) if ending else None,
                found=number,
                same_as=same_as,
            )
            for site, home, topic, posterior, pages, texts, state, ending, number, same_as in found
        ]


def write_sites(connection: apsw.Connection, batch: Batch) -> None:
    """Write what a crawl has read and decided about sites."""
    for row in batch.sites.sites:
        end = row.end.value if row.end is not None else None
        values = (row.site, row.home, row.topic, row.posterior, row.pages, row.texts, row.state.value, end)
        connection.execute(_PUT, (batch.crawl, *values, row.found, row.same_as))
    for page in batch.sites.pages:
        said = encode(list(page.confidences))
        connection.execute(_PUT_PAGE, (batch.crawl, page.site, page.number, page.url, said, page.posterior))


def _where(crawl: int, states: Sequence[SiteState], topic: str | None) -> tuple[str, tuple[Any, ...]]:
    marks = ", ".join("?" for _ in states)
    where, values = f"crawl = ? AND state IN ({marks})", (crawl, *(state.value for state in states))
    return (where, values) if topic is None else (f"{where} AND topic = ?", (*values, topic))
