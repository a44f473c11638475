"""Settlement: what becomes of an errand, of its URL and of its host, once there is an answer."""

from thresher.protocols import Clock
from thresher.reading.analysis import Analysis
from thresher.reasons import BLAMES_HOST, RETRIED, Reason
from thresher.shard.admission import Admission
from thresher.shard.errands import Errand
from thresher.shard.frontier import Frontier
from thresher.shard.hosts import SECOND_CHANCE, Hosts
from thresher.shard.later import Later
from thresher.shard.ledger import Ledger
from thresher.shard.robots_cache import RobotsCache
from thresher.shard.soft404 import SoftErrors
from thresher.store.url_records import UrlMove, UrlState, Waiting
from thresher.types import Answer, Failed
from thresher.web.urls import origin_of


class Settlement:
    """Settles errands: records what was learnt and frees the host, in the order of arrival."""

    def __init__(
        self,
        clock: Clock,
        hosts: Hosts,
        frontier: Frontier,
        ledger: Ledger,
        later: Later,
        admission: Admission,
        robots: RobotsCache | None,
        soft_errors: SoftErrors | None,
    ) -> None:
        self._clock = clock
        self._hosts = hosts
        self._frontier = frontier
        self._ledger = ledger
        self._later = later
        self._admission = admission
        self._robots = robots
        self._soft_errors = soft_errors

    def page(self, errand: Errand, answer: Answer, state: UrlState) -> UrlState:
        """Record what became of an errand and free its host; return the state the URL ends in.

        A failure that may pass ends in `WAITING` for another try, up to the limit of tries.
        """
        host = self._hosts.get(errand.host)
        now = self._clock.now()
        self._admission.taken.discard(errand.id)
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
            self._admission.put_aside(errand.id, host.closed)
        else:
            self._ledger.move(UrlMove(errand.id, state, reason, tries))
        self._admission.reopen(host, now)
        return state

    def robots(self, errand: Errand, answer: Answer) -> None:
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
        self._admission.reopen(host, now)

    def missing(self, errand: Errand, answer: Answer, analysis: Analysis | None) -> None:
        """Learn what an origin says to an address that cannot exist, and free its host."""
        now = self._clock.now()
        if self._soft_errors is not None:
            self._soft_errors.learn(errand, answer, analysis, now)
        self._admission.reopen(self._hosts.get(errand.host), now)

    def give_back(self, errand: Errand) -> None:
        """Let an errand that could not be done wait again, and hold it against nobody."""
        host = self._hosts.get(errand.host)
        self._hosts.call_off(host)
        if errand.robots or errand.missing:
            host.asking = False
        else:
            self._admission.taken.discard(errand.id)
            candidate = errand.candidate
            self._frontier.add(errand.id, host, candidate.queue, candidate.priority, errand.order)
        self._admission.reopen(host, self._clock.now())

    def _retry(self, errand: Errand, tries: int, failed: Failed | None, now: float) -> None:
        manners = self._hosts.manners
        asked = failed.retry_after if failed and failed.retry_after else 0.0
        wait = max(manners.retry * 2 ** (tries - 1), min(asked, manners.max_delay))
        not_before = self._clock.wall() + wait
        reason = failed.reason if failed else None
        self._ledger.move(UrlMove(errand.id, UrlState.WAITING, reason, tries, not_before))
        candidate = errand.candidate
        waiting = Waiting(errand.id, errand.host, candidate.queue, candidate.priority, errand.order, tries, not_before)
        self._later.keep(now + wait, waiting)
