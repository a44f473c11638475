"""Examples, negatives, starts and targets are drawn as the protocol says."""

import numpy as np
import pytest

from tests.bench.handmade import hand_web, parsed, url
from thresher.bench.link_graph import Mask
from thresher.bench.page_cache import PageCache
from thresher.bench.protocol import Draw, Task, draw_task
from thresher.bench.webs.web import BenchWeb
from thresher.errors import InputError

TOPIC = {f"t{n}": "boats" for n in range(12)}
OTHERS = {f"o{n}": "-" for n in range(12)}
RING = {f"t{n}": f"t{(n + 1) % 12} o{n}" for n in range(12)} | {f"o{n}": f"o{(n + 1) % 12} noise" for n in range(12)}
LINKS = RING | {"noise": "o0", "island": "island", "o5": "o6 t3"}
DRAW = Draw(examples=4, negatives=6, start=2)


@pytest.fixture
def web() -> BenchWeb:
    return hand_web(LINKS, TOPIC | OTHERS | {"island": "boats"})


@pytest.fixture
def pages(web: BenchWeb) -> PageCache:
    return parsed(web)


def names(pages: PageCache, mask: Mask) -> set[str]:
    return {pages.urls[number].rpartition("/")[2] for number in np.flatnonzero(mask)}


def given(task: Task) -> tuple[tuple[str, ...], ...]:
    return task.examples, task.negatives, task.starts


def test_normal_mode(web: BenchWeb, pages: PageCache) -> None:
    task = draw_task(web, pages, "boats", 0, "normal", DRAW)
    assert len(set(task.examples)) == 4
    assert all(web.labels[example] == ("boats",) for example in task.examples)
    assert task.starts == task.examples[:2]
    assert len(set(task.negatives)) == 6
    assert all(web.labels[negative] == () for negative in task.negatives)
    drawn = {example.rpartition("/")[2] for example in task.examples}
    # The island is of the topic, but no path leads there.
    assert names(pages, task.targets) == set(TOPIC) - drawn
    assert task.reachable == 25
    assert names(pages, task.relevant) == set(TOPIC) | {"island"}
    assert task.open.all()


def test_a_draw_depends_on_web_topic_and_seed_alone(web: BenchWeb, pages: PageCache) -> None:
    first = draw_task(web, pages, "boats", 0, "normal", DRAW)
    shuffled = hand_web(dict(reversed(LINKS.items())), dict(reversed((TOPIC | OTHERS | {"island": "boats"}).items())))
    assert given(draw_task(shuffled, parsed(shuffled), "boats", 0, "normal", DRAW)) == given(first)
    assert given(draw_task(web, pages, "boats", 1, "normal", DRAW)) != given(first)


def test_wrong_examples_take_the_place_of_the_last_ones(web: BenchWeb, pages: PageCache) -> None:
    right = draw_task(web, pages, "boats", 0, "normal", DRAW)
    task = draw_task(web, pages, "boats", 0, "normal", Draw(examples=4, negatives=6, start=2, wrong=1))
    assert (task.examples[:3], task.negatives, task.starts) == (right.examples[:3], right.negatives, right.starts)
    assert web.labels[task.examples[3]] == ()
    assert task.examples[3] not in task.negatives
    # The example that was not drawn is to be found like any other page of the topic.
    assert names(pages, task.targets) == names(pages, right.targets) | {right.examples[3].rpartition("/")[2]}


def test_hard_mode(web: BenchWeb, pages: PageCache) -> None:
    normal = draw_task(web, pages, "boats", 0, "normal", DRAW)
    task = draw_task(web, pages, "boats", 0, "hard", DRAW)
    assert (task.examples, task.negatives) == (normal.examples, normal.negatives)
    drawn = {example.rpartition("/")[2] for example in task.examples}
    assert names(pages, task.open) == set(LINKS) - drawn
    starts = {start.rpartition("/")[2] for start in task.starts}
    assert len(starts) == 2
    # Page o5 is the only one outside that links into the topic.
    assert starts <= set(OTHERS) - {"o5"}
    # The way into the topic is o5 to t3, and on from there until an example answers 404.
    reached = []
    for n in range(3, 15):
        if f"t{n % 12}" in drawn:
            break
        reached.append(f"t{n % 12}")
    assert names(pages, task.targets) == set(reached)


@pytest.mark.parametrize("seed", range(5))
def test_hard_starts_never_link_into_the_topic(web: BenchWeb, pages: PageCache, seed: int) -> None:
    task = draw_task(web, pages, "boats", seed, "hard", Draw(examples=1, negatives=1, start=11))
    assert url("o5") not in task.starts


def test_hard_starts_answer_whatever_examples_are_wrong(web: BenchWeb, pages: PageCache) -> None:
    for seed in range(10):
        task = draw_task(web, pages, "boats", seed, "hard", Draw(examples=4, negatives=6, start=7, wrong=4))
        assert all(task.open[pages.number(start) or 0] for start in task.starts)


def test_a_web_with_a_home_starts_there() -> None:
    web = hand_web(LINKS, TOPIC | OTHERS, home=["noise"])
    task = draw_task(web, parsed(web), "boats", 0, "normal", DRAW)
    assert task.starts == (url("noise"),)


@pytest.mark.parametrize(
    ("draw", "mode"),
    [(Draw(14, 1, 1), "normal"), (Draw(1, 13, 1), "normal"), (Draw(1, 12, 1, 1), "normal"), (Draw(1, 1, 12), "hard")],
    ids=["examples", "negatives", "wrong", "starts"],
)
def test_too_few_pages_are_told(web: BenchWeb, pages: PageCache, draw: Draw, mode: str) -> None:
    with pytest.raises(InputError, match="boats"):
        draw_task(web, pages, "boats", 0, mode, draw)  # type: ignore[arg-type]


def test_topics_are_found_by_name_or_told(web: BenchWeb) -> None:
    assert web.named(["boats"]) == ["boats"]
    assert web.named([]) == ["boats"]
    with pytest.raises(InputError) as wrong:
        web.named(["boat"])
    assert wrong.value.remedy == "Did you mean 'boats'?"
