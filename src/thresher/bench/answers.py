"""Measures how review answers change the stored pages of a crawl and the pages it fetches afterwards.

A crawl for several topics stops halfway, a simulated person answers review questions about its pages, and the crawl
continues. The person answers by the labels of the web, is sometimes wrong, and sometimes has no opinion.
"""

from collections.abc import Sequence
from random import Random
from typing import Final

import numpy as np
from msgspec import Struct

from thresher.analysers import taught
from thresher.bench.measures import oracle_share
from thresher.bench.oracle import plan
from thresher.bench.page_cache import PageCache
from thresher.bench.phase_task import PhaseTask, draw_phase_task, name_of
from thresher.bench.playback import CachedReader, playback
from thresher.bench.profile import bench_settings
from thresher.bench.quick import TOPICS
from thresher.bench.webs.web import BenchWeb
from thresher.build import make_engine
from thresher.classify.examples_file import TrainingSet
from thresher.classify.hierarchical import HierarchicalClassifier
from thresher.crawl.clock import VirtualClock, run_virtual
from thresher.crawl.phases.predecessor import Predecessor
from thresher.plugins import make_strategy
from thresher.reading.analysis import PageAnalyser
from thresher.store.decisions import DecisionKind, DecisionRow
from thresher.store.memory import MemoryStore
from thresher.store.protocol import Store
from thresher.store.records import CrawlKind
from thresher.train.answers import Learnt, learn_from
from thresher.train.lessons import answers_of
from thresher.train.questions import questions
from thresher.train.reclassifying import reclassify
from thresher.types import Link
from thresher.web.urls import url_id

STRATEGY: Final = "default"
BATCH: Final = 10
"""Answers after which the questions are recomputed."""


def some_topics_apart(web: BenchWeb, words: Sequence[str]) -> list[str]:
    """Return the topics that words stand for, or the first few without topics below them if there are no words."""
    topics = web.named(words)
    if words:
        return topics
    return [one for one in topics if not any(other.startswith(f"{one}/") for other in topics)][:TOPICS]


class Person(Struct, frozen=True):
    """A simulated reviewer: number of answers, share of wrong ones, and share of *later*."""

    answers: int
    wrong: float = 0.0
    unsure: float = 0.1


class AnswerRun(Struct, frozen=True, kw_only=True):
    """The figures of a topic: oracle share of the whole crawl, precision and recall of the pages stored halfway.

    Pages that nobody was asked about are also measured separately, as judged before and after the answers. `learnt`
    says whether the answers were found to help with other pages.
    """

    web: str
    topic: str
    seed: int
    answers: int
    wrong: float
    oracle_share: float | None
    precision: float | None
    recall: float | None
    precision_unasked_before: float | None
    recall_unasked_before: float | None
    precision_unasked: float | None
    recall_unasked: float | None
    learnt: bool


class _Crawl:
    """A crawl in memory that can be stopped, reclassified and continued with other classifiers."""

    def __init__(self, web: BenchWeb, pages: PageCache, task: PhaseTask) -> None:
        self.store = MemoryStore()
        self.training_set = TrainingSet(task.labelled(pages))
        self.judge = HierarchicalClassifier().fit(self.training_set.examples)
        self.pricing = self.judge
        self._task = task
        self._pages = pages
        self._served = frozenset(url for number, url in enumerate(pages.urls) if task.open[number])
        self._links = [Link(url, "", 0, 0) for url in task.starts()]
        self._last = 0

    def go_on(self, budget: int) -> None:
        """Fetch `budget` more pages."""
        run_virtual(self._run(budget))

    async def _run(self, budget: int) -> None:
        clock, settings = VirtualClock(), bench_settings([f"crawl.pages={budget}"])
        made = make_strategy(STRATEGY, settings.strategy)
        strategy = taught(made, STRATEGY, self.pricing, self.training_set.all())
        row = self.store.crawls.start(CrawlKind.HARVEST, STRATEGY, {}, clock.wall())
        engine = make_engine(
            store=self.store,
            crawl=row,
            settings=settings,
            fetcher=playback(self._served, clock, None),
            analyser=PageAnalyser(CachedReader(self._pages), strategy, self.judge),
            clock=clock,
            seeds=self._task.starts(),
            threaded=False,
            strategy=strategy,
        )
        before = Predecessor(self._last, same_kind=True) if self._last else None
        await engine.run(self._links, (), before)
        self._last = row.id

    def learn(self) -> Learnt:
        """Learn from the decisions as review does, and use the result if it helps."""
        decided = [answer for _, answer in answers_of(self.store, self.pricing)]
        learnt = learn_from(decided, self.pricing)
        if learnt.judge is not None:
            self.judge = learnt.judge
            reclassify(self.store, self.judge, at=0.0)
        return learnt

    def fetched(self) -> list[str]:
        """Return the pages in the order they were fetched."""
        entries = self.store.log.entries()
        found = (entry.url for entry in entries if entry.kind == "fetched" and entry.url and entry.url in self._pages)
        return list(dict.fromkeys(url for url in found if url is not None))


