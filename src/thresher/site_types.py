"""Sites as a crawl for websites sees them, and what people say of them: plain data, the same in every part."""

from enum import StrEnum

from msgspec import Struct


class SiteState(StrEnum):
    """Where a site stands: being read, decided by the crawl, or the same as another site."""

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

    `topic` is the one that it most likely belongs to, empty if nothing could be read; `posterior` is the probability
    of that topic, `pages` how many pages were read and `texts` how many of them say something. `end` is why the crawl
    left it, None while it is open; `found` is how many pages the crawl had then. `same_as` names the site that it
    repeats.
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


class SitePageRow(Struct, frozen=True, kw_only=True):
    """A page of a site: its place in the order of reading, and what it says.

    `confidences` are those of the classes, topics in the order of their names and "other" last; empty if the page
    says too little. `posterior` is the probability of the site's most likely topic after it.
    """

    site: str
    number: int
    url: str
    confidences: tuple[float, ...] = ()
    posterior: float = 0.0


class SiteVerdict(Struct, frozen=True, kw_only=True):
    """What a person says of a site: the topic it belongs to, or that it does not belong to that topic."""

    site: str
    topic: str
    accepted: bool
    home: str = ""
    at: float = 0.0


class SiteChanges(Struct, frozen=True):
    """What has changed of sites since it was last asked for."""

    sites: list[SiteRow] = []
    pages: list[SitePageRow] = []
