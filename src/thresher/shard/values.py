"""The values passed to and from a shard: plain, frozen, and serialisable."""

from collections.abc import Mapping, Sequence

from msgspec import Struct

from thresher.reasons import Reason
from thresher.store.url_records import HostRow, Letter, RobotsRow, UrlMove, UrlPrice, UrlRow, UrlState
from thresher.types import Candidate, Priority


class Inside(Struct, frozen=True):
    """The archive of a member, by URL; `size` is that of the member, in bytes."""

    archive: str
    size: int = 0


class Errand(Struct, frozen=True, kw_only=True, eq=False):
    """Something to fetch: a page, the robots.txt that must be known first, or a page that cannot exist.

    An errand `inside` another was done with it. `ended` is when, on the clock's `now` scale, the host had answered,
    None until then: the time its page waits to be read is part of the host's rest.
    """

    candidate: Candidate
    id: int
    host: str
    order: int = 0
    tries: int = 0
    ended: float | None = None
    robots: bool = False
    missing: bool = False
    inside: Inside | None = None

    def answered(self, now: float) -> float:
        """Return when the host had answered, or `now` if that was not recorded."""
        return now if self.ended is None else self.ended


class Offer(Struct, frozen=True):
    """Candidates from one source.

    They are queued unless there is a `reason` not to follow them, or a `state` in which an earlier crawl left them,
    with a `reason` if they failed.
    """

    candidates: Sequence[Candidate]
    reason: Reason | None = None
    state: UrlState | None = None


class Outcome(Struct, frozen=True, kw_only=True, eq=False):
    """What a shard must know about the outcome of an errand.

    `state` is the final state of the URL unless something speaks against it; `WAITING` returns the errand undone, which
    is nobody's fault. `reason`, `status` and `retry_after` (seconds) describe a failure. `pages` is the number of
    pages, `accepted` how many of them a topic accepted, and `new` how many had new text; `topic` is the accepting
    topic, empty if there is none or several. `digest` and `terms` (stems with counts) are of the page's text and reveal
    soft errors. `body` is a robots.txt. If the host was not `asked`, because the portal had the page, it need not rest.
    """

    errand: Errand
    state: UrlState
    reason: Reason | None = None
    status: int | None = None
    retry_after: float | None = None
    pages: int = 0
    accepted: int = 0
    topic: str = ""
    new: int = 0
    digest: bytes = b""
    terms: Mapping[str, int] = {}
    body: bytes | None = None
    asked: bool = True


class Settled(Struct, frozen=True, kw_only=True):
    """The result of an outcome.

    `state` is the final state of the URL, None for a member of an archive that this crawl already knows. A temporary
    failure ends in `WAITING` for another try, a soft error in `FAILED` with its `reason`, and an unwanted member in
    `REFUSED` or `CUT`. `usage` is what the site's robots.txt reserves for a page, `sitemaps` are the sitemap URLs, as
    written, in a robots.txt.
    """

    state: UrlState | None
    reason: Reason | None = None
    usage: tuple[str, ...] = ()
    sitemaps: tuple[str, ...] = ()


class Taken(Struct, frozen=True, kw_only=True):
    """What a shard hands out.

    `withheld` is how many more errands there would have been without the minimum score; some of their hosts may turn
    out to be closed. `used` is the capacity of the hosts in use, in pages per second, and `idle` that of hosts with
    withheld URLs only. `opens` is when, on the clock's `now` scale, the next resting host or URL may be asked again,
    None if none is resting. `sitemaps` are the sitemap URLs, as written, in stored robots.txt files read on the way.
    """

    errands: list[Errand]
    withheld: int = 0
    used: float = 0.0
    idle: float = 0.0
    opens: float | None = None
    sitemaps: tuple[str, ...] = ()


class PriceClass(Struct, frozen=True):
    """Scores that are nearly the same, none below `lowest`, and what was fetched at them.

    Of the `fetched` pages, a topic `accepted` some. The score of a page includes the standing of its host.
    """

    lowest: float
    fetched: int = 0
    accepted: int = 0


class Look(Struct, frozen=True, kw_only=True):
    """What can be seen of a shard.

    Always present: how many URLs are waiting, how many candidates are on their way to another shard (`outgoing`), how
    many URLs were put `aside` for the next run, when the next rest is over (`opens`, as in `Taken`), and how many URLs
    were `refused`, by reason, and `cut` in this run.

    On request: what the crawl knows about `urls` (unseen ones are absent), how many pages of `hosts` were counted and
    how many of them accepted, the number of URLs by queue, also of those `under_way` or resting before another try, the
    `best` candidates of each queue, the hosts `ahead`, the queues that are `ready`, each with its best open score, and
    the `prices` at which pages were fetched in this run, best first.
    """

    waiting: int
    outgoing: int = 0
    aside: int = 0
    opens: float | None = None
    refused: Mapping[str, int] = {}
    cut: int = 0
    urls: Mapping[str, UrlRow] = {}
    hosts: Mapping[str, tuple[int, int]] = {}
    queues: Mapping[str, int] = {}
    under_way: Mapping[str, int] = {}
    best: Sequence[Candidate] = ()
    ahead: Sequence[str] = ()
    ready: Sequence[tuple[str, Priority]] = ()
    prices: Sequence[PriceClass] = ()


class Memory(Struct, frozen=True):
    """What a shard must remember besides its rows: what it learned about traps, and the closed queues."""

    traps: list[dict[int, list[int]]] = []
    closed: list[str] = []


class Changes(Struct, frozen=True, kw_only=True):
    """The changes in a shard since the last time, as rows for one transaction.

    `memory` is None if it can wait. `outbox` are candidates for other shards, `delivered` the ids of those that have
    arrived.
    """

    urls: list[UrlRow] = []
    moves: list[UrlMove] = []
    prices: list[UrlPrice] = []
    hosts: list[HostRow] = []
    robots: list[RobotsRow] = []
    memory: Memory | None = None
    outbox: list[Letter] = []
    delivered: list[int] = []
