"""The tables `urls` and `outbox`: the seen-set and frontier of each crawl, and candidates for other shards."""

import struct
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final

import apsw
import msgspec

from thresher.reasons import Reason
from thresher.store.records import Batch
from thresher.store.sqlite.addresses import Addresses
from thresher.store.sqlite.connection import Database, fetch
from thresher.store.sqlite.jsontext import decode, encode
from thresher.store.url_records import Letter, UrlRow, UrlState, WaitingUrl
from thresher.types import Candidate, Copy, Priority
from thresher.web.urls import host_of

CODES: Final = {
    UrlState.WAITING: 0,
    UrlState.DONE: 1,
    UrlState.REDIRECTED: 2,
    UrlState.FAILED: 3,
    UrlState.REFUSED: 4,
    UrlState.CUT: 5,
}
"""The codes of states in the table; their meaning never changes."""

_STATES = {code: state for state, code in CODES.items()}

_ROWS = """
SELECT u.id, u.state, u.ordinal, q.name, u.priority, u.depth, u.hops, u.tries, u.not_before, u.url, u.host,
       coalesce(u.parent_url, p.url), u.anchor, u.memo, u.reason, u.copy, u.lists
FROM urls AS u JOIN queues AS q ON q.id = u.queue LEFT JOIN urls AS p ON p.crawl = u.crawl AND p.id = u.parent
WHERE u.crawl = ? AND u.id IN (SELECT value FROM json_each(?))
"""

_UPSERT = """
INSERT INTO urls (crawl, id, state, ordinal, queue, priority, depth, hops, tries, not_before,
                  url, host, parent, parent_url, anchor, memo, reason, copy, lists)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
ON CONFLICT (crawl, id) DO UPDATE SET
    state = excluded.state, ordinal = excluded.ordinal, queue = excluded.queue, priority = excluded.priority,
    depth = excluded.depth, hops = excluded.hops, tries = excluded.tries, not_before = excluded.not_before,
    host = excluded.host, parent = excluded.parent, parent_url = excluded.parent_url, anchor = excluded.anchor,
    memo = excluded.memo, reason = excluded.reason, copy = excluded.copy, lists = excluded.lists
WHERE urls.url = excluded.url
"""


def pack(priority: Priority) -> float | bytes:
    """Return a priority as stored in its column: a number if it has one part, otherwise a blob.

    >>> pack((0.5,)), pack((0.5, 2.0)) == struct.pack("<2d", 0.5, 2.0)
    (0.5, True)
    """
    # SQLite would turn NaN into NULL.
    if len(priority) == 1 and priority[0] == priority[0]:
        return priority[0]
    return struct.pack(f"<{len(priority)}d", *priority)


def unpack(value: float | bytes) -> Priority:
    """Return the priority stored in a column.

    >>> unpack(pack((0.5,))), unpack(pack((0.5, 2.0)))
    ((0.5,), (0.5, 2.0))
    """
    if isinstance(value, bytes):
        return struct.unpack(f"<{len(value) // 8}d", value)
    return (value,)


