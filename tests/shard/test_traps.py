"""Traps: each rule bites, none cuts into real sites, and nothing grows without bound."""

import csv
import gzip
import os
import tracemalloc
from collections import Counter, deque
from pathlib import Path
from random import Random

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.machine import spending
from thresher.documents.analyse import Reader
from thresher.reasons import Reason
from thresher.shard.hosts import HostTable
from thresher.shard.rules import TrapLimits
from thresher.shard.traps import Traps
from thresher.simweb.answers import answer
from thresher.simweb.hosts import SimulatedHost
from thresher.simweb.parameters import WebParameters
from thresher.simweb.web import Web
from thresher.types import Fetched, ParsedPage
from thresher.web.session_ids import without_session
from thresher.web.urls import canonical, host_of

WALL = 1_760_000_000.0
DATA = Path(os.environ.get("THRESHER_DATA", "no-data"))


def decide(url: str, traps: Traps | None = None) -> Reason | None:
    return (traps or Traps(wall=WALL)).decide(url)


@pytest.mark.parametrize(
    "tail",
    [
        "x/x/x",
        "a/b/a/b/a/b",
        "a/b/c/a/b/c/a/b/c/d",
        "a/x/b/x/c/x/d/x",
        "index.php/index.php/index.php/",
        "//index.php//index.php//index.php//index.php",
        "?a=1&a=1&a=1&a=1",
    ],
)
def test_addresses_that_repeat_themselves(tail: str) -> None:
    assert decide(f"http://a.test/{tail}") is Reason.TRAP_REPEATED_PATH


@pytest.mark.parametrize(
    "tail",
    [
        "",
        "x/x",
        "a/b/a/b",
        "2011/11/11/11",
        "1/1/1/1",
        "news/news/2004/news",
        "~cs101/cs101/cs101.html",
        "a/aa/aaa",
        "ab/ab/abc",
        "?cat=1&cat=2&cat=3&cat=4",
        "wiki/New_York,_New_York",
        "/".join(f"part{i}" for i in range(20)),
    ],
)
def test_addresses_that_only_look_like_it(tail: str) -> None:
    assert decide(f"http://a.test/{tail}") is None


def test_paths_cannot_grow_for_ever() -> None:
    assert decide("http://a.test/" + "/".join(f"part{i}" for i in range(21))) is Reason.TRAP_GROWING_PATH


def test_words_can_be_combined_a_few_times_only() -> None:
    traps = Traps()
    paths = [f"http://a.test/by/{a}/{b}/{c}/" for a in "pqr" for b in "pqr" for c in "pqr" if len({a, b, c}) == 3]
    outcomes = [traps.decide(path) for path in [*paths, "http://a.test/by/p/q/r/p/"]]
    assert outcomes == [None] * 6 + [Reason.TRAP_GROWING_PATH]
    assert [traps.decide(path) for path in paths] == [None] * 6
    assert traps.decide("http://b.test/by/p/q/r/p/") is None
    assert traps.decide("http://a.test/by/p/q/r/s/") is None


def test_numbers_make_paths_of_their_own() -> None:
    traps = Traps()
    assert all(traps.decide(f"http://a.test/item/{i}/{j}/view") is None for i in range(40) for j in range(40))


def walk(traps: Traps, shape: str, dates: list[str], parent: str | None = None) -> int:
    """Return how many dates of a calendar are let through when each is found on the one before, or all on a parent."""
    last, welcome = parent or shape.format(dates[0]), 0
    for date in dates:
        url = shape.format(date)
        if traps.decide(url, last) is None:
            welcome += 1
            last = parent or url
    return welcome


MONTHS = [f"{year}/{month:02}" for year in range(1996, 2026) for month in range(1, 13)]
DAYS = [f"{month}/{day:02}" for month in MONTHS for day in range(1, 29)]
AHEAD = [f"{year}/{month:02}" for year in range(2030, 2060) for month in range(1, 13)]


