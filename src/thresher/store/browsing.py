"""The browsing sessions of a portal, and the keys of browsers that may send them."""

from collections.abc import Sequence
from typing import Protocol

from msgspec import Struct

from thresher.store.portal_records import UserRow


class BrowsedPage(Struct, frozen=True, kw_only=True):
    """A page of a session.

    `at` is when it was first visited, None if nobody knows. `terms` are its stems with their counts if the session came
    with them.
    """

    url: str
    title: str = ""
    at: float | None = None
    useful: bool = False
    terms: dict[str, int] = {}


class BrowsingRow(Struct, frozen=True, kw_only=True):
    """A session: pages, and links between them as pairs of places in `pages`.

    `source` is firefox, chrome, file, extension or crawl; `label` says which profile, file, account or crawl. `taken`
    is when the portal got it. `id` is 0 for a session that is not written yet.
    """

    source: str
    label: str
    taken: float
    pages: list[BrowsedPage]
    links: list[tuple[int, int]] = []
    id: int = 0

    @property
    def useful(self) -> int:
        """How many of the pages were useful."""
        return sum(page.useful for page in self.pages)

    @property
    def span(self) -> tuple[float, float] | None:
        """When the first and the last page were visited; None if nobody knows."""
        times = [page.at for page in self.pages if page.at is not None]
        return (min(times), max(times)) if times else None


class Browsing(Protocol):
    """The browsing sessions of a portal."""

    def keep(self, rows: Sequence[BrowsingRow], drop: Sequence[int] = ()) -> list[int]:
        """Write sessions and drop others by their ids, in one transaction; return the ids of those written.

        A row with an id replaces the session of that id. What is dropped or replaced is overwritten on the disk.
        Durable at once.
        """

    def all(self) -> list[BrowsingRow]:
        """Return all sessions with their pages and links, oldest first."""


class BrowserKey(Struct, frozen=True, kw_only=True):
    """A key by which a browser sends sessions to the portal; `used` is when it last did, None for never."""

    digest: bytes
    user: int
    name: str
    made: float
    used: float | None = None
    id: int = 0


class BrowserKeys(Protocol):
    """The keys of browsers. An account that is removed loses its keys."""

    def add(self, key: BrowserKey) -> int:
        """Add a key and return its id. Durable at once."""

    def use(self, digest: bytes, at: float) -> UserRow | None:
        """Return whose key has a digest and note that it was used; None if there is no such key."""

    def of(self, user: int) -> list[BrowserKey]:
        """Return the keys of an account, oldest first."""

    def remove(self, user: int, key: int | None = None) -> None:
        """Remove one key of an account, or all of them. Durable at once."""
