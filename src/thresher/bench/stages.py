"""Measures the CPU time of each stage of processing a page.

Pages are fetched from the pre-rendered web and passed through the real components, one stage after the other. The
figures add up to about the cost of a complete crawl, without waiting, wakeups and the event loop.
"""

import asyncio
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from typing import Any, TypeVar

import msgspec
from msgspec import Struct

from thresher.bench.fixed_model import FixedLinear, FixedScores
from thresher.bench.loopback import loopback
from thresher.bench.tier_crawl import CrawlPlan, tier_settings
from thresher.build import make_archive, make_fetcher
from thresher.build_shard import make_shard
from thresher.config.settings import Settings
from thresher.crawl.answer_rows import document_row, visit_row
from thresher.crawl.clock import RealClock
from thresher.crawl.journal import note_changes
from thresher.crawl.progress import Counters
from thresher.crawl.view import CrawlPages, CrawlView
from thresher.documents.analyse import Reader
from thresher.documents.encodings import decode
from thresher.documents.html import read_html
from thresher.documents.links_only import read_links
from thresher.protocols import Strategy
from thresher.reading.analysis import Analysis, PageAnalyser
from thresher.reading.features import unpacked
from thresher.shard.values import Errand, Offer
from thresher.simweb.parameters import WebParameters
from thresher.store.records import Batch, CrawlKind
from thresher.store.repository import open_store
from thresher.text.stems import count_stems
from thresher.types import Candidate, Fetched, ParsedPage, Reading
from thresher.web.urls import host_of, url_id

BATCH = 64
Made = TypeVar("Made")
Given = TypeVar("Given")


class StageRow(Struct, frozen=True):
    """One stage: its name, and its CPU time per page in milliseconds."""

    stage: str
    cpu_ms_per_page: float


class _Meter:
    """Runs stages over pages and sums up their times; `pages` is the divisor of the sums."""

    def __init__(self, pages: int) -> None:
        self._pages = pages
        self._seconds: dict[str, float] = {}

    @contextmanager
    def stage(self, name: str) -> Iterator[None]:
        """Count the CPU time of the context for a stage."""
        started = time.process_time()
        yield
        self._seconds[name] = self._seconds.get(name, 0.0) + time.process_time() - started

    def run(self, name: str, work: Callable[[Given], Made], over: Iterable[Given]) -> list[Made]:
        """Run a stage on every page and return the results."""
        with self.stage(name):
            return [work(one) for one in over]

    def rows(self) -> list[StageRow]:
        """Return the stages in the order of their first use."""
        return [StageRow(name, seconds / self._pages * 1000) for name, seconds in self._seconds.items()]


def measure_stages(pages: int = 2000, runs: int = 3) -> list[StageRow]:
    """Return the cost of every stage over `pages` pages, the median of `runs` runs."""
    found = [_measure(pages) for _ in range(runs)]
    return [StageRow(rows[0].stage, median(row.cpu_ms_per_page for row in rows)) for rows in zip(*found, strict=True)]


