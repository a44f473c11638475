"""Repeats the paper's topic exploration: retraining, no retraining, and no focus (Sizov, section 5.2).

Several topics are crawled for at once, each given by a few pages that serve as training and start pages. Recall refers
to each topic's own targets; the harvest rate is the share of pages that belong to any topic.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from msgspec import Struct

from thresher.bench.page_cache import PageCache
from thresher.bench.phase_crawls import VARIANTS, PhaseCrawl, PhasePlan, Variant, crawl_phases
from thresher.bench.phase_task import PhaseTask, draw_phase_task
from thresher.bench.statistics import Figures, PairedTest, over_topics, paired_test
from thresher.bench.webs.web import BenchWeb

Counts = dict[tuple[str, int], float]


class PhaseFigures(Struct, frozen=True):
    """Figures of a variant at some numbers of pages: recall by topic and repetition, harvest rate by repetition."""

    recall: Mapping[int, Figures]
    harvest: Mapping[int, Figures]


class PhaseTable(Struct, frozen=True):
    """All variants of a comparison, and the retraining rounds of each repetition."""

    topics: tuple[str, ...]
    figures: dict[Variant, PhaseFigures]
    rounds: list[list[dict[str, Any]]]

    def rows(self) -> list[dict[str, Any]]:
        """Return a row per variant and number of pages: means with standard errors over topics or repetitions."""
        found = []
        for variant, figures in self.figures.items():
            for pages in figures.recall:
                recall, harvest = over_topics(figures.recall[pages]), over_topics(figures.harvest[pages])
                found.append(
                    {
                        "variant": variant,
                        "pages": pages,
                        "recall": recall.mean if recall else None,
                        "recall_error": recall.error if recall else None,
                        "harvest_rate": harvest.mean if harvest else None,
                        "harvest_error": harvest.error if harvest else None,
                    }
                )
        return found

    def tests(self) -> list[dict[str, Any]]:
        """Return the paired tests of retraining against each other variant, over topics or one topic's seed sets."""
        found = []
        ours = self.figures["retraining"]
        for variant, figures in self.figures.items():
            for pages in figures.recall if variant != "retraining" else ():
                test = paired_test(ours.recall[pages], figures.recall[pages])
                found.append({"against": variant, "pages": pages, **_data(test)})
        return found


def compare(
    web: BenchWeb,
    pages: PageCache,
    topics: Sequence[str],
    *,
    repeats: int = 5,
    examples: int = 2,
    negatives: int = 50,
    plan: PhasePlan | None = None,
    at: Sequence[int] = (500, 1000),
    overrides: Sequence[str] = (),
    manners: bool = False,
    on_run: Callable[[Variant, int], None] = lambda *_: None,
) -> PhaseTable:
    """Crawl for all topics by every variant, `repeats` times from different start pages; politely with `manners`."""
    plan = plan or PhasePlan(pages=max(at))
    recall: dict[Variant, dict[int, Counts]] = {v: {t: {} for t in at} for v in VARIANTS}
    harvest: dict[Variant, dict[int, Counts]] = {v: {t: {} for t in at} for v in VARIANTS}
    rounds: list[list[dict[str, Any]]] = []
    for repeat in range(repeats):
        task = draw_phase_task(web, pages, topics, repeat, examples, negatives)
        for variant in VARIANTS:
            on_run(variant, repeat)
            crawled = crawl_phases(task, pages, variant, plan, overrides, web.robots if manners else None)
            if variant == "retraining":
                rounds.append(crawled.rounds)
            for number in at:
                _count(task, pages, crawled, number, repeat, recall[variant][number], harvest[variant][number])
    return PhaseTable(tuple(topics), {v: PhaseFigures(recall[v], harvest[v]) for v in VARIANTS}, rounds)


def _count(
    task: PhaseTask,
    pages: PageCache,
    crawled: PhaseCrawl,
    number: int,
    repeat: int,
    recall: Counts,
    harvest: Counts,
) -> None:
    fetched = [place for url in crawled.urls[:number] if (place := pages.number(url)) is not None]
    found = task.targets[:, fetched]
    for row, topic in enumerate(task.topics):
        recall[topic, repeat] = float(found[row].sum() / max(1, task.targets[row].sum()))
    # Start pages count neither as finds nor as waste.
    wanted = sum(url not in set(task.starts()) for url in crawled.urls[:number])
    harvest["all topics", repeat] = float(found.any(axis=0).sum() / max(1, wanted))


def _data(test: PairedTest | None) -> dict[str, Any]:
    if test is None:
        return {"difference": None, "error": None, "p_value": None, "flip": None, "n": 0, "units": "topics"}
    return {
        "difference": test.difference,
        "error": test.error,
        "p_value": test.greater,
        "flip": test.flip,
        "n": test.n,
        "units": test.units,
    }
