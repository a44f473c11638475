"""Settles an errand once its outcome is known: the new state of the URL and of its host."""

from thresher.protocols import Clock
from thresher.reasons import BLAMES_HOST, NEXT_RUN, RETRIED, UNCOUNTED, Reason
from thresher.shard.admission import Admission
from thresher.shard.frontier import Frontier
from thresher.shard.host import Host
from thresher.shard.hosts import HostTable, Later
from thresher.shard.ledger import Ledger
from thresher.shard.prices import PriceRecord
from thresher.shard.robots_cache import RobotsCache
from thresher.shard.sections import Sections
from thresher.shard.soft404 import SoftErrors
from thresher.shard.traps import Traps
from thresher.shard.values import Errand, Outcome, Settled
from thresher.store.url_records import UrlMove, UrlState, WaitingUrl
from thresher.web.urls import origin_of


class Settlement:
    """Settles errands: records what was learned and frees the host, in order of arrival."""

    def __init__(
        self,
        clock: Clock,
        hosts: HostTable,
        ledger: Ledger,
        later: Later,
        admission: Admission,
        *,
        prices: PriceRecord,
        frontier: Frontier,
        robots: RobotsCache | None = None,
        traps: Traps | None = None,
        soft_errors: SoftErrors | None = None,
        sections: Sections | None = None,
    ) -> None:
        self._clock = clock
        self._hosts = hosts
        self._ledger = ledger
        self._later = later
        self._admission = admission
        self._prices = prices
        self._frontier = frontier
        self._robots = robots
        self._traps = traps
        self._soft_errors = soft_errors
        self._sections = sections or Sections("nothing")

    def settle(self, outcome: Outcome) -> Settled:
        """Record the outcome of an errand, free its host, and return the result."""
        errand = outcome.errand
        if errand.inside is not None:
            return self._member(outcome)
        if outcome.state is UrlState.WAITING:
            return self._give_back(errand)
        if not outcome.asked:
            return self._unasked(outcome)
        if errand.robots:
            return self._learn_robots(outcome)
        if errand.missing:
            return self._learn_missing(outcome)
        said = None
        host = self._hosts.get(errand.host)
        if self._soft_errors is not None and outcome.state is UrlState.DONE:
            said = self._soft_errors.judge(outcome, host)
        self._sections.note(errand.candidate.url, outcome.state, said or outcome.reason)
        if said is not None:
            self._count(host, 1, 0, 0, 1)
            return Settled(state=self._free(outcome, host, UrlState.FAILED, said), reason=said)
        state = self._free(outcome, host, outcome.state, outcome.reason)
        if not outcome.pages:
            return Settled(state=state, reason=outcome.reason)
        price = errand.candidate.priority[0] + host.standing if errand.candidate.priority else 0.0
        self._prices.fetched(price, outcome.pages, outcome.accepted)
        self._frontier.shares.count(errand.candidate.queue, outcome.topic, outcome.pages)
        if outcome.topic:
            host.belongs(outcome.topic)
        self._count(host, outcome.pages, outcome.accepted, outcome.new, outcome.pages - outcome.new)
        return Settled(state=state, reason=outcome.reason, usage=self._usage(errand.candidate.url))

    def _free(self, outcome: Outcome, host: Host, state: UrlState, reason: Reason | None) -> UrlState:
        """Free the host of a page and move its URL; return its final state.

        A temporary failure ends in `WAITING` for another try, up to the limit of tries.
        """
        errand, now = outcome.errand, self._clock.now()
        self._admission.taken.pop(errand.id, None)
        # Another failure of the same URL says nothing new about its host.
        blame = Reason.HOST_BAD if reason in BLAMES_HOST and not errand.tries else None
        self._hosts.finish(host, errand.answered(now), blame=blame, retry_after=outcome.retry_after)
        self._hosts.standings.asked(host)
        if reason is Reason.ADDRESS_FORBIDDEN:
            host.closed = reason
        tries = errand.tries + (reason is not None and reason not in UNCOUNTED)
        again = reason in RETRIED and tries < self._hosts.manners.max_tries
        if again and host.closed is None:
            state = UrlState.WAITING
            self._retry(errand, tries, reason, outcome.retry_after, now)
        elif again and host.closed in NEXT_RUN:
            state = UrlState.WAITING
            self._admission.put_aside(errand.id, host.closed)
        else:
            self._ledger.move(UrlMove(errand.id, state, reason, tries))
        self._admission.reopen(host, now)
        return state

    def _count(self, host: Host, pages: int, accepted: int, new: int, old: int) -> None:
        """Count pages for the yield and quota of a host, and those with `new` and `old` text for its patience."""
        self._hosts.count_pages(host, pages, accepted)
        if self._traps is not None:
            self._traps.count_pages(host, new, old)
        if host.closed is not None:
            self._admission.close(host)

    def _usage(self, url: str) -> tuple[str, ...]:
        rules = self._robots.rules(origin_of(url), self._clock.wall()) if self._robots is not None else None
        return rules.usage(url) if rules is not None else ()

    def _member(self, outcome: Outcome) -> Settled:
        """Record a member of an archive; old text is not held against its host, since it cost nothing.

        The host was freed with the archive.
        """
        state = self._admission.include(outcome)
        if state is not UrlState.DONE:
            return Settled(state=state, reason=outcome.reason)
        host = self._hosts.get(outcome.errand.host)
        self._count(host, outcome.pages, outcome.accepted, outcome.new, 0)
        return Settled(state=state, usage=self._usage(outcome.errand.candidate.url))

    def _learn_robots(self, outcome: Outcome) -> Settled:
        """Learn what an origin allows and free its host; an unreachable origin is held against the host."""
        host = self._hosts.get(outcome.errand.host)
        host.asking = False
        now, origin = self._clock.now(), origin_of(outcome.errand.candidate.url)
        robots = self._robots
        rules = robots.learn(origin, outcome.status, outcome.body, self._clock.wall()) if robots is not None else None
        blame = None
        if rules is not None:
            self._hosts.set_delay(host, rules.crawl_delay)
            host.unanswered = 0
        else:
            host.unanswered += 1
            lost = outcome.status is None and outcome.reason in BLAMES_HOST
            blame = Reason.HOST_BAD if lost else Reason.ROBOTS_UNREACHABLE
        self._hosts.finish(host, outcome.errand.answered(now), blame=blame, retry_after=outcome.retry_after)
        if outcome.reason is Reason.ADDRESS_FORBIDDEN:
            host.closed = outcome.reason
        elif host.unanswered >= self._hosts.manners.max_tries:
            host.closed = host.closed or blame
        self._admission.reopen(host, now)
        return Settled(state=outcome.state, sitemaps=robots.sitemaps() if robots is not None else ())

    def _learn_missing(self, outcome: Outcome) -> Settled:
        """Learn how an origin answers for an address that cannot exist, and free its host."""
        now = self._clock.now()
        if self._soft_errors is not None:
            self._soft_errors.learn(outcome, now)
        self._admission.reopen(self._hosts.get(outcome.errand.host), now)
        return Settled(state=outcome.state)

    def _give_back(self, errand: Errand) -> Settled:
        """Queue an errand again that could not be done, without blaming anyone."""
        host = self._hosts.get(errand.host)
        self._hosts.call_off(host)
        if errand.robots or errand.missing:
            host.asking = False
        else:
            self._admission.taken.pop(errand.id, None)
            candidate = errand.candidate
            self._admission.wait_again(errand.id, host, candidate.queue, candidate.priority, errand.order)
        self._admission.reopen(host, self._clock.now())
        return Settled(state=UrlState.WAITING)

    def _unasked(self, outcome: Outcome) -> Settled:
        """Record the result for a URL whose host was not asked: the host is not charged and need not rest."""
        errand = outcome.errand
        host = self._hosts.get(errand.host)
        self._hosts.call_off(host)
        self._admission.taken.pop(errand.id, None)
        self._ledger.move(UrlMove(errand.id, outcome.state, outcome.reason, errand.tries))
        self._admission.reopen(host, self._clock.now())
        return Settled(state=outcome.state, reason=outcome.reason)

    def _retry(self, errand: Errand, tries: int, reason: Reason | None, asked: float | None, now: float) -> None:
        manners = self._hosts.manners
        wait = max(manners.growing(manners.retry, tries), min(asked or 0.0, manners.max_delay))
        not_before = self._clock.wall() + wait
        self._ledger.move(UrlMove(errand.id, UrlState.WAITING, reason, tries, not_before))
        candidate = errand.candidate
        waiting = WaitingUrl(
            errand.id, errand.host, candidate.queue, candidate.priority, errand.order, tries, not_before
        )
        self._later.keep(now + wait, waiting)
