"""One crawl goes on where another ended, and a crawl that is taught on the way."""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import msgspec
import pytest

from tests.crawl.scripted import Bench, LineReader, seeds
from thresher.crawl.arrivals import Handler
from thresher.crawl.budget import Budget
from thresher.crawl.clock import VirtualClock, run_virtual
from thresher.crawl.duplicates import KnownTexts
from thresher.crawl.keeping import Keeper
from thresher.crawl.on_hand import PagesOnHand
from thresher.crawl.phases.predecessor import INHERITED, Predecessor
from thresher.crawl.phases.retraining import BROKEN_OFF, Retraining, RetrainingResult, Timetable
from thresher.protocols import Strategy
from thresher.reading.analysis import PageAnalyser, ReadingLane
from thresher.reading.workers import RenewableAnalyser
from thresher.shard.rules import Manners, Scope
from thresher.store.records import RETRAINED, CrawlKind, Progress
from thresher.store.url_records import UrlState
from thresher.strategies.learned import LearnedScorer
from thresher.strategies.orderings import ConfidenceOrder
from thresher.strategies.unfocused import BreadthFirst
from thresher.types import Failed, Fetched, Judgement, ParsedPage
from thresher.web.urls import url_id

A, B, C, D, E, F = (f"http://{name}.test/" for name in "abcdef")


class ByWord:
    """Accepts pages that have a word, with a confidence of its own."""

    def __init__(self, word: str, confidence: float = 1.0) -> None:
        self.word = word
        self.confidence = confidence

    def fit(self, examples: Any) -> "ByWord":
        return self

    def classify(self, page: ParsedPage) -> Judgement:
        yes = self.word in page.terms
        return Judgement(
            topic="T" if yes else None, confidence=self.confidence if yes else -1.0, probability=0.5, model=self.word
        )


def run(bench: Bench, *start: str, before: Predecessor | None = None, **changes: Any) -> Progress:
    async def go() -> Progress:
        return await bench.engine(**changes).run(seeds(*start), (), before)

    return run_virtual(go())


def asked(bench: Bench) -> list[str]:
    return [url for _, url in bench.fetcher.asked]


SCRIPT: dict[str, Any] = {
    A: [B, C, "=old", "=a"],
    B: [D, "=old", "=b"],
    C: [E, "=new", "=c"],
    D: [F, "=new", "=d"],
    E: ["=new", "=e"],
    F: ["=f"],
}


def learnt() -> tuple[Bench, int]:
    bench = Bench(dict(SCRIPT), parallel=1)
    row = bench.store.crawls.start("learn", "test", {}, 0.0)
    run(bench, A, crawl=row, classifier=ByWord("old"), strategy=ConfidenceOrder(tunnel=3), budget=Budget(pages=3))
    assert set(asked(bench)) == {A, B, C}
    bench.fetcher.asked.clear()
    return bench, row.id


def harvest(bench: Bench, before: Predecessor, **changes: Any) -> Progress:
    row = changes.pop("crawl", None) or bench.store.crawls.start("harvest", "test", {}, 0.0)
    strategy = changes.pop("strategy", None) or ConfidenceOrder(tunnel=3)
    return run(bench, A, before=before, crawl=row, strategy=strategy, **changes)


def test_pages_of_the_crawl_before_are_not_asked_for_again() -> None:
    bench, before = learnt()
    progress = harvest(bench, Predecessor(before), classifier=ByWord("new"))
    assert sorted(asked(bench)) == [D, E, F]
    assert progress.pages == 3


def test_pages_are_judged_by_the_present_classifier_and_their_links_priced_by_it() -> None:
    bench, before = learnt()
    strategy = ConfidenceOrder(tunnel=3)
    analyser = PageAnalyser(LineReader(), strategy, ByWord("new"), preview=1)
    harvest(bench, Predecessor(before, same_kind=True), strategy=strategy, analyser=analyser)
    assert [bench.store.documents.document(url_id(url)).preview for url in (A, C)] == ["old a", "new c"]
    judged = {url: bench.store.documents.judgement(url_id(url)) for url in (A, B, C)}
    assert {url: found.topic for url, found in judged.items() if found} == {A: None, B: None, C: "T"}
    assert {found.model for found in judged.values() if found} == {"new"}
    # C is of the topic now, so that its link comes before that of B.
    assert asked(bench)[0] == E


