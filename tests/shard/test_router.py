"""Two shards behind a router crawl as one does: every URL has one home, and a kill neither loses nor doubles any."""

import asyncio
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.crawl.scripted import Bench, seeds
from tests.shard.contract import Hand, at
from tests.strategies.examples import examples_of
from thresher.build import make_engine, make_reader
from thresher.config.load import load
from thresher.crawl.clock import VirtualClock, run_virtual
from thresher.crawl.journal import note_changes
from thresher.reading.analysis import PageAnalyser
from thresher.reasons import Reason
from thresher.shard import make
from thresher.shard.local import LocalShard
from thresher.shard.make import make_shards
from thresher.shard.router import Router
from thresher.shard.rules import Manners, ShardRules, Share
from thresher.shard.values import Offer, Outcome
from thresher.simulate import simulate
from thresher.simweb.access_log import AccessLog, read_log
from thresher.simweb.fetcher import SimFetcher
from thresher.simweb.judge import judge
from thresher.simweb.parameters import WebParameters
from thresher.simweb.web import Web
from thresher.store.memory import MemoryStore
from thresher.store.records import Batch, Progress
from thresher.store.repository import open_store
from thresher.store.url_records import UrlState
from thresher.strategies.unfocused import BreadthFirst
from thresher.types import Link
from thresher.web.urls import host_of

HOSTS = [f"{name}.d{number}.test" for number in range(6) for name in "ab"]
URLS = [f"http://{host}/{page}" for host in HOSTS for page in range(3)]


class Watched(LocalShard):
    """A shard that notes what it is offered."""

    def __init__(self, offered: list[str], *args: Any) -> None:
        super().__init__(*args)
        self.offered = offered

    def offer(self, offers: Sequence[Offer]) -> None:
        self.offered += [candidate.url for offer in offers for candidate in offer.candidates]
        super().offer(offers)


