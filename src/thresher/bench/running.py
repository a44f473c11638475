"""Executes many runs on all cores; each writes its own record, so an interrupted bench can be resumed.

Runs are made in separate processes, which exchange JSON. An existing record is reused if web, data, settings, draws and
versions are the same; anything else is run again.
"""

import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from functools import lru_cache, partial
from multiprocessing import get_context
from pathlib import Path

import msgspec
from msgspec.structs import replace

from thresher.bench.assignment import Assignment, Job, assign
from thresher.bench.conditions import conditions
from thresher.bench.experiment import make, run
from thresher.bench.oracle import NAME as ORACLE
from thresher.bench.page_building import build_pages
from thresher.bench.page_cache import PageCache
from thresher.bench.profile import bench_settings, described
from thresher.bench.protocol import Draw
from thresher.bench.record_files import file_name, read_record, write_record
from thresher.bench.records import CLASSIFIER, PAGES, Mode, Record, Run, Training
from thresher.bench.versions import versions
from thresher.bench.webs.catalogue import collection_of, find, parsed
from thresher.bench.webs.web import BenchWeb
from thresher.bench.worker_life import end_with_parent
from thresher.classify.flat import Model
from thresher.errors import InputError, ThresherError, UsageError
from thresher.parameters import parse


def jobs_for(
    names: Sequence[str],
    data: Path | None,
    *,
    topics: Sequence[str],
    strategies: Sequence[str],
    seeds: int,
    budget: int | None = None,
    mode: Mode = "normal",
    examples: int | None = None,
    negatives: int | None = None,
    start: int | None = None,
    wrong: int = 0,
    settings: Sequence[str] = (),
    classifier: Model = CLASSIFIER,
    training: Training = PAGES,
    manners: bool = False,
) -> list[Job]:
    """Return the runs for some webs: every topic with every seed set 0 to `seeds` - 1 and every strategy.

    None means the default of the web; if only the examples are given, there are three times as many negatives. Raises
    InputError or PluginError for unknown topics, strategies and settings, and UsageError for impossible numbers.
    """
    tables = bench_settings(settings).strategy
    for strategy in strategies:
        if parse(strategy)[0] != ORACLE:
            make(strategy, tables, 0)
    jobs: list[Job] = []
    for name in names:
        web, usual = find(name, data), parsed(name).kind.usual
        wanted = examples or usual.examples
        draw = Draw(
            examples=wanted,
            negatives=negatives or (usual.negatives if wanted == usual.examples else 3 * wanted),
            start=start or usual.start,
            wrong=wrong,
        )
        _check(web, draw, mode, start)
        for topic in web.named(topics):
            for seed in range(seeds):
                for strategy in strategies:
                    jobs.append(
                        Job(
                            web=web.name,
                            topic=topic,
                            strategy=strategy,
                            seed=seed,
                            budget=usual.budget if budget is None else budget,
                            mode=mode,
                            draw=draw,
                            settings=tuple(settings),
                            classifier=classifier,
                            training=training,
                            manners=manners,
                        )
                    )
    return jobs


def _check(web: BenchWeb, draw: Draw, mode: Mode, start: int | None) -> None:
    """Raise UsageError for numbers that cannot be drawn together; `start` is the requested value."""
    if draw.wrong > draw.examples:
        raise UsageError(
            f"{draw.wrong} of {draw.examples} examples cannot be wrong.",
            "Ask for fewer with --wrong, or more examples.",
        )
    if start is not None and start > draw.examples and mode == "normal" and not web.home:
        raise UsageError(
            f"{start} start pages cannot be among {draw.examples} examples.",
            "Ask for fewer with --start, or add --hard.",
        )


def prepare(name: str, data: Path | None, on_progress: Callable[[int, int], None] | None = None) -> PageCache:
    """Return the parsed pages of a web, reading them on all cores if needed."""
    return build_pages(find(name, data).collection, partial(collection_of, name, data), on_progress=on_progress)


def run_all(jobs: Sequence[Job], data: Path | None, out: Path, *, processes: int = 0) -> Iterator[tuple[Job, Run]]:
    """Make runs, write their records to a directory, and yield each job with its figures when it is done.

    Runs with a record come first. `processes` of 0 means one per core; with 1, the runs are made in this process. The
    pages of the webs must be prepared.
    """
    left: list[Job] = []
    for job in jobs:
        known = finished(job, data, out)
        if known is None:
            left.append(job)
        else:
            yield job, known.run
    processes = min(processes or os.cpu_count() or 1, len(left))
    if processes < 2:
        for job in left:
            yield job, _run(job, data, out)
        return
    with ProcessPoolExecutor(processes, get_context("spawn"), end_with_parent) as pool:
        pending = {pool.submit(_run_packed, msgspec.json.encode(job), str(data or ""), str(out)): job for job in left}
        try:
            for future in as_completed(pending):
                yield pending[future], msgspec.json.decode(future.result(), type=Run)
        except BrokenProcessPool as broken:
            raise ThresherError(
                "A worker process was killed, perhaps because memory ran out.",
                "Run the same command again with fewer --processes: finished runs are kept.",
            ) from broken
        finally:
            # After an error or an interrupt, start nothing new.
            pool.shutdown(wait=True, cancel_futures=True)


def finished(job: Job, data: Path | None, out: Path) -> Record | None:
    """Return the record of a finished job, or None if there is none or its conditions differ."""
    told = conditions(job.web, job.mode, job.draw, job.settings, manners=job.manners)
    # The names of earlier records did not include the conditions.
    found = (_read(out / name) for name in dict.fromkeys((file_name(job, told), file_name(job))))
    return next((record for record in found if record and _counts(record, job, data)), None)


def _read(path: Path) -> Record | None:
    try:
        return read_record(path) if path.exists() else None
    except InputError:
        return None


def _counts(record: Record, job: Job, data: Path | None) -> bool:
    """Return whether a record matches a job."""
    return (
        record.data == find(job.web, data).collection.digest
        and record.settings_digest == _settings_digest(job.settings, job.manners)
        and record.versions == versions(job.strategy)
        and len(record.examples) == job.draw.examples
        and len(record.negatives) == job.draw.negatives
        and record.wrong == job.draw.wrong
        and len(record.starts) == _starts(job, data)
    )


def _starts(job: Job, data: Path | None) -> int:
    if job.mode == "hard":
        return job.draw.start
    return len(find(job.web, data).home) or min(job.draw.start, job.draw.examples)


@lru_cache(maxsize=4)
def _settings_digest(settings: tuple[str, ...], manners: bool) -> str:
    return described(bench_settings(settings, manners=manners))[1]


@lru_cache(maxsize=2)
def _pages(name: str, data: Path | None) -> PageCache:
    return build_pages(find(name, data).collection)


@lru_cache(maxsize=2)
def _assignment(job: Job, data: Path | None) -> Assignment:
    return assign(job, find(job.web, data), _pages(job.web, data))


def _run(job: Job, data: Path | None, out: Path) -> Run:
    # Jobs of one topic and seed set come in sequence and differ only in strategy.
    given = _assignment(replace(job, strategy=""), data)
    record = replace(run(job, find(job.web, data), _pages(job.web, data), given), changed=list(job.settings))
    write_record(out, record)
    return record.run


def _run_packed(packed: bytes, data: str, out: str) -> bytes:
    job = msgspec.json.decode(packed, type=Job)
    return msgspec.json.encode(_run(job, Path(data) if data else None, Path(out)))
