"""The judge: checks an access log against the planned web for impolite and wasteful requests."""

from collections import Counter
from collections.abc import Iterable

from msgspec import Struct
from protego import Protego

from thresher.simweb.access_log import Access
from thresher.simweb.hosts import SimulatedHost
from thresher.simweb.robots_files import PATH, robots_file
from thresher.simweb.web import Web

_EXAMPLES = 5


class Tally(Struct):
    """How often something happened, with the first few examples."""

    count: int = 0
    examples: list[str] = []

    def add(self, example: str, times: int = 1) -> None:
        """Count an occurrence."""
        self.count += times
        if len(self.examples) < _EXAMPLES:
            self.examples = [*self.examples, example]


class MannersReport(Struct, kw_only=True):
    """What a log shows.

    `disallowed` are requests forbidden by the host's robots.txt, `before_robots` requests before that file was
    answered, and `too_early` requests that came sooner after the previous one than the host's delay; robots.txt is
    exempt from all three. `parallel` are the hosts with too many simultaneous requests, and `max_parallel` the maximum
    of any host. `fetches` counts the answers with 200 by URL, without robots.txt, and `refetched` those beyond the
    first.
    """

    requests: int
    disallowed: Tally
    before_robots: Tally
    too_early: Tally
    parallel: Tally
    max_parallel: int
    refetched: Tally
    fetches: dict[str, int]

    @property
    def polite(self) -> bool:
        """Whether no rule of manners was broken."""
        return not (self.disallowed.count or self.before_robots.count or self.too_early.count or self.parallel.count)


def judge(
    web: Web, accesses: Iterable[Access], delay: float = 0.0, per_host: int = 2, slack: float = 0.02
) -> MannersReport:
    """Return the report on a log.

    `delay` (seconds) is the delay expected between two requests to a host that asks for less or nothing. `per_host` is
    how many requests a host may have in progress. `slack` (seconds) is how much too early a request may arrive, because
    the network shifts arrivals.
    """
    ordered = sorted(accesses, key=lambda access: access.received)
    fetches = Counter(_url(access) for access in ordered if access.status == 200 and access.target != PATH)
    refetched = Tally()
    for url, times in fetches.items():
        if times > 1:
            refetched.add(url, times - 1)
    parallel = Tally()
    most = Counter[str]()
    for access in ordered:
        most[access.host] = max(most[access.host], access.in_progress + 1)
    for host, number in most.items():
        if number > per_host:
            parallel.add(host)
    return MannersReport(
        requests=len(ordered),
        disallowed=_disallowed(web, ordered),
        before_robots=_before_robots(ordered),
        too_early=_too_early(web, ordered, delay, slack),
        parallel=parallel,
        max_parallel=max(most.values(), default=0),
        refetched=refetched,
        fetches=dict(fetches),
    )


def _url(access: Access) -> str:
    return f"http://{access.host}{access.target}"


def _disallowed(web: Web, accesses: list[Access]) -> Tally:
    finding = Tally()
    rules: dict[str, Protego | None] = {}
    for access in accesses:
        number = web.host_numbers.get(access.host)
        if number is None or access.target == PATH:
            continue
        if access.host not in rules:
            rules[access.host] = _rules(web.hosts[number])
        parsed = rules[access.host]
        token = access.agent.partition("/")[0] or "*"
        if parsed is None or not parsed.can_fetch(_url(access), token):
            finding.add(_url(access))
    return finding


def _rules(host: SimulatedHost) -> Protego | None:
    """Return the rules of a host, or None if its robots.txt fails and everything is forbidden."""
    status, body = robots_file(host)
    return None if status >= 500 else Protego.parse(body.decode().removeprefix("\ufeff"))


def _before_robots(accesses: list[Access]) -> Tally:
    known: dict[str, float] = {}
    for access in accesses:
        if access.target == PATH and access.answered is not None:
            known[access.host] = min(access.answered, known.get(access.host, access.answered))
    finding = Tally()
    for access in accesses:
        if access.target != PATH and access.received < known.get(access.host, float("inf")):
            finding.add(_url(access))
    return finding


def _too_early(web: Web, accesses: list[Access], delay: float, slack: float) -> Tally:
    finding = Tally()
    previous: dict[str, float] = {}
    for access in accesses:
        number = web.host_numbers.get(access.host)
        if number is None or access.target == PATH:
            continue
        due = previous.get(access.host, float("-inf")) + max(delay, web.hosts[number].crawl_delay)
        if access.received < due - slack:
            finding.add(_url(access))
        previous[access.host] = access.received
    return finding
