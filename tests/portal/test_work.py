"""Long work as processes of their own, and the schedules that start it."""

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from datetime import datetime
from pathlib import Path

import psutil
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.portal.made import Made
from thresher.portal.schedules import LATE, Timekeeper, carry_out
from thresher.portal.work import STARTING, InTheWay, Workbench
from thresher.portal.work_commands import commands_of
from thresher.store.locks import CrawlLock
from thresher.store.memory import MemoryStore
from thresher.store.records import CrawlKind, ModelRow
from thresher.store.schedule_times import following, previous
from thresher.store.work_records import EVERY_DAY, ScheduleRow, WorkKind, WorkRow

SLEEP = [sys.executable, "-c", "import time; print('up', flush=True); time.sleep(60)"]


@pytest.fixture
def bench(made: Made) -> Workbench:
    return Workbench(made.folder, made.store)


@pytest.fixture
def sleeper() -> Iterator["subprocess.Popen[bytes]"]:
    process = subprocess.Popen(SLEEP, stdout=subprocess.PIPE)
    assert process.stdout is not None
    process.stdout.readline()
    yield process
    process.kill()
    process.wait()


def begun(made: Made, process: "subprocess.Popen[bytes]", kind: WorkKind = WorkKind.RUN) -> WorkRow:
    """Return work that is done by some process."""
    row = made.store.works.add(WorkRow(kind=kind, asked=time.time(), user="ann"))
    assert row is not None
    made.store.works.begin(row.id, process.pid, socket.gethostname(), psutil.Process(process.pid).create_time())
    found = made.store.works.get(row.id)
    assert found is not None
    return found


@pytest.mark.slow
def test_work_is_a_process_of_its_own_that_notes_its_end_and_leaves_a_log(made: Made, bench: Workbench) -> None:
    row = bench.start(WorkRow(kind=WorkKind.INDEX, asked=time.time(), user="ann"))
    assert isinstance(row, WorkRow)
    sessions = set()
    deadline = time.time() + 60
    while bench.running(time.time()) and time.time() < deadline:
        known = made.store.works.get(row.id)
        if known is not None and known.pid and psutil.pid_exists(known.pid):
            with suppress(ProcessLookupError):
                sessions.add(os.getsid(known.pid) == known.pid)
        time.sleep(0.05)
    found = made.store.works.get(row.id)
    assert found is not None
    assert (found.code, found.user) == (0, "ann")
    assert found.ended is not None
    assert sessions <= {True}
    assert "page" in bench.log(row.id)
    assert (made.folder / "work" / f"{row.id}.log").stat().st_mode & 0o077 == 0


def test_a_row_tells_the_truth_after_its_process_was_killed(
    made: Made, bench: Workbench, sleeper: "subprocess.Popen[bytes]"
) -> None:
    row = begun(made, sleeper)
    assert bench.running(time.time()) == [row]
    sleeper.kill()
    sleeper.wait()
    assert bench.running(time.time()) == []
    found = made.store.works.get(row.id)
    assert found is not None
    assert found.ended is not None
    assert found.code is None


def test_another_process_under_the_same_number_is_not_the_work(
    made: Made, bench: Workbench, sleeper: "subprocess.Popen[bytes]"
) -> None:
    row = begun(made, sleeper)
    made.store.works.begin(row.id, sleeper.pid, socket.gethostname(), row.born - 100)
    stale = made.store.works.get(row.id)
    assert stale is not None
    assert not bench.stop(stale, "bob")
    assert bench.running(time.time()) == []
    assert sleeper.poll() is None


def test_a_process_that_never_began_is_given_up_after_a_while(made: Made, bench: Workbench) -> None:
    row = made.store.works.add(WorkRow(kind=WorkKind.TRAIN, asked=100.0))
    assert bench.running(100.0 + STARTING / 2) == [row]
    assert bench.running(100.0 + STARTING + 1) == []


