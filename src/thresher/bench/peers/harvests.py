"""A crawl with the opinions of peers: how many right pages it collects, compared with the same crawl alone.

Several portals have the same topics and know different sites of each. They exchange models as portals do; only the
network between them is missing. One of them then crawls from its own examples, alone and with the models of the others.
"""

import asyncio
from collections.abc import Sequence
from random import Random
from typing import Any, Final

import msgspec
import numpy as np
from msgspec import Struct

from thresher.analysers import taught
from thresher.bench.crawling import crawl
from thresher.bench.page_cache import PageCache
from thresher.bench.profile import bench_settings
from thresher.bench.protocol import Task
from thresher.bench.webs.web import BenchWeb
from thresher.classify.examples_file import TrainingSet
from thresher.classify.hierarchical import HierarchicalClassifier
from thresher.classify.opinions import HearingClassifier, TopicOpinions
from thresher.peers.client import PeerClient, url_of
from thresher.peers.keys import PeerKey
from thresher.peers.messages import Refusal
from thresher.peers.models import ClusterModel
from thresher.peers.neighbourhood import Neighbourhood
from thresher.peers.responder import PeerResponder, ResponderRules
from thresher.peers.sharing import Shared, SharingRules, shared_of
from thresher.peers.using import ReceivedModels, choose, get_models, opinions_in_use
from thresher.plugins import make_strategy
from thresher.protocols import PageClassifier
from thresher.reasons import Reason
from thresher.store.memory import MemoryStore
from thresher.store.peer_records import PeerRow, PeerState
from thresher.types import ParsedPage
from thresher.web.posting import Posted
from thresher.web.urls import host_of

PORTALS: Final = 4
EXAMPLES: Final = 8
"""Example pages of each topic, from the two sites that a portal knows."""

SITES: Final = 2
OTHERS: Final = 8
"""Pages outside the topics that each portal knows."""

STRATEGY: Final = "classifier"

_AT: Final = 1_000_000.0


class HarvestRun(Struct, frozen=True, kw_only=True):
    """A crawl of one portal with the models of `peers` others; `models` of them match a topic.

    `accepted` are pages that a topic accepted, without examples, `right` those of them with that label; `recall` is
    relative to all labelled pages of the web. `new_hosts` are hosts with right pages and without an example.
    """

    data: str
    seed: int
    peers: int
    models: int
    pages: int
    accepted: int
    right: int
    precision: float
    recall: float
    new_hosts: int


class PeerPortal:
    """A portal of the experiment, with its examples and what it shares."""

    def __init__(self, number: int, examples: Sequence[tuple[ParsedPage, str | None]], wires: "Wires") -> None:
        self.examples = list(examples)
        self.classifier = HierarchicalClassifier().fit(self.examples)
        self.given = shared_of(self.classifier, TrainingSet(self.examples), SharingRules())
        self.key = PeerKey(bytes([number + 1]) * 32)
        self.store = MemoryStore()
        self.address = f"http://portal{number}.test/"
        random = Random(number)
        self.client = PeerClient(self.key, wires, clock=lambda: _AT, nonce=lambda: random.randbytes(16))
        wires.responders[url_of(self.address)] = PeerResponder(
            self.key,
            self.store,
            self,
            ResponderRules(f"portal {number}", self.address, 10_000),
            clock=lambda: _AT,
            nonce=lambda: random.randbytes(16),
            neighbourhood=Neighbourhood(self.key.public, self.store, random),
        )

    def shared(self) -> Shared:
        """Return the models that others may have."""
        return self.given

    def clusters(self, topic: str, k: int) -> ClusterModel | None:
        """Return None: a crawl needs no clusters."""

    def allow(self, other: "PeerPortal") -> PeerRow:
        """Allow another portal and return its row."""
        row = PeerRow(
            key=other.key.public, name=other.address, address=other.address, state=PeerState.ALLOWED, since=_AT
        )
        self.store.peers.put(row)
        return row

    async def hear(self, others: Sequence["PeerPortal"]) -> dict[str, TopicOpinions]:
        """Return the opinions of other portals on own topics, fetched and tested as portals do."""
        for other in others:
            other.allow(self)
            found = await get_models(self.client, self.allow(other), self.given, at=_AT)
            if isinstance(found, ReceivedModels):
                self.store.peers.put_models(other.key.public, found.models)
        choose(self.store, self.given, self.key.public)
        return opinions_in_use(self.store, self.key.public)


