"""Measures rankings and feedback on portals of real pages."""

import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from thresher.bench.page_cache import PageCache
from thresher.bench.rivals.fts5_search import PORTER, FullTextTable
from thresher.bench.search import feedback, topic_order
from thresher.bench.search.quality import (
    RANKINGS,
    TOP,
    RankingQuality,
    SearchTask,
    answers,
    newsgroup_task,
    page_texts,
    plain_words_of,
    value_of,
    web_tasks,
)
from thresher.bench.search.real_portals import newsgroup_portal, web_portal
from thresher.bench.webs.web import BenchWeb
from thresher.search.current_state import CurrentState
from thresher.search.snapshot import Snapshot
from thresher.store.protocol import Store
from thresher.store.repository import open_store

POSTS: Final = 3_000
NEWSGROUPS: Final = "newsgroups"
PEER: Final = "FTS5"


def measure_web(
    web: BenchWeb, pages: PageCache, split: str, items: int, on_progress: Callable[[str], None]
) -> Iterator[RankingQuality]:
    """Yield the value of each ranking on each task of a web, then the value of feedback."""
    topics = web.named([split])
    with tempfile.TemporaryDirectory(prefix="thresher-search-") as folder:
        on_progress(f"Making a portal of {web.name}.")
        taught = web_portal(Path(folder), web, pages, web.named([]))
        with _searched(Path(folder)) as (snapshot, store):
            tasks = web_tasks(web, pages, topics, items, taught)
            yield from _values(web.name, tasks, snapshot, store, on_progress)
            yield from _of_peer(web.name, tasks, Path(folder), snapshot, store)
            on_progress("Orders of the pages of a topic.")
            yield from topic_order.measure(snapshot.columns, store, web, pages, topics, taught)
            on_progress("Feedback of simulated people.")
            worth = feedback.measure(snapshot, store, web, pages, topics)
            for name, values in (("precision at 25", worth.precision), ("by position", worth.by_position)):
                for ranking, value in zip(("default", "after feedback"), values, strict=True):
                    yield RankingQuality(data=web.name, task=name, ranking=ranking, value=round(value, 4))


def measure_newsgroups(data: Path, items: int, on_progress: Callable[[str], None]) -> Iterator[RankingQuality]:
    """Yield the value of each ranking for finding posts by their subjects."""
    with tempfile.TemporaryDirectory(prefix="thresher-search-") as folder:
        on_progress("Making a portal of newsgroup posts.")
        subjects = newsgroup_portal(Path(folder), data, POSTS)
        with _searched(Path(folder)) as (snapshot, store):
            tasks = [newsgroup_task(subjects, items)]
            yield from _values(NEWSGROUPS, tasks, snapshot, store, on_progress)
            yield from _of_peer(NEWSGROUPS, tasks, Path(folder), snapshot, store)


def _values(
    data: str, tasks: list[SearchTask], snapshot: Snapshot, store: Store, on_progress: Callable[[str], None]
) -> Iterator[RankingQuality]:
    for name, (weights, fields) in RANKINGS.items():
        on_progress(f"{data}: {name}")
        answer = answers(snapshot, store, weights, fields)
        for task in tasks:
            yield RankingQuality(data=data, task=task.name, ranking=name, value=round(value_of(task, answer), 4))


def _of_peer(
    data: str, tasks: list[SearchTask], folder: Path, snapshot: Snapshot, store: Store
) -> Iterator[RankingQuality]:
    """Yield the value of FTS5 over titles and texts of the same pages, with English stemming."""
    table = FullTextTable(folder / "fts5.db", PORTER)
    table.fill(page_texts(snapshot, store))
    for task in tasks:
        value = value_of(task, lambda query: table.search(plain_words_of(query), TOP))
        yield RankingQuality(data=data, task=task.name, ranking=PEER, value=round(value, 4))


@contextmanager
def _searched(portal: Path) -> Iterator[tuple[Snapshot, Store]]:
    store = open_store(portal, read_only=True)
    try:
        yield CurrentState(portal, store, 3600.0, lambda _: None).snapshot(), store
    finally:
        store.close()