@pytest.mark.parametrize(
    "shape", ["http://a.test/calendar/{}", "http://a.test/events/{}/list?view=month", "http://a.test/?month={}&lang=en"]
)
def test_a_calendar_is_left_after_a_while(shape: str) -> None:
    assert walk(Traps(wall=WALL), shape, MONTHS) == 24
    assert walk(Traps(wall=WALL), shape, DAYS) == 48
    assert walk(Traps(wall=WALL), shape, AHEAD) == 12
    assert walk(Traps(), shape, AHEAD) == 24
    limits = TrapLimits(walked=3)
    assert walk(Traps(limits, wall=WALL), shape, MONTHS) == 3


def test_an_archive_that_lists_its_months_is_read() -> None:
    home = "http://a.test/archive.html"
    assert walk(Traps(wall=WALL), "http://a.test/{}/", MONTHS, home) == len(MONTHS)
    assert walk(Traps(wall=WALL), "http://a.test/{}/", DAYS, home) == 4000
    # What was listed once stays welcome when it is found again from month to month.
    traps = Traps(wall=WALL)
    assert all(traps.decide(f"http://a.test/{month}/story-{i}/", home) is None for i, month in enumerate(MONTHS))


def test_ids_that_change_while_the_address_stays_are_a_session() -> None:
    traps, rng = Traps(), Random(0)
    outcomes = [
        traps.decide(f"http://a.test/p{page}?visit={rng.getrandbits(128):032x}&x=1")
        for _ in range(20)
        for page in range(30)
    ]
    assert outcomes[:60] == [None] * 60
    assert outcomes[68:] == [Reason.TRAP_SESSION] * (len(outcomes) - 68)
    assert traps.decide(f"http://b.test/p1?visit={rng.getrandbits(128):032x}&x=1") is None
    assert traps.decide("http://a.test/p1?visit=2&x=1") is None


def test_ids_of_pages_are_no_session() -> None:
    traps, rng = Traps(), Random(0)
    ids = [f"{rng.getrandbits(128):032x}" for _ in range(3000)]
    for path in ("article", "picture", "comments"):
        assert all(traps.decide(f"http://a.test/{path}?id={one}") is None for one in ids)


def test_a_domain_has_only_so_many_host_names() -> None:
    traps = Traps(TrapLimits(subdomains=50))
    names = [f"http://{'abcdefghij'[i % 10]}{i}.evil.example/" for i in range(200)]
    assert [traps.decide(url) for url in names] == [None] * 50 + [Reason.TRAP_SUBDOMAINS] * 150
    assert [traps.decide(url) for url in names[:50]] == [None] * 50
    assert traps.decide("http://evil.example/") is None
    assert traps.decide("http://www.good.example/") is None
    # A public suffix is nobody's: its names are domains of their own.
    assert all(traps.decide(f"http://{i}.blogspot.com/") is None for i in range(200))
    assert all(traps.decide(f"http://127.0.0.{i}/") is None for i in range(200))


@pytest.mark.parametrize("host", ["www.www.www.a.com", "a.b.c.d.e.f.a.com", "x.y.x.y.a.com"])
def test_host_names_that_grow(host: str) -> None:
    assert decide(f"http://{host}/") is Reason.TRAP_SUBDOMAINS
    assert decide("http://a.b.c.d.e.a.com/") is None
    assert decide("http://www.www.a.com/") is None


def test_a_host_without_anything_new_is_left() -> None:
    traps, host = Traps(TrapLimits(patience=10, credit=3)), HostTable().get("a.test")
    for _ in range(9):
        traps.count_pages(host, new=0, old=1)
        assert host.closed is None
    traps.count_pages(host, new=0, old=1)
    assert host.closed is Reason.HOST_YIELD


