"""Executes many trials on all cores; each writes its own record, so an interrupted bench can be resumed."""

import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from functools import lru_cache
from multiprocessing import get_context
from pathlib import Path

import msgspec

from thresher.bench.page_building import build_pages
from thresher.bench.page_cache import PageCache
from thresher.bench.promise.cells import described
from thresher.bench.promise.records import Promise, PromiseRecord, read_record, record_name, write_record
from thresher.bench.promise.trial import Trial, hold
from thresher.bench.versions import product_versions
from thresher.bench.webs.catalogue import find
from thresher.bench.worker_life import end_with_parent
from thresher.errors import InputError, ThresherError


def hold_all(
    trials: Sequence[Trial],
    data: Path | None,
    out: Path,
    *,
    processes: int = 0,
    on_stage: Callable[[str], None] = lambda _: None,
) -> Iterator[Promise]:
    """Run trials, write their records to a directory, and yield the figures of each when it is done.

    Trials with a record come first. `processes` of 0 means one per core; with 1, the trials run in this process, and
    `on_stage` is called with their progress. The pages of the webs must be prepared.
    """
    left: list[Trial] = []
    for trial in trials:
        known = finished(trial, data, out)
        if known is None:
            left.append(trial)
        else:
            yield known.run
    processes = min(processes or os.cpu_count() or 1, len(left))
    if processes < 2:
        for trial in left:
            yield _held(trial, data, out, on_stage)
        return
    with ProcessPoolExecutor(processes, get_context("spawn"), end_with_parent) as pool:
        pending = [pool.submit(_held_packed, msgspec.json.encode(trial), str(data or ""), str(out)) for trial in left]
        try:
            for future in as_completed(pending):
                yield msgspec.json.decode(future.result(), type=Promise)
        except BrokenProcessPool as broken:
            raise ThresherError(
                "A worker process was killed, perhaps because memory ran out.",
                "Run the same command again with fewer --processes: finished trials are kept.",
            ) from broken
        finally:
            # After an error or an interrupt, start nothing new.
            pool.shutdown(wait=True, cancel_futures=True)


def finished(trial: Trial, data: Path | None, out: Path) -> PromiseRecord | None:
    """Return the record of an earlier trial, or None if there is none or its data, versions or cell differ."""
    try:
        record = read_record(_place(trial, out))
    except InputError:
        return None
    same = (record.data, record.versions, record.cell) == (
        find(trial.cell.web, data).collection.digest,
        product_versions(),
        described(trial.cell),
    )
    return record if same else None


def _place(trial: Trial, out: Path) -> Path:
    return out / record_name(trial.cell.name, trial.seed, trial.settings, trial.baselines)


@lru_cache(maxsize=2)
def _pages(name: str, data: Path | None) -> PageCache:
    return build_pages(find(name, data).collection)


def _held(trial: Trial, data: Path | None, out: Path, on_stage: Callable[[str], None] = lambda _: None) -> Promise:
    web = find(trial.cell.web, data)
    record = hold(trial, web, _pages(trial.cell.web, data), on_stage)
    write_record(_place(trial, out), record)
    return record.run


def _held_packed(packed: bytes, data: str, out: str) -> bytes:
    trial = msgspec.json.decode(packed, type=Trial)
    return msgspec.json.encode(_held(trial, Path(data) if data else None, Path(out)))
