"""What the live view, the report and the graph read about a crawl."""

from typing import Final, NamedTuple

from msgspec import Struct

from thresher.reasons import Reason

PAUSED: Final = "pause"
TURNS: Final = (PAUSED, "continue", "started", "resumed", "stopped")
"""Events after which a crawl runs or rests; it is paused if the newest of them is `PAUSED`."""

OFFLINE: Final = "offline"
LINES: Final = (OFFLINE, "online", "started", "resumed", "stopped")
"""Events that say whether a crawl can reach the network; it cannot if the newest of them is `OFFLINE`."""


class WaitingLinks(NamedTuple):
    """The number of waiting links in a queue for a host."""

    queue: str
    host: str
    links: int


class HeldHost(NamedTuple):
    """A host that a crawl cannot fetch from right now; times are wall time, `delay` is in seconds."""

    host: str
    fetched: int
    failures: int
    closed: Reason | None
    free_at: float
    delay: float


class FailedVisit(NamedTuple):
    """A visit that failed."""

    url: str
    at: float
    reason: str
    status: int | None


class ReadPage(Struct, frozen=True, kw_only=True):
    """A page that a crawl has just stored; `topic` is None if every topic rejected it."""

    id: int
    url: str
    host: str
    title: str
    at: float
    topic: str | None
    probability: float


class KeptMark(NamedTuple):
    """A stored page with the sequence number of its visit, and whether a topic accepted it."""

    seq: int
    at: float
    kept: bool


class NewPage(NamedTuple):
    """A new accepted page."""

    id: int
    topic: str
    host: str
    confidence: float
    probability: float
    found: float


class Place(NamedTuple):
    """The position of a page in the picture of the graph."""

    x: float
    y: float
