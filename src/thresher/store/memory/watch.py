"""What the live view, the report and the graph read, in memory."""

import math
from collections import Counter
from collections.abc import Mapping, Sequence

from thresher.store.memory.portal import MemoryCatalogue
from thresher.store.memory.tables import Tables
from thresher.store.portal_records import ListOrder, PageSelection
from thresher.store.url_records import UrlState
from thresher.store.watch_records import (
    LINES,
    OFFLINE,
    PAUSED,
    TURNS,
    FailedVisit,
    HeldHost,
    KeptMark,
    NewPage,
    Place,
    ReadPage,
    WaitingLinks,
)
from thresher.web.urls import url_id


class MemoryCrawlWatch:
    """The current activity of a crawl."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables
        self._catalogue = MemoryCatalogue(tables)

    def waiting(self, crawl: int) -> list[WaitingLinks]:
        """Return the number of waiting links by queue and host; reads all URLs of the crawl."""
        with self._tables.lock:
            rows = [row for row in self._tables.urls.get(crawl, {}).values() if row.state is UrlState.WAITING]
        return [
            WaitingLinks(*key, number)
            for key, number in sorted(Counter((row.candidate.queue, row.host) for row in rows).items())
        ]

    def held(self, crawl: int, now: float, delay: float, limit: int) -> list[HeldHost]:
        """Return the hosts that were given up, wait beyond `now`, failed last time, or want more than `delay` seconds.

        The longest waiting come first, those given up last.
        """
        with self._tables.lock:
            rows = [row for (number, _), row in self._tables.hosts.items() if number == crawl]
        found = [
            HeldHost(row.host, row.fetched, row.failures, row.closed, row.free_at, row.delay)
            for row in rows
            if row.closed is not None or row.failures or row.free_at > now or row.delay > delay
        ]
        return sorted(found, key=lambda row: (row.closed is not None, -row.free_at, -row.delay, row.host))[:limit]

    def failures(self, crawl: int, limit: int) -> list[FailedVisit]:
        """Return the newest failed visits, newest first."""
        with self._tables.lock:
            found = [entry for entry in reversed(self._tables.log) if entry.crawl == crawl and entry.kind == "failed"]
        return [
            FailedVisit(entry.url or "", entry.at, entry.detail.get("reason", ""), entry.detail.get("status"))
            for entry in found[:limit]
        ]

    def read(self, crawl: int, limit: int) -> list[ReadPage]:
        """Return the pages stored last, newest first."""
        with self._tables.lock:
            visited = {
                url_id(entry.url) for entry in self._tables.log if entry.crawl == crawl and entry.url is not None
            }
            found = sorted(
                ((seq, row) for id_, (seq, row) in self._tables.documents.items() if id_ in visited),
                key=lambda pair: -pair[0],
            )
            return [
                ReadPage(
                    id=row.url_id,
                    url=row.url,
                    host=row.host,
                    title=row.title,
                    at=row.at,
                    topic=judged.topic if judged else None,
                    probability=judged.probability if judged else math.nan,
                )
                for _, row in found
                if row.gone is None and "noindex" not in row.robots
                for judged in [self._tables.judgements.get(row.url_id)]
            ][:limit]

    def kept(self, crawl: int, since: int = 0) -> list[KeptMark]:
        """Return the stored pages whose visits have a sequence number above `since`, in order."""
        with self._tables.lock:
            found = []
            for entry in self._tables.log:
                wanted = entry.crawl == crawl and entry.seq > since and entry.kind == "fetched"
                if not wanted or entry.url is None or entry.detail.get("reason"):
                    continue
                id_ = url_id(entry.url)
                if id_ in self._tables.documents:
                    judged = self._tables.judgements.get(id_)
                    found.append(KeptMark(entry.seq, entry.at, judged is not None and judged.topic is not None))
            return found

    def paused(self, crawl: int) -> float | None:
        """Return since when a crawl has been told to pause, or None if it is not paused."""
        with self._tables.lock:
            turns = [entry for entry in self._tables.log if entry.crawl == crawl and entry.kind in TURNS]
        return turns[-1].at if turns and turns[-1].kind == PAUSED else None

    def offline(self, crawl: int) -> float | None:
        """Return since when a crawl cannot reach any host, or None if it can."""
        with self._tables.lock:
            lines = [entry for entry in self._tables.log if entry.crawl == crawl and entry.kind in LINES]
        return lines[-1].at if lines and lines[-1].kind == OFFLINE else None

    def arrivals(self, since: float, until: float, limit: int) -> list[NewPage]:
        """Return the accepted pages found from `since` to `until`, newest first."""
        ids = self._catalogue.ids(PageSelection(), ListOrder.NEWEST, len(self._tables.documents))
        pages = self._catalogue.pages(ids)
        listed = (pages[id_] for id_ in ids)
        return [
            NewPage(page.id, page.topic, page.host, page.confidence, page.probability, page.found)
            for page in listed
            if since <= page.found < until
        ][:limit]

    def departed(self, since: float, until: float) -> int:
        """Return the number of accepted pages found gone from `since` to `until`."""
        with self._tables.lock:
            judged = self._tables.judgements
            return sum(
                row.gone is not None and since <= row.gone < until and id_ in judged and judged[id_].topic is not None
                for id_, (_, row) in self._tables.documents.items()
            )


class MemoryPlaces:
    """Positions of pages in the picture of the graph."""

    def __init__(self) -> None:
        self._places: dict[int, Place] = {}

    def keep(self, places: Mapping[int, Place]) -> None:
        """Write the positions of pages."""
        self._places.update(places)

    def of(self, ids: Sequence[int]) -> dict[int, Place]:
        """Return positions by page id; pages without one are absent."""
        return {id_: self._places[id_] for id_ in ids if id_ in self._places}
