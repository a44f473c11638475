"""The gate stops a fall and nothing else, and floors go down only with a reason."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.bench.made import record
from thresher.bench.comparison import experiments
from thresher.bench.floors import Floor, measured, read_floors, write_floors
from thresher.bench.gate import LEAST, FloorState, accept, judge, noise
from thresher.bench.record_files import write_record
from thresher.bench.records import Record
from thresher.cli.main import call
from thresher.errors import InputError, UsageError

TOPICS = ("Chess", "Dance", "Music")


def runs(shift: float | Callable[[str, int], float] = 0.0, strategy: str = "page", **more: Any) -> list[Record]:
    """Make runs whose oracle shares are .5 to .7, moved by `shift`."""
    found = []
    for place, topic in enumerate(TOPICS):
        for seed in (0, 1):
            made = record(strategy, "T.", topic=topic, seed=seed, **more)
            moved = shift if isinstance(shift, float) else shift(topic, seed)
            run = msgspec.structs.replace(made.run, oracle_share=0.5 + 0.1 * place + moved)
            found.append(msgspec.structs.replace(made, run=run))
    return found


def floors(records: list[Record]) -> list[Floor]:
    return accept([], experiments(records))


def states(old: list[Record], new: list[Record]) -> list[FloorState]:
    return [verdict.state for verdict in judge(floors(old), experiments(new))]


def test_the_same_runs_hold() -> None:
    assert states(runs(), runs()) == [FloorState.HELD]


def test_a_fall_that_all_runs_share_is_no_noise() -> None:
    (verdict,) = judge(floors(runs()), experiments(runs(-0.02)))
    assert verdict.state is FloorState.FALLEN
    assert verdict.difference == pytest.approx(-0.02)
    assert verdict.noise == LEAST
    assert verdict.sentence == (
        "page on hand (normal, 10 pages) fell by 0.020 below its floor of 0.600; the noise is 0.005."
    )


def test_a_small_fall_is_let_pass() -> None:
    assert states(runs(), runs(-0.004)) == [FloorState.HELD]


def test_a_fall_within_the_spread_of_the_differences_is_noise() -> None:
    swing = runs(lambda topic, seed: -0.01 + (0.1 if seed else -0.1))
    (verdict,) = judge(floors(runs()), experiments(swing))
    assert verdict.state is FloorState.HELD
    assert verdict.noise is not None
    assert verdict.noise > 0.05


def test_leaving_out_runs_does_not_help() -> None:
    both = [*runs(), *runs(strategy="good")]
    assert states(both, runs()) == [FloorState.UNMEASURED, FloorState.HELD]
    assert states(runs(), runs()[:-1]) == [FloorState.UNMEASURED]
    assert states(runs(), [one for one in runs() if one.run.topic != "Chess"]) == [FloorState.UNMEASURED]


def test_floors_of_other_webs_modes_and_budgets_are_not_concerned() -> None:
    for other in (runs(web="other"), runs(mode="hard"), runs(budget=99)):
        assert states(runs(), other) == [FloorState.NEW]


@pytest.mark.parametrize("change", ["data", "settings_digest"])
def test_changed_data_and_settings_are_mentioned_and_excuse_nothing(change: str) -> None:
    for shift, state in ((0.0, FloorState.HELD), (-0.1, FloorState.FALLEN)):
        other = [msgspec.structs.replace(one, **{change: "0000"}) for one in runs(shift)]
        (verdict,) = judge(floors(runs()), experiments(other))
        assert verdict.state is state
        assert verdict.changed == (change.removesuffix("_digest"),)
        assert verdict.sentence.endswith(f"Changed since: {change.removesuffix('_digest')}.")


def test_runs_that_were_drawn_otherwise_have_floors_of_their_own(tmp_path: Path) -> None:
    wrong = runs(-0.3, wrong=2)
    assert states(runs(), wrong) == [FloorState.NEW]
    assert states(runs(), [*runs(), *wrong]) == [FloorState.HELD, FloorState.NEW]
    (verdict,) = judge(floors(runs()), experiments(wrong))
    assert verdict.sentence == "page on hand (normal, 10 pages, --wrong 2) has no floor yet."
    both = floors([*runs(), *wrong])
    assert [floor.conditions for floor in both] == ["", "--wrong 2"]
    write_floors(tmp_path / "floors.toml", both)
    assert read_floors(tmp_path / "floors.toml") == both
    assert "conditions" not in (tmp_path / "floors.toml").read_text("utf-8").split("[[floor]]")[1]
    with pytest.raises(InputError, match="same run is there twice"):
        experiments([*runs(), *runs(0.1)])


def test_the_oracle_has_no_floor() -> None:
    assert {floor.strategy for floor in floors([*runs(), *runs(strategy="oracle")])} == {"page"}


def test_accepting_raises_and_adds() -> None:
    new = accept(floors(runs()), experiments([*runs(0.1), *runs(strategy="good")]))
    assert {floor.strategy: floor.oracle_share for floor in new} == {"page": 0.7, "good": 0.6}


def test_accepting_never_lowers_without_a_reason() -> None:
    old = floors(runs())
    for worse in (runs(-0.3), runs(-0.001), runs(0.2)[:-1]):
        assert accept(old, experiments(worse)) == old
    (floor,) = accept(old, experiments(runs(-0.3)), "the labels were wrong")
    assert floor.oracle_share == 0.3
    assert [(one.before, one.after, one.reason) for one in floor.lowered] == [(0.6, 0.3, "the labels were wrong")]
    (again,) = accept([floor], experiments(runs()))
    assert again.oracle_share == 0.6
    assert again.lowered == floor.lowered


def test_more_topics_raise_a_floor_when_the_old_ones_hold() -> None:
    hard = msgspec.structs.replace(record("page", "T.", topic="Verse").run, oracle_share=0.1)
    more = [*runs(), msgspec.structs.replace(record("page", "T.", topic="Verse"), run=hard)]
    (floor,) = accept(floors(runs()), experiments(more))
    assert set(floor.shares) == {*TOPICS, "Verse"}


@given(share=st.dictionaries(st.text(max_size=8), st.floats(0, 1), min_size=1, max_size=4), name=st.text(max_size=12))
def test_floors_come_back_from_their_file(
    tmp_path_factory: pytest.TempPathFactory, share: dict[str, float], name: str
) -> None:
    made = [record(name, "T.", topic=topic, web=name) for topic in share]
    moved = [
        msgspec.structs.replace(one, run=msgspec.structs.replace(one.run, oracle_share=share[one.run.topic]))
        for one in made
    ]
    (experiment,) = experiments(moved)
    floor = measured(experiment, name)
    assert floor is not None
    path = tmp_path_factory.mktemp("floors") / "floors.toml"
    lowered = accept([floor], [experiment], "why")
    write_floors(path, lowered)
    assert read_floors(path) == lowered


def test_no_file_is_no_floor_and_a_broken_one_is_named(tmp_path: Path) -> None:
    path = tmp_path / "floors.toml"
    assert read_floors(path) == []
    for text in ("[[floor]]\nweb = 1", "nonsense", "[[floor]]\nweb = 'a'"):
        path.write_text(text)
        with pytest.raises(InputError, match=r"floors\.toml"):
            read_floors(path)
    write_floors(path, [*floors(runs()), *floors(runs())])
    with pytest.raises(InputError, match="two floors"):
        read_floors(path)


@given(values=st.lists(st.floats(-1, 1), max_size=20))
def test_noise_is_at_least_the_least_and_does_not_depend_on_the_level(values: list[float]) -> None:
    assert noise(values) >= LEAST
    assert noise([value + 1 for value in values]) == pytest.approx(noise(values), abs=1e-9)


def test_shipped_floors_can_be_read() -> None:
    from thresher.bench.floors import FLOORS

    assert FLOORS.exists()
    read_floors(FLOORS)


def test_command_passes_fails_accepts_and_lowers(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file, good, bad = tmp_path / "floors.toml", tmp_path / "good", tmp_path / "bad"
    for directory, records in ((good, runs()), (bad, runs(-0.2))):
        for one in records:
            write_record(directory, one)
    options = ["--floors", str(file)]
    assert call(["bench", "gate", str(good), *options]) == 1
    assert "No floor" in capsys.readouterr().out
    assert call(["bench", "gate", str(good), *options, "--accept"]) == 0
    assert call(["bench", "gate", str(good), *options]) == 0
    before = file.read_bytes()
    assert call(["bench", "gate", str(bad), *options]) == 1
    assert call(["bench", "gate", str(bad), *options, "--accept"]) == 1
    assert file.read_bytes() == before
    assert call(["bench", "gate", str(bad), *options, "--lower", "because"]) == UsageError.exit_code
    assert call(["bench", "gate", str(bad), *options, "--accept", "--lower", " "]) == UsageError.exit_code
    assert file.read_bytes() == before
    capsys.readouterr()
    assert call(["bench", "gate", str(bad), *options, "--accept", "--lower", "because", "--json"]) == 0
    shown = msgspec.json.decode(capsys.readouterr().out)
    assert (shown["passed"], shown["changed"], shown["floors"][0]["state"]) == (True, 1, "fallen")
    assert "because" in file.read_text()