class SqliteUrls:
    """The seen-set and the frontier of each crawl."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def states(self, crawl: int, ids: Sequence[int]) -> dict[int, UrlState]:
        """Return the state of each id the crawl has seen; unseen ids are absent."""
        sql = "SELECT id, state FROM urls WHERE crawl = ? AND id IN (SELECT value FROM json_each(?))"
        return {id_: _STATES[code] for id_, code in fetch(self._database.reader(), sql, (crawl, encode(ids)))}

    def rows(self, crawl: int, ids: Sequence[int]) -> dict[int, UrlRow]:
        """Return the full rows of the ids the crawl has seen; unseen ids are absent."""
        found = fetch(self._database.reader(), _ROWS, (crawl, encode(ids)))
        return {row.id: row for row in map(_row, found)}

    def waiting(self, crawl: int) -> Iterator[WaitingUrl]:
        """Yield every waiting URL in the order they were offered."""
        connection = self._database.reader()
        queues: dict[int, str] = dict(fetch(connection, "SELECT id, name FROM queues"))
        found: Iterable[tuple[Any, ...]] = connection.execute(
            "SELECT id, coalesce(host, url), host IS NULL, queue, priority, ordinal, tries, not_before FROM urls"
            " WHERE crawl = ? AND state = 0 ORDER BY ordinal, id",
            (crawl,),
        )
        for id_, place, whole, queue, priority, order, tries, not_before in found:
            host = host_of(place) if whole else place
            yield WaitingUrl(id_, host, queues[queue], unpack(priority), order, tries, not_before)

    def outbox(self, crawl: int) -> list[Letter]:
        """Return the candidates that have not reached their shards, in order of id."""
        sql = "SELECT letter FROM outbox WHERE crawl = ? ORDER BY id"
        found = fetch(self._database.reader(), sql, (crawl,))
        return [msgspec.msgpack.decode(letter, type=Letter) for (letter,) in found]


def _row(values: tuple[Any, ...]) -> UrlRow:
    id_, code, order, queue, priority, depth, hops, tries, not_before, url, host, parent, anchor, *rest = values
    memo, reason, copy, lists = rest
    candidate = Candidate(
        url=url,
        priority=unpack(priority),
        queue=queue,
        depth=depth,
        parent=parent,
        anchor=anchor,
        memo=memo or "",
        hops=hops,
        copy=None if copy is None else decode(copy, Copy),
        lists=lists,
    )
    return UrlRow(
        id=id_,
        host=host_of(url) if host is None else host,
        candidate=candidate,
        order=order,
        state=_STATES[code],
        reason=None if reason is None else Reason(reason),
        tries=tries,
        not_before=not_before,
    )


def pack_urls(batch: Batch, queues: dict[str, int], addresses: Addresses) -> list[tuple[Any, ...]]:
    """Return the values of a batch's rows of `urls`, ready for `write_urls`; `queues` has the number of each name."""
    # In order of id, each disk page is touched once; equal ids stay in batch order.
    rows = sorted(batch.urls, key=lambda row: row.id)
    return [_values(batch.crawl, row, queues, addresses) for row in rows]


def write_urls(connection: apsw.Connection, batch: Batch, packed: Sequence[tuple[Any, ...]]) -> None:
    """Write a batch's URLs, packed by `pack_urls`, its moves and scores, then its outbox.

    A row replaces the stored row of the same URL; a stored row of another URL with the same id is kept.
    """
    connection.executemany(_UPSERT, packed)
    connection.executemany(
        "UPDATE urls SET state = ?, reason = ?, tries = ?, not_before = ? WHERE crawl = ? AND id = ?",
        ((CODES[m.state], m.reason, m.tries, m.not_before, batch.crawl, m.id) for m in batch.moves),
    )
    connection.executemany(
        "UPDATE urls SET priority = ? WHERE crawl = ? AND id = ?",
        ((pack(price.priority), batch.crawl, price.id) for price in batch.prices),
    )
    if batch.outbox or batch.delivered:
        connection.executemany(
            "INSERT OR REPLACE INTO outbox (crawl, id, letter) VALUES (?, ?, ?)",
            ((batch.crawl, letter.id, msgspec.msgpack.encode(letter)) for letter in batch.outbox),
        )
        connection.executemany(
            "DELETE FROM outbox WHERE crawl = ? AND id = ?", ((batch.crawl, id_) for id_ in batch.delivered)
        )


def _values(crawl: int, row: UrlRow, queues: dict[str, int], addresses: Addresses) -> tuple[Any, ...]:
    candidate = row.candidate
    parent, parent_url = addresses.parent(candidate.parent)
    return (
        crawl,
        row.id,
        CODES[row.state],
        row.order,
        queues[candidate.queue],
        pack(candidate.priority),
        candidate.depth,
        candidate.hops,
        row.tries,
        row.not_before,
        candidate.url,
        None if row.host == host_of(candidate.url) else row.host,
        parent,
        parent_url,
        candidate.anchor,
        candidate.memo or None,
        row.reason,
        None if candidate.copy is None else encode(candidate.copy),
        candidate.lists,
    )
