"""The embedded repository: one SQLite database per portal, spoken to in SQL."""

from thresher.store.sqlite.store import SqliteStore, open_store

__all__ = ["SqliteStore", "open_store"]
