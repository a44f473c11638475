"""Many runs: the same alone and side by side, and none of them twice."""

import gzip
import subprocess
import sys
from multiprocessing import active_children
from pathlib import Path

import msgspec
import pytest

from tests.machine import PATIENCE
from thresher.bench.assignment import Job
from thresher.bench.page_building import build_pages
from thresher.bench.record_files import SUFFIX, file_name, read_records
from thresher.bench.records import Record
from thresher.bench.running import finished, jobs_for, run_all
from thresher.bench.webs.catalogue import find
from thresher.errors import InputError, PluginError, ThresherError, UsageError

WEB = "generated(hosts=12;pages=300;profile=clean;seed=5)"


def jobs(strategies: tuple[str, ...] = ("breadth-first", "random"), seeds: int = 2, **other: int) -> list[Job]:
    topics = list(find(WEB).topics)[:1]
    return jobs_for([WEB], None, topics=topics, strategies=strategies, seeds=seeds, budget=40, examples=5, **other)


def stamps(out: Path) -> dict[str, int]:
    return {path.name: path.stat().st_mtime_ns for path in out.glob(f"*{SUFFIX}")}


def logs(out: Path) -> list[tuple[object, object]]:
    def timeless(record: Record) -> tuple[object, object]:
        return msgspec.structs.replace(record.run, cpu_ms_per_page=0.0), record.log

    return [timeless(record) for record in read_records(out)]


def test_an_interrupted_bench_goes_on(tmp_path: Path) -> None:
    build_pages(find(WEB).collection)
    wanted = jobs()
    assert len(wanted) == 2 * 2
    begun = run_all(wanted, None, tmp_path, processes=1)
    first = [next(begun) for _ in range(2)]
    begun.close()
    before = stamps(tmp_path)
    assert len(before) == 2
    done = dict(run_all(wanted, None, tmp_path, processes=1))
    assert set(done) == set(wanted)
    assert all(done[job] == figures for job, figures in first)
    after = stamps(tmp_path)
    assert len(after) == len(wanted)
    assert {name: after[name] for name in before} == before
    # Nothing is left to do.
    assert dict(run_all(wanted, None, tmp_path, processes=1)) == done
    assert stamps(tmp_path) == after


@pytest.mark.slow
def test_runs_side_by_side_are_the_runs_one_by_one(tmp_path: Path) -> None:
    build_pages(find(WEB).collection)
    wanted = jobs(seeds=1)
    alone, together = tmp_path / "alone", tmp_path / "together"
    dict(run_all(wanted, None, alone, processes=1))
    dict(run_all(wanted, None, together, processes=2))
    assert logs(alone) == logs(together)


@pytest.mark.slow
def test_a_killed_process_is_told_in_plain_words(tmp_path: Path) -> None:
    build_pages(find(WEB).collection)
    wanted = jobs(seeds=20)
    begun = run_all(wanted, None, tmp_path, processes=2)
    next(begun)
    for process in active_children():
        process.kill()
    with pytest.raises(ThresherError, match="was killed"):
        list(begun)
    # What is there can be read.
    assert read_records(tmp_path)


def test_processes_end_with_the_one_that_began_them() -> None:
    asleep = (
        "import time; from concurrent.futures import ProcessPoolExecutor; from multiprocessing import get_context\n"
        "from thresher.bench.worker_life import end_with_parent\n"
        "if __name__ == '__main__':\n"
        "    pool = ProcessPoolExecutor(1, get_context('spawn'), end_with_parent)\n"
        "    pool.submit(abs, 1).result(); print('ready', flush=True); pool.submit(time.sleep, 600); time.sleep(600)\n"
    )
    with subprocess.Popen([sys.executable, "-c", asleep], stdout=subprocess.PIPE) as parent:
        assert parent.stdout is not None
        assert parent.stdout.readline() == b"ready\n"
        parent.kill()
        # The end of the pipe comes when nobody holds it any more.
        assert parent.communicate(timeout=PATIENCE) == (b"", None)


