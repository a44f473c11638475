"""What is said of the findings: known answers from records made by hand, and all three verdicts."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec
import pytest
from scipy import stats

from tests.bench.made import record
from thresher.bench.accuracy import Accuracy, read_accuracies, write_accuracies
from thresher.bench.comparison import Experiment, experiments
from thresher.bench.findings import ClaimResult, findings
from thresher.bench.record_files import write_record
from thresher.bench.records import Record
from thresher.bench.verdicts import MARGIN, Evidence, verdict, weigh, weigh_groups
from thresher.cli.main import call
from thresher.errors import InputError

TOPICS = [f"Topic{number}" for number in range(8)]


def log(found: int, budget: int = 100) -> str:
    """Make a crawl that finds so many targets at its beginning."""
    return "T" * found + "." * (budget - found)


def ran(strategy: str, found: dict[str, list[int]], **more: Any) -> list[Record]:
    """Make the runs of a strategy: the targets, of 100, found on each topic by each seed set."""
    return [
        record(strategy, log(number), topic=topic, seed=seed, budget=100, targets=100, oracle=log(100), **more)
        for topic, numbers in found.items()
        for seed, number in enumerate(numbers)
    ]


def of(records: list[Record], key: str, accuracies: Sequence[Accuracy] = ()) -> ClaimResult:
    [experiment] = experiments(records)
    return next(one for one in findings(experiment, accuracies) if one.key == key)


def shifted(by: list[int], start: int = 40) -> dict[str, list[int]]:
    """Give each topic two seed sets, whose mean lies so far above the start."""
    return {
        topic: [start + place + gain - 1, start + place + gain + 1]
        for place, (topic, gain) in enumerate(zip(TOPICS, by, strict=True))
    }


PAGE = ran("page", shifted([0] * 8))


def test_topics_are_the_unit_and_seed_sets_are_averaged() -> None:
    gains = [10, 12, 8, 11, 9, 10, 14, 6]
    found = of([*PAGE, *ran("tag-tree-combined", shifted(gains))], "tag-tree-combined")
    assert (found.verdict_05, found.verdict_10) == ("holds", "holds")
    [tested] = found.tested
    assert [moment.pages for moment in tested.moments] == [10, 25, 50, 100]
    last = tested.moments[-1]
    assert (last.evidence.n, round(last.first - last.second, 6)) == (8, 0.1)
    known = stats.ttest_1samp([gain / 100 for gain in gains], 0, alternative="greater")
    assert last.evidence.difference == pytest.approx(0.1)
    assert last.evidence.supports == pytest.approx(known.pvalue)
    assert last.evidence.error == pytest.approx(0.1 / known.statistic)
    # All targets so far were found by both: there is nothing to decide by.
    assert found.moments[0].at_10 == "not decided"


@pytest.mark.parametrize(
    ("gains", "strict", "lenient"),
    [
        ([-10, -12, -8, -11, -9, -10, -14, -6], "does not hold", "does not hold"),
        ([10, -10, 12, -12, 3, -3, 8, -8], "not decided", "not decided"),
        # One-tailed p .068.
        ([6, -2, 5, -3, 4, 2, -1, 3], "not decided", "holds"),
    ],
)
def test_verdicts_on_more(gains: list[int], strict: str, lenient: str) -> None:
    found = of([*PAGE, *ran("tag-tree-combined", shifted(gains))], "tag-tree-combined")
    assert (found.verdict_05, found.verdict_10) == (strict, lenient)


@pytest.mark.parametrize(
    ("gains", "wanted"),
    [
        ([0, 1, 0, -1, 0, 0, 1, -1], "holds"),
        ([-9, -8, -9, -10, -8, -9, -9, -8], "holds"),
        ([9, 8, 9, 10, 8, 9, 9, 8], "does not hold"),
        ([10, -10, 12, -12, 3, -3, 8, -8], "not decided"),
        # Surely above, and surely by less than the margin: that counts as none.
        ([1, 1, 1, 1, 1, 1, 1, 0], "holds"),
    ],
)
def test_verdicts_on_no_more(gains: list[int], wanted: str) -> None:
    records = [*ran("window-40", shifted([0] * 8)), *ran("window-40", shifted(gains), training="back-links")]
    assert of(records, "back-links").verdict_05 == wanted


@pytest.mark.parametrize(
    ("gains", "wanted"),
    [
        ([0, 1, 0, -1, 0, 0, 1, -1], "holds"),
        ([-9, -8, -9, -10, -8, -9, -9, -8], "does not hold"),
        ([9, 8, 9, 10, 8, 9, 9, 8], "does not hold"),
        # A test that finds no difference does not show that there is none.
        ([10, -10, 12, -12, 3, -3, 8, -8], "not decided"),
    ],
)
def test_verdicts_on_alike(gains: list[int], wanted: str) -> None:
    records = [*ran("page", shifted([0] * 8), classifier="svm"), *ran("page", shifted(gains), classifier="network")]
    assert of(records, "svm-network").verdict_05 == wanted


def test_all_parts_must_hold() -> None:
    wide = [*ran("window-20", shifted([5, 6, 5, 4, 5, 6, 4, 5])), *ran("window-40", shifted([7, 9, 6, 8, 7, 6, 8, 7]))]
    narrow = ran("window-10", shifted([-5, -6, -5, -4, -5, -6, -4, -5]))
    assert of([*PAGE, *wide, *narrow], "window-10").verdict_05 == "holds"
    better = ran("window-10", shifted([2, 1, 2, 3, 2, 1, 3, 2]))
    assert of([*PAGE, *wide, *better], "window-10").verdict_05 == "does not hold"


def test_a_part_that_looks_refuted_by_chance_refutes_nothing() -> None:
    chance = Evidence(8, -0.01, 0.005, 0.96, 0.04, 0.9)
    unsure = Evidence(8, 0.0, 0.005, 0.5, 0.5, 0.5)
    assert verdict([chance], 0.05) == "does not hold"
    assert verdict([chance, unsure], 0.05) == "not decided"
    assert verdict([chance, unsure], 0.10) == "does not hold"
    assert verdict([], 0.05) == "not decided"
    assert verdict([None, Evidence(8, 0.1, 0.01, 0.001, 0.999, 0.01)], 0.05) == "not decided"


@pytest.mark.parametrize("hard", [True, False])
def test_the_hardest_quarter(hard: bool) -> None:
    base = [10, 12, 50, 52, 54, 56, 58, 60]
    gains = [21, 19, 1, 0, 2, 1, 0, 1] if hard else [1, 0, 20, 22, 19, 21, 20, 18]
    page = {topic: [number] * 2 for topic, number in zip(TOPICS, base, strict=True)}
    tree = {topic: [number + gain] * 2 for topic, number, gain in zip(TOPICS, base, gains, strict=True)}
    found = of([*ran("page", page), *ran("tag-tree-combined", tree)], "hardest-quarter")
    assert found.verdict_05 == ("holds" if hard else "does not hold")
    [tested] = found.tested
    inside, outside = gains[:2], gains[2:]
    assert tested.moments[-1].first == pytest.approx(sum(inside) / 200)
    known = stats.ttest_ind(inside, outside, equal_var=False, alternative="greater")
    assert tested.moments[-1].evidence.supports == pytest.approx(known.pvalue)
    assert not found.notes


def test_who_is_hardest_is_not_told_by_the_runs_that_are_compared() -> None:
    # In seed set 0 the page was unlucky on the first two topics; in seed set 1 it was not.
    page = {topic: [10 if place < 2 else 50, 50 + place] for place, topic in enumerate(TOPICS)}
    tree = {topic: [50 + place, 50 + place + place % 2] for place, topic in enumerate(TOPICS)}
    records = [*ran("page", page), *ran("tag-tree-combined", tree)]
    [tested] = of(records, "hardest-quarter").tested
    assert abs(tested.moments[-1].evidence.difference) < 0.01
    alone = of([one for one in records if one.run.seed == 0], "hardest-quarter")
    assert "favours the claim" in alone.notes[0]
    # Another strategy's seed sets are none of theirs.
    more = of([*(one for one in records if one.run.seed == 0), *ran("random", page)], "hardest-quarter")
    assert more == alone


def test_missing_runs_have_a_command() -> None:
    found = of(PAGE, "svm-network")
    assert found.verdict_10 == "not decided"
    assert [command.rpartition("--classifier ")[2] for command in found.missing] == ["svm", "network"]
    assert "--topics Topic0,Topic1" in found.missing[0]
    assert "--seeds 2 --budget 100" in found.missing[0]
    [hard] = experiments([record("page", log(3), mode="hard", budget=100, targets=100)])
    assert all("--hard" in command for one in findings(hard) for command in one.missing if "bench run" in command)


def test_one_topic_decides_nothing() -> None:
    page = {"Topic0": [10, 11, 12, 13]}
    tree = {"Topic0": [50, 52, 51, 53]}
    found = of([*ran("page", page), *ran("tag-tree-combined", tree)], "tag-tree-combined")
    assert (found.verdict_10, found.missing) == ("not decided", [])
    assert found.notes == ["There are too few topics for a test."]


def test_no_spread_is_no_test() -> None:
    same = weigh("alike", [0.0, 0.0, 0.0])
    assert (same.supports, same.refutes) == (None, None)
    assert weigh("greater", [0.3]).supports is None
    assert weigh_groups("greater", [0.3], [0.1, 0.2]).supports is None


def test_the_margin_is_tested_on_both_sides() -> None:
    values = [0.019, 0.021, 0.018, 0.020, 0.022]
    known = stats.ttest_1samp(values, MARGIN, alternative="less")
    assert weigh("alike", values).supports == pytest.approx(known.pvalue)
    assert weigh("alike", [-value for value in values]).supports == pytest.approx(known.pvalue)


def accuracies(values: list[float]) -> tuple[Accuracy, ...]:
    return tuple(
        Accuracy(web="hand", topic=topic, classifier="svm", examples=20, draws=5, accuracy=value)
        for topic, value in zip(TOPICS, values, strict=False)
    )


@pytest.mark.parametrize(
    ("values", "wanted"),
    [([0.9, 0.91, 0.89, 0.9], "holds"), ([0.7, 0.71, 0.69, 0.7], "does not hold"), ([0.7, 0.99], "not decided")],
)
def test_accuracy_beside_the_study(values: list[float], wanted: str) -> None:
    found = of(PAGE, "five-fold-accuracy", accuracies(values))
    assert found.verdict_05 == wanted
    assert found.tested[0].moments[0].second == pytest.approx(sum(values) / len(values))


def test_accuracies_of_another_web_say_nothing() -> None:
    elsewhere = tuple(msgspec.structs.replace(one, web="elsewhere") for one in accuracies([0.9, 0.91, 0.89, 0.9]))
    found = of(PAGE, "five-fold-accuracy", elsewhere)
    assert found.verdict_05 == "not decided"
    assert found.missing


def test_accuracies_on_disk(tmp_path: Path) -> None:
    assert read_accuracies(tmp_path) == []
    path = write_accuracies(tmp_path / "new", accuracies([0.9, 0.8]))
    assert read_accuracies(tmp_path / "new") == list(accuracies([0.9, 0.8]))
    # What was measured before stays, and what is measured again replaces it.
    write_accuracies(tmp_path / "new", accuracies([0.7]))
    assert read_accuracies(tmp_path / "new") == list(accuracies([0.7, 0.8]))
    # What is drawn otherwise stands beside it, and findings leave it out.
    other = [msgspec.structs.replace(one, examples=10, accuracy=0.1) for one in accuracies([0.7, 0.8, 0.9])]
    write_accuracies(tmp_path / "new", other)
    beside = read_accuracies(tmp_path / "new")
    assert beside == [*accuracies([0.7, 0.8]), *other]
    found = of(PAGE, "five-fold-accuracy", beside)
    assert found.tested[0].moments[0].second == pytest.approx(0.75)
    assert "left out" in found.notes[0]
    path.write_text("[1]")
    with pytest.raises(InputError, match="contains no accuracies"):
        read_accuracies(tmp_path / "new")


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    gains = [10, 12, 8, 11, 9, 10, 14, 6]
    for one in PAGE:
        write_record(tmp_path / "a", one)
    for one in [*ran("tag-tree-combined", shifted(gains)), *PAGE]:
        write_record(tmp_path / "b", one)
    assert call(["bench", "findings", str(tmp_path / "a"), str(tmp_path / "b"), "--json"]) == 0
    [told] = json.loads(capsys.readouterr().out)["experiments"]
    assert {"web", "mode", "budget", "conditions", "doubts", "findings"} == set(told)
    found = {one["key"]: one for one in told["findings"]}
    assert found["tag-tree-combined"]["verdict_05"] == "holds"
    assert len(found) == 10
    assert call(["bench", "findings", str(tmp_path / "a"), str(tmp_path / "b")]) == 0
    shown = capsys.readouterr().out
    assert "beats the full page in target recall" in shown
    assert "--classifier network" in shown
    assert call(["bench", "findings", str(tmp_path / "none")]) == 7


def test_every_claim_is_looked_at() -> None:
    [experiment] = experiments(PAGE)
    assert isinstance(experiment, Experiment)
    keys = [one.key for one in findings(experiment)]
    assert len(keys) == len(set(keys)) == 10
