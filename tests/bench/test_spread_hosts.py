"""One host's pages spread over many, by a rule that is fixed."""

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from tests.bench.handmade import hand_web, url
from thresher.bench.webs.spread_hosts import PURE, SpreadPages, shared_out, spread
from thresher.build import make_reader
from thresher.config.load import load
from thresher.types import ParsedPage
from thresher.web.urls import host_of

URLS = [f"http://a.test/{number}" for number in range(3000)]
SUBJECTS = {address: ("big" if number % 3 else "small") for number, address in enumerate(URLS)}


def test_some_hosts_have_one_subject_and_others_are_mixed() -> None:
    hosts = spread(URLS, SUBJECTS, 20)
    assert len(set(hosts.values())) == 20
    on: dict[str, Counter[str]] = {}
    for address, host in hosts.items():
        on.setdefault(host, Counter())[SUBJECTS[address]] += 1
    pure = [subjects for subjects in on.values() if len(subjects) == 1]
    assert len(pure) == 10
    assert abs(sum(sum(subjects.values()) for subjects in pure) / len(URLS) - PURE) < 0.05
    assert spread(URLS, SUBJECTS, 20) == hosts


@given(st.dictionaries(st.sampled_from("abcdef"), st.integers(1, 500)), st.integers(1, 40))
def test_hosts_are_shared_out_in_full(sizes: dict[str, int], hosts: int) -> None:
    found = shared_out(sizes, hosts)
    assert sum(found.values()) == (hosts if sizes else 0)
    assert all(number >= 1 for number in found.values())


def test_links_lead_to_the_new_addresses() -> None:
    base = hand_web({"a": "b c gone b#part", "b": "a", "c": "a"}, {"a": "X", "b": "X"}).collection
    pages = SpreadPages(base, {url("a"): "X", url("b"): "X"}, 3)
    assert len(pages.urls()) == 3
    assert all(pages.held(address) == address for address in pages.urls())
    assert pages.held(url("a")) is None
    answer = pages.answer(pages.renamed(url("a")))
    page = make_reader(load().settings).read(answer)
    assert isinstance(page, ParsedPage)
    lost = f"http://{host_of(answer.url)}/gone"
    assert [link.url for link in page.links] == [
        pages.renamed(url("b")),
        pages.renamed(url("c")),
        lost,
        pages.renamed(url("b")),
    ]
    assert pages.digest != SpreadPages(base, {}, 3).digest != SpreadPages(base, {}, 2).digest
