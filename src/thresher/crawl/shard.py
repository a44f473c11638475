"""A shard: frontier, hosts, robots files and seen-set of the hosts it is responsible for.

The engine speaks to it in batches: `offer` candidates, `take` errands, `settle` what became of them. What changed is
collected with `drain` and written by whoever owns the store. One shard holds every host in the embedded default.
"""

import gc
import heapq
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice

import msgspec

from thresher.crawl.analysis import Analysis
from thresher.crawl.errands import Errand, Tally
from thresher.crawl.frontier import Frontier
from thresher.crawl.hosts import SECOND_CHANCE, Host, Hosts
from thresher.crawl.ledger import Ledger
from thresher.crawl.robots_cache import RobotsCache
from thresher.crawl.scope import Scope
from thresher.crawl.soft404 import SoftErrors
from thresher.crawl.traps import Traps
from thresher.errors import PluginError
from thresher.protocols import Clock, Merges
from thresher.reasons import BLAMES_HOST, RETRIED, Reason
from thresher.store.protocol import Store
from thresher.store.records import Batch, UrlMove, UrlRow, UrlState, Waiting
from thresher.types import MEMO_BYTES, Answer, Candidate, Failed, Priority
from thresher.web.session_ids import without_session
from thresher.web.urls import host_of, origin_of, url_id