def test_what_another_kind_of_strategy_handed_down_is_forgotten() -> None:
    bench, before = learnt()
    memos = {
        same: [row.candidate.memo for row, _ in Predecessor(before, same_kind=same).pages(bench.store)]
        for same in (True, False)
    }
    assert {"T"} == {msgspec.json.decode(memo)["topic"] for memo in memos[True][1:]}
    assert memos[False] == ["", "", ""]
    heir = bench.store.crawls.start("harvest", "test", {}, 0.0)
    harvest(bench, Predecessor(before), crawl=heir, classifier=ByWord("new"))
    taken = bench.store.urls.rows(heir.id, [url_id(url) for url in (A, B, C)]).values()
    assert [row.candidate.memo for row in taken] == ["", "", ""]


@pytest.mark.parametrize("reached", [False, True], ids=["waits", "out of scope"])
def test_what_waits_behind_a_redirect_is_not_lost(reached: bool) -> None:
    bench = Bench({A: [B, "=a"], B: C, C: [D, "=c"], D: ["=d"]}, parallel=1)
    near = Scope(extent="hosts", homes=frozenset({"a.test", "b.test"})) if reached else Scope()
    row = bench.store.crawls.start("learn", "test", {}, 0.0)
    budget = Budget(seconds=0.0 if reached else 0.15)
    run(bench, A, crawl=row, scope=near, budget=budget, classifier=ByWord("a"))
    assert asked(bench) == [A, B]
    bench.fetcher.asked.clear()

    async def go() -> Progress:
        heir = bench.store.crawls.start("harvest", "test", {}, 0.0)
        on_hand = PagesOnHand(bench.store, VirtualClock(), 1000.0)
        return await bench.engine(crawl=heir, on_hand=on_hand).run(seeds(A), (), Predecessor(row.id))

    progress = run_virtual(go())
    assert asked(bench) == [C, D]
    assert (progress.pages, progress.reused) == (2, 1)


@pytest.mark.parametrize("asks", [(), ("@noindex",)], ids=["repeated", "not to be kept"])
def test_what_waits_behind_a_page_that_was_not_kept_is_not_lost(asks: tuple[str, ...]) -> None:
    script = {A: [B, "=a"], B: [C, D, "=a", *asks], C: ["=c"], D: ["=d"]}
    bench = Bench(script, parallel=1)
    row = bench.store.crawls.start("learn", "test", {}, 0.0)
    handler = Handler(keeper=Keeper(texts=KnownTexts(bench.store)))
    run(bench, A, crawl=row, budget=Budget(pages=2), handler=handler)
    assert asked(bench) == [A, B, C]
    bench.fetcher.asked.clear()
    heir = bench.store.crawls.start("harvest", "test", {}, 0.0)
    harvest(bench, Predecessor(row.id), crawl=heir, strategy=BreadthFirst())
    assert D in asked(bench)
    assert not {A, C} & set(asked(bench))
    assert (B in asked(bench)) == bool(asks), "a repeated text is on hand, and one that was not kept is not"


def test_pages_that_are_too_old_are_left_to_be_asked_for_again() -> None:
    bench, before = learnt()
    since = max(entry.at for entry in bench.store.log.entries(0, before) if entry.kind == "fetched")
    assert [row.candidate.url for row in Predecessor(before, since=since).urls(bench.store)] in ([B], [C])
    assert list(Predecessor(before, since=since + 1).urls(bench.store)) == []


class Indifferent(ByWord):
    """The same, and of bags it says that they may be anything."""

    def relevance(self, bags: Sequence[Mapping[str, int]]) -> list[float]:
        return [0.4] * len(bags)


def default() -> LearnedScorer:
    strategy = LearnedScorer(explore=0.0)
    strategy.consult(Indifferent("new"))
    return strategy


@pytest.mark.parametrize(
    ("make", "hub", "first"),
    [(lambda: ConfidenceOrder(tunnel=3), B, D), (default, B, D), (default, C, E)],
    ids=["classifier", "default", "default, the other hub"],
)
def test_looked_for_hubs_come_first(make: Callable[[], Strategy], hub: str, first: str) -> None:
    bench, before = learnt()
    earlier = Predecessor(before, hubs=(url_id(hub), url_id("http://unknown.test/")), links=1)
    harvest(bench, earlier, strategy=make(), classifier=ByWord("new"))
    assert asked(bench)[0] == first
    event = next(entry for entry in bench.store.log.entries() if entry.kind == INHERITED)
    assert event.detail == {"crawl": before, "urls": 3, "raised": 1}


def test_a_succession_that_was_cut_off_is_taken_up_again() -> None:
    bench, before = learnt()
    row = bench.store.crawls.start("harvest", "test", {}, 0.0)

    class Killed(Exception):
        pass

    class Dying(Predecessor, frozen=True):
        def pages(self, store: Any) -> Any:
            yield next(super().pages(store))
            raise Killed

    with pytest.raises(Killed):
        harvest(bench, Dying(before), crawl=row, classifier=ByWord("new"))
    assert asked(bench) == []
    progress = harvest(bench, Predecessor(before), crawl=row, classifier=ByWord("new"))
    assert sorted(asked(bench)) == [D, E, F]
    assert progress.pages == 3
    assert bench.reason(A)[0] == UrlState.DONE.value


