"""Measures the speed of reading pages, stage by stage, in CPU milliseconds."""

import random
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from statistics import mean, median, quantiles
from typing import Final, TypeVar

from msgspec import Struct

from thresher.bench import html_eval
from thresher.bench.webs.catalogue import WEBS, expanded, find, needs_data
from thresher.documents.analyse import HTML, Reader
from thresher.documents.encodings import decode
from thresher.documents.html import parse_html, read_tree
from thresher.documents.nesting import is_too_deep
from thresher.errors import InputError
from thresher.text.stems import count_stems
from thresher.types import Failed, Fetched

STAGES: Final = ("decode", "guard", "parse", "walk", "stems", "whole")

_T = TypeVar("_T")


class StageCost(Struct, frozen=True):
    """The cost of one stage per page, in milliseconds; `whole` is a complete analysis, not the sum of the others."""

    name: str
    median_ms: float
    mean_ms: float
    p95_ms: float


class ReadingFigures(Struct, frozen=True):
    """The figures for `pages` pages of a collection; `pages_per_second` is for one core, from the mean."""

    collection: str
    pages: int
    stages: list[StageCost]
    pages_per_second: float


def measure_reading(name: str, data: Path, *, sample: int = 300, runs: int = 3, seed: int = 0) -> ReadingFigures:
    """Read a sample of pages, reproducible by seed; for each page and stage the fastest of several runs counts."""
    answers = [answer for answer in sample_of(name, data, sample, seed) if answer.mime in HTML]
    reader = Reader()
    # Stems are cached across pages, and a crawl is usually past its first pages.
    answers = [answer for answer in answers if not isinstance(reader.read(answer), Failed)]
    costs = [_costs(answer, reader, runs) for answer in answers]
    stages = [_stage(stage, [cost[stage] for cost in costs]) for stage in STAGES]
    return ReadingFigures(name, len(costs), stages, 1000 / stages[-1].mean_ms)


def collections() -> list[str]:
    """Return the names of the collections: html-eval, and those of webs."""
    return [html_eval.NAME, *(name for name, kind in WEBS.all().items() if needs_data(kind))]


def sample_of(name: str, data: Path, sample: int, seed: int) -> list[Fetched]:
    """Return a sample of responses from a collection, drawn with a seed."""
    known = collections()
    if name not in known:
        raise InputError(f"There is no collection '{name}' of pages.", f"There are: {', '.join(known)}.")
    pages = html_eval.html_eval(data) if name == html_eval.NAME else find(expanded(name)[0], data).collection
    urls = sorted(pages.urls())
    return [pages.answer(url) for url in random.Random(seed).sample(urls, min(sample, len(urls)))]


def _costs(answer: Fetched, reader: Reader, runs: int) -> dict[str, float]:
    best = dict.fromkeys(STAGES, float("inf"))

    def timed(stage: str, work: Callable[[], _T]) -> _T:
        started = time.process_time()
        result = work()
        best[stage] = min(best[stage], time.process_time() - started)
        return result

    for _ in range(runs):
        text, _ = timed("decode", lambda: decode(answer.body, answer.header("Content-Type") or ""))
        timed("guard", lambda: is_too_deep(text))  # noqa: B023
        tree = timed("parse", lambda: parse_html(text))  # noqa: B023
        markup = timed("walk", lambda: read_tree(tree, answer.url))  # noqa: B023
        timed("stems", lambda: count_stems(markup.words, "en"))  # noqa: B023
        timed("whole", lambda: reader.read(answer))
    return best


def _stage(name: str, seconds: Sequence[float]) -> StageCost:
    costs = [second * 1000 for second in seconds]
    p95 = quantiles(costs, n=20)[-1] if len(costs) > 1 else costs[0]
    return StageCost(name, median(costs), mean(costs), p95)
