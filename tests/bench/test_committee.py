"""The committee votes, knows more than the crawler, and judges where labels do not."""

from functools import partial
from pathlib import Path

import msgspec
import pytest

from tests.bench.handmade import hand_web, parsed, url
from thresher.bench.assignment import Job
from thresher.bench.committee import MEMBERS, Agreement, Committee, agreement, train_committee
from thresher.bench.experiment import run
from thresher.bench.protocol import Draw
from thresher.bench.webs.web import BenchWeb
from thresher.errors import InputError
from thresher.types import ParsedPage

BOATS, CARS = "boat sail wind harbour mast", "car road wheel engine fuel"


def boats_and_cars(number: int = 12, more: dict[str, str] | None = None) -> BenchWeb:
    """Make a web of pages about boats and pages about cars in a ring, and some without labels."""
    words = {f"b{n}": f"{BOATS} deck{n}" for n in range(number)} | {f"c{n}": f"{CARS} seat{n}" for n in range(number)}
    topics = {name: "boats" if name[0] == "b" else "-" for name in words}
    words |= more or {}
    names = list(words)
    links = {name: f"{names[place - 1]} {names[place - 2]}" for place, name in enumerate(names)}
    return hand_web(links, topics, words=words)


def page(text: str) -> ParsedPage:
    return ParsedPage(url="", title="", words=[], links=[], terms=dict.fromkeys(text.split(), 1))


class Member:
    def __init__(self, probability: float) -> None:
        self.probability = probability

    def relevance(self, bags: list[dict[str, int]]) -> list[float]:
        return [self.probability] * len(bags)


@pytest.mark.parametrize(
    ("probabilities", "relevant"),
    [((0.9, 0.9, 0.1), True), ((0.9, 0.1, 0.1), False), ((0.5, 0.5, 0.0), True), ((0.49, 0.49, 1.0), False)],
)
def test_majority_decides(probabilities: tuple[float, ...], relevant: bool) -> None:
    committee = Committee()
    committee.members_ = [Member(probability) for probability in probabilities]  # type: ignore[misc]
    assert committee.relevant(page("boat")) is relevant


def test_members_are_the_three_of_the_paper() -> None:
    web = boats_and_cars()
    committee = train_committee(web, parsed(web), "boats", shown=6)
    assert [member.model for member in committee.members_] == list(MEMBERS) == ["naive-bayes", "svm", "network"]
    assert committee.votes(page(BOATS)) == 3
    assert committee.votes(page(CARS)) == 0


def test_committee_must_know_twice_what_the_crawler_was_shown() -> None:
    web = boats_and_cars()
    with pytest.raises(InputError, match="12 labelled pages"):
        train_committee(web, parsed(web), "boats", shown=7)


def test_too_few_pages_cannot_be_parted() -> None:
    web = boats_and_cars(2)
    with pytest.raises(InputError, match="into 3 parts"):
        agreement(web, parsed(web), "boats", folds=3)


def test_pages_that_are_easy_to_tell_apart_are_judged_like_their_labels() -> None:
    web = boats_and_cars()
    found = agreement(web, parsed(web), "boats", folds=2)
    assert found == Agreement(
        web="hand",
        topic="boats",
        pages=24,
        positives=12,
        accuracy=1.0,
        balanced=1.0,
        precision=1.0,
        recall=1.0,
        kappa=1.0,
        unanimous=1.0,
    )


def test_labels_judge_where_there_are_some_and_the_committee_the_rest() -> None:
    web = boats_and_cars(more={"x-boat": BOATS, "x-car": CARS})
    job = partial(
        Job, web="hand", topic="boats", strategy="breadth-first", seed=0, budget=0, mode="normal", draw=Draw(5, 5, 2)
    )
    pages = parsed(web)
    for judged, relevant in ((False, False), (True, True)):
        log = run(job(), msgspec.structs.replace(web, judged=judged), pages).log
        seen = {visit.url: visit for visit in log}
        assert len(seen) == 26
        assert seen[url("x-boat")].relevant is relevant
        assert not seen[url("x-boat")].target
        assert not seen[url("x-car")].relevant
        assert seen[url("b3")].relevant


@pytest.mark.slow
def test_committee_agrees_with_most_labels_of_real_pages(data: Path) -> None:
    from thresher.bench.running import prepare
    from thresher.bench.webs.catalogue import find

    found = agreement(find("wikispeedia", data), prepare("wikispeedia", data), "Geography.African_Geography")
    assert found.accuracy > 0.95
    assert found.kappa > 0.7