def _measure(pages: int) -> list[StageRow]:
    meter = _Meter(pages)
    with loopback(WebParameters(pages=pages, hosts=min(250, pages // 2), profile="clean")) as web:
        plan = CrawlPlan(start_pages=web.start_pages, pages=pages, parallel=BATCH, per_host=8, tier="c")
        settings = tier_settings(plan)
        fetched = asyncio.run(_fetch(meter, settings, web.urls))
    analyses = _analyse(meter, fetched)
    with tempfile.TemporaryDirectory(prefix="thresher-bench-") as folder:
        _keep(meter, Path(folder), settings, fetched, analyses)
    return meter.rows()


async def _fetch(meter: _Meter, settings: Settings, urls: Sequence[str]) -> list[Fetched]:
    fetcher = make_fetcher(settings, RealClock())
    answers: list[Fetched] = []

    async def fetch_all(waiting: list[str]) -> None:
        while waiting:
            answer = await fetcher.fetch(Candidate(url=waiting.pop(), priority=()))
            if isinstance(answer, Fetched):
                answers.append(answer)

    # Hosts take turns, as in a crawl.
    waiting = sorted(urls, key=lambda url: url_id(url) & 0xFFFF)
    with meter.stage("fetch"):
        await asyncio.gather(*[fetch_all(waiting) for _ in range(BATCH)])
    await fetcher.close()
    return answers


def _analyse(meter: _Meter, fetched: Sequence[Fetched]) -> list[Analysis]:
    """Read, classify and score; reading links alone is measured separately."""
    texts = meter.run("decode", lambda one: decode(one.body, one.header("Content-Type"))[0], fetched)
    pairs = list(zip(texts, fetched, strict=True))
    meter.run("read links only", lambda pair: read_links(pair[0], pair[1].url), pairs)
    markups = meter.run("read text and links", lambda pair: read_html(pair[0], pair[1].url), pairs)
    meter.run("stems", lambda markup: count_stems(markup.words, "en"), markups)
    read = [page for page in map(Reader().read, fetched) if isinstance(page, ParsedPage)]
    model, scores = FixedLinear(), FixedScores()
    judged = list(zip(read, meter.run("classify", model.classify, read), strict=True))
    meter.run("score links", lambda pair: scores.read(*pair), judged)
    analyser = PageAnalyser(Reader(), scores, model)
    analyses = [found for found in map(analyser.run, fetched) if isinstance(found, Analysis)]
    meter.run("to a worker and back", _to_and_fro, list(zip(fetched, analyses, strict=True)))
    return analyses


def _to_and_fro(pair: tuple[Fetched, Analysis]) -> None:
    """Pack and unpack what is sent between processes."""
    for message in pair:
        msgspec.msgpack.decode(msgspec.msgpack.encode(message), type=type(message))


def _keep(
    meter: _Meter, folder: Path, settings: Settings, fetched: Sequence[Fetched], analyses: Sequence[Analysis]
) -> None:
    """Rank and offer the links of pages, and store pages and responses in batches."""
    clock, strategy = RealClock(), FixedScores()
    store = open_store(folder, create=True)
    crawl = store.crawls.start(CrawlKind.CRAWL, "bench", {}, clock.wall())
    shard = make_shard(store, crawl.id, settings, strategy, clock, ())
    archive = make_archive(store, settings, folder)
    view = CrawlView(shard, CrawlPages(store), Counters(crawl.progress, clock.now()))
    for start in range(0, len(fetched), BATCH):
        answers, found = fetched[start : start + BATCH], analyses[start : start + BATCH]
        errands = [_errand(answer) for answer in answers]
        with meter.stage("rank"):
            readings = [_reading(errand, one, strategy) for errand, one in zip(errands, found, strict=True)]
        for candidates in meter.run("rank", lambda reading: list(strategy.rank(reading, view)), readings):
            with meter.stage("offer"):
                shard.offer([Offer(candidates)])
        batch = Batch(crawl=crawl.id, at=clock.wall())
        with meter.stage("rows"):
            batch.visits = list(map(visit_row, errands, answers, found))
            batch.documents = list(map(document_row, errands, answers, found))
        with meter.stage("archive"):
            archive.append(answers)
        with meter.stage("commit"):
            note_changes(batch, shard.drain())
            store.commit(batch)
    archive.close()
    store.close()


def _errand(answer: Fetched) -> Errand:
    candidate = Candidate(url=answer.url, priority=(1.0,))
    return Errand(candidate=candidate, id=url_id(answer.url), host=host_of(answer.url))


def _reading(errand: Errand, found: Analysis, strategy: Strategy) -> Reading[Any]:
    links = [found.links[place] for place in found.followed]
    features = unpacked(strategy, found.features)
    return Reading(candidate=errand.candidate, links=links, judgement=found.judgement, features=features)