class Wires:
    """Delivers messages within the process."""

    def __init__(self) -> None:
        self.responders: dict[str, PeerResponder] = {}

    async def post(self, url: str, data: bytes) -> Posted | Reason:
        """Return the answer to a message."""
        answer = self.responders[url].answer(data, "192.0.2.1")
        if isinstance(answer, Refusal):
            return Posted(400, msgspec.json.encode({"refused": answer.value}))
        return Posted(200, answer)


def measure_harvest(web: BenchWeb, pages: PageCache, topics: Sequence[str], seed: int, budget: int) -> list[HarvestRun]:
    """Crawl with the models of no other portal and of all others."""
    rng = Random(f"{web.name}/harvest/{seed}")
    wires = Wires()
    portals = [PeerPortal(number, given, wires) for number, given in enumerate(_dealt(web, pages, topics, rng))]
    own, others = portals[0], portals[1:]
    heard = asyncio.run(own.hear(others))
    used = sum(len(found.opinions) for found in heard.values())
    runs = []
    for peers, models, classifier in (
        (0, 0, own.classifier),
        (len(others), used, HearingClassifier(own.classifier, heard)),
    ):
        found = _harvest(web, pages, topics, own, classifier, budget)
        runs.append(HarvestRun(data=web.name, seed=seed, peers=peers, models=models, **found))
    return runs


def _dealt(
    web: BenchWeb, pages: PageCache, topics: Sequence[str], rng: Random
) -> list[list[tuple[ParsedPage, str | None]]]:
    """Return the examples of each portal, from sites that no other portal knows."""
    dealt: list[list[tuple[ParsedPage, str | None]]] = [[] for _ in range(PORTALS)]
    for topic in topics:
        by_host: dict[str, list[str]] = {}
        for url, labels in sorted(web.corpus.items()):
            if labels == (topic,) and pages.page(url) is not None:
                by_host.setdefault(host_of(url), []).append(url)
        hosts = rng.sample(sorted(by_host), len(by_host))
        for number, examples in enumerate(dealt):
            urls = [url for host in hosts[number::PORTALS][:SITES] for url in by_host[host]]
            chosen = (pages.page(url) for url in rng.sample(urls, min(EXAMPLES, len(urls))))
            examples += [(page, topic) for page in chosen if page is not None]
    wanted = set(topics)
    outside = [url for url, labels in sorted(web.corpus.items()) if not wanted & set(labels)]
    for examples in dealt:
        chosen = (pages.page(url) for url in rng.sample(outside, min(OTHERS, len(outside))))
        examples += [(page, None) for page in chosen if page is not None]
    return dealt


def _harvest(
    web: BenchWeb, pages: PageCache, topics: Sequence[str], portal: PeerPortal, classifier: PageClassifier, budget: int
) -> dict[str, Any]:
    starts = tuple(page.url for page, topic in portal.examples if topic is not None)
    open_ = np.array([url in web.served for url in pages.urls], np.bool_)
    nothing = np.zeros(len(open_), np.bool_)
    task = Task(starts, (), starts, open_, nothing, nothing, int(open_.sum()))
    strategy = taught(make_strategy(STRATEGY, {}), STRATEGY, portal.classifier, portal.examples)
    crawled = crawl(task, pages, bench_settings([f"crawl.pages={budget}"]), strategy, classifier)
    judged = {url: classifier.classify(page).topic for url in crawled.urls if (page := pages.page(url)) is not None}
    accepted = {url: topic for url, topic in judged.items() if topic is not None and url not in starts}
    right = {url for url, topic in accepted.items() if topic in web.labels.get(url, ())}
    there = sum(1 for url, labels in web.labels.items() if set(labels) & set(topics) and url not in starts)
    known = {host_of(url) for url in starts}
    return {
        "pages": len(crawled.urls),
        "accepted": len(accepted),
        "right": len(right),
        "precision": round(len(right) / max(1, len(accepted)), 4),
        "recall": round(len(right) / max(1, there), 4),
        "new_hosts": len({host_of(url) for url in right} - known),
    }
