"""Rows for the web portal: listed pages, accounts, and submissions from readers."""

from enum import StrEnum
from typing import NamedTuple

from msgspec import Struct

from thresher.store.page_records import ReviewState


class ListOrder(StrEnum):
    """How accepted pages are listed: most confident, newest, most cited (authorities), or link lists (hubs) first."""

    BEST = "best"
    NEWEST = "newest"
    CITED = "cited"
    LINKS = "links"


class PageSelection(Struct, frozen=True, kw_only=True):
    """Which accepted pages a list shows: those of some topics, of one host, or all if both are None."""

    topics: tuple[str, ...] | None = None
    host: str | None = None


class ListedPage(Struct, frozen=True, kw_only=True):
    """An accepted page as shown in lists.

    `found` is when the portal first stored it, `changed` when its current text was fetched. `preview` is what it says
    about its topic, empty if there is none or the page does not allow quoting.
    """

    id: int
    url: str
    host: str
    title: str
    topic: str
    confidence: float
    probability: float
    found: float
    changed: float
    preview: str = ""
    mime: str = ""
    size: int = 0
    language: str = ""
    robots: tuple[str, ...] = ()
    state: ReviewState = ReviewState.UNREVIEWED


class TopicSite(NamedTuple):
    """How many accepted pages of a topic come from a host, and how many of them are new."""

    topic: str
    host: str
    pages: int
    new: int


class LinkNumbers(NamedTuple):
    """How many stored pages link to a page, and to how many accepted pages it links."""

    cited: int
    leads: int


class Role(StrEnum):
    """What an account may do; each role includes the ones before it."""

    READER = "reader"
    REVIEWER = "reviewer"
    ADMIN = "admin"

    def includes(self, other: "Role") -> bool:
        """Return whether this role may do everything another role may.

        >>> Role.ADMIN.includes(Role.READER), Role.READER.includes(Role.REVIEWER)
        (True, False)
        """
        order = list(Role)
        return order.index(self) >= order.index(other)


class UserRow(Struct, frozen=True, kw_only=True):
    """An account; `password` is a hash."""

    id: int
    name: str
    role: Role
    password: str
    made: float


class SessionRow(Struct, frozen=True, kw_only=True):
    """A signed-in browser, by the digest of its token; times are wall time."""

    digest: bytes
    user: int
    made: float
    expires: float


class Verdict(StrEnum):
    """A reader's verdict on a page under a topic."""

    RIGHT = "right"
    WRONG = "wrong"
    BETTER = "better"


class FeedbackRow(Struct, frozen=True, kw_only=True):
    """A reader's feedback on a page; `better` is the topic it should have, `user` is None for an anonymous reader."""

    page: int
    url: str
    verdict: Verdict
    at: float
    topic: str | None = None
    better: str | None = None
    note: str = ""
    user: int | None = None
    id: int = 0
    state: str = "open"


class ProposalRow(Struct, frozen=True, kw_only=True):
    """A page that a reader proposed, with or without a topic."""

    url: str
    at: float
    topic: str | None = None
    note: str = ""
    user: int | None = None
    id: int = 0
    state: str = "open"
