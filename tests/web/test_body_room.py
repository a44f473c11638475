"""Room for bodies: large ones wait for one another, small ones never, and one always comes to its end."""

import asyncio

from tests.machine import PATIENCE

from thresher.web.body_room import BodyRoom


async def test_small_bodies_never_wait() -> None:
    room = BodyRoom(total=10, free=100)
    for number in range(1000):
        await asyncio.wait_for(room.take(number, 100), PATIENCE)
    assert room.held == 0


async def test_large_bodies_wait_and_the_oldest_does_not() -> None:
    room = BodyRoom(total=1000, free=10)
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
    room = BodyRoom(total=1000, free=10)
    await room.take("first", 900)
    waiting = asyncio.ensure_future(room.take("second", 500))
    await asyncio.sleep(0)
    waiting.cancel()
    room.leave("second")
    room.leave("first")
    await asyncio.wait_for(room.take("third", 1000), PATIENCE)
    assert room.held == 1000
