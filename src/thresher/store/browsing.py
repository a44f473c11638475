"""The browsing sessions of a portal, and the keys that let browsers send them."""

from collections.abc import Sequence
from typing import Protocol

from msgspec import Struct

from thresher.store.portal_records import UserRow


class BrowsedPage(Struct, frozen=True, kw_only=True):
    """A page of a session.

    `at` is when it was first visited, None if unknown. `terms` are its stems with their counts, if the session came
    with them.
    """

    url: str
    title: str = ""
    at: float | None = None
    useful: bool = False
    terms: dict[str, int] = {}


class BrowsingRow(Struct, frozen=True, kw_only=True):
    """A session: pages, and links between them as pairs of indexes into `pages`.

    `source` is firefox, chrome, file, extension or crawl; `label` names the profile, file, account or crawl. `taken` is
    when the portal received it. `id` is 0 until the session is written.
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
        """When the first and the last page were visited; None if unknown."""
        times = [page.at for page in self.pages if page.at is not None]
        return (min(times), max(times)) if times else None


class Browsing(Protocol):
    """The browsing sessions of a portal."""

    def keep(self, rows: Sequence[BrowsingRow], drop: Sequence[int] = ()) -> list[int]:
        """Write sessions and delete others by id, in one transaction; return the ids of the sessions written.

        A row with an id replaces the session with that id. Deleted and replaced data is overwritten on disk. Durable at
        once.
        """

    def all(self) -> list[BrowsingRow]:
        """Return all sessions with their pages and links, oldest first."""


class BrowserKey(Struct, frozen=True, kw_only=True):
    """A key that lets a browser send sessions to the portal; `used` is when it last did so, None if never."""

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
        """Return the account whose key has a digest and record its use; None if there is no such key."""

    def of(self, user: int) -> list[BrowserKey]:
        """Return the keys of an account, oldest first."""

    def remove(self, user: int, key: int | None = None) -> None:
        """Remove one key of an account, or all of them. Durable at once."""
