"""Manners of single hosts."""

from collections.abc import Iterable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thresher.reasons import Reason
from thresher.shard.hosts import HostTable, Later
from thresher.shard.rules import Manners
from thresher.store.url_records import HostRow, WaitingUrl


def missing(hosts: HostTable, names: Iterable[str]) -> list[str]:
    """Return the names of hosts that are not in memory."""
    wanted = list(names)
    return [name for name in wanted if name not in hosts.known(wanted)]


def test_host_with_a_delay_is_asked_one_page_at_a_time_and_rests_after_it() -> None:
    hosts = HostTable(Manners(delay=3.0))
    host = hosts.get("a.test")
    hosts.start(host)
    assert hosts.shut(host, 0.0) is host
    hosts.finish(host, 10.0)
    assert hosts.shut(host, 12.9) is host
    assert hosts.next_due() == 13.0
    assert hosts.due(13.0) == [host]
    assert hosts.shut(host, 13.0) is None


def test_third_failure_in_a_row_closes_a_host_and_success_forgives() -> None:
    hosts = HostTable(Manners(backoff=1.0))
    host = hosts.get("a.test")
    for blame in (Reason.HOST_BAD, Reason.HOST_BAD, None, Reason.HOST_BAD, Reason.HOST_BAD):
        hosts.start(host)
        hosts.finish(host, 0.0, blame=blame)
        assert host.closed is None
    hosts.start(host)
    hosts.finish(host, 0.0, blame=Reason.HOST_BAD)
    assert host.closed is Reason.HOST_BAD


def test_rest_grows_with_failures_up_to_the_longest_delay() -> None:
    hosts = HostTable(Manners(backoff=2.0, max_failures=100, max_delay=10.0))
    host = hosts.get("a.test")
    rests = []
    for start in range(0, 400, 100):
        hosts.start(host)
        hosts.finish(host, float(start), blame=Reason.HOST_BAD)
        rests.append(host.free_at - start)
    assert rests == [2.0, 4.0, 8.0, 10.0]


def test_a_host_may_fail_thousands_of_times() -> None:
    hosts = HostTable(Manners(backoff=2.0, max_failures=3000, max_delay=10.0))
    host = hosts.get("a.test")
    for start in range(0, 300_000, 100):
        hosts.start(host)
        hosts.finish(host, float(start), blame=Reason.HOST_BAD)
        assert host.free_at - start <= 10.0
    assert host.closed is Reason.HOST_BAD


@given(st.floats(0.0, 1e6), st.integers(1, 100_000))
def test_pauses_grow_to_a_day_and_no_further(first: float, times: int) -> None:
    pause = Manners().growing(first, times)
    assert first <= pause <= max(first, 86_400.0)
    assert pause <= Manners().growing(first, times + 1)


@pytest.mark.parametrize(("asked", "rest"), [(5.0, 5.0), (1e9, 60.0)])
def test_retry_after_is_honoured_up_to_the_limit(asked: float, rest: float) -> None:
    hosts = HostTable(Manners())
    host = hosts.get("a.test")
    hosts.start(host)
    hosts.finish(host, 0.0, blame=Reason.HOST_BAD, retry_after=asked)
    assert host.free_at == rest


def test_domain_limit_counts_all_hosts_of_a_domain() -> None:
    hosts = HostTable(Manners(per_domain=2))
    for name in ("a.x.test", "b.x.test"):
        hosts.start(hosts.get(name))
    third = hosts.get("c.x.test")
    assert hosts.shut(third, 0.0) is third.domain
    assert hosts.shut(hosts.get("other.test"), 0.0) is None


def test_quota_closes_a_host() -> None:
    hosts = HostTable(Manners(quota=2))
    host = hosts.get("a.test")
    hosts.count_pages(host, 1, accepted=1)
    assert host.closed is None
    hosts.count_pages(host, 1, accepted=0)
    assert host.closed is Reason.HOST_QUOTA
    assert (host.fetched, host.accepted) == (2, 1)


def test_rows_round_trip_and_an_absurd_wait_is_cut() -> None:
    hosts = HostTable(Manners(delay=5.0, max_delay=60.0))
    host = hosts.get("a.test")
    hosts.start(host)
    hosts.finish(host, 100.0)
    rows = hosts.drain(101.0, 1000.0)
    assert rows == [HostRow(host="a.test", free_at=1004.0, delay=5.0)]
    assert hosts.drain(101.0, 1000.0) == []
    after = HostTable(Manners(max_delay=60.0))
    after.restore(
        [HostRow(host="a.test", free_at=1e12, delay=5.0), HostRow(host="b.test", closed=Reason.HOST_BAD)], 0, 0
    )
    assert after.get("a.test").free_at == 60.0
    assert after.get("b.test").closed is Reason.HOST_BAD
    after.restore([HostRow(host="b.test", closed=Reason.HOST_BAD, failures=3)], 0, 0, another_run=True)
    assert (after.get("b.test").closed, after.get("b.test").failures) == (None, 0)
    after.restore([HostRow(host="c.test", closed=Reason.HOST_QUOTA)], 0, 0, another_run=True)
    assert after.get("c.test").closed is Reason.HOST_QUOTA
    assert {host.name for host in after.closed()} == {"c.test"}


def test_hosts_with_a_delay_rest_when_a_crawl_goes_on() -> None:
    hosts = HostTable(Manners(delay=3.0))
    host = hosts.get("a.test")
    hosts.rest_all(10.0)
    assert hosts.shut(host, 12.9) is host
    assert hosts.due(13.0) == [host]
    free = HostTable(Manners())
    free.get("a.test")
    free.rest_all(10.0)
    assert free.next_due() is None