def test_a_record_made_of_other_things_does_not_count(tmp_path: Path) -> None:
    build_pages(find(WEB).collection)
    [job] = jobs(("random",), seeds=1)[:1]
    dict(run_all([job], None, tmp_path, processes=1))
    assert finished(job, None, tmp_path) is not None
    others = {
        "draw": msgspec.structs.replace(job, draw=msgspec.structs.replace(job.draw, negatives=7)),
        "wrong": msgspec.structs.replace(job, draw=msgspec.structs.replace(job.draw, wrong=1)),
        "settings": msgspec.structs.replace(job, settings=("strategy.random={seed = 4}",)),
        "budget": msgspec.structs.replace(job, budget=41),
    }
    for what, other in others.items():
        assert finished(other, None, tmp_path) is None, what
    [path] = tmp_path.glob(f"*{SUFFIX}")
    [record] = read_records(tmp_path)
    for changed in (
        msgspec.structs.replace(record, data="other"),
        msgspec.structs.replace(record, versions={**record.versions, "code": "other"}),
    ):
        path.write_bytes(gzip.compress(msgspec.json.encode(changed)))
        assert finished(job, None, tmp_path) is None
    path.write_bytes(b"half a rec")
    assert finished(job, None, tmp_path) is None


def test_experiments_in_one_directory_leave_each_other_alone(tmp_path: Path) -> None:
    build_pages(find(WEB).collection)
    [job] = jobs(("random",), seeds=1)
    others = [
        msgspec.structs.replace(job, draw=msgspec.structs.replace(job.draw, wrong=1)),
        msgspec.structs.replace(job, draw=msgspec.structs.replace(job.draw, start=2)),
        msgspec.structs.replace(job, settings=("strategy.random={seed = 4}",)),
    ]
    done = dict(run_all([job, *others], None, tmp_path, processes=1))
    before = stamps(tmp_path)
    assert len(before) == 4
    assert len({tuple(record.log) for record in read_records(tmp_path)}) == 3
    assert dict(run_all([*others, job], None, tmp_path, processes=1)) == done
    assert stamps(tmp_path) == before


def test_a_record_under_its_earlier_name_counts(tmp_path: Path) -> None:
    build_pages(find(WEB).collection)
    [job] = jobs(("random",), seeds=1, wrong=1)
    dict(run_all([job], None, tmp_path, processes=1))
    [path] = tmp_path.glob(f"*{SUFFIX}")
    path.rename(tmp_path / file_name(job))
    assert finished(job, None, tmp_path) is not None
    usual = msgspec.structs.replace(job, draw=msgspec.structs.replace(job.draw, wrong=0))
    assert finished(usual, None, tmp_path) is None


def test_fewer_examples_than_start_pages_are_known_again(tmp_path: Path) -> None:
    build_pages(find(WEB).collection)
    topic = jobs()[0].topic
    [job] = jobs_for([WEB], None, topics=[topic], strategies=["random"], seeds=1, budget=20, examples=3)
    dict(run_all([job], None, tmp_path, processes=1))
    assert finished(job, None, tmp_path) is not None


@pytest.mark.parametrize("numbers", [{"wrong": 6}, {"start": 6}], ids=["wrong", "start"])
def test_more_than_there_are_examples_cannot_be_drawn(numbers: dict[str, int]) -> None:
    with pytest.raises(UsageError, match="5 examples"):
        jobs(**numbers)


def test_numbers_are_the_webs_own_where_none_are_given() -> None:
    [job] = jobs_for([WEB], None, topics=[jobs()[0].topic], strategies=["random"], seeds=1)
    assert (job.budget, job.draw.examples, job.draw.negatives, job.draw.start) == (1000, 10, 30, 5)
    assert jobs()[0].draw.negatives == 15
    assert jobs(negatives=4)[0].draw.negatives == 4


@pytest.mark.parametrize(
    ("topics", "strategies", "error"),
    [(["nothing"], ["random"], InputError), ([], ["rnd"], PluginError), ([], ["random(sed=3)"], PluginError)],
    ids=["topic", "strategy", "parameter"],
)
def test_what_cannot_run_is_told_before_anything_runs(
    topics: list[str], strategies: list[str], error: type[Exception]
) -> None:
    with pytest.raises(error):
        jobs_for([WEB], None, topics=topics, strategies=strategies, seeds=1)
