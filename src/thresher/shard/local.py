"""A shard in this process: frontier, hosts, robots.txt files, traps and ledger behind one interface."""

import gc
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice

import msgspec

from thresher.protocols import Clock, Merges
from thresher.shard.admission import Admission
from thresher.shard.errands import Errands
from thresher.shard.frontier import Frontier
from thresher.shard.host import Host
from thresher.shard.hosts import HostTable, Later
from thresher.shard.ledger import Ledger
from thresher.shard.prices import PriceRecord
from thresher.shard.robots_cache import RobotsCache
from thresher.shard.rules import ShardRules
from thresher.shard.sections import Sections
from thresher.shard.settlement import Settlement
from thresher.shard.soft404 import SoftErrors
from thresher.shard.traps import Traps
from thresher.shard.values import Changes, Errand, Look, Memory, Offer, Outcome, Settled, Taken
from thresher.store.protocol import Store
from thresher.store.url_records import HostRow, UrlRow
from thresher.types import Candidate, Priority
from thresher.web.urls import url_id


class LocalShard:
    """Implements the shard protocol (`shard/protocol.py`) over a store.

    `merge` decides about a link found again while its URL is waiting; without it, the better link is kept.
    """

    def __init__(self, store: Store, crawl: int, clock: Clock, rules: ShardRules, merge: Merges | None = None) -> None:
        self._store = store
        self._crawl = crawl
        self._clock = clock
        self._share = rules.share
        self._hosts = HostTable(rules.manners, rules.standing)
        self._within = rules.within
        self._prices = PriceRecord()
        self._frontier = Frontier(self._hosts, bound=rules.bound, bucket=rules.bucket, balance=rules.balance)
        if rules.balance:
            self._frontier.shares.remember(_pages_of_topics(store))
        self._robots = RobotsCache(store, rules.agent) if rules.agent else None
        self._traps = Traps(rules.traps, wall=clock.wall()) if rules.traps is not None else None
        self._soft_errors = SoftErrors(self._hosts, rules.traps.missing_after) if rules.traps is not None else None
        self._ledger = Ledger(store, crawl)
        self._later = Later(self._hosts)
        self._sections = Sections(rules.prices)
        self._admission = Admission(
            self._ledger,
            self._frontier,
            self._load_hosts,
            scope=rules.scope,
            merge=merge,
            traps=self._traps,
        )
        self._settlement = Settlement(
            clock,
            self._hosts,
            self._ledger,
            self._later,
            self._admission,
            prices=self._prices,
            frontier=self._frontier,
            robots=self._robots,
            traps=self._traps,
            soft_errors=self._soft_errors,
            sections=self._sections,
        )
        self._errands = Errands(
            clock,
            self._hosts,
            self._ledger,
            self._frontier,
            self._admission,
            self._robots,
            self._soft_errors,
            self._sections,
        )
        self._closed_saved = 0
        self._just_over = list(self._crawls_just_over(clock.wall()))
        self._rested = clock.wall() + rules.manners.max_delay

    def restore(self) -> int:
        """Restore everything that was waiting when the crawl was stopped or killed; return the number of URLs."""
        self._remember(self._store.crawls.shard_memory(self._crawl))
        # Millions of small tuples are created and none is garbage: collecting meanwhile would double the time.
        gc.disable()
        try:
            self._frontier.fill(self._stored())
        finally:
            gc.enable()
        self._hosts.rest_all(self._clock.now())
        for host in self._hosts.closed():
            self._admission.close(host)
        return len(self._frontier) + len(self._later)

    def offer(self, offers: Sequence[Offer]) -> None:
        """Decide about candidates, offer by offer: each is queued, merged with a waiting one, or refused."""
        for offer in offers:
            if offer.state is not None:
                self._admission.inherit(offer.candidates, offer.state, offer.reason)
                for candidate in offer.candidates:
                    self._sections.note(candidate.url, offer.state, offer.reason)
            elif offer.reason is not None:
                self._admission.refuse(offer.candidates, offer.reason)
            else:
                self._admission.offer(offer.candidates)

    def take(
        self,
        limit: int,
        *,
        least: Priority | None = None,
        busy: float = 0.0,
        budget: int | None = None,
        queues: Sequence[str] | None = None,
    ) -> Taken:
        """Hand out at most `limit` errands that may be done now, with at least this score or to keep hosts busy."""
        now = self._clock.now()
        self._wake(now)
        if budget is not None:
            limit = min(limit, budget)
        self._frontier.shares.share_out(budget)
        errands: list[Errand] = []
        while len(errands) < limit:
            ids: list[int] = []
            while len(ids) < limit - len(errands) and (url := self._next(now, least, queues)) is not None:
                ids.append(url)
            if not ids:
                break
            errands += self._errands.of(self._ledger.rows(ids), ids)
        used, idle = self._hosts.capacity.measure(now)
        while busy > 0 and len(errands) < limit and (not used or used < busy * (used + idle)):
            dearest = self._frontier.take_dearest(now, self._within)
            if dearest is None:
                break
            errands += self._errands.of(self._ledger.rows([dearest]), [dearest])
            used, idle = self._hosts.capacity.measure(now)
        return Taken(
            errands=errands,
            withheld=self._frontier.turns.passed(now, limit - len(errands), queues) if least is not None else 0,
            used=used,
            idle=idle,
            opens=self._opens(),
            sitemaps=self._robots.sitemaps() if self._robots is not None else (),
        )

    def settle(self, outcomes: Sequence[Outcome]) -> list[Settled]:
        """Record the outcomes of errands and free their hosts; return the result for each."""
        return [self._settlement.settle(outcome) for outcome in outcomes]

    def reprice(self, prices: Sequence[tuple[str, Priority]]) -> int:
        """Change the priority of waiting URLs; return how many were waiting."""
        moved = 0
        for address, priority in prices:
            url = url_id(address)
            if self._frontier.reprice(url, priority):
                self._ledger.price(url, priority)
                moved += 1
        return moved

    def close(self, queue: str, *, for_good: bool = True) -> int:
        """Remove all URLs waiting in a queue; return their number."""
        return self._admission.close_queue(queue, for_good=for_good)

    def drain(self) -> Changes:
        """Return all changes since the last call; the earlier changes must have been committed."""
        now = self._clock.now()
        self._hosts.forget_idle(now)
        urls, moves, prices = self._ledger.drain()
        return Changes(
            urls=urls,
            moves=moves,
            prices=prices,
            hosts=self._hosts.drain(now, self._clock.wall()),
            robots=self._robots.drain() if self._robots is not None else [],
            memory=self._memory(),
        )

    def look(
        self,
        *,
        urls: Sequence[str] = (),
        hosts: Sequence[str] = (),
        queues: bool = False,
        best: int = 0,
        ahead: int = 0,
        ready: int = 0,
        prices: bool = False,
    ) -> Look:
        """Return what can be seen, including unwritten changes."""
        frontier, admission = self._frontier, self._admission
        return Look(
            waiting=len(frontier) + len(self._later),
            aside=admission.aside,
            opens=self._opens(),
            refused=dict(admission.refused),
            cut=admission.cut,
            urls=self._rows(urls) if urls else {},
            hosts=self._yields(hosts) if hosts else {},
            queues=frontier.sizes() if queues else {},
            under_way=self._under_way() if queues else {},
            best=self._candidates(frontier.best(best)) if best else (),
            ahead=frontier.turns.ahead(ahead) if ahead else (),
            ready=self._ready(ready) if ready else (),
            prices=self._prices.classes() if prices else (),
        )

    def _next(self, now: float, least: Priority | None, queues: Sequence[str] | None) -> int | None:
        """Take the next URL: from the queue with the best one if scores are comparable, else from each in turn."""
        if self._within and queues is None:
            return self._frontier.take_dearest(now, self._within, least)
        return self._frontier.take(now, least, queues)

    def _stored(self) -> Iterator[tuple[int, Host, str, Priority, int]]:
        """Yield the stored waiting URLs that may be fetched at once; those that must wait longer are put aside."""
        now, wall = self._clock.now(), self._clock.wall()
        longest, holds = self._hosts.manners.max_delay, self._share.holds
        stored = self._store.urls.waiting(self._crawl)
        while block := list(islice(stored, 8192)):
            self._admission.order = max(self._admission.order, block[-1].order + 1)
            block = [row for row in block if holds(row.host)] if self._share.of > 1 else block
            hosts = self._load_hosts((waiting.host for waiting in block), another_run=True)
            for row in block:
                if row.queue in self._admission.closed:
                    self._admission.wait_again(row.id, hosts[row.host], row.queue, row.priority, row.order)
                elif row.not_before > wall:
                    self._later.keep(now + min(row.not_before - wall, longest), row)
                else:
                    yield row.id, hosts[row.host], row.queue, row.priority, row.order

    def _load_hosts(self, names: Iterable[str], *, another_run: bool = False) -> dict[str, Host]:
        """Return hosts by name, with what the store knows of those that were not in memory."""
        wanted = dict.fromkeys(names)
        known = self._hosts.known(wanted)
        missing = [name for name in wanted if name not in known]
        if missing:
            now, wall = self._clock.now(), self._clock.wall()
            rows = self._store.hosts.hosts(self._crawl, missing)
            self._hosts.restore(rows.values(), now, wall, another_run=another_run)
            # A host that asked to wait does not care which crawl it told.
            for crawl in self._just_over if wall < self._rested else ():
                told = self._store.hosts.hosts(crawl, [name for name in missing if name not in rows]).values()
                self._hosts.restore((HostRow(host=row.host, free_at=row.free_at) for row in told), now, wall)
            known = self._hosts.named(wanted)
        return known

    def _crawls_just_over(self, wall: float) -> Iterator[int]:
        """Yield the earlier crawls of the portal that may have hosts still resting at a wall time."""
        crawl = self._store.crawls.get(self._crawl - 1)
        while crawl is not None and crawl.updated > wall - self._hosts.manners.max_delay:
            yield crawl.id
            crawl = self._store.crawls.get(crawl.id - 1)

    def _opens(self) -> float | None:
        host, later = self._hosts.next_due(), self._later.next()
        return host if later is None else later if host is None else min(host, later)

    def _under_way(self) -> dict[str, int]:
        return Counter([*self._admission.taken.values(), *self._later.queues()])

    def _ready(self, limit: int) -> list[tuple[str, Priority]]:
        now = self._clock.now()
        self._wake(now)
        return self._frontier.ready(now, limit)

    def _rows(self, urls: Sequence[str]) -> dict[str, UrlRow]:
        ids = {url: url_id(url) for url in urls}
        rows = self._ledger.rows(list(ids.values()))
        return {url: rows[ident] for url, ident in ids.items() if ident in rows}

    def _yields(self, names: Sequence[str]) -> dict[str, tuple[int, int]]:
        return {name: (host.fetched, host.accepted) for name, host in self._load_hosts(names).items()}

    def _candidates(self, ids: Sequence[int]) -> list[Candidate]:
        rows = self._ledger.rows(ids)
        return [rows[url].candidate for url in ids]

    def _memory(self) -> Memory | None:
        closed, traps = self._admission.closed, self._traps
        if len(closed) == self._closed_saved and (traps is None or not traps.grown()):
            return None
        self._closed_saved = len(closed)
        return Memory(traps.saved() if traps is not None else [], sorted(closed))

    def _remember(self, memory: bytes | None) -> None:
        """Restore the saved memory; data written by another version is ignored and learned again."""
        try:
            known = msgspec.msgpack.decode(memory or b"", type=Memory)
        except msgspec.DecodeError:
            return
        if self._traps is not None:
            self._traps.restore(known.traps)
        self._admission.closed.update(known.closed)
        self._closed_saved = len(known.closed)

    def _wake(self, now: float) -> None:
        for waiting in self._later.due(now):
            host = self._hosts.get(waiting.host)
            self._admission.wait_again(waiting.id, host, waiting.queue, waiting.priority, waiting.order)
            self._admission.reopen(host, now)
        for host in self._hosts.due(now):
            self._admission.reopen(host, now)


def _pages_of_topics(store: Store) -> Counter[str]:
    """Return the number of stored pages that each topic accepted."""
    found: Counter[str] = Counter()
    for row in store.documents.counts():
        if row.topic:
            found[row.topic] += row.pages
    return found