def test_stopping_is_what_ctrl_c_does(made: Made, bench: Workbench, sleeper: "subprocess.Popen[bytes]") -> None:
    row = begun(made, sleeper)
    assert bench.stop(row, "bob")
    assert sleeper.wait(timeout=20) == -signal.SIGINT
    assert not bench.stop(row, "bob")
    found = made.store.works.get(row.id)
    assert found is not None
    assert found.stopped_by == "bob"


@pytest.mark.slow
def test_work_that_is_stopped_before_it_begins_does_nothing(made: Made, bench: Workbench) -> None:
    row = made.store.works.add(WorkRow(kind=WorkKind.TRAIN, asked=time.time()))
    assert row is not None
    assert not bench.stop(row, "bob")
    done = subprocess.run(
        [sys.executable, "-m", "thresher.portal_work", str(made.folder), str(row.id)], check=False, timeout=60
    )
    found = made.store.works.get(row.id)
    assert found is not None
    assert (done.returncode, found.code, found.stopped_by) == (130, 130, "bob")


def test_work_that_cannot_be_started_says_why_and_is_not_left_open(made: Made, bench: Workbench) -> None:
    (made.folder / "work").write_text("no folder")
    found = bench.start(WorkRow(kind=WorkKind.INDEX, asked=time.time()))
    assert isinstance(found, InTheWay)
    assert found.fault
    assert made.store.works.open() == []


def test_schedules_are_looked_at_again_after_any_failure(made: Made) -> None:
    looked = []

    def clock() -> float:
        looked.append(1)
        raise RuntimeError("no clock")

    keeper = Timekeeper(made.store, Started(made), clock, every=0.001)
    keeper.start()
    deadline = time.monotonic() + 20
    while len(looked) < 3 and time.monotonic() < deadline:
        time.sleep(0.01)
    keeper.stop()
    assert len(looked) >= 3


def test_a_second_crawl_is_not_started(made: Made, bench: Workbench, sleeper: "subprocess.Popen[bytes]") -> None:
    row = begun(made, sleeper)
    refused = bench.start(WorkRow(kind=WorkKind.TRAIN, asked=time.time()))
    assert refused == InTheWay(row, None)
    made.store.works.end(row.id, time.time(), 0)
    with CrawlLock(made.folder):
        refused = bench.start(WorkRow(kind=WorkKind.TRAIN, asked=time.time()))
        assert isinstance(refused, InTheWay)
        assert refused.crawl is not None
        assert refused.crawl.pid == os.getpid()
    assert made.store.works.open() == []


def test_a_log_that_is_not_there_is_empty(bench: Workbench) -> None:
    assert bench.log(7) == ""
    assert bench.step(7) is None


def test_the_end_of_a_long_log_begins_with_a_whole_line(made: Made, bench: Workbench) -> None:
    (made.folder / "work").mkdir()
    (made.folder / "work" / "1.log").write_text("".join(f"line {number}\n" for number in range(10_000)))
    shown = bench.log(1, 1000)
    assert len(shown) <= 1000
    assert shown.startswith("line ")
    assert shown.endswith("line 9999\n")


@pytest.mark.parametrize(
    ("kind", "commands"),
    [
        (WorkKind.TRAIN, ["train"]),
        (WorkKind.RUN, ["run", "rank"]),
        (WorkKind.HARVEST, ["harvest", "rank"]),
        (WorkKind.RESUME, ["resume", "rank"]),
        (WorkKind.RECLASSIFY, ["reclassify"]),
        (WorkKind.INDEX, ["index"]),
        (WorkKind.RANK, ["rank"]),
    ],
)
def test_each_kind_of_work_is_made_of_commands(kind: WorkKind, commands: list[str]) -> None:
    steps = commands_of(WorkRow(kind=kind, asked=0.0), Path("p"), MemoryStore())
    assert [step[0] for step in steps] == commands
    assert all("p" in step for step in steps)


