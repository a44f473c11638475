"""The write lock and the crawl lock, between threads and between processes."""

import fcntl
import os
import threading
import time
from pathlib import Path

import pytest

from tests.machine import PATIENCE
from tests.store.processes import kill, line, python
from thresher.errors import PortalBusy
from thresher.store.locks import CRAWL_LOCK, CrawlLock, Holder, WriteLock, holder, refuse_if_crawled

HOLD_CRAWL = """
import sys, time
from pathlib import Path
from thresher.store.locks import CrawlLock
with CrawlLock(Path(sys.argv[1]), since=1_000_000_000.0):
    print("held", flush=True)
    time.sleep(60)
"""

HOLD_WRITE = """
import sys, time
from pathlib import Path
from thresher.store.locks import WriteLock
with WriteLock(Path(sys.argv[1])):
    print("held", flush=True)
    time.sleep(float(sys.argv[2]))
"""


def test_nobody_holds_a_fresh_portal(tmp_path: Path) -> None:
    assert holder(tmp_path) is None
    refuse_if_crawled(tmp_path)


def test_a_crawl_lock_names_its_holder_until_it_is_released(tmp_path: Path) -> None:
    with CrawlLock(tmp_path, since=5.0) as lock:
        found = holder(tmp_path)
        assert found is not None
        assert (found.pid, found.since, found.is_me()) == (os.getpid(), 5.0, True)
        refuse_if_crawled(tmp_path)
        lock.release()
        assert holder(tmp_path) is None
    with CrawlLock(tmp_path):
        pass
    assert holder(tmp_path) is None


def test_a_second_crawl_is_refused_and_told_who_holds_it(tmp_path: Path) -> None:
    other = python(HOLD_CRAWL, tmp_path)
    try:
        assert line(other) == "held"
        with (
            pytest.raises(PortalBusy, match=rf"process {other.pid} on .*, since 2001-09-0") as refused,
            CrawlLock(tmp_path),
        ):
            pass
        assert str(other.pid) in refused.value.remedy
        with pytest.raises(PortalBusy):
            refuse_if_crawled(tmp_path)
        assert holder(tmp_path) == Holder(pid=other.pid, host=os.uname().nodename, since=1_000_000_000.0)
    finally:
        kill(other)


def test_the_lock_of_a_killed_crawl_is_taken_over(tmp_path: Path) -> None:
    other = python(HOLD_CRAWL, tmp_path)
    assert line(other) == "held"
    kill(other)
    assert str(other.pid) in (tmp_path / CRAWL_LOCK).read_text()
    assert holder(tmp_path) is None
    with CrawlLock(tmp_path):
        found = holder(tmp_path)
        assert found is not None
        assert found.is_me()


def test_one_process_cannot_crawl_twice(tmp_path: Path) -> None:
    with CrawlLock(tmp_path), pytest.raises(PortalBusy), CrawlLock(tmp_path):
        pass


def test_asking_for_the_holder_does_not_refuse_a_crawl(tmp_path: Path) -> None:
    path = tmp_path / CRAWL_LOCK
    path.touch()
    with path.open() as asking:
        fcntl.flock(asking, fcntl.LOCK_SH)
        answered = threading.Timer(0.05, fcntl.flock, (asking, fcntl.LOCK_UN))
        answered.start()
        with CrawlLock(tmp_path):
            held = holder(tmp_path)
        answered.join()
    assert held is not None
    assert held.is_me()


@pytest.mark.parametrize("text", ["", "{", '{"pid": "x"}', "\0" * 5000])
def test_a_held_lock_without_a_readable_note(tmp_path: Path, text: str) -> None:
    with CrawlLock(tmp_path):
        (tmp_path / CRAWL_LOCK).write_text(text)
        assert holder(tmp_path) == Holder()
        with pytest.raises(PortalBusy, match="starting or stopping"), CrawlLock(tmp_path):
            pass


def test_the_write_lock_waits_for_another_process(tmp_path: Path) -> None:
    other = python(HOLD_WRITE, tmp_path, 600)
    assert line(other) == "held"
    taken = threading.Event()

    def take() -> None:
        with WriteLock(tmp_path, patience=PATIENCE):
            taken.set()

    waiting = threading.Thread(target=take)
    waiting.start()
    assert not taken.wait(0.2)
    kill(other)
    waiting.join()
    assert taken.is_set()


def test_the_write_lock_gives_up(tmp_path: Path) -> None:
    other = python(HOLD_WRITE, tmp_path, 60)
    try:
        assert line(other) == "held"
        with pytest.raises(PortalBusy, match=r"for 0\.1 seconds"), WriteLock(tmp_path, patience=0.1):
            pass
    finally:
        kill(other)
    with WriteLock(tmp_path, patience=0.1):
        pass


def test_the_write_lock_keeps_threads_apart(tmp_path: Path) -> None:
    lock, inside, met = WriteLock(tmp_path), 0, []

    def work() -> None:
        nonlocal inside
        for _ in range(20):
            with lock:
                inside += 1
                time.sleep(0.0005)
                met.append(inside)
                inside -= 1

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert met == [1] * 80
    lock.close()
    with lock:
        pass


def test_the_write_lock_is_free_after_an_exception(tmp_path: Path) -> None:
    lock = WriteLock(tmp_path, patience=0.1)
    with pytest.raises(KeyError), lock:
        raise KeyError
    with lock:
        pass
