"""The rows of a crawl's URLs and hosts."""

from enum import StrEnum

from msgspec import Struct

from thresher.reasons import Reason
from thresher.types import Candidate, Priority


class UrlState(StrEnum):
    """The state of a URL in one crawl.

    A URL that was taken still counts as waiting until its page is committed. `REFUSED` is permanent; a `CUT` URL (queue
    full, too deep, nofollow) comes back if it is found again on a better path.
    """

    WAITING = "waiting"
    DONE = "done"
    REDIRECTED = "redirected"
    FAILED = "failed"
    REFUSED = "refused"
    CUT = "cut"


class UrlRow(Struct, frozen=True, kw_only=True):
    """A URL of a crawl: a member of the seen-set and, while it waits, of the frontier.

    `id` is `thresher.web.urls.url_id` of the canonical URL. `order` increases with every URL offered and breaks ties.
    `tries` counts failed fetches. `not_before` is wall time in seconds, 0 if it may be fetched at once.
    """

    id: int
    host: str
    candidate: Candidate
    order: int
    state: UrlState = UrlState.WAITING
    reason: Reason | None = None
    tries: int = 0
    not_before: float = 0.0


class UrlMove(Struct, frozen=True):
    """A change of the state of a URL; everything else in its row stays."""

    id: int
    state: UrlState
    reason: Reason | None = None
    tries: int = 0
    not_before: float = 0.0


class UrlPrice(Struct, frozen=True):
    """A new priority for a waiting URL."""

    id: int
    priority: Priority


class Letter(Struct, frozen=True, kw_only=True):
    """A candidate on its way to the shard that holds its host.

    `id` increases with every letter of a crawl; `reason` is why the link is not followed, None if it is to be queued.
    """

    id: int
    candidate: Candidate
    reason: Reason | None = None


class WaitingUrl(Struct, frozen=True):
    """The part of a waiting URL that a frontier keeps in memory."""

    id: int
    host: str
    queue: str
    priority: Priority
    order: int
    tries: int
    not_before: float


class MissingPage(Struct, frozen=True, kw_only=True):
    """The answer of an origin, with a success status, for an address that cannot exist; empty if it reports an error.

    `digest` is that of the text, `simhash` that of its stems, `words` their number; stems of the address are left out.
    """

    origin: str
    digest: bytes = b""
    simhash: int = 0
    words: int = 0


class HostRow(Struct, frozen=True, kw_only=True):
    """What a crawl knows about a host; `free_at` is wall time, `delay` is in seconds; a `closed` host is given up.

    `spent` counts pages without anything new that later pages have not made up for; `missing` has an entry for every
    origin that was asked for a page that cannot exist.
    """

    host: str
    fetched: int = 0
    accepted: int = 0
    failures: int = 0
    closed: Reason | None = None
    free_at: float = 0.0
    delay: float = 0.0
    spent: int = 0
    missing: tuple[MissingPage, ...] = ()


class RobotsRow(Struct, frozen=True, kw_only=True):
    """The robots.txt of an origin as received; `status` 0 means the origin was unreachable."""

    origin: str
    at: float
    expires: float
    status: int
    body: bytes = b""