def measure(
    web: BenchWeb, pages: PageCache, topics: Sequence[str], seed: int, person: Person, budget: int
) -> list[AnswerRun]:
    """Crawl for topics, let a person answer halfway, and return the figures of each topic."""
    task = draw_phase_task(web, pages, topics, seed, examples=3, negatives=30)
    truth = {url: _label(web, task, url) for url in web.labels}
    crawl = _Crawl(web, pages, task)
    crawl.go_on(budget // 2)
    judged_before = _stored(crawl.store, truth, set(task.starts()))
    asked = _answer(crawl.store, truth, [name_of(topic) for topic in topics], person, seed)
    learnt = bool(asked) and crawl.learn().judge is not None
    stored = _stored(crawl.store, truth, set(task.starts()))
    crawl.go_on(budget - budget // 2)
    share = _share(task, pages, crawl.fetched()[:budget], budget)
    rows: list[AnswerRun] = []
    for topic in topics:
        name = name_of(topic)
        precision, recall = _figures(stored, name)
        unasked = _figures([row for row in stored if row[0] not in asked], name)
        unasked_before = _figures([row for row in judged_before if row[0] not in asked], name)
        rows.append(
            AnswerRun(
                web=web.name,
                topic=topic,
                seed=seed,
                answers=len(asked),
                wrong=person.wrong,
                oracle_share=share,
                precision=precision,
                recall=recall,
                precision_unasked_before=unasked_before[0],
                recall_unasked_before=unasked_before[1],
                precision_unasked=unasked[0],
                recall_unasked=unasked[1],
                learnt=learnt,
            )
        )
    return rows


def _label(web: BenchWeb, task: PhaseTask, url: str) -> str | None:
    """Return the topic of a page, the deepest if it has several, None if it has none of the wanted ones."""
    found = [topic for topic in task.topics if topic in web.labels[url]]
    return name_of(max(found, key=lambda topic: topic.count("/"))) if found else None


def _answer(store: Store, truth: dict[str, str | None], topics: list[str], person: Person, seed: int) -> set[int]:
    """Let a person answer questions in batches; return the ids of the pages decided about."""
    random = Random(f"answers/{seed}/{person.wrong}")
    asked: set[int] = set()
    put_off: set[int] = set()
    while len(asked) < person.answers:
        open_ = [one for one in questions(store, topics) if one.id not in put_off and one.url in truth][:BATCH]
        if not open_:
            break
        for doubt in open_[: person.answers - len(asked)]:
            if random.random() < person.unsure:
                put_off.add(doubt.id)
                continue
            label = truth[doubt.url]
            if random.random() < person.wrong:
                label = random.choice([other for other in [*topics, None] if other != label])
            shown = doubt.topic if doubt.accepted else None
            kind = DecisionKind.IRRELEVANT if label is None else DecisionKind.RIGHT
            if label is not None and label != shown:
                kind = DecisionKind.MOVED
            store.decisions.add(DecisionRow(page=doubt.id, url=doubt.url, kind=kind, at=0.0, shown=shown, topic=label))
            asked.add(doubt.id)
    return asked


def _stored(store: Store, truth: dict[str, str | None], given: set[str]) -> list[tuple[int, str | None, str | None]]:
    """Return (id, topic, true topic) of the stored pages with a label, except start pages."""
    rows: list[tuple[int, str | None, str | None]] = []
    for url in store.documents.urls():
        judged = store.documents.judgement(url_id(url))
        if url in truth and url not in given and judged is not None:
            rows.append((url_id(url), judged.topic, truth[url]))
    return rows


def _figures(rows: list[tuple[int, str | None, str | None]], topic: str) -> tuple[float | None, float | None]:
    """Return precision and recall of a topic among stored pages, None if undefined."""
    accepted = sum(found == topic for _, found, _ in rows)
    wanted = sum(true == topic for _, _, true in rows)
    right = sum(found == topic == true for _, found, true in rows)
    return (right / accepted if accepted else None), (right / wanted if wanted else None)


def _share(task: PhaseTask, pages: PageCache, urls: list[str], budget: int) -> float | None:
    """Return the oracle share of a crawl for the targets of all topics together."""
    targets = np.asarray(task.targets.any(axis=0))
    starts = [number for url in task.starts() if (number := pages.number(url)) is not None]
    best = [bool(targets[number]) for number in plan(pages.graph, starts, task.open, targets, budget)]
    found = [bool(targets[number]) for url in urls if (number := pages.number(url)) is not None]
    return oracle_share(found, best, int(targets.sum()), budget)
