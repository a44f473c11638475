"""Values that may be a few seconds old."""

import threading
from concurrent.futures import ThreadPoolExecutor

from tests.portal.test_accounts import Clock
from thresher.portal.fresh import Fresh


class Counted:
    """Counts how often it was made, and in which thread."""

    def __init__(self) -> None:
        self.version = 0
        self.made: list[threading.Thread] = []
        self.go = threading.Event()
        self.go.set()

    def make(self) -> int:
        self.go.wait(30)
        self.made.append(threading.current_thread())
        return len(self.made)


def finished(fresh: Fresh[int]) -> int:
    """Wait for the thread that computes, and return what is there then."""
    with fresh._lock:
        return fresh.get()


def test_an_old_value_is_shown_while_a_thread_computes_a_new_one() -> None:
    clock, counted = Clock(), Counted()
    fresh = Fresh(counted.make, lambda: counted.version, 3.0, clock)
    assert fresh.get() == fresh.get() == 1
    counted.version += 1
    counted.go.clear()
    clock.now += 4.0
    assert [fresh.get() for _ in range(3)] == [1, 1, 1]
    counted.go.set()
    assert finished(fresh) == 2
    assert counted.made[1] is not threading.current_thread()


def test_nothing_is_computed_where_nothing_has_changed() -> None:
    clock, counted = Clock(), Counted()
    fresh = Fresh(counted.make, lambda: counted.version, 3.0, clock)
    for _ in range(5):
        fresh.get()
        clock.now += 4.0
        finished(fresh)
    assert len(counted.made) == 1


def test_after_a_long_time_the_next_caller_waits_for_the_new_value() -> None:
    clock, counted = Clock(), Counted()
    fresh = Fresh(counted.make, lambda: counted.version, 3.0, clock)
    assert fresh.get() == 1
    counted.version += 1
    clock.now += 3600.0
    assert fresh.get() == 2


def test_a_failure_leaves_the_value_as_it_was() -> None:
    clock, counted = Clock(), Counted()

    def fails() -> int:
        if counted.version:
            raise RuntimeError
        return counted.make()

    fresh = Fresh(fails, lambda: counted.version, 3.0, clock)
    assert fresh.get() == 1
    counted.version += 1
    clock.now += 4.0
    assert fresh.get() == 1
    assert finished(fresh) == 1


def test_ten_callers_at_once_cause_one_computation() -> None:
    clock, counted = Clock(), Counted()
    fresh = Fresh(counted.make, lambda: counted.version, 3.0, clock)
    counted.go.clear()
    with ThreadPoolExecutor(10) as pool:
        asked = [pool.submit(fresh.get) for _ in range(10)]
        counted.go.set()
        assert [one.result() for one in asked] == [1] * 10
    assert len(counted.made) == 1
