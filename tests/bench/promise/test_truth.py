"""What a run is judged by, on a web small enough to draw on paper."""

import pytest

from tests.bench.promise.hand import hand_hosts
from thresher.bench.distant_hosts import USUAL, HostProfile
from thresher.bench.page_building import build_pages
from thresher.bench.page_cache import PageCache
from thresher.bench.promise.bookmarks import netscape
from thresher.bench.promise.scenario import Scenario
from thresher.bench.promise.truth import truth


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> PageCache:
    with pytest.MonkeyPatch.context() as patched:
        patched.setenv("XDG_CACHE_HOME", str(tmp_path_factory.mktemp("cache")))
        return build_pages(hand_hosts().collection)


def scenario(pages: PageCache, **special: HostProfile) -> Scenario:
    hosts = {
        **dict.fromkeys(["a.test", "b.test", "c.test", "o.test"], USUAL),
        **{f"{k}.test": v for k, v in special.items()},
    }
    return Scenario(hand_hosts(), pages, hosts, netscape({"boats": ["http://a.test/2"], "cars": []}))


def test_what_can_be_reached_is_told_by_topic_and_the_oracle_goes_there(pages: PageCache) -> None:
    known = truth(scenario(pages), budget=100)
    assert known.topics == ("boats",)
    # Cars are not asked for: their pages belong to no topic of the portal.
    assert known.is_of("http://c.test/1", None)
    assert known.of["http://a.test/1"] == ("boats",)
    assert known.reachable["boats"] == {f"http://a.test/{n}" for n in (1, 2, 3)} | {
        "http://b.test/1",
        "http://b.test/2",
    }
    assert known.oracle == [
        "http://a.test/2",
        "http://a.test/1",
        "http://a.test/3",
        "http://b.test/1",
        "http://o.test/1",
        "http://c.test/1",
        "http://b.test/2",
    ]
    assert known.home_hosts() == {"a.test"}


def test_a_host_that_is_down_leads_nowhere(pages: PageCache) -> None:
    known = truth(scenario(pages, o=HostProfile(down=True)), budget=100)
    assert "http://b.test/2" not in known.reachable["boats"]
    assert truth(scenario(pages), budget=2).oracle == ["http://a.test/2", "http://a.test/1"]
