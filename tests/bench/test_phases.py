"""Retraining against none and against no focus: what is drawn, counted, tested and told."""

import json

import numpy as np
import pytest

from tests.bench.handmade import hand_web, parsed, url
from thresher.bench.page_building import build_pages
from thresher.bench.phase_crawls import PhaseCrawl
from thresher.bench.phase_task import draw_phase_task
from thresher.bench.phases import Counts, PhaseFigures, PhaseTable, _count
from thresher.bench.webs.catalogue import find
from thresher.cli.main import call
from thresher.errors import InputError

WEB = "generated(hosts=12;pages=300;profile=clean;seed=5)"
TOPICS = {f"b{n}": "boats" for n in range(5)} | {f"c{n}": "cars" for n in range(5)} | {f"o{n}": "-" for n in range(5)}
NAMES = list(TOPICS)
RING = {name: NAMES[place - 1] for place, name in enumerate(NAMES)} | {"island": ""}


def test_targets_are_what_can_be_reached_less_all_examples() -> None:
    web = hand_web(RING, TOPICS | {"island": "boats"})
    pages = parsed(web)
    task = draw_phase_task(web, pages, ["boats", "cars"], 0, 2, 3)
    assert draw_phase_task(web, pages, ["boats", "cars"], 0, 2, 3).examples == task.examples
    given = set(task.starts())
    for row, topic in enumerate(task.topics):
        own = {url(name) for name, label in TOPICS.items() if label == topic} - given
        reached = {pages.urls[number] for number in np.flatnonzero(task.targets[row])}
        assert reached - {url("island")} == own
        assert url("island") not in reached or url("island") in given
    assert all(web.labels[negative] == () for negative in task.negatives)
    with pytest.raises(InputError, match="too few"):
        draw_phase_task(web, pages, ["cars"], 0, 5, 3)
    with pytest.raises(InputError, match="no topic"):
        draw_phase_task(web, pages, ["cars"], 0, 2, 99)


def test_recall_is_that_of_each_topic_and_harvest_leaves_start_pages_out() -> None:
    web = hand_web(RING, TOPICS)
    pages = parsed(web)
    task = draw_phase_task(web, pages, ["boats", "cars"], 0, 2, 3)
    boats = [pages.urls[number] for number in np.flatnonzero(task.targets[0])]
    recall: Counts = {}
    harvest: Counts = {}
    crawled = PhaseCrawl([*task.starts(), boats[0], url("o0"), boats[1]])
    _count(task, pages, crawled, len(task.starts()) + 2, 0, recall, harvest)
    assert recall == {("boats", 0): pytest.approx(1 / len(boats)), ("cars", 0): 0.0}
    assert harvest == {("all topics", 0): 0.5}


def test_units_are_topics_or_the_seed_sets_of_one() -> None:
    def figures(topics: str, gain: float) -> PhaseFigures:
        found = {(topic, seed): 0.1 * place + gain * seed for place, topic in enumerate(topics) for seed in (1, 2)}
        return PhaseFigures({10: found}, {10: {("all topics", seed): 0.5 for seed in (1, 2)}})

    for topics, units in (("ab", "topics"), ("a", "seeds")):
        table = PhaseTable(tuple(topics), {"retraining": figures(topics, 0.2), "unfocused": figures(topics, 0.1)}, [])
        (test,) = table.tests()
        assert (test["units"], test["n"], test["against"]) == (units, 2, "unfocused")
        assert test["difference"] == pytest.approx(0.15)


@pytest.mark.slow
def test_one_run_is_told_without_errors_and_tests(capsys: pytest.CaptureFixture[str]) -> None:
    build_pages(find(WEB).collection)
    topic = next(iter(find(WEB).topics))
    words = ["bench", "phases", WEB, "--topics", topic, "--repeats", "1", "--budget", "40", "--learn", "20"]
    assert call([*words, "--negatives", "10"]) == 0
    shown = capsys.readouterr().out
    assert "no test with a single run" in shown
    assert "±" not in shown
    assert call([*words, "--negatives", "10", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert {row["variant"] for row in told["rows"]} == {"retraining", "no retraining", "unfocused"}
    assert all(row["recall_error"] is None and test["n"] == 0 for row in told["rows"] for test in told["tests"])