class Teaches:
    """A teacher whose lesson takes a while; it gives the analyser another classifier."""

    def __init__(
        self, lesson: RetrainingResult, analyser: RenewableAnalyser, after: PageAnalyser, seconds: float = 0.25
    ) -> None:
        self.lesson = lesson
        self.analyser = analyser
        self.after = after
        self.seconds = seconds
        self.taught = 0

    async def retrain(self, pages: int) -> RetrainingResult:
        await asyncio.sleep(self.seconds)
        self.taught += 1
        if self.lesson.classifier is not None:
            await self.analyser.renew(self.after)
        return self.lesson


def test_a_crawl_goes_on_while_it_is_taught_and_every_judgement_names_its_model() -> None:
    chain = {f"http://h{n}.test/": [f"http://h{n + 1}.test/", f"=new {n}"] for n in range(12)}
    bench = Bench(chain)
    strategy = ConfidenceOrder(tunnel=20)
    analyser = RenewableAnalyser(PageAnalyser(LineReader(), strategy, ByWord("old")))
    teacher = Teaches(
        RetrainingResult(ByWord("x"), detail={"round": 1}), analyser, PageAnalyser(LineReader(), strategy, ByWord("x"))
    )
    retraining = Retraining(teacher, Timetable(every=5))
    news: list[Progress] = []
    progress = run(
        bench,
        "http://h0.test/",
        strategy=strategy,
        analyser=analyser,
        retraining=retraining,
        on_progress=lambda shown: news.append(shown) if shown.news else None,
    )
    assert progress.pages == 12
    models = [bench.store.documents.judgement(url_id(f"http://h{n}.test/")) for n in range(12)]
    names = [found.model for found in models if found]
    # The lesson begins after five pages and takes the time of two or three more.
    assert names[:6] == ["old"] * 6
    assert names[9:] == ["x"] * 3
    events = [entry for entry in bench.store.log.entries() if entry.kind == RETRAINED]
    assert events[0].detail["round"] == 1
    assert 5 < events[0].detail["pages"] < 10
    told = [shown.news for shown in news if shown.news is not None]
    assert [event.detail for event in told if event.kind == RETRAINED] == [event.detail for event in events]
    assert progress.news is None


def test_after_a_lesson_looked_for_hubs_come_first_also_where_what_waits_is_priced_anew() -> None:
    far = [f"http://far{n}.test/" for n in range(16)]
    script: dict[str, Any] = {
        A: [B, *far, "=a"],
        B: [C, "=b"],
        C: ["=c"],
        **{url: [f"={n}"] for n, url in enumerate(far)},
    }
    orders = []
    for hubs in ((), (url_id(B),)):
        bench = Bench(dict(script), parallel=1)
        strategy = default()
        analyser = RenewableAnalyser(PageAnalyser(LineReader(), strategy, Indifferent("old")))
        lesson = RetrainingResult(Indifferent("x"), hubs=hubs, links=1)
        after = PageAnalyser(LineReader(), strategy, Indifferent("x"))
        retraining = Retraining(Teaches(lesson, analyser, after, 0.0), Timetable(every=2))
        run(bench, A, strategy=strategy, analyser=analyser, retraining=retraining)
        orders.append(asked(bench))
    plain, raised = orders
    assert sorted(plain) == sorted(raised)
    assert plain[-1] == C, "it was found last"
    assert raised.index(C) < 10, "as soon as the hub is stored"


def test_a_lesson_that_is_in_the_log_is_not_told_to_it_again() -> None:
    bench = Bench(dict(SCRIPT))
    strategy = ConfidenceOrder(tunnel=3)
    analyser = RenewableAnalyser(PageAnalyser(LineReader(), strategy, ByWord("old")))
    lesson = RetrainingResult(ByWord("x"), detail={"round": 1}, logged=True)
    teacher = Teaches(lesson, analyser, PageAnalyser(LineReader(), strategy, ByWord("x")), 0.0)
    news: list[Progress] = []
    run(
        bench,
        A,
        strategy=strategy,
        analyser=analyser,
        retraining=Retraining(teacher, Timetable(every=2)),
        on_progress=lambda shown: news.append(shown) if shown.news else None,
    )
    assert teacher.taught >= 1
    assert [entry for entry in bench.store.log.entries() if entry.kind == RETRAINED] == []
    assert [shown.news.detail["round"] for shown in news if shown.news and shown.news.kind == RETRAINED] != []


