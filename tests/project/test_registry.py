"""Registries: what is declared is found, what is broken is said."""

from pathlib import Path

import pytest
from msgspec import Struct

from thresher.errors import PluginError
from thresher.registry import Registry


class Boat(Struct, frozen=True):
    name: str
    masts: int = 1


def harbour(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, entry_points: str = "", **files: str) -> Registry[Boat]:
    """Make a package with some files, and a distribution with entry points."""
    package = f"harbour_{tmp_path.name.replace('-', '_')}"
    (tmp_path / package).mkdir()
    head = f"from {__name__} import Boat\n"
    for name, text in {"__init__": "", **files}.items():
        (tmp_path / package / f"{name}.py").write_text(head + text)
    declared = tmp_path / f"{package}-1.0.dist-info"
    declared.mkdir()
    (declared / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: 1.0\n")
    (declared / "entry_points.txt").write_text(f"[{package}]\n{entry_points}")
    (tmp_path / f"{package}_others.py").write_text(head + 'KETCH = Boat("ketch", 2)\nNONE = 3\n')
    monkeypatch.syspath_prepend(tmp_path)
    return Registry(Boat, package=package, group=package, noun="boat")


def test_files_and_entry_points_declare(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    others = f"harbour_{tmp_path.name.replace('-', '_')}_others"
    boats = harbour(
        tmp_path,
        monkeypatch,
        f"ketch = {others}:KETCH\n",
        yawl='YAWL = Boat("yawl", 2)',
        dinghies='A, B = Boat("optimist"), Boat("laser")',
        ropes="LENGTH = 3",
    )
    assert list(boats.all()) == ["optimist", "laser", "yawl", "ketch"]
    assert boats.named("ketch").masts == 2
    assert boats.all() is boats.all()
    with pytest.raises(PluginError) as wrong:
        boats.named("yaw")
    assert (wrong.value.sentence, wrong.value.remedy) == ("There is no boat 'yaw'.", "Did you mean 'yawl'?")
    with pytest.raises(PluginError) as wrong:
        boats.named("zzz")
    assert wrong.value.remedy == "There are: optimist, laser, yawl, ketch."


@pytest.mark.parametrize(
    ("target", "sentence"),
    [("no_such_module:BOAT", "cannot be imported"), ("{}:NOTHING", "cannot be imported"), ("{}:NONE", "is not a boat")],
)
def test_broken_entry_points_are_named(
    target: str, sentence: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    others = f"harbour_{tmp_path.name.replace('-', '_')}_others"
    boats = harbour(tmp_path, monkeypatch, f"x = {target.format(others)}\n")
    with pytest.raises(PluginError, match=sentence):
        boats.all()


def test_two_of_one_name_are_refused_and_one_that_is_imported_is_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    boats = harbour(tmp_path, monkeypatch, a='BOAT = Boat("yawl")', b='BOAT = Boat("yawl")')
    with pytest.raises(PluginError, match="two boats named 'yawl'"):
        boats.all()


def test_a_value_that_other_files_import_counts_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package = f"harbour_{tmp_path.name.replace('-', '_')}"
    boats = harbour(tmp_path, monkeypatch, a='BOAT = Boat("yawl")', b=f"from {package}.a import BOAT")
    assert list(boats.all()) == ["yawl"]
