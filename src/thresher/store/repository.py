"""Opens the repository of a portal, whichever backend it uses.

A kind of repository is a `Backend`; to add one, list it in `BACKENDS`. Nothing else names it.
"""

import difflib
from pathlib import Path
from typing import Final, Protocol

from thresher.errors import PortalError, command
from thresher.faults import PortalUnusable
from thresher.file_rights import make_private
from thresher.store.blob_cache import BlobCache
from thresher.store.disk_failures import disk_failures
from thresher.store.look_ups import QueryLimits, Table
from thresher.store.protocol import Store
from thresher.store.sqlite.blob_file import SqliteBlobFile
from thresher.store.sqlite.store import SqliteBackend


class Backend(Protocol):
    """A kind of repository."""

    @property
    def name(self) -> str:
        """Return the name of the database system."""

    def version(self) -> str:
        """Return the version of the database system in use."""

    def holds(self, portal: Path) -> bool:
        """Return whether the repository of a portal is of this kind."""

    def writable(self, portal: Path) -> bool:
        """Return whether this user may write to the repository of a portal."""

    def open(self, portal: Path, *, read_only: bool = False) -> Store:
        """Open the repository of a portal; when opened for writing, it is created if missing."""

    def look_up(self, portal: Path, sql: str, limits: QueryLimits) -> Table:
        """Return the result of a read-only query; raise InputError if it is refused or wrong."""


BACKENDS: Final[tuple[Backend, ...]] = (SqliteBackend(),)
"""All kinds of repositories; new portals use the first."""


def backend_of(portal: Path) -> Backend | None:
    """Return the kind of repository in a directory, or None if it is not a portal."""
    return next((backend for backend in BACKENDS if backend.holds(portal)), None)


def look_up(portal: Path, sql: str, limits: QueryLimits | None = None) -> Table:
    """Return the result of a query on the repository of a portal.

    The query cannot change anything or read passwords and sessions, and is limited in time and rows. Raises InputError
    if it is refused or wrong.
    """
    backend = backend_of(portal)
    if backend is None:
        raise PortalError(f"There is no portal in {portal}.", "Choose another directory.", PortalUnusable())
    return backend.look_up(portal, sql, limits or QueryLimits())


def is_portal(portal: Path) -> bool:
    """Return whether a directory is a portal."""
    return backend_of(portal) is not None


def require_portal(portal: Path) -> None:
    """Raise PortalError unless a directory is a portal."""
    if is_portal(portal):
        return
    try:
        beside = {found.name: found for found in portal.parent.iterdir() if is_portal(found)}
    except OSError:
        beside = {}
    close = difflib.get_close_matches(portal.name, beside, 1)
    making = command("new", portal, "--seeds", "FILE")
    remedy = f"Did you mean '{beside[close[0]]}'? Or make one: {making}" if close else f"Make one: {making}"
    raise PortalError(f"There is no portal in {portal}.", remedy, PortalUnusable())


def require_name(portal: Path) -> None:
    """Raise PortalError if the path of a portal is not valid UTF-8, which databases require."""
    try:
        str(portal).encode()
    except UnicodeEncodeError:
        raise PortalError(
            f"The path {portal} is not valid UTF-8, so it cannot hold a portal.",
            "Rename the directory, or use a symbolic link with a plain name.",
            PortalUnusable(),
        ) from None


def open_store(portal: Path, *, create: bool = False, read_only: bool = False) -> Store:
    """Open the repository of a portal directory.

    `create` makes the directory and the repository if they are missing. When opened for writing, a portal of an older
    format is upgraded, and a copy of the old one is kept. Raises PortalError if there is no portal, if it is damaged,
    newer than this program, or older and opened with `read_only`, or if its path is not valid UTF-8.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     store = open_store(Path(folder), create=True)
    ...     store.log.last()
    ...     store.close()
    0
    """
    require_name(portal)
    if create and not read_only:
        with disk_failures():
            make_private(portal)
    else:
        require_portal(portal)
    return (backend_of(portal) or BACKENDS[0]).open(portal, read_only=read_only)


def open_cache(path: Path) -> BlobCache:
    """Open a cache file, creating it if necessary; a crash may lose the latest writes.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     cache = open_cache(Path(folder) / "pages.db")
    ...     cache.put({b"a": b"one"})
    ...     cache.get(b"a"), cache.get(b"b")
    (b'one', None)
    """
    return SqliteBlobFile(path)
