"""Measures how long it takes to split a large topic, from reading its pages to labelling the clusters."""

import tempfile
import time
from contextlib import closing
from pathlib import Path

from msgspec import Struct

from thresher.bench.search.made_portal import made_pages
from thresher.organise.splitting import SplitOptions, split_topic
from thresher.store.page_records import DocumentRow
from thresher.store.records import Batch, CrawlKind
from thresher.store.repository import open_store
from thresher.text.stems import count_stems
from thresher.types import Judgement
from thresher.web.urls import host_of, url_id

SUBJECTS = 5
_OWN = 40
"""Words of a page that occur only in pages of its subject."""


class SplitSpeed(Struct, frozen=True):
    """Seconds for a split without a given number of sub-topics; `cpu` is CPU time."""

    documents: int
    seconds: float
    cpu: float
    clusters: int


def measure_speed(documents: int) -> SplitSpeed:
    """Split a topic of `documents` generated pages about five subjects."""
    with (
        tempfile.TemporaryDirectory(prefix="thresher-split-") as folder,
        closing(open_store(Path(folder), create=True)) as store,
    ):
        crawl = store.crawls.start(CrawlKind.CRAWL, "breadth-first", {}, at=0.0)
        for block in made_pages(documents):
            rows = [_row(page.url, page.title, page.text.split(), place) for place, page in enumerate(block)]
            store.commit(Batch(crawl=crawl.id, at=0.0, documents=rows))
        started, cpu = time.perf_counter(), time.process_time()
        split = split_topic(store, "all", SplitOptions())
        seconds, cpu = time.perf_counter() - started, time.process_time() - cpu
    return SplitSpeed(documents, round(seconds, 2), round(cpu, 2), len(split.clusters))


def _row(url: str, title: str, text: list[str], place: int) -> DocumentRow:
    subject = place % SUBJECTS
    # The words of a subject are common words with its number appended.
    told = [f"{word}{subject}" for word in text[:_OWN]] + text[_OWN:]
    return DocumentRow(
        url_id=url_id(url),
        url=url,
        host=host_of(url),
        at=0.0,
        title=title,
        text=" ".join(told),
        terms=dict(count_stems(told, "en")),
        links=[],
        language="en",
        digest=url.encode(),
        judgement=Judgement(topic="all", confidence=1.0, probability=0.9, path=("all",), model="made"),
    )