def test_idle_hosts_are_forgotten_beyond_the_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("thresher.shard.hosts.MAX_IDLE", 10)
    hosts = HostTable()
    assert hosts.drain(0.0, 0.0) == []
    for number in range(30):
        hosts.get(f"h{number}.test").waiting = number == 0
    hosts.forget_idle(0.0)
    assert "h0.test" not in missing(hosts, ["h0.test"])
    assert len(missing(hosts, [f"h{number}.test" for number in range(30)])) >= 20


def test_few_hosts_are_not_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("thresher.shard.hosts.MAX_IDLE", 3)
    hosts = HostTable()
    names = [f"h{number}.test" for number in range(3)]
    for name in names:
        hosts.get(name)
    hosts.forget_idle(0.0)
    assert missing(hosts, names) == []
    hosts.get("h3.test")
    hosts.forget_idle(0.0)
    assert missing(hosts, names) == names


def sweep(hosts: HostTable, now: float) -> None:
    """Have idle hosts forgotten, of which there are many."""
    for number in range(50):
        hosts.get(f"idle{number}.test")
    hosts.forget_idle(now)


@pytest.mark.parametrize("why", ["waits", "is fetched", "rests", "is not written"])
def test_a_host_that_is_needed_is_not_forgotten(why: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("thresher.shard.hosts.MAX_IDLE", 0)
    hosts = HostTable(Manners(delay=5.0 if why == "rests" else 0.0))
    host = hosts.get("a.test")
    later = Later(hosts)
    if why == "waits":
        later.keep(9.0, WaitingUrl(1, "a.test", "", (1.0,), 0, 1, 0.0))
        later.keep(9.5, WaitingUrl(2, "a.test", "", (1.0,), 0, 1, 0.0))
    elif why == "is fetched":
        hosts.start(host)
        hosts.start(host)
        hosts.call_off(host)
    elif why == "rests":
        hosts.rest_all(0.0)
    else:
        hosts.touch(host)
    sweep(hosts, 4.0)
    assert missing(hosts, ["a.test"]) == []
    # Once all of that is over, it is.
    assert len(list(later.due(9.0))) == (why == "waits")
    sweep(hosts, 4.5)
    assert missing(hosts, ["a.test"]) == []
    assert len(list(later.due(9.5))) == (why == "waits")
    if why == "is fetched":
        hosts.call_off(host)
    hosts.drain(9.5, 9.5)
    sweep(hosts, 9.5)
    assert missing(hosts, ["a.test"]) == ["a.test"]


def test_a_domain_is_known_as_long_as_one_of_its_hosts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("thresher.shard.hosts.MAX_IDLE", 0)
    hosts = HostTable()
    first, second = hosts.get("a.x.test"), hosts.get("b.x.test")
    assert first.domain is second.domain
    hosts.start(second)
    sweep(hosts, 0.0)
    assert missing(hosts, ["a.x.test", "b.x.test"]) == ["a.x.test"]
    assert hosts.get("a.x.test").domain is second.domain
    hosts.call_off(second)
    sweep(hosts, 0.0)
    assert missing(hosts, ["a.x.test", "b.x.test"]) == ["a.x.test", "b.x.test"]
    assert hosts.get("a.x.test").domain is not second.domain


def test_a_sweep_is_not_repeated_before_there_are_twice_as_many(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("thresher.shard.hosts.MAX_IDLE", 0)
    hosts = HostTable()
    for number in range(5):
        hosts.start(hosts.get(f"busy{number}.test"))
    sweep(hosts, 0.0)
    names = [f"new{number}.test" for number in range(6)]
    for name in names[:5]:
        hosts.get(name)
    hosts.forget_idle(0.0)
    assert missing(hosts, names) == names[5:]
    hosts.get(names[5])
    hosts.forget_idle(0.0)
    assert missing(hosts, names) == names


def test_counted_pages_are_written() -> None:
    hosts = HostTable()
    hosts.count_pages(hosts.get("a.test"), 2, accepted=1)
    assert hosts.drain(50.0, 1000.0) == [HostRow(host="a.test", fetched=2, accepted=1)]


def test_only_a_rest_that_lasts_is_written() -> None:
    hosts = HostTable(Manners(delay=3.0))
    host = hosts.get("a.test")
    hosts.rest_all(10.0)
    for now, free_at in ((12.5, 1000.5), (13.0, 0.0), (20.0, 0.0)):
        hosts.touch(host)
        assert [row.free_at for row in hosts.drain(now, 1000.0)] == [free_at]


def test_half_a_second_is_a_delay() -> None:
    hosts = HostTable(Manners(delay=0.5, per_host=2))
    host = hosts.get("a.test")
    hosts.start(host)
    assert hosts.shut(host, 0.0) is host
    hosts.call_off(host)
    hosts.rest_all(10.0)
    assert (hosts.shut(host, 10.4), hosts.shut(host, 10.5)) == (host, None)
    again = HostTable()
    again.restore([HostRow(host="a.test", free_at=1000.5)], 10.0, 1000.0)
    assert again.next_due() == 10.5


def test_a_url_rests_until_its_moment() -> None:
    later = Later(HostTable())
    later.keep(0.5, WaitingUrl(1, "a.test", "", (1.0,), 0, 1, 0.0))
    assert list(later.due(0.0)) == []
    assert later.next() == 0.5


def test_of_two_delays_the_longer_holds_and_a_rest_that_is_over_is_over() -> None:
    hosts = HostTable(Manners(delay=3.0))
    hosts.restore([HostRow(host="a.test", delay=5.0), HostRow(host="b.test", delay=1.0, free_at=100.0)], 7.0, 100.0)
    assert (hosts.get("a.test").delay, hosts.get("b.test").delay) == (5.0, 3.0)
    assert hosts.next_due() is None
