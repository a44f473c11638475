"""What the live view, the report and the graph read, and the table `places`."""

import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Final

from thresher.reasons import Reason
from thresher.store.sqlite.connection import Database, fetch
from thresher.store.sqlite.jsontext import encode
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

# As in 0014_portal.sql; otherwise SQLite does not use its indexes.
_ACCEPTED: Final = (
    "topic IS NOT NULL AND conf IS NOT NULL AND gone IS NULL AND instr(coalesce(robots, ''), '\"noindex\"') = 0"
)
_AFTER_SCHEME: Final = "substr(u.url, instr(u.url, '://') + 3)"
_WAITING: Final = f"""
SELECT q.name, coalesce(u.host, substr({_AFTER_SCHEME}, 1, instr({_AFTER_SCHEME}, '/') - 1)) AS at, count(*)
FROM urls AS u JOIN queues AS q ON q.id = u.queue WHERE u.crawl = ? AND u.state = 0 GROUP BY 1, 2
"""  # noqa: S608
_PORT: Final = re.compile(r":\d+$")
_HELD: Final = """
SELECT host, fetched, failures, closed, free_at, delay FROM hosts
WHERE crawl = ? AND (closed IS NOT NULL OR failures > 0 OR free_at > ? OR delay > ?)
ORDER BY closed IS NOT NULL, free_at DESC, delay DESC, host LIMIT ?
"""
_LOOKED_BACK: Final = 5000
_FAILURES: Final = """
SELECT url, at, coalesce(reason, ''), status FROM visits
WHERE crawl = ? AND outcome = 'failed' AND seq > (SELECT coalesce(max(seq), 0) FROM visits) - ?
ORDER BY seq DESC LIMIT ?
"""
_PROBABILITY: Final = "(SELECT probability FROM judgements WHERE document = d.id ORDER BY seq DESC LIMIT 1)"
_READ: Final = f"""
SELECT d.id, d.url, d.host, a.title, d.at, d.topic, {_PROBABILITY}
FROM documents AS d JOIN archive AS a ON a.document = d.id
WHERE d.crawl = ? AND d.gone IS NULL AND instr(coalesce(d.robots, ''), '"noindex"') = 0 ORDER BY d.seq DESC LIMIT ?
"""  # noqa: S608
_KEPT: Final = """
SELECT v.seq, v.at, d.topic IS NOT NULL FROM visits AS v JOIN documents AS d ON d.id = v.url_id
WHERE v.seq > max(?, (SELECT seq FROM crawls WHERE id = ?)) AND v.crawl = ? AND v.outcome = 'fetched'
  AND v.reason IS NULL
ORDER BY v.seq
"""
_TURNS: Final = """
SELECT kind, at FROM events WHERE crawl = ? AND kind IN (SELECT value FROM json_each(?)) ORDER BY seq DESC LIMIT 1
"""
_ARRIVALS: Final = f"""
SELECT d.id, d.topic, d.host, d.conf, {_PROBABILITY}, d.found FROM documents AS d
WHERE {_ACCEPTED} AND d.found >= ? AND d.found < ? ORDER BY d.found DESC, d.id LIMIT ?
"""  # noqa: S608
_DEPARTED: Final = "SELECT count(*) FROM documents WHERE topic IS NOT NULL AND gone >= ? AND gone < ?"


class SqliteCrawlWatch:
    """The current activity of a crawl."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def waiting(self, crawl: int) -> list[WaitingLinks]:
        """Return the number of waiting links by queue and host; reads all URLs of the crawl."""
        found: Counter[tuple[str, str]] = Counter()
        for queue, host, links in fetch(self._database.reader(), _WAITING, (crawl,)):
            found[queue, _PORT.sub("", host)] += links
        return [WaitingLinks(*key, links) for key, links in sorted(found.items())]

    def held(self, crawl: int, now: float, delay: float, limit: int) -> list[HeldHost]:
        """Return the hosts that were given up, wait beyond `now`, failed last time, or want more than `delay` seconds.

        The longest waiting come first, those given up last.
        """
        return [
            HeldHost(host, fetched, failures, None if closed is None else Reason(closed), free_at, wanted)
            for host, fetched, failures, closed, free_at, wanted in fetch(
                self._database.reader(), _HELD, (crawl, now, delay, limit)
            )
        ]

    def failures(self, crawl: int, limit: int) -> list[FailedVisit]:
        """Return the newest failed visits among the last few thousand, newest first."""
        return [FailedVisit(*row) for row in fetch(self._database.reader(), _FAILURES, (crawl, _LOOKED_BACK, limit))]

    def read(self, crawl: int, limit: int) -> list[ReadPage]:
        """Return the pages stored last, newest first."""
        return [
            ReadPage(
                id=id_,
                url=url,
                host=host,
                title=title,
                at=at,
                topic=topic,
                probability=math.nan if probability is None else probability,
            )
            for id_, url, host, title, at, topic, probability in fetch(self._database.reader(), _READ, (crawl, limit))
        ]

    def kept(self, crawl: int, since: int = 0) -> list[KeptMark]:
        """Return the stored pages whose visits have a sequence number above `since`, in order."""
        found = fetch(self._database.reader(), _KEPT, (since, crawl, crawl))
        return [KeptMark(seq, at, bool(kept)) for seq, at, kept in found]

    def paused(self, crawl: int) -> float | None:
        """Return since when a crawl has been told to pause, or None if it is not paused."""
        found = fetch(self._database.reader(), _TURNS, (crawl, encode(TURNS)))
        return found[0][1] if found and found[0][0] == PAUSED else None

    def offline(self, crawl: int) -> float | None:
        """Return since when a crawl cannot reach any host, or None if it can."""
        found = fetch(self._database.reader(), _TURNS, (crawl, encode(LINES)))
        return found[0][1] if found and found[0][0] == OFFLINE else None

    def arrivals(self, since: float, until: float, limit: int) -> list[NewPage]:
        """Return the accepted pages found from `since` to `until`, newest first."""
        found = fetch(self._database.reader(), _ARRIVALS, (since, until, limit))
        return [
            NewPage(id_, topic, host, conf, math.nan if probability is None else probability, at)
            for id_, topic, host, conf, probability, at in found
        ]

    def departed(self, since: float, until: float) -> int:
        """Return the number of accepted pages found gone from `since` to `until`."""
        ((number,),) = fetch(self._database.reader(), _DEPARTED, (since, until))
        return int(number)


class SqlitePlaces:
    """Positions of pages in the picture of the graph."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def keep(self, places: Mapping[int, Place]) -> None:
        """Write the positions of pages."""
        rows = [(id_, *place) for id_, place in places.items()]
        with self._database.writing() as connection:
            connection.executemany("INSERT OR REPLACE INTO places (document, x, y) VALUES (?, ?, ?)", rows)

    def of(self, ids: Sequence[int]) -> dict[int, Place]:
        """Return positions by page id; pages without one are absent."""
        sql = "SELECT document, x, y FROM places WHERE document IN (SELECT value FROM json_each(?))"
        return {id_: Place(x, y) for id_, x, y in fetch(self._database.reader(), sql, (encode(list(ids)),))}
