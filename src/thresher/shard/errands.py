"""Decides at the last moment what to fetch for a URL taken from the frontier."""

from collections.abc import Mapping, Sequence

from thresher.protocols import Clock
from thresher.reasons import Reason
from thresher.shard.admission import Admission
from thresher.shard.frontier import Frontier
from thresher.shard.host import Host
from thresher.shard.hosts import HostTable
from thresher.shard.ledger import Ledger
from thresher.shard.robots_cache import RobotsCache
from thresher.shard.sections import Sections
from thresher.shard.soft404 import SoftErrors
from thresher.shard.values import Errand
from thresher.store.url_records import UrlMove, UrlRow, UrlState
from thresher.types import Candidate
from thresher.web.urls import origin_of, url_id


class Errands:
    """Turns taken URLs into errands: the page itself, its host's robots.txt first, or a probe for soft errors.

    Without `robots`, robots.txt files are ignored; without `soft_errors`, no host is probed.
    """

    def __init__(
        self,
        clock: Clock,
        hosts: HostTable,
        ledger: Ledger,
        frontier: Frontier,
        admission: Admission,
        robots: RobotsCache | None,
        soft_errors: SoftErrors | None,
        sections: Sections | None = None,
    ) -> None:
        self._clock = clock
        self._hosts = hosts
        self._ledger = ledger
        self._frontier = frontier
        self._admission = admission
        self._robots = robots
        self._soft_errors = soft_errors
        self._sections = sections or Sections("nothing")

    def of(self, rows: Mapping[int, UrlRow], ids: Sequence[int]) -> list[Errand]:
        """Return the errands for taken URLs, in order; a URL that may not be fetched now has none."""
        wall = self._clock.wall()
        return [errand for url in ids if (errand := self._errand(rows[url], wall)) is not None]

    def _errand(self, row: UrlRow, wall: float) -> Errand | None:
        """Decide about a taken URL at the last moment: robots.txt comes first, and only allowed URLs are fetched."""
        candidate = row.candidate
        host = self._hosts.get(row.host)
        lowered = self._sections.lowered(row)
        if lowered is not None:
            self._hosts.call_off(host)
            self._frontier.add(row.id, host, candidate.queue, lowered, row.order)
            self._admission.reopen(host, self._clock.now())
            return None
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
            # A stored robots.txt asks for one page at a time, and one is being fetched.
            self._hosts.call_off(host)
            self._frontier.add(row.id, host, candidate.queue, candidate.priority, row.order)
            return None
        probe = self._soft_errors.errand(origin, host, rules) if self._soft_errors is not None else None
        if probe is not None:
            self._frontier.add(row.id, host, candidate.queue, candidate.priority, row.order)
            return probe
        self._admission.taken[row.id] = candidate.queue
        return Errand(candidate=candidate, id=row.id, host=row.host, order=row.order, tries=row.tries)

    def _ask_robots(self, origin: str, host: Host) -> Errand | None:
        """Return the errand that fetches a robots.txt, or None if that is under way; the host is closed meanwhile."""
        if host.asking:
            self._hosts.call_off(host)
            return None
        host.asking = True
        asks = Candidate(url=f"{origin}/robots.txt", priority=())
        return Errand(candidate=asks, id=url_id(asks.url), host=host.name, robots=True)

    def _disallow(self, row: UrlRow) -> None:
        self._ledger.move(UrlMove(row.id, UrlState.REFUSED, Reason.ROBOTS_DISALLOWED))
        self._admission.refuse_for(Reason.ROBOTS_DISALLOWED)
        host = self._hosts.get(row.host)
        self._hosts.call_off(host)
        self._admission.reopen(host, self._clock.now())
