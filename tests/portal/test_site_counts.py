"""Counts by topic and host follow the portal, whatever changes."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.portal.made import Made
from tests.search.portals import add, judged, page
from thresher.portal import site_counts
from thresher.portal.overview import overview
from thresher.portal.site_counts import Count, SiteCounts, counted, follow
from thresher.store.protocol import Store
from thresher.store.repository import open_store
from thresher.taxonomy.topic_tree import Taxonomy, Topic, put

TOPICS = ("Boats", "Tea", "Tea/Green", None)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    opened = open_store(tmp_path / "p", create=True)
    yield opened
    opened.close()


@settings(max_examples=20, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    rounds=st.lists(
        st.tuples(
            st.lists(
                st.tuples(st.integers(0, 3), st.integers(0, 5), st.sampled_from(TOPICS), st.booleans()), max_size=6
            ),
            st.floats(0.0, 3.0),
        ),
        min_size=1,
        max_size=6,
    ),
    most=st.integers(0, 4),
)
def test_counts_that_follow_are_those_of_counting_everything(
    tmp_path_factory: pytest.TempPathFactory,
    rounds: list[tuple[list[tuple[int, int, str | None, bool]], float]],
    most: int,
) -> None:
    store = open_store(tmp_path_factory.mktemp("counts") / "p", create=True)
    kept, now = SiteCounts(), 1000.0
    plain, site_counts.MOST_HOSTS = site_counts.MOST_HOSTS, most
    try:
        for pages, passed in rounds:
            now += passed
            rows = {
                (host, place): page(
                    f"http://site{host}.test/{place}",
                    "",
                    f"{host} {place}",
                    at=now,
                    judgement=judged(topic),
                    robots=["noindex"] if gone else [],
                )
                for host, place, topic, gone in pages
            }
            add(store, *rows.values())
            kept = follow(kept, store, now - 2.0)
            assert kept.by_topic == counted(store.catalogue.sites(now - 2.0))
            assert kept.seq == store.log.last()
    finally:
        site_counts.MOST_HOSTS = plain
        store.close()


def test_only_hosts_that_changed_are_counted_again(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    add(store, *(page(f"http://site{number}.test/", "", f"{number}", topic="Tea") for number in range(9)))
    before = follow(SiteCounts(), store, 0.0)
    asked: list[object] = []
    plain = store.catalogue.sites

    def counting(new_since: float, hosts: object = None) -> object:
        asked.append(hosts)
        return plain(new_since, hosts)  # type: ignore[arg-type]

    monkeypatch.setattr(store.catalogue, "sites", counting)
    add(store, page("http://site3.test/more", "", "more", topic="Tea"))
    after = follow(before, store, 0.0)
    assert asked == [["site3.test"]]
    assert after.by_topic["Tea"]["site3.test"] == Count(2, 2)
    assert before.by_topic["Tea"]["site3.test"] == Count(1, 1)


def test_the_overview_counts_sites_of_branches_once() -> None:
    tree = Taxonomy()
    for path in (("Tea",), ("Tea", "Green"), ("Boats",)):
        tree = put(tree, path, Topic(name=""))
    counts = {
        "Tea": {"a.test": Count(2, 1), "b.test": Count(1, 0)},
        "Tea/Green": {"a.test": Count(3, 0)},
        "Boats": {"c.test": Count(4, 4)},
        "Gone": {"d.test": Count(9, 9)},
    }
    told = overview(tree, counts, {"Tea": 3})
    assert (told.pages, told.new, told.sites) == (10, 5, 3)
    tea = told.nodes["Tea"]
    assert (tea.direct, tea.pages, tea.new, tea.sites, tea.colour) == (3, 6, 1, 2, 3)
    assert tea.largest == (("a.test", 5), ("b.test", 1))
    assert told.branches("a.test") == {"Tea": 5}
    assert told.branches("d.test") == {}
    assert told.nodes["Tea/Green"].sites == 1


def test_pages_are_counted_before_the_first_request_and_once_for_ten(
    made: Made, monkeypatch: pytest.MonkeyPatch
) -> None:
    counts: list[object] = []
    plain = made.store.catalogue.sites

    def counting(new_since: float, hosts: object = None) -> object:
        counts.append(hosts)
        return plain(new_since, hosts)  # type: ignore[arg-type]

    monkeypatch.setattr(made.store.catalogue, "sites", counting)
    with made.client as client, ThreadPoolExecutor(10) as pool:
        assert counts == [None]
        answers = list(pool.map(lambda _: client.get("/").status_code, range(10)))
        assert answers == [200] * 10
    assert counts == [None]
