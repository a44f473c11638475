"""The values passed to and from a shard: plain, frozen, and serialisable."""

from collections.abc import Mapping, Sequence

from msgspec import Struct

from thresher.reasons import Reason
from thresher.store.url_records import HostRow, Letter, RobotsRow, UrlMove, UrlPrice, UrlRow, UrlState
from thresher.types import Candidate, Priority


class Inside(Struct, frozen=True):
    """Where a member of an archive was: the URL of the archive; `size` is that of the member, in bytes."""

    archive: str
    size: int = 0


class Errand(Struct, frozen=True, kw_only=True, eq=False):
    """Something to fetch: a page, the robots file that must be known before it, or a page that cannot exist.

    An errand that is `inside` of another was done with it. `ended` is when, on the clock's `now` scale, the host had
    answered, None until then: the time that its page then waits to be read is part of the host's rest.
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
        """Return when the host had answered; where nobody noted that, now."""
        return now if self.ended is None else self.ended


class Offer(Struct, frozen=True):
    """Candidates from one source.

    They are to wait, unless there is a `reason` why they are not followed, or a `state` in which an earlier crawl is
    done with them, for a `reason` if they failed.
    """

    candidates: Sequence[Candidate]
    reason: Reason | None = None
    state: UrlState | None = None


class Outcome(Struct, frozen=True, kw_only=True, eq=False):
    """All that a shard must know of the outcome of an errand.

    `state` is what the URL ends in if nothing speaks against it; `WAITING` gives the errand back, undone and nobody's
    fault. `reason`, `status` and `retry_after` (seconds) are those of a failure. It gave so many `pages`, of which some
    were `accepted` by a topic and some had `new` texts; `topic` is the one that accepted it, empty if none did or there
    are several. `digest` and `terms` (stems with counts) are of the page's text: error pages in disguise are told by
    them. `body` is a robots file. Where the host was not `asked`, because the portal had the page, it need not rest.
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
    """What a shard made of an outcome.

    `state` is the one the URL ends in, None for a member of an archive that this crawl knows already: a failure that
    may pass ends in `WAITING` for another try; a page that is an error page in disguise in `FAILED`, with its `reason`;
    a member that is not welcome in `REFUSED` or `CUT`. `usage` is what the robots file of the site reserves for a page,
    `sitemaps` are the addresses, as written, that a robots file names.
    """

    state: UrlState | None
    reason: Reason | None = None
    usage: tuple[str, ...] = ()
    sitemaps: tuple[str, ...] = ()


class Taken(Struct, frozen=True, kw_only=True):
    """What a shard gives out.

    `withheld` is how many more errands there would have been, were it not for the least score; hosts that turn out to
    be shut may be among them. `used` is what the hosts in use could give, in pages a second, and `idle` what those
    could for which something waits that is withheld. `opens` is when, on the clock's `now` scale, the next resting host
    or URL may be asked again, None if none rests. `sitemaps` are the addresses, as written, that stored robots files
    name which were read on the way.
    """

    errands: list[Errand]
    withheld: int = 0
    used: float = 0.0
    idle: float = 0.0
    opens: float | None = None
    sitemaps: tuple[str, ...] = ()


class PriceClass(Struct, frozen=True):
    """Scores that are nearly the same, none of them below `lowest`, and what was fetched at them.

    Of the pages `fetched` some were `accepted` by a topic. The score of a page is its own and the standing of its host.
    """

    lowest: float
    fetched: int = 0
    accepted: int = 0


class Look(Struct, frozen=True, kw_only=True):
    """What can be seen of a shard.

    Always there: how many URLs wait, how many candidates are on their way to another shard (`outgoing`), how many URLs
    were put `aside` for the next run, when the next rest is over (`opens`, as in `Taken`), and what was `refused`, by
    reason, and `cut` in this run.

    Where it was asked for: what the crawl knows of `urls` (those it has not seen are left out), how many pages of
    `hosts` were counted and how many of them accepted, the number of URLs by queue, also of those `under_way` or
    resting before another try, the `best` candidates of each queue, the hosts `ahead`, the queues that are `ready`,
    each with the best score that could be taken now, and the `prices` at which pages were fetched in this run, the best
    first.
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
    """What a shard must remember beside its rows: what it learned of traps, and the queues that were closed."""

    traps: list[dict[int, list[int]]] = []
    closed: list[str] = []


class Changes(Struct, frozen=True, kw_only=True):
    """What changed in a shard since the last time, as rows for one transaction.

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
