"""What the live view, the report and the graph read about a crawl."""

from typing import Final, NamedTuple

from msgspec import Struct

from thresher.reasons import Reason

PAUSED: Final = "pause"
TURNS: Final = (PAUSED, "continue", "started", "resumed", "stopped")
"""Events after which a crawl runs or rests; it is paused where the newest of them says so."""

OFFLINE: Final = "offline"
LINES: Final = (OFFLINE, "online", "started", "resumed", "stopped")
"""Events that tell whether a crawl can reach the network; it cannot where the newest of them says so."""


class WaitingLinks(NamedTuple):
    """How many links of a queue wait for a host."""

    queue: str
    host: str
    links: int


class HeldHost(NamedTuple):
    """A host that a crawl cannot fetch from just now: times are wall time, `delay` is in seconds."""

    host: str
    fetched: int
    failures: int
    closed: Reason | None
    free_at: float
    delay: float


class FailedVisit(NamedTuple):
    """A visit that brought nothing."""

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
    """A stored page under the sequence number of its visit, and whether a topic has it."""

    seq: int
    at: float
    kept: bool


class Arrival(NamedTuple):
    """An accepted page that is new."""

    id: int
    topic: str
    host: str
    confidence: float
    probability: float
    found: float


class Place(NamedTuple):
    """Where a page stands in the picture of the graph."""

    x: float
    y: float
