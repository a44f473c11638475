"""Which hosts count as shared by many publishers."""

import pytest

from thresher.strategies.websites import platforms
from thresher.strategies.websites.platforms import PlatformWatch


def test_a_host_that_links_to_its_own_folders_is_not_shared() -> None:
    watch = PlatformWatch()
    folders = [f"http://big.test/f{number}/" for number in range(20)]
    for url in folders:
        watch.linked(url, "big.test")
    for url in folders:
        watch.linked(url, "boats.test")
    assert watch.shared == set()


def test_folders_of_many_hosts_are_remembered_within_bounds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(platforms, "WATCHED", 3)
    watch = PlatformWatch()
    folders = range(platforms.INSIDE + 10)
    for host in ("a.test", "b.test", "c.test", "d.test"):
        for number in folders:
            watch.linked(f"http://{host}/f{number}/", host)
    for host in ("a.test", "d.test"):
        for number in folders[:8]:
            watch.linked(f"http://{host}/f{number}/", "boats.test")
    assert watch.shared == {"a.test"}
