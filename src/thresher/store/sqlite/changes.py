"""The change log: visits and events merged, and pages in the order they changed.

Everything is read in chunks, each a separate query, so a slow reader holds nothing open.
"""

from collections.abc import Iterator

from thresher.reasons import Reason
from thresher.store.logentries import event_entry, visit_entry
from thresher.store.records import EventRow, LogEntry
from thresher.store.sqlite import numbers
from thresher.store.sqlite.connection import Database, fetch
from thresher.store.sqlite.jsontext import decode
from thresher.store.sqlite.visits import COLUMNS, visit_row


class SqliteChanges:
    """Changes since a sequence number; `chunk` is the number of rows read at a time."""

    def __init__(self, database: Database, *, chunk: int = 500) -> None:
        self._database = database
        self._chunk = chunk

    def last(self) -> int:
        """Return the sequence number of the newest change, 0 for an empty portal."""
        return numbers.newest(self._database.reader())

    def entries(self, since: int = 0, crawl: int | None = None) -> Iterator[LogEntry]:
        """Yield visits and events with a sequence number above `since`, in order."""
        if crawl is not None:
            # Nothing in a crawl is older than its start, so skip earlier crawls.
            started = self._database.reader().execute("SELECT seq FROM crawls WHERE id = ?", (crawl,)).get
            since = max(since, started or 0)
        while chunk := self._entries(since, crawl):
            yield from chunk
            since = chunk[-1].seq

    def _entries(self, since: int, crawl: int | None) -> list[LogEntry]:
        where = "seq > ?1 AND (?2 IS NULL OR crawl = ?2) ORDER BY seq LIMIT ?3"
        bindings = (since, crawl, self._chunk)
        with self._database.snapshot() as connection:
            visits = connection.execute(f"SELECT seq, crawl, {COLUMNS} FROM visits WHERE {where}", bindings)  # noqa: S608
            entries = [visit_entry(seq, owner, visit_row(rest)) for seq, owner, *rest in visits]
            events = connection.execute(f"SELECT seq, crawl, at, kind, detail FROM events WHERE {where}", bindings)  # noqa: S608
            entries += [
                event_entry(seq, owner, EventRow(at=at, kind=kind, detail=decode(detail, dict)))
                for seq, owner, at, kind, detail in events
            ]
        # Both lists may have been cut; only the first `chunk` entries of the two together are certainly complete.
        return sorted(entries, key=lambda entry: entry.seq)[: self._chunk]

    def details(self, crawl: int, reason: Reason) -> dict[str, int]:
        """Return how often visits of a crawl that ended with a reason gave each detail, most frequent first."""
        sql = (
            "SELECT detail, count(*) AS n FROM visits WHERE crawl = ? AND reason = ?"
            " GROUP BY detail ORDER BY n DESC, detail"
        )
        return dict(fetch(self._database.reader(), sql, (crawl, reason.value)))

    def last_archived(self) -> tuple[str, int] | None:
        """Return the file and offset of the newest archived answer that a visit names, or None if there is none."""
        found = fetch(
            self._database.reader(),
            "SELECT archive_file, archive_offset FROM visits WHERE archive_file <> '' ORDER BY seq DESC LIMIT 1",
        )
        return (found[0][0], found[0][1]) if found else None

    def archived(self) -> dict[str, int]:
        """Return for each archive file how many different answers in it visits refer to."""
        sql = (
            "SELECT archive_file, count(DISTINCT archive_offset) FROM visits WHERE archive_file <> ''"
            " GROUP BY archive_file ORDER BY archive_file"
        )
        return dict(fetch(self._database.reader(), sql))

    def documents_since(self, since: int) -> Iterator[tuple[int, str]]:
        """Yield (sequence number, URL) of pages written or changed after `since`, in order."""
        sql = "SELECT seq, url FROM documents WHERE seq > ? ORDER BY seq LIMIT ?"
        while chunk := fetch(self._database.reader(), sql, (since, self._chunk)):
            yield from ((seq, url) for seq, url in chunk)
            since = chunk[-1][0]
