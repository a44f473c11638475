"""Data types for sites found by a crawl for websites, and for users' verdicts on them."""

from enum import StrEnum

from msgspec import Struct


class SiteState(StrEnum):
    """The state of a site: being read, decided by the crawl, or the same as another site."""

    OPEN = "open"
    RELEVANT = "relevant"
    IRRELEVANT = "irrelevant"
    SAME = "same"


class SiteEnd(StrEnum):
    """Why no more pages of a site were read."""

    SURE = "sure"
    PAGE_LIMIT = "page-limit"
    NO_PAGES = "no-pages"
    SAME_HOME = "same-home"


class SiteRow(Struct, frozen=True, kw_only=True):
    """A site as a crawl sees it.

    `topic` is its most likely topic, empty if nothing could be read; `posterior` is the probability of that topic,
    `pages` the number of pages read and `texts` how many of them had enough text. `end` is why the crawl left it, None
    while it is open; `found` is how many pages the crawl had then. `same_as` names the site that it duplicates.
    `bookmarked` says that it is an example of its topic, so not news to the user; it is not stored.
    """

    site: str
    home: str
    topic: str = ""
    posterior: float = 0.0
    pages: int = 0
    texts: int = 0
    state: SiteState = SiteState.OPEN
    end: SiteEnd | None = None
    found: int = 0
    same_as: str = ""
    bookmarked: bool = False


class SitePageRow(Struct, frozen=True, kw_only=True):
    """A page of a site: its position in reading order, and how it was judged.

    `confidences` has one per class, topics in order of name and "other" last; empty if the page has too little text.
    `posterior` is the probability of the site's most likely topic after this page.
    """

    site: str
    number: int
    url: str
    confidences: tuple[float, ...] = ()
    posterior: float = 0.0


class SiteVerdict(Struct, frozen=True, kw_only=True):
    """A user's verdict on a site: that it belongs to a topic, or that it does not."""

    site: str
    topic: str
    accepted: bool
    home: str = ""
    at: float = 0.0


class SiteChanges(Struct, frozen=True):
    """The changes of sites since the last call."""

    sites: list[SiteRow] = []
    pages: list[SitePageRow] = []
