"""The protocol of the web portal's tables: listed pages, accounts, and what readers submit."""

from collections.abc import Sequence
from typing import Protocol

from thresher.store.portal_records import (
    FeedbackRow,
    LinkNumbers,
    ListedPage,
    ListOrder,
    ProposalRow,
    Role,
    SessionRow,
    Shelf,
    TopicSite,
    UserRow,
)


class Catalogue(Protocol):
    """The accepted pages of the portal, as lists show them; those that are gone are left out."""

    def ids(self, shelf: Shelf, order: ListOrder, limit: int, offset: int = 0) -> list[int]:
        """Return the ids of the pages of a shelf from a place on; by authority or hub only those that have a score."""

    def pages(self, ids: Sequence[int]) -> dict[int, ListedPage]:
        """Return the accepted pages among some ids."""

    def sites(self, new_since: float) -> list[TopicSite]:
        """Return how many pages of each topic come from each host, and how many were found since a wall time."""

    def links(self, ids: Sequence[int]) -> dict[int, LinkNumbers]:
        """Return how the pages of some ids are linked; links of a page to itself do not count."""


class Users(Protocol):
    """The accounts of the web portal."""

    def add(self, name: str, role: Role, password: str, at: float) -> UserRow | None:
        """Add an account and return it; None if the name is taken, ignoring case. Durable at once."""

    def get(self, name: str) -> UserRow | None:
        """Return the account of a name, ignoring case, or None."""

    def all(self) -> list[UserRow]:
        """Return all accounts, oldest first."""

    def change(self, user: UserRow, *, keep_admin: bool = False) -> bool:
        """Write role and password of an account again. Durable at once.

        With `keep_admin`, False if no administrator would be left; then nothing changes.
        """

    def remove(self, user: int, *, keep_admin: bool = False) -> bool:
        """Remove an account and sign it out everywhere. Durable at once.

        With `keep_admin`, False if no administrator would be left; then nothing changes.
        """


class Sessions(Protocol):
    """The browsers that are signed in to the web portal."""

    def open(self, session: SessionRow) -> None:
        """Add a session and drop all that have expired by the time it was made."""

    def user(self, digest: bytes, at: float) -> UserRow | None:
        """Return whose session has a digest; None if there is none, or if it has expired."""

    def end(self, *, digest: bytes | None = None, user: int | None = None) -> None:
        """End one session, or all of an account. Durable at once."""


class Inbox(Protocol):
    """What readers of the web portal send in."""

    def say(self, row: FeedbackRow) -> int:
        """Add what a reader said of a page, count it for the page, and return its number. Durable at once."""

    def propose(self, row: ProposalRow) -> int:
        """Add a proposal and return its number. Durable at once."""

    def mark_feedback(self, number: int, state: str, was: str | None = None) -> bool:
        """Write what became of feedback; False if there is none or it is not as it `was`. Durable at once."""

    def mark_proposal(self, number: int, state: str, was: str | None = None) -> bool:
        """Write what became of a proposal; False if there is none or it is not as it `was`. Durable at once."""

    def feedback(self) -> list[FeedbackRow]:
        """Return all feedback, oldest first."""

    def proposals(self) -> list[ProposalRow]:
        """Return all proposals, oldest first."""