def test_a_run_gets_more_pages_than_it_has_and_a_refresh_follows_new_links(tmp_path: Path) -> None:
    store = MemoryStore()
    row = WorkRow(kind=WorkKind.RUN, asked=0.0, pages=50, hours=2.0)
    assert commands_of(row, tmp_path, store)[0][2:] == ["--pages", "50", "--hours", "2.0"]
    refresh = WorkRow(kind=WorkKind.REFRESH, asked=0.0, pages=20)
    assert [step[0] for step in commands_of(refresh, tmp_path, store)] == ["refresh", "rank"]
    store.models.add(ModelRow(file="m", kind="svm", at=1.0))
    assert [step[0] for step in commands_of(refresh, tmp_path, store)] == ["refresh", "harvest", "rank"]
    assert commands_of(refresh, tmp_path, store)[1][-2:] == ["--fresh", "--from-hubs"]
    crawl = store.crawls.start(CrawlKind.HARVEST, "default", {}, at=1.0)
    assert crawl.id == 1
    resume = WorkRow(kind=WorkKind.RESUME, asked=0.0, pages=30)
    assert commands_of(resume, tmp_path, store)[0][2:] == ["--pages", "30"]


NOW = datetime(2026, 11, 17, 23, 30).timestamp()
"""A Tuesday, late in the evening."""


@given(st.integers(1, EVERY_DAY), st.integers(0, 1439), st.floats(min_value=1_700_000_000, max_value=2_000_000_000))
def test_a_schedule_is_due_at_its_minute_on_its_days(days: int, minute: int, now: float) -> None:
    row = ScheduleRow(kind=WorkKind.RUN, minute=minute, days=days, made=0.0)
    before, after = previous(row, now), following(row, now)
    assert before is not None
    assert after is not None
    assert before <= now < after
    assert after - now <= 8 * 86_400
    for due in (before, after):
        moment = datetime.fromtimestamp(due)
        assert days >> moment.weekday() & 1
    assert previous(row, after) == after


def test_a_schedule_without_days_is_never_due() -> None:
    row = ScheduleRow(kind=WorkKind.RUN, minute=0, days=0, made=0.0)
    assert previous(row, NOW) is None
    assert following(row, NOW) is None


class Started(Workbench):
    """A workbench that only notes what it is to start."""

    def __init__(self, made: Made, in_the_way: bool = False) -> None:
        super().__init__(made.folder, made.store)
        self.rows: list[WorkRow] = []
        self._in_the_way = in_the_way

    def start(self, row: WorkRow) -> WorkRow | InTheWay:
        self.rows.append(row)
        return InTheWay(None, None) if self._in_the_way else row


def test_what_is_due_is_started_once(made: Made) -> None:
    bench = Started(made)
    row = ScheduleRow(kind=WorkKind.REFRESH, minute=23 * 60, made=NOW - 86_400, pages=7, hours=1.0)
    number = made.store.schedules.add(row)
    assert [found.kind for found in carry_out(made.store, bench, NOW)] == [WorkKind.REFRESH]
    assert carry_out(made.store, bench, NOW + 60) == []
    assert (bench.rows[0].pages, bench.rows[0].hours, bench.rows[0].schedule) == (7, 1.0, number)
    assert len(carry_out(made.store, bench, NOW + 86_400)) == 1


def test_what_was_missed_by_hours_or_lies_before_the_schedule_is_left_out(made: Made) -> None:
    bench = Started(made)
    made.store.schedules.add(ScheduleRow(kind=WorkKind.RUN, minute=23 * 60, made=NOW - 60))
    made.store.schedules.add(ScheduleRow(kind=WorkKind.RUN, minute=20 * 60, made=NOW - 86_400))
    assert NOW - datetime(2026, 11, 17, 20).timestamp() > LATE
    assert carry_out(made.store, bench, NOW) == []
    assert bench.rows == []


def test_a_schedule_whose_way_is_barred_misses_its_turn(made: Made) -> None:
    bench = Started(made, in_the_way=True)
    made.store.schedules.add(ScheduleRow(kind=WorkKind.RUN, minute=23 * 60, made=NOW - 86_400))
    assert carry_out(made.store, bench, NOW) == []
    assert carry_out(made.store, bench, NOW + 60) == []
    assert len(bench.rows) == 1