def test_a_lesson_that_taught_nothing_changes_nothing() -> None:
    bench = Bench(dict(SCRIPT))
    strategy = ConfidenceOrder(tunnel=3)
    analyser = RenewableAnalyser(PageAnalyser(LineReader(), strategy, ByWord("old")))
    teacher = Teaches(
        RetrainingResult(detail={"error": "no page"}), analyser, PageAnalyser(LineReader(), strategy), 0.0
    )
    run(bench, A, strategy=strategy, analyser=analyser, retraining=Retraining(teacher, Timetable(every=2)))
    assert teacher.taught >= 1
    assert {found.model for url in SCRIPT if (found := bench.store.documents.judgement(url_id(url)))} == {"old"}


def test_a_crawl_that_ends_does_not_wait_for_a_lesson() -> None:
    bench = Bench(dict(SCRIPT))
    strategy = ConfidenceOrder(tunnel=3)
    analyser = RenewableAnalyser(PageAnalyser(LineReader(), strategy, ByWord("old")))
    teacher = Teaches(RetrainingResult(), analyser, PageAnalyser(LineReader(), strategy), 1e6)
    progress = run(bench, A, strategy=strategy, analyser=analyser, retraining=Retraining(teacher, Timetable(every=1)))
    assert progress.pages == 6
    assert teacher.taught == 0
    events = [entry for entry in bench.store.log.entries() if entry.kind == BROKEN_OFF]
    assert [event.detail for event in events] == [{"pages": 6}]


class Counting:
    """An analyser that notes whether it was closed."""

    def __init__(self) -> None:
        self.closed = 0

    async def analyse(self, source: Fetched | ParsedPage, lane: ReadingLane = ReadingLane.COMMON) -> Failed:
        await asyncio.sleep(1)
        assert not self.closed
        return Failed(url=source.url, reason="timeout", at=0.0)  # type: ignore[arg-type]

    async def close(self) -> None:
        self.closed += 1


def test_a_replaced_analyser_finishes_its_page_and_is_closed_once() -> None:
    first, second = Counting(), Counting()
    page = Fetched(url=A, status=200, headers=[], body=b"", raw=b"", mime="text/html", at=0.0)

    async def go() -> None:
        analyser = RenewableAnalyser(first)
        work = asyncio.ensure_future(analyser.analyse(page))
        await asyncio.sleep(0.1)
        await analyser.renew(second)
        assert not first.closed
        await work
        assert first.closed == 1
        await analyser.close()

    run_virtual(go())
    assert (first.closed, second.closed) == (1, 1)


def test_what_the_crawl_before_refused_is_not_asked_for() -> None:
    shy, feed, linked = f"{A}shy", f"{A}feed", f"{A}linked"
    script: dict[str, Any] = {
        A: [B, "!" + linked, f"~{feed}", "=a"],
        B: [shy, f"~{shy}-feed", "@nofollow", "=b"],
        **{key: ["=unwelcome"] for key in (shy, feed, linked, f"{shy}-feed")},
    }
    bench = Bench(script, parallel=1)
    before = bench.store.crawls.start("learn", "test", {}, 0.0)
    run(bench, A, crawl=before, classifier=ByWord("a"))
    assert asked(bench) == [A, B]
    bench.fetcher.asked.clear()
    after = bench.store.crawls.start("harvest", "test", {}, 0.0)
    earlier = Predecessor(before.id, hubs=(url_id(A), url_id(B)), links=9)
    run(bench, A, before=earlier, crawl=after, classifier=ByWord("b"))
    assert asked(bench) == []
    for url in (shy, linked):
        assert bench.reason(url) == ("cut", "nofollow")


@pytest.mark.parametrize(("answer", "rest"), [(["=a"], 5.0), (503, 30.0)], ids=["delay", "retry-after"])
def test_hosts_rest_also_from_one_crawl_to_the_next(answer: Any, rest: float) -> None:
    bench = Bench({A: [f"{B}x"], f"{B}x": answer, f"{B}y": ["=y"]}, manners=Manners(delay=5.0, backoff=0.0))

    async def both() -> None:
        for start in (A, f"{B}y"):
            row = bench.store.crawls.start(CrawlKind.CRAWL, "test", {}, VirtualClock().wall())
            await bench.engine(crawl=row, budget=Budget(seconds=3.0 if start == A else 0.0)).run(seeds(start))

    run_virtual(both())
    (before,), (after,) = bench.fetcher.requests(f"{B}x"), bench.fetcher.requests(f"{B}y")
    assert after - before >= rest