UNREAD = frozenset({Reason.TYPE_REFUSED, Reason.BUDGET_SPENT})
"""Why a member of an archive is not even looked at."""


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
        self._scope = scope or Scope()
        self._merge = merge
        self._traps = traps
        self._soft_errors = SoftErrors(hosts, traps.limits.missing_after) if traps is not None else None
        self._ledger = Ledger(store, crawl)
        self._order = 0
        self._taken: set[int] = set()
        self._later: list[tuple[float, int, Waiting]] = []
        self.aside = 0
        self.tally = Tally()

    def __len__(self) -> int:
        return len(self._frontier) + len(self._later)

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
            self._close(host)
        return len(self)

    def _stored(self) -> Iterator[tuple[int, Host, str, Priority, int]]:
        """Give what waits in the store and may be fetched at once; what must wait longer is put aside."""
        now, wall = self._clock.now(), self._clock.wall()
        get, longest = self._hosts.get, self._hosts.manners.max_delay
        stored = self._store.urls.waiting(self._crawl)
        while block := list(islice(stored, 8192)):
            self._load_hosts((waiting.host for waiting in block), another_run=True)
            self._order = max(self._order, block[-1].order + 1)
            for row in block:
                if row.not_before > wall:
                    get(row.host).waiting += 1
                    heapq.heappush(self._later, (now + min(row.not_before - wall, longest), row.order, row))
                else:
                    yield row.id, get(row.host), row.queue, row.priority, row.order

    def _load_hosts(self, names: Iterable[str], *, another_run: bool = False) -> None:
        missing = self._hosts.missing(names)
        if missing:
            rows = self._store.hosts.hosts(self._crawl, missing).values()
            self._hosts.restore(rows, self._clock.now(), self._clock.wall(), another_run=another_run)

    def offer(self, candidates: Iterable[Candidate]) -> None:
        """Let candidates wait, merge them with what waits, or refuse them; every outcome is counted in `tally`."""
        found: dict[int, Candidate] = {}
        for candidate in map(self._plain, candidates):
            url = url_id(candidate.url)
            if url not in found or candidate.priority > found[url].priority:
                found[url] = candidate
        again = {url: candidate for url, candidate in found.items() if url in self._frontier}
        unknown = [url for url in found if url not in again and url not in self._taken]
        states = self._ledger.states(unknown) if unknown else {}
        new = [url for url in unknown if states.get(url, UrlState.CUT) is UrlState.CUT]
        self.tally.seen += len(found) - len(again) - len(new)
        self._load_hosts(host_of(found[url].url) for url in new)
        self._find_again(again)
        for url in new:
            self._admit(url, found[url])
        self._cut()

    def _plain(self, candidate: Candidate) -> Candidate:
        """Return a candidate without the session in its address: every session would be another URL."""
        address = without_session(candidate.url) if self._traps is not None else candidate.url
        return candidate if address == candidate.url else msgspec.structs.replace(candidate, url=address)

    def refuse(self, candidates: Iterable[Candidate], reason: Reason) -> None:
        """Note links that are not followed, where their URL is not known already; found elsewhere it may still come."""
        found = {url_id(candidate.url): candidate for candidate in candidates}
        unknown = [url for url in found if url not in self._frontier and url not in self._taken]
        states = self._ledger.states(unknown) if unknown else {}
        for url in unknown:
            if url not in states:
                self._turn_away(url, found[url], reason, UrlState.CUT)

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
        host = self._hosts.get(errand.host)
        now = self._clock.now()
        self._taken.discard(errand.id)
        failed = answer if isinstance(answer, Failed) else None
        reason = failed.reason if failed else None
        # Another failure of the same URL says nothing new about its host.
        blame = Reason.HOST_BAD if reason in BLAMES_HOST and not errand.tries else None
        self._hosts.finish(host, now, blame=blame, retry_after=failed.retry_after if failed else None)
        if reason is Reason.ADDRESS_FORBIDDEN:
            host.closed = reason
        tries = errand.tries + (failed is not None)
        again = reason in RETRIED and tries < self._hosts.manners.max_tries
        if again and host.closed is None:
            state = UrlState.WAITING
            self._retry(errand, tries, failed, now)
        elif again and host.closed in SECOND_CHANCE:
            state = UrlState.WAITING
            self._put_aside(errand.id, host.closed)
        else:
            self._ledger.move(UrlMove(errand.id, state, reason, tries))
        self._reopen(host, now)
        return state

    def settle_robots(self, errand: Errand, answer: Answer) -> None:
        """Learn what an origin allows and free its host; an origin that cannot be reached is held against the host."""
        host = self._hosts.get(errand.host)
        host.asking = False
        now = self._clock.now()
        rules = (
            self._robots.learn(origin_of(errand.candidate.url), answer, self._clock.wall()) if self._robots else None
        )
        failed = answer if isinstance(answer, Failed) else None
        if rules is not None:
            self._hosts.set_delay(host, rules.crawl_delay)
        blame = None
        if rules is None:
            lost = failed is not None and failed.status is None and failed.reason in BLAMES_HOST
            blame = Reason.HOST_BAD if lost else Reason.ROBOTS_UNREACHABLE
        self._hosts.finish(host, now, blame=blame, retry_after=failed.retry_after if failed else None)
        if failed is not None and failed.reason is Reason.ADDRESS_FORBIDDEN:
            host.closed = failed.reason
        self._reopen(host, now)

    def settle_missing(self, errand: Errand, answer: Answer, analysis: Analysis | None) -> None:
        """Learn what an origin says to an address that cannot exist, and free its host."""
        now = self._clock.now()
        if self._soft_errors is not None:
            self._soft_errors.learn(errand, answer, analysis, now)
        self._reopen(self._hosts.get(errand.host), now)

    def judge(self, errand: Errand, analysis: Analysis) -> Reason | None:
        """Return why a page that arrived is none, or None where it is one."""
        return self._soft_errors.judge(errand, analysis) if self._soft_errors is not None else None

    def usage(self, url: str) -> tuple[str, ...]:
        """Return what the robots file of a URL's site reserves for it."""
        rules = self._robots.rules(origin_of(url), self._clock.wall()) if self._robots is not None else None
        return rules.usage(url) if rules is not None else ()

    def include(self, errand: Errand, reason: Reason | None) -> bool:
        """Enter a URL that came inside of another answer, as done or with why it is not; tell whether it is welcome.

        It is not where this crawl knows it already or where it lies out of bounds.
        """
        url, candidate = errand.id, errand.candidate
        known = url in self._frontier or url in self._taken
        if known or self._ledger.states([url]).get(url, UrlState.CUT) is not UrlState.CUT:
            self.tally.seen += 1
            return False
        refused = self._scope.decide(candidate) or (reason if reason in UNREAD else None)
        if refused is not None:
            cut = refused is Reason.BUDGET_SPENT
            self._turn_away(url, candidate, refused, UrlState.CUT if cut else UrlState.REFUSED)
            return False
        state = UrlState.DONE if reason is None else UrlState.FAILED
        tries = int(reason is not None)
        row = UrlRow(
            id=url, host=errand.host, candidate=candidate, order=self._order, state=state, reason=reason, tries=tries
        )
        self._ledger.put(row)
        self._order += 1
        return True

    def give_back(self, errand: Errand) -> None:
        """Let an errand that could not be done wait again, and hold it against nobody."""
        host = self._hosts.get(errand.host)
        self._hosts.call_off(host)
        if errand.robots or errand.missing:
            host.asking = False
        else:
            self._taken.discard(errand.id)
            candidate = errand.candidate
            self._frontier.add(errand.id, host, candidate.queue, candidate.priority, errand.order)
        self._reopen(host, self._clock.now())

    def count_page(self, errand: Errand, accepted: bool, new: bool = True) -> None:
        """Count a page for its host's yield and quota; `new` says whether its text was not met before.

        Members of an archive that say nothing new are not held against the host: they cost no request.
        """
        host = self._hosts.get(errand.host)
        self._hosts.count_page(host, accepted)
        if self._traps is not None and (new or errand.inside is None):
            self._traps.count_page(host, new)
        if host.closed is not None:
            self._close(host)

    def next_event(self) -> float | None:
        """Return when, on the clock's `now` scale, a resting host or URL may be asked again; None where none rests."""
        host, later = self._hosts.next_due(), self._later[0][0] if self._later else None
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

    def inherit(self, row: UrlRow) -> None:
        """Take over a URL that an earlier crawl is done with: it is known, and not fetched again."""
        self._ledger.put(msgspec.structs.replace(row, order=self._order))
        self._order += 1

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

    def _admit(self, url: int, candidate: Candidate) -> None:
        host = self._hosts.get(host_of(candidate.url))
        reason = self._scope.decide(candidate) or host.closed
        if reason is None and self._traps is not None and candidate.depth > 0:
            reason = self._traps.decide(candidate.url, candidate.parent)
        if reason is not None:
            self._turn_away(url, candidate, reason, UrlState.CUT if reason is Reason.TOO_DEEP else UrlState.REFUSED)
            return
        if candidate.memo and len(msgspec.json.encode(candidate.memo)) > MEMO_BYTES:
            raise PluginError(
                f"The strategy hands down more than {MEMO_BYTES} bytes to {candidate.url}.",
                "Keep the memo small: it is stored with every waiting URL.",
            )
        self._ledger.put(UrlRow(id=url, host=host.name, candidate=candidate, order=self._order))
        self._frontier.add(url, host, candidate.queue, candidate.priority, self._order)
        self._order += 1
        self.tally.added += 1

    def _turn_away(self, url: int, candidate: Candidate, reason: Reason, state: UrlState) -> None:
        host = host_of(candidate.url)
        if reason in SECOND_CHANCE:
            state = UrlState.WAITING
            self.aside += 1
        self._ledger.put(UrlRow(id=url, host=host, candidate=candidate, order=self._order, state=state, reason=reason))
        self._order += 1
        self.tally.refuse(reason)

    def _find_again(self, found: dict[int, Candidate]) -> None:
        """Merge candidates with those that wait under their URLs: the better stay, or what the strategy says."""
        self.tally.merged += len(found)
        if self._merge is None:
            waits = self._frontier.priority
            found = {url: candidate for url, candidate in found.items() if candidate.priority > (waits(url) or ())}
        rows = self._ledger.rows(list(found)) if found else {}
        for url, row in rows.items():
            candidate = found[url]
            if self._merge is not None:
                candidate = self._merge.merge(row.candidate, candidate)
            if row.candidate.lists and not candidate.lists:
                # A page that links to a sitemap does not make a page of it.
                candidate = msgspec.structs.replace(candidate, lists=row.candidate.lists)
            if candidate == row.candidate or self._scope.decide(candidate) is not None:
                continue
            self._ledger.put(msgspec.structs.replace(row, candidate=candidate))
            self._frontier.add(url, self._hosts.get(row.host), candidate.queue, candidate.priority, row.order)

    def _cut(self) -> None:
        for url in self._frontier.cut():
            self._ledger.move(UrlMove(url, UrlState.CUT, Reason.QUEUE_FULL))
            self.tally.cut += 1

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
        self._taken.add(row.id)
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
        self._reopen(host, self._clock.now())

    def _retry(self, errand: Errand, tries: int, failed: Failed | None, now: float) -> None:
        manners = self._hosts.manners
        asked = failed.retry_after if failed and failed.retry_after else 0.0
        wait = max(manners.retry * 2 ** (tries - 1), min(asked, manners.max_delay))
        not_before = self._clock.wall() + wait
        reason = failed.reason if failed else None
        self._ledger.move(UrlMove(errand.id, UrlState.WAITING, reason, tries, not_before))
        candidate = errand.candidate
        self._hosts.get(errand.host).waiting += 1
        waiting = Waiting(errand.id, errand.host, candidate.queue, candidate.priority, errand.order, tries, not_before)
        heapq.heappush(self._later, (now + wait, errand.order, waiting))

    def _put_in_line(self, waiting: Waiting) -> None:
        host = self._hosts.get(waiting.host)
        self._frontier.add(waiting.id, host, waiting.queue, waiting.priority, waiting.order)

    def _wake(self, now: float) -> None:
        while self._later and self._later[0][0] <= now:
            waiting = heapq.heappop(self._later)[2]
            self._hosts.get(waiting.host).waiting -= 1
            self._put_in_line(waiting)
            self._reopen(self._hosts.get(waiting.host), now)
        for host in self._hosts.due(now):
            self._reopen(host, now)

    def _reopen(self, host: Host, now: float) -> None:
        if host.closed is not None:
            self._close(host)
        self._frontier.reopen(host, now)

    def _close(self, host: Host) -> None:
        """Take out what waits for a closed host: for good, or put aside for the next run."""
        if host.closed is None:
            return
        for url in self._frontier.close_host(host):
            if host.closed in SECOND_CHANCE:
                self._put_aside(url, host.closed)
            else:
                self._ledger.move(UrlMove(url, UrlState.REFUSED, host.closed))
                self.tally.refuse(host.closed)

    def _put_aside(self, url: int, reason: Reason) -> None:
        """Keep a URL of a failing host for the next run."""
        self._ledger.move(UrlMove(url, UrlState.WAITING, reason))
        self.tally.refuse(reason)
        self.aside += 1
