"""Manners of single hosts."""

import pytest

from thresher.reasons import Reason
from thresher.shard.hosts import HostTable
from thresher.shard.rules import Manners
from thresher.store.url_records import HostRow


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
    assert "h0.test" not in hosts.missing(["h0.test"])
    assert len(hosts.missing(f"h{number}.test" for number in range(30))) >= 20
