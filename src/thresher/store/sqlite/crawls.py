"""The tables `crawls`, `strategy_states` and `shard_memories`: the settings and progress of each crawl."""

from typing import Any

import apsw

from thresher.errors import PortalError
from thresher.store.records import Batch, CrawlKind, CrawlRow, Progress
from thresher.store.soundness import sound
from thresher.store.sqlite import numbers
from thresher.store.sqlite.connection import Database, fetch
from thresher.store.sqlite.jsontext import decode, encode

_COLUMNS = "id, kind, strategy, started, settings, updated, progress"


class SqliteCrawls:
    """The crawls of a portal."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def start(self, kind: CrawlKind, strategy: str, settings: dict[str, Any], at: float) -> CrawlRow:
        """Add a crawl and return its row; durable at once."""
        progress = Progress()
        snapshot = encode(sound(settings))
        with self._database.writing(durable=True) as connection:
            seq = numbers.draw(connection, 1)
            crawl = connection.execute(
                "INSERT INTO crawls (seq, kind, strategy, settings, started, updated, state, progress)"
                " VALUES (?, ?, ?, ?, ?, ?, ?, ?) RETURNING id",
                (seq, CrawlKind(kind).value, strategy, snapshot, at, at, progress.state.value, encode(progress)),
            ).get
        return CrawlRow(
            id=crawl,
            kind=CrawlKind(kind),
            strategy=strategy,
            started=at,
            settings=decode(snapshot, dict),
            updated=at,
        )

    def get(self, crawl: int | None = None) -> CrawlRow | None:
        """Return a crawl, the newest for None; None if there is no such crawl."""
        which = "(SELECT max(id) FROM crawls)" if crawl is None else "?"
        sql = f"SELECT {_COLUMNS} FROM crawls WHERE id = {which}"  # noqa: S608
        bindings = () if crawl is None else (crawl,)
        for id_, kind, strategy, started, settings, updated, progress in fetch(self._database.reader(), sql, bindings):
            return CrawlRow(
                id=id_,
                kind=CrawlKind(kind),
                strategy=strategy,
                started=started,
                settings=decode(settings, dict),
                updated=updated,
                progress=decode(progress, Progress),
            )
        return None

    def strategy_state(self, crawl: int) -> tuple[dict[str, Any], int] | None:
        """Return the saved strategy state and the sequence number of its batch, or None if none was saved."""
        sql = "SELECT state, seq FROM strategy_states WHERE crawl = ?"
        for state, seq in fetch(self._database.reader(), sql, (crawl,)):
            return decode(state, dict), seq
        return None

    def shard_memory(self, crawl: int) -> bytes | None:
        """Return the shard's saved memory beyond its rows, or None if nothing was saved."""
        memory: bytes | None = (
            self._database.reader().execute("SELECT memory FROM shard_memories WHERE crawl = ?", (crawl,)).get
        )
        return memory


def write_progress(connection: apsw.Connection, batch: Batch, last: int) -> None:
    """Record the progress of a crawl; `last` is the batch's last sequence number."""
    connection.execute("UPDATE crawls SET updated = ? WHERE id = ?", (batch.at, batch.crawl))
    if not connection.changes():
        raise no_crawl(batch.crawl)
    if batch.progress is not None:
        connection.execute(
            "UPDATE crawls SET state = ?, progress = ? WHERE id = ?",
            (batch.progress.state.value, encode(batch.progress), batch.crawl),
        )
    if batch.strategy_state is not None:
        connection.execute(
            "INSERT INTO strategy_states (crawl, seq, state) VALUES (?, ?, ?)"
            " ON CONFLICT (crawl) DO UPDATE SET seq = excluded.seq, state = excluded.state",
            (batch.crawl, last, encode(batch.strategy_state)),
        )
    if batch.shard_memory is not None:
        connection.execute(
            "INSERT OR REPLACE INTO shard_memories (crawl, memory) VALUES (?, ?)", (batch.crawl, batch.shard_memory)
        )


def no_crawl(crawl: int) -> PortalError:
    """Return the error for a batch of a crawl that was never started."""
    return PortalError(f"This portal has no crawl {crawl}.", "Start the crawl before writing its pages.")