@pytest.mark.parametrize(("every", "left"), [(2, False), (4, False), (5, True), (10, True)])
def test_new_pages_buy_patience(every: int, left: bool) -> None:
    traps, host = Traps(TrapLimits(patience=50, credit=3)), HostTable().get("a.test")
    for i in range(1000):
        traps.count_pages(host, new=int(i % every == 0), old=int(i % every > 0))
    assert (host.closed is Reason.HOST_YIELD) is left


def test_what_was_learnt_survives_in_another_process() -> None:
    first = Traps(wall=WALL)
    assert not first.grown()
    assert walk(first, "http://a.test/calendar/{}", MONTHS[:20]) == 20
    assert first.grown()
    saved = first.saved()
    assert not first.grown()
    again = Traps(wall=WALL)
    again.restore(saved)
    assert walk(again, "http://a.test/calendar/{}", MONTHS[20:]) == 4


def test_memory_is_written_in_proportion_to_what_is_learnt() -> None:
    traps, written = Traps(wall=WALL), [0]
    for number in range(3000):
        traps.decide(f"http://a.test/by/{number % 7}x/{number}/y/z{number % 5}")
        traps.decide(f"http://n{number % 300}.evil.example/")
        written += [len(msgspec.msgpack.encode(traps.saved()))] if traps.grown() else []
    assert len(written) > 5
    assert sum(written) < 12 * written[-1]


@pytest.mark.slow
def test_memory_is_bounded_and_decisions_are_quick() -> None:
    traps, rng = Traps(wall=WALL, room=2000), Random(0)

    def crowd(count: int) -> None:
        for _ in range(count):
            number = rng.getrandbits(60)
            url = f"http://h{number % 3}.d{number % 701}.com/a{number}/b/2012/05/c?id={number:016x}aa"
            traps.decide(url, url)

    with spending() as spent:
        crowd(5000)
    assert spent.seconds < 8
    tracemalloc.start()
    crowd(5000)
    assert tracemalloc.get_traced_memory()[0] < 2_000_000
    tracemalloc.stop()


def test_a_trap_is_not_forgotten_in_a_crowd() -> None:
    traps, through = Traps(room=200), 0
    for i in range(2000):
        through += traps.decide(f"http://a.test/by/{'/'.join('pqr'[i // 3**k % 3] for k in range(7))}") is None
        traps.decide(f"http://b{i}.test/x{i}/y/z")
    assert through < 60


@pytest.mark.parametrize(
    "url",
    [
        "http://a.test/" + "a/" * 490,
        "http://a.test/" + "/" * 900,
        "http://a.test/" + "ab/" * 300 + "x",
        "http://a.test/?" + "&" * 900,
        "http://a.test/?" + "a=1&" * 200,
        "http://a.test/" + "a" * 900,
        "http://a.test/" + "2024/05/" * 100,
        "http://a.test/?y=2024" * 60,
        "http://" + "a." * 400 + "com/",
        "http://a.test/" + "".join(f"/{i % 3}x" for i in range(300)),
        "http://a.test/?sid=" + "0a" * 450,
    ],
)
def test_hostile_addresses_cost_little(url: str) -> None:
    traps = Traps(wall=WALL)
    with spending() as spent:
        for _ in range(10):
            traps.decide(without_session(url), url)
    assert spent.seconds < 8


SEGMENTS = st.lists(
    st.sampled_from(["a", "b", "1", "2024", "05", "x-y", "", "(S(k3xv5455gkqlfk55ny2hkd55))"]), max_size=30
)
PAIRS = st.lists(st.sampled_from(["a=1", "sid=0a1b2c3d", "m=5", "y=2024", "", "=", "k=9f86d081884c7d65"]), max_size=8)


@given(st.lists(st.tuples(SEGMENTS, PAIRS), max_size=20))
@settings(max_examples=60)
def test_any_addresses_can_be_asked_about_and_asking_again_counts_nothing(
    addresses: list[tuple[list[str], list[str]]],
) -> None:
    urls = [canonical(f"http://a.test/{'/'.join(path)}?{'&'.join(query)}") for path, query in addresses]
    traps = Traps(TrapLimits(orders=2, walked=1, months=2, strange=1), wall=WALL)
    for url in urls:
        assert url is not None
        first = traps.decide(url)
        assert traps.decide(url) is first


