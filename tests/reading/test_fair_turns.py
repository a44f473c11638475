"""Fair turns: who has used least comes first, and nobody takes a place along."""

import asyncio

from hypothesis import given
from hypothesis import strategies as st

from tests.machine import turned
from thresher.crawl.clock import VirtualClock, run_virtual
from thresher.reading.fair_turns import MEMORY, REMEMBERED, FairTurns


def test_the_backlog_of_one_does_not_stand_before_another() -> None:
    served: list[str] = []

    async def wait(turns: FairTurns, name: str) -> None:
        await turns.enter(name)
        served.append(name)
        await asyncio.sleep(1.0)
        turns.charge(name, 1.0)
        turns.leave()

    async def go() -> None:
        turns = FairTurns(1, VirtualClock())
        tasks = [asyncio.create_task(wait(turns, "greedy")) for _ in range(20)]
        await asyncio.sleep(2.5)
        tasks += [asyncio.create_task(wait(turns, "modest")) for _ in range(3)]
        await asyncio.gather(*tasks)

    run_virtual(go())
    # It has used less than the greedy one, whose third page is under way, for all of its own three.
    assert served[3:6] == ["modest"] * 3


def test_what_was_long_ago_counts_less() -> None:
    async def go() -> None:
        turns = FairTurns(1, VirtualClock())
        turns.charge("a", 8.0)
        await asyncio.sleep(3 * MEMORY)
        assert abs(turns.used("a") - 1.0) < 1e-9
        assert turns.used("b") == 0.0

    run_virtual(go())


def test_what_is_remembered_of_names_is_bounded() -> None:
    async def go() -> None:
        turns = FairTurns(1, VirtualClock())
        for number in range(REMEMBERED + 10):
            turns.charge(str(number), 1.0)
        assert turns.used("0") == 0.0
        assert turns.used(str(REMEMBERED)) > 0.0

    run_virtual(go())


async def test_who_gives_up_takes_no_place_along() -> None:
    turns = FairTurns(1, VirtualClock())
    await turns.enter("a")
    waiting = [asyncio.create_task(turns.enter(name)) for name in "bcd"]
    await turned()
    waiting[0].cancel()
    turns.leave()
    # One is given the place in the moment in which it gives up.
    waiting[1].cancel()
    await turned()
    assert [task.cancelled() for task in waiting] == [True, True, False]
    assert waiting[2].done()
    assert len(turns) == 0
    turns.leave()
    assert turns.enter_at_once()


@given(
    st.lists(st.tuples(st.sampled_from("abcd"), st.sampled_from(["enter", "charge", "leave", "give up"])), max_size=40)
)
def test_whoever_has_used_least_goes_first_and_ties_go_to_whoever_came_first(steps: list[tuple[str, str]]) -> None:
    served: list[tuple[str, int]] = []

    async def wait(turns: FairTurns, name: str, number: int) -> None:
        await turns.enter(name)
        served.append((name, number))

    async def go() -> list[tuple[str, int]]:
        turns = FairTurns(1, VirtualClock())
        await turns.enter("first")
        waiting: list[tuple[str, int]] = []
        tasks: dict[int, asyncio.Task[None]] = {}
        expected: list[tuple[str, int]] = []
        for number, (name, step) in enumerate(steps):
            mine = [place for place, (other, _) in enumerate(waiting) if other == name]
            if step == "enter":
                tasks[number] = asyncio.create_task(wait(turns, name, number))
                waiting.append((name, number))
            elif step == "charge":
                turns.charge(name, 1.0)
            elif step == "give up" and mine:
                tasks[waiting.pop(mine[0])[1]].cancel()
            elif step == "leave" and waiting:
                used = [turns.used(other) for other, _ in waiting]
                expected.append(waiting.pop(used.index(min(used))))
                turns.leave()
            await turned()
        for task in tasks.values():
            task.cancel()
        return expected

    assert run_virtual(go()) == served
