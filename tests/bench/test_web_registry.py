"""A web is one file: put beside the others, or named by an entry point of another package, it is found everywhere."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.bench.handmade import hand_web
from tests.bench.made import record
from thresher.bench import webs
from thresher.bench.conditions import conditions
from thresher.bench.families import is_family, stands_for, together
from thresher.bench.protocol import Draw
from thresher.bench.quick import quick_jobs
from thresher.bench.webs.catalogue import expanded, find, kind_of, web_names
from thresher.errors import InputError, PluginError

ARCHIPELAGO = """
from tests.bench.handmade import hand_web
from thresher.bench.webs.web import Usual, WebKind

def islands(member: str, boats: int = 2):
    names = "abcdefgh"[:boats]
    return hand_web({"r": names, **dict.fromkeys(names, "")}, {"r": "-", **dict.fromkeys(names, "boats")})

WEB = WebKind(
    name="islands",
    opens=islands,
    members=("north", "south"),
    usual=Usual(examples=1, negatives=1, start=1, budget=7),
    own_starts=True,
)
"""


@pytest.fixture
def islands(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file more in the folder of the webs."""
    (tmp_path / "archipelago.py").write_text(ARCHIPELAGO)
    monkeypatch.setattr(webs, "__path__", [*webs.__path__, str(tmp_path)])


@pytest.mark.usefixtures("islands")
def test_a_file_more_is_a_web_more() -> None:
    assert {"islands-north", "islands-south"} <= set(web_names())
    assert expanded("islands") == ["islands-north", "islands-south"]
    web = find("islands-south(boats=5)")
    assert (web.name, len(web.served)) == ("islands-south(boats=5)", 6)
    with pytest.raises(PluginError) as wrong:
        find("islands-south(boat=5)")
    assert wrong.value.remedy == "Did you mean 'boats'?"


@pytest.mark.usefixtures("islands")
def test_its_family_and_what_is_usual_are_known() -> None:
    assert is_family("islands")
    assert stands_for("islands", "islands-north")
    records = [record("page", "rT.", web=f"islands-{name}") for name in ("north", "south")]
    assert {(one.run.web, one.run.topic) for one in together(records)} == {
        ("islands", f"{name}/Music") for name in ("north", "south")
    }
    assert together(records[:1]) == []
    kind = kind_of("islands-north(boats=3)")
    assert kind is not None
    assert kind.usual.budget == 7
    assert conditions("islands-north", "normal", Draw(1, 3, 9)) == ""
    assert conditions("islands-north", "hard", Draw(1, 3, 9)) == "--start 9"
    assert "islands" not in {job.web for job in quick_jobs(None)}


def test_without_the_file_it_is_gone() -> None:
    assert kind_of("islands-north") is None
    with pytest.raises(InputError):
        find("islands-north")


def test_two_webs_of_one_name_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "twin.py").write_text(ARCHIPELAGO.replace('"islands"', '"generated"'))
    monkeypatch.setattr(webs, "__path__", [*webs.__path__, str(tmp_path)])
    with pytest.raises(PluginError, match="two webs named 'generated'"):
        web_names()


@pytest.mark.slow
def test_another_package_adds_a_web_by_an_entry_point(tmp_path: Path) -> None:
    (tmp_path / "lighthouses.py").write_text(
        "from thresher.bench.webs.generated import generated\n"
        "from thresher.bench.webs.web import WebKind\n"
        "def lighthouses(pages: int = 400):\n"
        "    return generated(pages=pages, hosts=12, profile='clean', seed=5)\n"
        "WEB = WebKind(name='lighthouses', opens=lighthouses)\n"
    )
    declared = tmp_path / "lighthouses-1.0.dist-info"
    declared.mkdir()
    (declared / "METADATA").write_text("Metadata-Version: 2.1\nName: lighthouses\nVersion: 1.0\n")
    (declared / "entry_points.txt").write_text("[thresher.webs]\nlighthouses = lighthouses:WEB\n")
    environment = {**os.environ, "PYTHONPATH": str(tmp_path)}
    words = [sys.executable, "-m", "thresher", "bench", "webs", "lighthouses(pages=300)", "--json"]
    done = subprocess.run(words, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert [row["web"] for row in found["webs"]] == ["lighthouses(pages=300)"]
    assert found["topics"]


def test_handmade_webs_need_no_registry() -> None:
    assert hand_web({"r": ""}, {"r": "-"}).judged is False
