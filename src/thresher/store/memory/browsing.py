"""Browsing sessions and browser keys, in memory."""

from collections.abc import Sequence

from msgspec.structs import replace

from thresher.store.browsing import BrowserKey, BrowsingRow
from thresher.store.memory.tables import Tables, copied
from thresher.store.portal_records import UserRow


class MemoryBrowsing:
    """The browsing sessions of this portal."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables
        self._rows: dict[int, BrowsingRow] = {}

    def keep(self, rows: Sequence[BrowsingRow], drop: Sequence[int] = ()) -> list[int]:
        """Write sessions and delete others by id; return the ids of the sessions written."""
        with self._tables.lock:
            for id_ in drop:
                self._rows.pop(id_, None)
            written = []
            for row in rows:
                id_ = row.id or max(self._rows, default=0) + 1
                self._rows[id_] = replace(copied(row), id=id_, links=sorted(set(row.links)))
                written.append(id_)
            return written

    def all(self) -> list[BrowsingRow]:
        """Return all sessions with their pages and links, oldest first."""
        with self._tables.lock:
            return [self._rows[id_] for id_ in sorted(self._rows)]


class MemoryBrowserKeys:
    """The keys of browsers."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables

    def add(self, key: BrowserKey) -> int:
        """Add a key and return its id."""
        with self._tables.lock:
            id_ = max((known.id for known in self._tables.browser_keys.values()), default=0) + 1
            self._tables.browser_keys[key.digest] = replace(key, id=id_)
            return id_

    def use(self, digest: bytes, at: float) -> UserRow | None:
        """Return the account whose key has a digest and record its use; None if there is no such key."""
        with self._tables.lock:
            key = self._tables.browser_keys.get(digest)
            user = self._tables.users.get(key.user) if key is not None else None
            if key is not None and user is not None:
                self._tables.browser_keys[digest] = replace(key, used=at)
            return user

    def of(self, user: int) -> list[BrowserKey]:
        """Return the keys of an account, oldest first."""
        with self._tables.lock:
            return [key for key in self._tables.browser_keys.values() if key.user == user]

    def remove(self, user: int, key: int | None = None) -> None:
        """Remove one key of an account, or all of them."""
        keys = self._tables.browser_keys
        with self._tables.lock:
            for digest in [key_.digest for key_ in keys.values() if key_.user == user and key in (None, key_.id)]:
                del keys[digest]
