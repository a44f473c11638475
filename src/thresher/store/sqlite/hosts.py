"""The tables `hosts` and `robots`."""

from collections.abc import Sequence

import apsw

from thresher.reasons import Reason
from thresher.store.records import Batch
from thresher.store.sqlite.connection import Database, fetch
from thresher.store.sqlite.jsontext import decode, encode
from thresher.store.url_records import HostRow, MissingPage, RobotsRow


class SqliteHosts:
    """What each crawl knows about hosts, and the portal's robots.txt files."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def hosts(self, crawl: int, names: Sequence[str]) -> dict[str, HostRow]:
        """Return the rows of the hosts the crawl has seen; others are absent."""
        found = fetch(
            self._database.reader(),
            "SELECT host, fetched, accepted, failures, closed, free_at, delay, spent, missing FROM hosts"
            " WHERE crawl = ? AND host IN (SELECT value FROM json_each(?))",
            (crawl, encode(names)),
        )
        return {
            host: HostRow(
                host=host,
                fetched=fetched,
                accepted=accepted,
                failures=failures,
                closed=None if closed is None else Reason(closed),
                free_at=free_at,
                delay=delay,
                spent=spent,
                missing=() if missing is None else decode(missing, tuple[MissingPage, ...]),
            )
            for host, fetched, accepted, failures, closed, free_at, delay, spent, missing in found
        }

    def robots(self, origin: str) -> RobotsRow | None:
        """Return the stored robots.txt of an origin, fresh or stale, or None."""
        sql = "SELECT at, expires, status, body FROM robots WHERE origin = ?"
        for at, expires, status, body in fetch(self._database.reader(), sql, (origin,)):
            return RobotsRow(origin=origin, at=at, expires=expires, status=status, body=body)
        return None


def write_hosts(connection: apsw.Connection, batch: Batch) -> None:
    """Write what a batch learned about hosts and robots.txt files; new rows replace old ones."""
    connection.executemany(
        "INSERT OR REPLACE INTO hosts"
        " (crawl, host, fetched, accepted, failures, closed, free_at, delay, spent, missing)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            (
                batch.crawl,
                row.host,
                row.fetched,
                row.accepted,
                row.failures,
                row.closed,
                row.free_at,
                row.delay,
                row.spent,
                encode(row.missing) if row.missing else None,
            )
            for row in batch.hosts
        ),
    )
    connection.executemany(
        "INSERT OR REPLACE INTO robots (origin, at, expires, status, body) VALUES (?, ?, ?, ?, ?)",
        ((row.origin, row.at, row.expires, row.status, row.body) for row in batch.robots),
    )
