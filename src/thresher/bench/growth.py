"""Measures whether the CPU time per page grows during a long crawl of a generated web."""

import time
from collections.abc import Sequence
from itertools import pairwise

from msgspec import Struct

from thresher.bench.webs.generated import Generated
from thresher.documents import read
from thresher.simulate import simulate
from thresher.simweb.parameters import WebParameters
from thresher.simweb.web import Web
from thresher.store.records import Progress
from thresher.types import ParsedPage


class GrowthRow(Struct, frozen=True):
    """CPU milliseconds per page of a crawl, including reading, between the page numbers `begin` and `end`."""

    strategy: str
    begin: int
    end: int
    cpu_ms_per_page: float


def growth(
    strategy: str, pages: int, step: int, web: Web, examples: Sequence[tuple[ParsedPage, str | None]]
) -> list[GrowthRow]:
    """Crawl `pages` pages and return the cost per page of each step."""
    marks: list[tuple[int, float]] = [(0, time.process_time())]

    def noted(progress: Progress) -> None:
        if progress.pages >= marks[-1][0] + step:
            marks.append((progress.pages, time.process_time()))

    simulate(web, strategy, pages=pages, examples=examples, overrides=["manners.quota=0"], on_progress=noted)
    return [
        GrowthRow(strategy, begin, end, round(1000 * (after - before) / (end - begin), 3))
        for (begin, before), (end, after) in pairwise(marks)
    ]


def growing_web(pages: int) -> tuple[Web, list[tuple[ParsedPage, str | None]]]:
    """Return a web that is large enough, and examples of its first topic."""
    parameters = WebParameters(pages=2 * pages, hosts=max(10, pages // 50), seed=1, profile="clean")
    collection = Generated(parameters)
    web = collection.web
    topic = web.topics()[0]
    labelled = [*((url, topic) for url in web.examples(topic, 10)), *((url, None) for url in web.negatives(topic, 30))]
    answers = ((collection.answer(url), label) for url, label in labelled)
    found = ((read(answer.body, dict(answer.headers)["Content-Type"], answer.url), label) for answer, label in answers)
    return web, [(page, label) for page, label in found if isinstance(page, ParsedPage)]
