"""Hosts at a distance, and collections that answer like servers; on virtual time."""

from tests.bench.promise.hand import hand_hosts
from thresher.bench.answering import CollectionFetcher, hosts_of, network_of
from thresher.bench.distant_hosts import LONGEST, SHORTEST, SILENCE, USUAL, DistantFetcher, HostProfile, latency_of
from thresher.bench.webs.catalogue import find
from thresher.crawl.clock import VirtualClock, run_virtual
from thresher.reasons import Reason
from thresher.simweb.fetcher import SimFetcher
from thresher.types import Answer, Candidate, Failed, Fetched, Redirected
from thresher.web.robots import parse_robots


def asked(url: str, **special: HostProfile) -> tuple[Answer, float]:
    """Return the answer of an address, and how long it took."""
    web = hand_hosts()
    hosts = {**dict.fromkeys(hosts_of(web), USUAL), **{f"{name}.test": host for name, host in special.items()}}

    async def ask() -> tuple[Answer, float]:
        clock = VirtualClock()
        fetcher = DistantFetcher(CollectionFetcher(web, clock), hosts, clock)
        answer = await fetcher.fetch(Candidate(url=url, priority=()))
        await fetcher.close()
        return answer, clock.now()

    return run_virtual(ask())


def test_a_page_takes_the_time_of_its_host() -> None:
    page, seconds = asked("http://a.test/1")
    assert isinstance(page, Fetched)
    assert page.seconds == seconds
    assert latency_of("a.test") <= seconds < latency_of("a.test") + 0.01
    assert SHORTEST <= latency_of("a.test") <= LONGEST
    assert asked("http://a.test/1", a=HostProfile(latency=7.0))[1] >= 7.0


def test_addresses_that_moved_and_those_that_never_were() -> None:
    moved, _ = asked("http://a.test/old")
    assert isinstance(moved, Redirected)
    assert moved.to == "http://a.test/3"
    missing, _ = asked("http://a.test/none")
    assert isinstance(missing, Failed)
    assert (missing.reason, missing.status) == (Reason.NOT_FOUND, 404)
    unknown, _ = asked("http://nowhere.test/")
    assert isinstance(unknown, Failed)
    assert unknown.reason is Reason.DNS_FAILED


def test_a_host_that_is_down_is_silent() -> None:
    answer, seconds = asked("http://b.test/1", b=HostProfile(down=True))
    assert isinstance(answer, Failed)
    assert (answer.reason, seconds) == (Reason.TIMEOUT, SILENCE)


def test_robots_files_are_the_webs_own_or_ask_for_another_delay() -> None:
    own, _ = asked("http://a.test/robots.txt")
    assert isinstance(own, Fetched)
    assert b"Crawl-delay: 4" in own.body
    none, _ = asked("http://b.test/robots.txt")
    assert isinstance(none, Failed)
    for name in ("a", "b"):
        robots, _ = asked(f"http://{name}.test/robots.txt", **{name: HostProfile(delay=30.0)})
        assert isinstance(robots, Fetched)
        assert parse_robots(robots.body, "thresher").crawl_delay == 30.0


def test_a_web_with_a_network_of_its_own_answers_by_it() -> None:
    async def made() -> bool:
        return isinstance(network_of(find("generated(pages=100;hosts=5)"), VirtualClock()), SimFetcher)

    assert run_virtual(made())
