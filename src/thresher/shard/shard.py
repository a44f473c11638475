"""A shard: frontier, hosts, robots files and seen-set of the hosts it is responsible for.

The engine speaks to it in batches: `offer` candidates, `take` errands, `settle` what became of them. What changed is
collected with `drain` and written by whoever owns the store. One shard holds every host in the embedded default.
"""

import gc
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice

from thresher.protocols import Clock, Merges
from thresher.reading.analysis import Analysis
from thresher.reasons import Reason
from thresher.shard.admission import Admission
from thresher.shard.errands import Errand, Tally
from thresher.shard.frontier import Frontier
from thresher.shard.hosts import Host, Hosts
from thresher.shard.later import Later
from thresher.shard.ledger import Ledger
from thresher.shard.robots_cache import RobotsCache
from thresher.shard.scope import Scope
from thresher.shard.settlement import Settlement
from thresher.shard.soft404 import SoftErrors
from thresher.shard.traps import Traps
from thresher.store.protocol import Store
from thresher.store.records import Batch
from thresher.store.url_records import UrlMove, UrlRow, UrlState
from thresher.types import Answer, Candidate, Priority
from thresher.web.urls import origin_of, url_id


class Shard:
    """The frontier of one crawl with all that decides when a URL may be fetched; `robots` None asks no robots file."""

    def __init__(
        self,
        store: Store,
        crawl: int,
        *,
        clock: Clock,
        hosts: Hosts,
        frontier: Frontier,
        robots: RobotsCache | None,
        scope: Scope | None = None,
        merge: Merges | None = None,
        traps: Traps | None = None,
    ) -> None:
        self._store = store
        self._crawl = crawl
        self._clock = clock
        self._hosts = hosts
        self._frontier = frontier
        self._robots = robots
        self._traps = traps
        self._soft_errors = SoftErrors(hosts, traps.limits.missing_after) if traps is not None else None
        self._ledger = Ledger(store, crawl)
        self._later = Later(hosts)
        self._admission = Admission(
            self._ledger, frontier, hosts, self._load_hosts, scope=scope, merge=merge, traps=traps
        )
        self._settlement = Settlement(
            clock, hosts, frontier, self._ledger, self._later, self._admission, robots, self._soft_errors
        )

    def __len__(self) -> int:
        return len(self._frontier) + len(self._later)

    @property
    def tally(self) -> Tally:
        """What was decided about candidates so far."""
        return self._admission.tally

    @property
    def aside(self) -> int:
        """How many URLs were put aside for the next run."""
        return self._admission.aside

    def restore(self) -> int:
        """Take back everything that waited when the crawl was stopped or killed; return how many URLs that are."""
        memory = self._store.crawls.trap_memory(self._crawl) if self._traps is not None else None
        if self._traps is not None and memory is not None:
            self._traps.restore(memory)
        # Millions of small tuples are made and none is garbage: collecting meanwhile would double the time.
        gc.disable()
        try:
            self._frontier.fill(self._stored())
        finally:
            gc.enable()
        self._hosts.rest_all(self._clock.now())
        for host in self._hosts.closed():
            self._admission.close(host)
        return len(self)

    def _stored(self) -> Iterator[tuple[int, Host, str, Priority, int]]:
        """Give what waits in the store and may be fetched at once; what must wait longer is put aside."""
        now, wall = self._clock.now(), self._clock.wall()
        get, longest = self._hosts.get, self._hosts.manners.max_delay
        stored = self._store.urls.waiting(self._crawl)
        while block := list(islice(stored, 8192)):
            self._load_hosts((waiting.host for waiting in block), another_run=True)
            self._admission.order = max(self._admission.order, block[-1].order + 1)
            for row in block:
                if row.not_before > wall:
                    self._later.keep(now + min(row.not_before - wall, longest), row)
                else:
                    yield row.id, get(row.host), row.queue, row.priority, row.order

    def _load_hosts(self, names: Iterable[str], *, another_run: bool = False) -> None:
        missing = self._hosts.missing(names)
        if missing:
            rows = self._store.hosts.hosts(self._crawl, missing).values()
            self._hosts.restore(rows, self._clock.now(), self._clock.wall(), another_run=another_run)

    def offer(self, candidates: Iterable[Candidate]) -> None:
        """Let candidates wait, merge them with what waits, or refuse them; every outcome is counted in `tally`."""
        self._admission.offer(candidates)

    def refuse(self, candidates: Iterable[Candidate], reason: Reason) -> None:
        """Note links that are not followed, where their URL is not known already; found elsewhere it may still come."""
        self._admission.refuse(candidates, reason)

    def include(self, errand: Errand, reason: Reason | None) -> bool:
        """Enter a URL that came inside of another answer, as done or with why it is not; tell whether it is welcome."""
        return self._admission.include(errand, reason)

    def inherit(self, row: UrlRow) -> None:
        """Take over a URL that an earlier crawl is done with: it is known, and not fetched again."""
        self._admission.inherit(row)

    def reprice(self, prices: Iterable[tuple[str, Priority]]) -> int:
        """Give waiting URLs another priority; return how many waited."""
        moved = 0
        for address, priority in prices:
            url = url_id(address)
            if self._frontier.reprice(url, priority):
                self._ledger.price(url, priority)
                moved += 1
        return moved

    def take(self, limit: int, choose: Callable[[Sequence[str]], str] | None = None) -> list[Errand]:
        """Return at most `limit` errands that may be done now; each must be settled."""
        now = self._clock.now()
        self._wake(now)
        errands: list[Errand] = []
        while len(errands) < limit:
            ids: list[int] = []
            while len(ids) < limit - len(errands) and (url := self._frontier.take(now, choose)) is not None:
                ids.append(url)
            if not ids:
                break
            rows = self._ledger.rows(ids)
            for url in ids:
                errand = self._errand(rows[url])
                if errand is not None:
                    errands.append(errand)
        return errands

    def ahead(self, limit: int) -> list[str]:
        """Return at most `limit` hosts of which something is soon to be fetched, the nearest first."""
        return self._frontier.ahead(limit)

    def settle(self, errand: Errand, answer: Answer, state: UrlState) -> UrlState:
        """Record what became of an errand and free its host; return the state the URL ends in.

        A failure that may pass ends in `WAITING` for another try, up to the limit of tries.
        """
        return self._settlement.page(errand, answer, state)

    def settle_robots(self, errand: Errand, answer: Answer) -> None:
        """Learn what an origin allows and free its host; an origin that cannot be reached is held against the host."""
        self._settlement.robots(errand, answer)

    def settle_missing(self, errand: Errand, answer: Answer, analysis: Analysis | None) -> None:
        """Learn what an origin says to an address that cannot exist, and free its host."""
        self._settlement.missing(errand, answer, analysis)

    def give_back(self, errand: Errand) -> None:
        """Let an errand that could not be done wait again, and hold it against nobody."""
        self._settlement.give_back(errand)

    def judge(self, errand: Errand, analysis: Analysis) -> Reason | None:
        """Return why a page that arrived is none, or None where it is one."""
        return self._soft_errors.judge(errand, analysis) if self._soft_errors is not None else None

    def usage(self, url: str) -> tuple[str, ...]:
        """Return what the robots file of a URL's site reserves for it."""
        rules = self._robots.rules(origin_of(url), self._clock.wall()) if self._robots is not None else None
        return rules.usage(url) if rules is not None else ()

    def count_page(self, errand: Errand, accepted: bool, new: bool = True) -> None:
        """Count a page for its host's yield and quota; `new` says whether its text was not met before.

        Members of an archive that say nothing new are not held against the host: they cost no request.
        """
        host = self._hosts.get(errand.host)
        self._hosts.count_page(host, accepted)
        if self._traps is not None and (new or errand.inside is None):
            self._traps.count_page(host, new)
        if host.closed is not None:
            self._admission.close(host)

    def next_event(self) -> float | None:
        """Return when, on the clock's `now` scale, a resting host or URL may be asked again; None where none rests."""
        host, later = self._hosts.next_due(), self._later.next()
        return host if later is None else later if host is None else min(host, later)

    def drain(self, batch: Batch) -> None:
        """Move all unwritten changes into a batch."""
        self._ledger.drain(batch)
        batch.hosts = self._hosts.drain(self._clock.now(), self._clock.wall())
        batch.robots = self._robots.drain() if self._robots else []
        batch.trap_memory = self._traps.memory() if self._traps is not None else None

    def committed(self) -> None:
        """Note that the oldest drained batch can be read from the store."""
        self._ledger.committed()
        self._hosts.forget_idle(self._clock.now())

    def sitemaps(self) -> list[str]:
        """Return the sitemaps, as written, that robots files have named since the last call."""
        return self._robots.sitemaps() if self._robots else []

    def waiting(self) -> dict[str, int]:
        """Return the number of waiting URLs by queue."""
        return self._frontier.sizes()

    def head(self, queue: str) -> Priority | None:
        """Return the best priority in a queue, or None where nothing waits in it."""
        return self._frontier.head(queue)

    def open_to(self, url: str) -> bool:
        """Tell whether a URL waits, or was never seen by this crawl."""
        row = self.row(url)
        return row is None or row.state is UrlState.WAITING

    def best(self, limit: int) -> list[Candidate]:
        """Return at most `limit` waiting candidates of each queue, those of the highest priority first."""
        ids = self._frontier.best(limit)
        rows = self._ledger.rows(ids)
        return [rows[url].candidate for url in ids]

    def row(self, url: str) -> UrlRow | None:
        """Return what this crawl knows of a URL, unwritten changes included; None where it has not seen it."""
        found = url_id(url)
        return self._ledger.rows([found]).get(found)

    def yields(self, host: str) -> tuple[int, int]:
        """Return how many pages of a host were stored by this crawl, and how many of them were accepted."""
        self._load_hosts([host])
        known = self._hosts.get(host)
        return known.fetched, known.accepted

    def _errand(self, row: UrlRow) -> Errand | None:
        """Decide about a taken URL at the last moment: robots first, and only what they allow."""
        candidate, wall = row.candidate, self._clock.wall()
        host = self._hosts.get(row.host)
        asked = rules = None
        origin = origin_of(candidate.url)
        if self._robots is not None:
            rules = self._robots.rules(origin, wall)
            if rules is None:
                self._frontier.add(row.id, host, candidate.queue, candidate.priority, row.order)
                return self._ask_robots(origin, host)
            if not rules.allowed(candidate.url):
                self._disallow(row)
                return None
            asked = rules.crawl_delay
        self._hosts.set_delay(host, asked)
        if host.delay > 0 and host.active > 1:
            # A stored robots file asks for one page at a time, and one is under way.
            self._hosts.call_off(host)
            self._frontier.add(row.id, host, candidate.queue, candidate.priority, row.order)
            return None
        probe = self._soft_errors.errand(origin, host, rules) if self._soft_errors is not None else None
        if probe is not None:
            self._frontier.add(row.id, host, candidate.queue, candidate.priority, row.order)
            return probe
        self._admission.taken.add(row.id)
        return Errand(candidate=candidate, id=row.id, host=row.host, order=row.order, tries=row.tries)

    def _ask_robots(self, origin: str, host: Host) -> Errand | None:
        """Return the errand that fetches a robots file, or None where it is under way; the host is shut meanwhile."""
        if host.asking:
            self._hosts.call_off(host)
            return None
        host.asking = True
        asks = Candidate(url=f"{origin}/robots.txt", priority=())
        return Errand(candidate=asks, id=url_id(asks.url), host=host.name, robots=True)

    def _disallow(self, row: UrlRow) -> None:
        self._ledger.move(UrlMove(row.id, UrlState.REFUSED, Reason.ROBOTS_DISALLOWED))
        self.tally.refuse(Reason.ROBOTS_DISALLOWED)
        host = self._hosts.get(row.host)
        self._hosts.call_off(host)
        self._admission.reopen(host, self._clock.now())

    def _wake(self, now: float) -> None:
        for waiting in self._later.due(now):
            host = self._hosts.get(waiting.host)
            self._frontier.add(waiting.id, host, waiting.queue, waiting.priority, waiting.order)
            self._admission.reopen(host, now)
        for host in self._hosts.due(now):
            self._admission.reopen(host, now)
