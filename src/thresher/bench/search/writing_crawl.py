"""A process that writes pages to a portal and indexes them, as a crawl does."""

import os
from collections.abc import Iterator
from contextlib import closing, contextmanager
from multiprocessing import get_context
from multiprocessing.synchronize import Event
from pathlib import Path
from typing import Final

import numpy as np

from thresher.bench.search.made_portal import MadePage, made_pages, row_of
from thresher.search.indexer import catch_up, index_lock
from thresher.store.records import Batch
from thresher.store.repository import open_store

_WRITTEN: Final = 20
_PAUSE: Final = 0.5


@contextmanager
def writing(portal: Path, documents: int) -> Iterator[None]:
    """Run a process that adds pages to a portal of `documents` pages and indexes them."""
    context = get_context("spawn")
    ended = context.Event()
    crawl = context.Process(target=_write, args=(portal, documents, ended), daemon=True)
    crawl.start()
    try:
        yield
    finally:
        ended.set()
        crawl.join()


def _write(portal: Path, documents: int, ended: Event) -> None:
    rng = np.random.default_rng(os.getpid())
    number = documents
    with closing(open_store(portal)) as store:
        crawl = store.crawls.get()
        while crawl is not None and not ended.wait(_PAUSE):
            texts = next(made_pages(_WRITTEN, seed=number))
            pages = [
                MadePage(f"http://new.test/{number + place}", page.title, page.text) for place, page in enumerate(texts)
            ]
            store.commit(Batch(crawl=crawl.id, at=0.0, documents=[row_of(page, rng) for page in pages]))
            number += _WRITTEN
            with index_lock(portal) as mine:
                if mine:
                    catch_up(portal, store)