@pytest.fixture
def two_shards(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have crawls made with two shards."""
    monkeypatch.setattr(make, "make_shard", partial(make_shards, 2))


def linked(seed: int) -> dict[str, list[str]]:
    """Return a random web: the links of every page."""
    rng = Random(seed)
    return {url: rng.sample(URLS, rng.randint(0, 5)) for url in URLS}


@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 10**6), moments=st.lists(st.integers(1, 12), max_size=6), each=st.integers(1, 5))
def test_every_url_has_one_home_and_a_kill_neither_loses_nor_doubles_any(
    seed: int, moments: list[int], each: int
) -> None:
    """`moments` are the numbers of steps after which the crawl is killed, `each` the pages of a step."""
    web, store, clock = linked(seed), MemoryStore(), Hand()
    crawl = store.crawls.start("crawl", "test", {}, 0.0).id
    offered: list[list[str]] = [[], []]
    done: dict[str, int] = {}
    for steps in [*moments, 500]:
        shards = [
            Watched(offered[part], store, crawl, clock, ShardRules(share=Share(part, 2), manners=Manners(per_domain=2)))
            for part in (0, 1)
        ]
        router = Router(store, crawl, shards)
        if not router.restore() and not done:
            router.offer([Offer([at(URLS[0])])])
        for step in range(steps):
            errands = router.take(each).errands
            for errand in errands:
                url = errand.candidate.url
                router.settle([Outcome(errand=errand, state=UrlState.DONE, pages=1)])
                router.offer([Offer([at(link, parent=url) for link in web[url]])])
            if step + 1 == steps:
                # Killed before this step is committed: its pages are fetched again.
                break
            batch = Batch(crawl=crawl, at=0.0)
            note_changes(batch, router.drain())
            store.commit(batch)
            for errand in errands:
                done[errand.candidate.url] = done.get(errand.candidate.url, 0) + 1
            look = router.look()
            if not look.waiting and not look.outgoing:
                break
    assert done == dict.fromkeys(reached(web), 1)
    assert store.urls.outbox(crawl) == []
    assert not set(offered[0]) & set(offered[1])
    assert all(Share(part, 2).holds(host_of(url)) for part in (0, 1) for url in offered[part])


def reached(web: dict[str, list[str]]) -> set[str]:
    found, new = {URLS[0]}, [URLS[0]]
    while new:
        new = [link for link in dict.fromkeys(link for url in new for link in web[url]) if link not in found]
        found.update(new)
    return found


def test_links_that_are_not_followed_reach_their_shard_too() -> None:
    store, clock = MemoryStore(), Hand()
    crawl = store.crawls.start("crawl", "test", {}, 0.0).id
    router = make_shards(2, store, crawl, clock, ShardRules())
    here = next(url for url in URLS if Share(0, 2).holds(host_of(url)))
    there = next(url for url in URLS if Share(1, 2).holds(host_of(url)))
    router.offer([Offer([at(there, parent=here)], reason=Reason.NOFOLLOW)])
    assert router.look(urls=[there]).urls == {}
    for _ in range(2):
        batch = Batch(crawl=crawl, at=0.0)
        note_changes(batch, router.drain())
        store.commit(batch)
    assert router.look(urls=[there]).urls[there].reason is Reason.NOFOLLOW
    assert router.look().refused == {"nofollow": 1}


@pytest.mark.parametrize("moments", [[0.35], [0.2, 0.5, 0.3, 1.1], [0.15] * 9])
def test_an_engine_that_is_killed_goes_on_with_two_shards(
    two_shards: None, moments: list[float], tmp_path: Path
) -> None:
    web, store = linked(7), open_store(tmp_path, create=True)
    bench = Bench(web, manners=Manners(per_host=1, delay=0.1), parallel=4, store=store)

    async def killed(after: float) -> None:
        task = asyncio.get_running_loop().create_task(bench.engine().run(start()))
        await asyncio.sleep(after)
        task.cancel()
        await asyncio.wait([task])

    def start() -> list[Link]:
        begun = bench.crawl is not None and any(bench.store.urls.waiting(bench.crawl.id))
        return [] if begun else seeds(URLS[0])

    async def go() -> Progress:
        return await bench.engine().run(start())

    for moment in moments:
        run_virtual(killed(moment))
        bench.fetcher.active.clear()
    progress = run_virtual(go())
    assert set(bench.store.documents.urls()) == reached(web)
    assert progress.pages == len(reached(web))
    assert max(bench.fetcher.most_active.values()) == 1
    assert store.urls.outbox(1) == []
    store.close()


@pytest.mark.slow
def test_two_shards_find_what_one_finds(monkeypatch: pytest.MonkeyPatch) -> None:
    web = Web(WebParameters(pages=300, hosts=16, seed=5, profile="finite"))
    options: dict[str, Any] = {"pages": 10_000, "overrides": ["manners.delay=0.2", "engine.parallel=8"]}
    one = simulate(web, **options)
    monkeypatch.setattr(make, "make_shard", partial(make_shards, 2))
    two = simulate(web, **options)
    assert set(two.store.documents.urls()) == set(one.store.documents.urls())
    assert two.progress.errors == one.progress.errors


@pytest.mark.slow
def test_two_shards_are_as_effective_as_one(monkeypatch: pytest.MonkeyPatch) -> None:
    webs = [Web(WebParameters(pages=1200, hosts=30, seed=seed, profile="clean")) for seed in (11, 13)]
    examples = [examples_of(web) for web in webs]
    overrides = ["engine.parallel=2", "engine.batch_pages=8"]

    def accepted() -> int:
        pairs = zip(webs, examples, strict=True)
        runs = [simulate(web, "default", pages=150, examples=known, overrides=overrides) for web, known in pairs]
        return sum(run.progress.accepted or 0 for run in runs)

    one = accepted()
    monkeypatch.setattr(make, "make_shard", partial(make_shards, 2))
    # Breadth-first finds fewer than 30.
    assert accepted() >= 0.95 * one > 100


def test_two_shards_are_as_polite_as_one(two_shards: None, tmp_path: Path) -> None:
    web = Web(WebParameters(pages=400, hosts=20, seed=9))
    chosen = load(overrides=["manners.delay=0.5", "store.min_free_mb=0", "crawl.pages=200"]).settings
    store, path = MemoryStore(), tmp_path / "access.log"

    async def go() -> Progress:
        clock, strategy = VirtualClock(), BreadthFirst()
        engine = make_engine(
            store=store,
            crawl=store.crawls.start("crawl", "breadth-first", {}, clock.wall()),
            settings=chosen,
            fetcher=SimFetcher(web, clock, latency=0.1, log=AccessLog(path)),
            analyser=PageAnalyser(make_reader(chosen), strategy, None),
            clock=clock,
            seeds=web.start_pages(),
            threaded=False,
            strategy=strategy,
        )
        return await engine.run(seeds(*web.start_pages()))

    assert run_virtual(go()).pages == 200
    verdict = judge(web, read_log(path), delay=0.5)
    assert verdict.polite
    assert verdict.refetched.count == 0
