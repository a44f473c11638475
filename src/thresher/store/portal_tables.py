"""The protocol of the web portal's tables: listed pages, accounts, and submissions from readers."""

from collections.abc import Sequence
from typing import Protocol

from thresher.store.portal_records import (
    FeedbackRow,
    LinkNumbers,
    ListedPage,
    ListOrder,
    PageSelection,
    ProposalRow,
    Role,
    SessionRow,
    TopicSite,
    UserRow,
)


class Catalogue(Protocol):
    """The accepted pages of the portal, as shown in lists, without gone pages."""

    def ids(self, shelf: PageSelection, order: ListOrder, limit: int, offset: int = 0) -> list[int]:
        """Return the ids of the pages of a shelf from an offset; by authority or hub, only pages with a score."""

    def pages(self, ids: Sequence[int]) -> dict[int, ListedPage]:
        """Return accepted pages by id; other ids are absent."""

    def sites(self, new_since: float, hosts: Sequence[str] | None = None) -> list[TopicSite]:
        """Return for each topic and host the number of pages, and of pages found since a wall time.

        With `hosts`, only those are counted.
        """

    def changed_hosts(self, seq: int, start: float, end: float, limit: int) -> list[str]:
        """Return hosts with pages that changed after a sequence number, or that were found between two wall times.

        At most `limit` hosts are returned.
        """

    def links(self, ids: Sequence[int]) -> dict[int, LinkNumbers]:
        """Return link counts of pages; links of a page to itself do not count."""


class Users(Protocol):
    """The accounts of the web portal."""

    def add(self, name: str, role: Role, password: str, at: float) -> UserRow | None:
        """Add an account and return it, or None if the name is taken, ignoring case. Durable at once."""

    def get(self, name: str) -> UserRow | None:
        """Return the account with a name, ignoring case, or None."""

    def all(self) -> list[UserRow]:
        """Return all accounts, oldest first."""

    def change(self, user: UserRow, *, keep_admin: bool = False) -> bool:
        """Write the role and password of an account. Durable at once.

        With `keep_admin`, change nothing and return False if no administrator would be left.
        """

    def remove(self, user: int, *, keep_admin: bool = False) -> bool:
        """Remove an account and sign it out everywhere. Durable at once.

        With `keep_admin`, change nothing and return False if no administrator would be left.
        """


class Sessions(Protocol):
    """The browsers that are signed in to the web portal."""

    def open(self, session: SessionRow) -> None:
        """Add a session and delete all that had expired when it was made."""

    def user(self, digest: bytes, at: float) -> UserRow | None:
        """Return the account of the session with a digest; None if there is none or it has expired."""

    def end(self, *, digest: bytes | None = None, user: int | None = None) -> None:
        """End one session, or all sessions of an account. Durable at once."""


class Submissions(Protocol):
    """Submissions from readers of the web portal."""

    def say(self, row: FeedbackRow) -> int:
        """Add a reader's feedback on a page, count it for the page, and return its number. Durable at once."""

    def propose(self, row: ProposalRow) -> int:
        """Add a proposal and return its number. Durable at once."""

    def mark_feedback(self, number: int, state: str, was: str | None = None) -> bool:
        """Set the state of feedback; return False if there is none or its state is not `was`. Durable at once."""

    def mark_proposal(self, number: int, state: str, was: str | None = None) -> bool:
        """Set the state of a proposal; return False if there is none or its state is not `was`. Durable at once."""

    def feedback(self) -> list[FeedbackRow]:
        """Return all feedback, oldest first."""

    def proposals(self) -> list[ProposalRow]:
        """Return all proposals, oldest first."""
