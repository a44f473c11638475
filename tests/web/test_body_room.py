"""Room for bodies: large ones wait for one another, small ones never, and one always comes to its end."""

import asyncio

from tests.machine import PATIENCE, turned
from thresher.crawl.clock import VirtualClock, run_virtual
from thresher.types import Fetched
from thresher.web.body_room import LARGE_WAITING, BodyRoom


async def test_small_bodies_never_wait() -> None:
    room = BodyRoom(total=10, free=100)
    for number in range(1000):
        await asyncio.wait_for(room.take(number, 100), PATIENCE)
    assert room.held == 0


async def test_large_bodies_wait_and_the_oldest_does_not() -> None:
    room = BodyRoom(total=1000, free=10, large=10)
    await room.take("first", 600)
    waiting = asyncio.ensure_future(room.take("second", 500))
    await asyncio.sleep(0)
    assert not waiting.done()
    await asyncio.wait_for(room.take("first", 5000), PATIENCE)
    assert room.held == 5000
    room.leave("first")
    await asyncio.wait_for(waiting, PATIENCE)
    assert room.held == 500
    room.leave("second")
    room.leave("second")
    assert room.held == 0


async def test_who_gives_up_takes_nothing_along() -> None:
    room = BodyRoom(total=1000, free=10, large=10)
    await room.take("first", 900)
    waiting = asyncio.ensure_future(room.take("second", 500))
    await asyncio.sleep(0)
    waiting.cancel()
    room.leave("second")
    room.leave("first")
    await asyncio.wait_for(room.take("third", 1000), PATIENCE)
    assert room.held == 1000


def answer() -> Fetched:
    return Fetched(url="http://a.test/", status=200, headers=[], body=b"x", raw=b"x", mime="text/html", at=0.0)


async def test_a_body_keeps_its_room_until_its_answer_has_been_read() -> None:
    room = BodyRoom(total=1000, free=10, large=10)
    await room.take("first", 900)
    fetched = answer()
    room.leave_with(fetched, "first")
    waiting = asyncio.ensure_future(room.take("second", 500))
    await turned()
    assert not waiting.done()
    del fetched
    await asyncio.wait_for(waiting, PATIENCE)
    assert room.held == 500


async def test_large_bodies_do_not_take_the_room_of_others() -> None:
    room = BodyRoom(total=1000, free=10, large=100)
    large = [asyncio.ensure_future(room.take(number, 900)) for number in range(50)]
    await turned()
    done = [task for task in large if task.done()]
    assert [task.result() for task in done] == [True] + [False] * (49 - LARGE_WAITING), "the others were refused"
    for number in range(100, 106):
        assert await asyncio.wait_for(room.take(number, 100), PATIENCE)
    for number in range(1 + LARGE_WAITING):
        await turned()
        room.leave(number)
    assert all(await asyncio.gather(*large[1 : 1 + LARGE_WAITING]))


async def test_what_becomes_large_counts_as_such_from_the_beginning() -> None:
    room = BodyRoom(total=1000, free=10, large=500)
    assert await room.take("first", 900, large=True)
    large = [asyncio.ensure_future(room.take(number, 200, large=True)) for number in range(LARGE_WAITING)]
    assert not room.refuses_large
    await turned()
    assert room.refuses_large
    assert not await room.take("one more", 200, large=True)
    assert await asyncio.wait_for(room.take("another", 200), PATIENCE), "it is not large"
    room.leave("first")
    assert all(await asyncio.gather(*large))
    assert not room.refuses_large


def test_waiting_for_room_is_not_held_against_the_server() -> None:
    async def go() -> None:
        clock = VirtualClock()
        room = BodyRoom(total=1000, free=10, large=10)
        await room.take("first", 900)
        asyncio.get_running_loop().call_later(500.0, room.leave, "first")
        async with asyncio.timeout(60.0) as deadline:
            await asyncio.sleep(20.0)
            await room.take("second", 500, deadline)
            assert clock.now() == 500.0
            assert deadline.when() == 540.0

    run_virtual(go())
