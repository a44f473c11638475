"""Numbered migrations that upgrade a portal's database to the current format; forward only.

A migration is a file `migrations/NNNN_name.sql`. The format of a database is the number of its last migration, stored
in `user_version`. Each runs in its own transaction.
"""

import os
import re
from collections.abc import Sequence
from importlib import resources
from pathlib import Path
from typing import NamedTuple

import apsw

from thresher.errors import PortalError
from thresher.faults import PortalUnusable
from thresher.file_rights import follow
from thresher.store.locks import refuse_if_crawled
from thresher.store.sqlite.ownership import APPLICATION

_NAME = re.compile(r"(\d{4})_\w+\.sql")


class Migration(NamedTuple):
    """A step from format `number - 1` to format `number`."""

    number: int
    sql: str


def packaged() -> list[Migration]:
    """Return the migrations packaged with this program, in order.

    >>> [step.number for step in packaged()][0]
    1
    """
    folder = resources.files("thresher.store.sqlite").joinpath("migrations")
    found = ((_NAME.fullmatch(file.name), file) for file in folder.iterdir())
    return sorted(Migration(int(match[1]), file.read_text("utf-8")) for match, file in found if match)


def check(connection: apsw.Connection, steps: Sequence[Migration]) -> bool:
    """Return whether a Thresher database is up to date; raise PortalError if it is newer than `steps`."""
    latest = steps[-1].number
    found = int(connection.pragma("user_version"))
    if found > latest:
        raise PortalError(
            f"This portal was created by a newer Thresher (format {found}, this program knows {latest}).",
            "Upgrade Thresher: `pip install --upgrade thresher`.",
            PortalUnusable(),
        )
    return found == latest


def migrate(connection: apsw.Connection, database: Path, steps: Sequence[Migration]) -> None:
    """Upgrade a database; the caller holds the write lock.

    Before an existing portal is changed, a copy is kept next to it as `portal.db.before-N`, where N is the first
    migration. A portal that another process is crawling is refused with PortalBusy.
    """
    if check(connection, steps):
        return
    found = int(connection.pragma("user_version"))
    todo = [step for step in steps if step.number > found]
    refuse_if_crawled(database.parent)
    connection.wal_checkpoint(mode=apsw.SQLITE_CHECKPOINT_TRUNCATE)
    keep_copy(connection, database.with_name(f"{database.name}.before-{todo[0].number}"))
    _take(connection, todo)


def make(database: Path, steps: Sequence[Migration], page_bytes: int) -> None:
    """Create a new database; the caller holds the write lock.

    It gets its name only once it is complete, so a database without our mark is never one of ours.
    """
    fresh = database.with_name(f"{database.name}.new")
    fresh.unlink(missing_ok=True)
    connection = apsw.Connection(str(fresh))
    try:
        connection.pragma("page_size", page_bytes)
        _take(connection, steps)
    finally:
        connection.close()
    follow(fresh)
    _sync(fresh)
    fresh.replace(database)
    _sync(database.parent)


def _take(connection: apsw.Connection, steps: Sequence[Migration]) -> None:
    for step in steps:
        with connection:
            connection.execute(step.sql)
            connection.pragma("application_id", APPLICATION)
            connection.pragma("user_version", step.number)


def keep_copy(connection: apsw.Connection, copy: Path) -> None:
    """Write a complete, synced copy of a database; a half-written one never has the copy's name."""
    half = copy.with_name(copy.name + ".part")
    half.unlink(missing_ok=True)
    target = apsw.Connection(str(half))
    try:
        with target.backup("main", connection, "main") as backup:
            backup.step()
        # A self-contained copy, without -wal and -shm files.
        target.pragma("journal_mode", "delete")
    finally:
        target.close()
    follow(half)
    _sync(half)
    half.replace(copy)
    _sync(copy.parent)


def _sync(path: Path) -> None:
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
