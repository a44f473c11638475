"""Whether we are cut off: suspected after many failures in a row, certain only when nobody answers."""

from thresher.crawl.outage import Outage
from thresher.reasons import Reason
from thresher.types import Failed


def lost(outage: Outage, *hosts: str) -> None:
    for host in hosts:
        outage.note(host, Failed(url=f"http://{host}/", reason=Reason.CONNECT_FAILED, at=0.0))


def answered(outage: Outage, host: str) -> None:
    outage.note(host, Failed(url=f"http://{host}/", reason=Reason.NOT_FOUND, status=404, at=0.0, ip="192.0.2.1"))


def test_nobody_is_said_to_be_offline_while_a_host_that_answered_has_not_been_asked() -> None:
    outage = Outage(hosts=2)
    answered(outage, "home.test")
    lost(outage, "a.test", "b.test")
    assert outage.offline
    assert not outage.certain
    outage.online()
    assert not outage.offline
    lost(outage, "c.test", "d.test")
    outage.confirm()
    assert outage.certain
    answered(outage, "home.test")
    lost(outage, "e.test", "f.test")
    assert outage.offline
    assert not outage.certain


def test_where_nobody_ever_answered_there_is_nobody_to_ask() -> None:
    outage = Outage(hosts=2)
    lost(outage, "a.test")
    assert not outage.certain
    lost(outage, "b.test")
    assert outage.certain
