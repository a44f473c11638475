"""Measures the speed of the whole engine on a generated web in memory, with the real store, as the crawl grows."""

import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

import psutil
from msgspec import Struct

from thresher.simulate import simulate
from thresher.simweb.parameters import WebParameters
from thresher.simweb.web import Web
from thresher.store.records import Progress
from thresher.store.repository import open_store

WINDOW = 0.2
"""The share of pages before a mark over which its rate is measured."""


class CostAtMark(Struct, frozen=True):
    """The cost per page just before a mark; CPU time includes `render_ms_per_page` for rendering the web."""

    pages: int
    pages_per_second: float
    cpu_ms_per_page: float
    render_ms_per_page: float
    memory_mb: float
    queued: int


class EngineFigures(Struct, frozen=True):
    """One crawl, measured at several marks."""

    stages: list[CostAtMark]


class _Meter:
    """Records time, CPU time and memory when a crawl passes the marks and the starts of their windows."""

    def __init__(self, marks: Sequence[int]) -> None:
        self._marks = sorted({*marks, *(int(mark * (1 - WINDOW)) for mark in marks)})
        self._process = psutil.Process()
        self.notes: dict[int, tuple[int, float, float, float, int]] = {}

    def note(self, progress: Progress) -> None:
        """Take a reading if a mark was passed."""
        while self._marks and progress.pages >= self._marks[0]:
            memory = self._process.memory_info().rss / 1e6
            reading = (progress.pages, time.perf_counter(), time.process_time(), memory, progress.queued)
            self.notes[self._marks.pop(0)] = reading


def measure_engine(marks: Sequence[int], *, seed: int = 0) -> EngineFigures:
    """Crawl a generated web breadth-first in this process up to the last mark."""
    web = Web(
        WebParameters(pages=int(max(marks) * 1.5) + 2000, hosts=max(50, max(marks) // 50), seed=seed, profile="finite")
    )
    meter = _Meter(marks)
    with tempfile.TemporaryDirectory(prefix="thresher-bench-") as folder:
        store = open_store(Path(folder), create=True)
        try:
            simulate(web, pages=max(marks) + 1000, store=store, on_progress=meter.note)
        finally:
            store.close()
    render = _render_ms(web)
    return EngineFigures([_stage(meter, mark, render) for mark in marks if mark in meter.notes])


def _stage(meter: _Meter, mark: int, render: float) -> CostAtMark:
    before, after = meter.notes[int(mark * (1 - WINDOW))], meter.notes[mark]
    pages = max(1, after[0] - before[0])
    return CostAtMark(
        pages=after[0],
        pages_per_second=pages / (after[1] - before[1]),
        cpu_ms_per_page=(after[2] - before[2]) / pages * 1000,
        render_ms_per_page=render,
        memory_mb=after[3],
        queued=after[4],
    )


def _render_ms(web: Web, number: int = 300) -> float:
    """Return the cost of rendering a page, in milliseconds."""
    from thresher.simweb.answers import answer

    step = max(1, len(web.urls) // number)
    urls = web.urls[::step]
    started = time.process_time()
    for url in urls:
        host, _, target = url.removeprefix("http://").partition("/")
        answer(web, "GET", host, f"/{target}", 0.0)
    return (time.process_time() - started) / len(urls) * 1000