def pages_of(web: Web, host: SimulatedHost, traps: Traps, limit: int = 1000) -> tuple[Counter[bool], Counter[Reason]]:
    """Crawl one host; return how many pages were in the plan (True) or a trap's (False), and what was refused."""
    start, read = f"http://{host.name}/", Reader().read
    seen, queue, met, refused = {start}, deque([start]), Counter[bool](), Counter[Reason]()
    planned: set[str] = set()
    while queue and met.total() < limit:
        url = queue.popleft()
        reply = answer(web, "GET", host.name, url[len(start) - 1 :], 7.0)
        if reply is None or reply.status != 200:
            continue
        page = read(
            Fetched(url=url, status=200, headers=reply.headers, body=reply.body, raw=b"", mime="text/html", at=0.0)
        )
        assert isinstance(page, ParsedPage)
        entry = url.startswith((start + "calendar/", start + "browse/"))
        plain = url.partition("sid=")[0].rstrip("?&")
        met[web.page(plain) is not None and not entry and plain not in planned] += 1
        planned.add(plain)
        for target in (without_session(link.url) for link in page.links):
            if host_of(target) == host.name and target not in seen:
                seen.add(target)
                reason = traps.decide(target, url)
                if reason is None:
                    queue.append(target)
                else:
                    refused[reason] += 1
    return met, refused


def test_the_traps_of_the_generated_web_are_left() -> None:
    web = Web(WebParameters(pages=1500, hosts=60, seed=3, profile="mixed"))
    worst = {"calendar": (40, Reason.TRAP_CALENDAR), "growing": (35, Reason.TRAP_GROWING_PATH), "session": (20, None)}
    met_kinds = set()
    for host in web.hosts:
        if host.trap:
            met, refused = pages_of(web, host, Traps(wall=WALL))
            most, reason = worst[host.trap]
            assert met[False] <= most, host
            assert met[True] >= host.size * 0.8, host
            assert reason is None or refused[reason], host
            met_kinds.add(host.trap)
    assert met_kinds == set(worst)


@pytest.mark.parametrize("profile", ["mixed", "finite"])
def test_no_planned_page_of_the_generated_web_is_refused(profile: str) -> None:
    web = Web(WebParameters(pages=1500, hosts=60, seed=1, profile=profile))  # type: ignore[arg-type]
    traps = Traps(wall=WALL)
    assert [url for url in web.urls if without_session(url) != url or traps.decide(url) is not None] == []


def real_urls(name: str) -> list[str]:
    path = DATA / {"webkb": "webkb/index.tsv.gz", "hollins": "site-graphs/hollins.dat.gz"}.get(
        name, f"{name}/articles.tsv.gz"
    )
    if not path.exists():
        pytest.skip(f"needs {path}; set THRESHER_DATA to the folder of the data")
    with gzip.open(path, "rt") as lines:
        if name == "webkb":
            written = [row["url"] for row in csv.DictReader(lines, delimiter="\t")]
        elif name == "hollins":
            written = [line.split()[1] for line in lines if " http" in line]
        else:
            written = [
                f"http://en.wikipedia.org/wiki/{line.strip()}" for line in lines if line.strip()[:1] not in ("", "#")
            ]
    return [url for url in dict.fromkeys(canonical(one) for one in written) if url]


@pytest.mark.parametrize(("name", "least"), [("webkb", 8000), ("hollins", 6000), ("wikispeedia", 4600)])
def test_real_sites_are_not_cut(name: str, least: int) -> None:
    traps, urls = Traps(wall=WALL), real_urls(name)
    assert len(urls) >= least
    refused = [url for url in urls if without_session(url) != url or traps.decide(url) is not None]
    assert len(refused) <= len(urls) / 1000, refused[:20]
