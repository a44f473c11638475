"""Virtual time, and what is different while a crawl runs in real time."""

import asyncio
import gc
import subprocess
import sys
import time

import pytest

from tests.machine import PATIENCE
from thresher.crawl.clock import EPOCH, RealClock, VirtualClock, run_real, run_virtual


def test_waiting_on_virtual_time_costs_no_real_time() -> None:
    started = time.monotonic()

    async def long() -> list[str]:
        seen: list[str] = []

        async def nap(name: str, seconds: float) -> None:
            await asyncio.sleep(seconds)
            seen.append(name)

        await asyncio.gather(nap("late", 86_400), nap("early", 5), nap("middle", 3600))
        assert VirtualClock().now() == pytest.approx(86_400)
        assert VirtualClock().wall() == pytest.approx(EPOCH + 86_400)
        return seen

    assert run_virtual(long()) == ["early", "middle", "late"]
    assert time.monotonic() - started < PATIENCE


def test_a_wait_for_nothing_is_an_error_not_a_hang() -> None:
    async def stuck() -> None:
        await asyncio.Event().wait()

    with pytest.raises(RuntimeError, match="never happen"):
        run_virtual(stuck())


def test_real_clock_is_monotonic_and_near_wall_time() -> None:
    clock = RealClock()
    assert clock.now() <= clock.now()
    assert abs(clock.wall() - time.time()) < PATIENCE


@pytest.mark.parametrize("fails", [False, True])
def test_garbage_is_collected_as_usual_after_a_crawl(fails: bool) -> None:
    usual = gc.get_threshold()

    async def crawl() -> tuple[int, int, int]:
        if fails:
            raise LookupError
        return gc.get_threshold()

    if fails:
        with pytest.raises(LookupError):
            run_real(crawl())
    else:
        assert run_real(crawl())[0] > usual[0]
    assert gc.get_threshold() == usual
    assert gc.get_freeze_count() == 0


FORKING = """
import asyncio, os, sys
from thresher.crawl.clock import run_real

os.register_at_fork(after_in_child=lambda: os.write(1, b"Python code ran in the child"))

async def start():
    process = await asyncio.create_subprocess_exec(sys.executable, "-c", "", start_new_session=True)
    return await process.wait()

sys.exit(run_real(start()))
"""


def test_no_python_code_runs_between_fork_and_exec_of_a_crawls_processes() -> None:
    # Such code may need a lock that another thread held at the fork: the crawl would wait for it forever.
    done = subprocess.run([sys.executable, "-c", FORKING], capture_output=True, check=False, timeout=PATIENCE)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
