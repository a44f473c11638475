"""The tables `browsing_sessions`, `browsing_pages`, `browsing_links` and `browser_keys`."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Final

import apsw

from thresher.store.browsing import BrowsedPage, BrowserKey, BrowsingRow
from thresher.store.portal_records import Role, UserRow
from thresher.store.soundness import sound
from thresher.store.sqlite.connection import Database, fetch
from thresher.store.sqlite.jsontext import decode, encode

_TABLES: Final = (("browsing_links", "session"), ("browsing_pages", "session"), ("browsing_sessions", "id"))
_PAGES: Final = (
    "INSERT INTO browsing_pages (session, place, url, title, at, useful, terms) VALUES (?, ?, ?, ?, ?, ?, ?)"
)
_OWNER: Final = (
    "SELECT u.id, u.name, u.role, u.password, u.made FROM browser_keys AS k JOIN users AS u ON u.id = k.user"
    " WHERE k.digest = ?"
)


class SqliteBrowsing:
    """The browsing sessions of this portal."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def keep(self, rows: Sequence[BrowsingRow], drop: Sequence[int] = ()) -> list[int]:
        """Write sessions and delete others by id, in one transaction; return the ids of the sessions written."""
        gone = [*drop, *(row.id for row in rows if row.id)]
        with self._database.writing(durable=True) as connection, _overwriting(connection):
            for table, column in _TABLES:
                sql = f"DELETE FROM {table} WHERE {column} = ?"  # noqa: S608
                connection.executemany(sql, ((id_,) for id_ in gone))
            written = [_write(connection, sound(row)) for row in rows]
        if gone:
            self._empty_log()
        return written

    def _empty_log(self) -> None:
        """Empty the write-ahead log, which still has the deleted pages; a busy reader prevents it."""
        with self._database.lock, suppress(apsw.BusyError):
            self._database.writer().wal_checkpoint(mode=apsw.SQLITE_CHECKPOINT_TRUNCATE)

    def all(self) -> list[BrowsingRow]:
        """Return all sessions with their pages and links, oldest first."""
        with self._database.snapshot() as connection:
            sessions = fetch(connection, "SELECT id, source, label, taken FROM browsing_sessions ORDER BY id")
            pages: dict[int, list[BrowsedPage]] = defaultdict(list)
            sql = "SELECT session, url, title, at, useful, terms FROM browsing_pages ORDER BY session, place"
            for session, url, title, at, useful, terms in fetch(connection, sql):
                counts = decode(terms, dict)
                pages[session].append(BrowsedPage(url=url, title=title, at=at, useful=bool(useful), terms=counts))
            links: dict[int, list[tuple[int, int]]] = defaultdict(list)
            sql = "SELECT session, source, target FROM browsing_links ORDER BY session, source, target"
            for session, source, target in fetch(connection, sql):
                links[session].append((source, target))
        return [
            BrowsingRow(id=id_, source=source, label=label, taken=taken, pages=pages[id_], links=links[id_])
            for id_, source, label, taken in sessions
        ]


def _write(connection: apsw.Connection, row: BrowsingRow) -> int:
    connection.execute(
        "INSERT INTO browsing_sessions (id, source, label, taken) VALUES (?, ?, ?, ?)",
        (row.id or None, row.source, row.label, row.taken),
    )
    id_ = connection.last_insert_rowid()
    connection.executemany(
        _PAGES,
        (
            (id_, place, page.url, page.title, page.at, int(page.useful), encode(page.terms))
            for place, page in enumerate(row.pages)
        ),
    )
    connection.executemany(
        "INSERT OR IGNORE INTO browsing_links (session, source, target) VALUES (?, ?, ?)",
        ((id_, source, target) for source, target in row.links),
    )
    return id_


@contextmanager
def _overwriting(connection: apsw.Connection) -> Iterator[None]:
    """Overwrite deleted data with zeros, so that forgotten addresses do not linger in free pages."""
    connection.pragma("secure_delete", "on")
    try:
        yield
    finally:
        connection.pragma("secure_delete", "off")


class SqliteBrowserKeys:
    """The keys of browsers."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def add(self, key: BrowserKey) -> int:
        """Add a key and return its id. Durable at once."""
        with self._database.writing(durable=True) as connection:
            connection.execute(
                "INSERT INTO browser_keys (digest, user, name, made, used) VALUES (?, ?, ?, ?, ?)",
                (key.digest, key.user, key.name, key.made, key.used),
            )
            return connection.last_insert_rowid()

    def use(self, digest: bytes, at: float) -> UserRow | None:
        """Return the account whose key has a digest and record its use; None if there is no such key."""
        for id_, name, role, password, made in fetch(self._database.reader(), _OWNER, (digest,)):
            with self._database.writing() as connection:
                connection.execute("UPDATE browser_keys SET used = ? WHERE digest = ?", (at, digest))
            return UserRow(id=id_, name=name, role=Role(role), password=password, made=made)
        return None

    def of(self, user: int) -> list[BrowserKey]:
        """Return the keys of an account, oldest first."""
        sql = "SELECT id, digest, user, name, made, used FROM browser_keys WHERE user = ? ORDER BY id"
        return [
            BrowserKey(id=id_, digest=digest, user=owner, name=name, made=made, used=used)
            for id_, digest, owner, name, made, used in fetch(self._database.reader(), sql, (user,))
        ]

    def remove(self, user: int, key: int | None = None) -> None:
        """Remove one key of an account, or all of them. Durable at once."""
        with self._database.writing(durable=True) as connection:
            sql = "DELETE FROM browser_keys WHERE user = ?1 AND id = coalesce(?2, id)"
            connection.execute(sql, (user, key))
