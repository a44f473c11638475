"""Every command prints the object that its type promises."""

import json
from pathlib import Path

import msgspec
import pytest
import typer.main

from scripts.document_commands import walk
from scripts.document_shapes import shape, shape_section
from tests.cli.shapes import check_shape
from tests.cli.test_pages import portal  # noqa: F401
from thresher.cli.json_shapes import SAME_AS, SHAPES, VARIANTS
from thresher.cli.main import MODULES, call, commands


@pytest.mark.parametrize(
    "words",
    [
        ["topics"],
        ["pages"],
        ["status"],
        ["search", "words"],
        ["search", "wrods"],
        ["search", "--facets"],
        ["similar", "http://a.test/1"],
        ["neighbours", "http://a.test/1"],
        ["profiles"],
        ["index"],
        ["rank"],
        ["explain", "http://a.test/1"],
        ["explain", "http://nobody.test/"],
    ],
    ids=" ".join,
)
def test_an_object_has_the_documented_shape(
    portal: Path,  # noqa: F811
    words: list[str],
    capsys: pytest.CaptureFixture[str],
) -> None:
    arguments = [words[0], str(portal), *words[1:], "--json"]
    assert call(arguments) == 0
    check_shape(arguments, json.loads(capsys.readouterr().out))


def test_exports_and_lists_without_a_portal_too(
    portal: Path,  # noqa: F811
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    for words in (["pages"], ["search", "words"]):
        arguments = [words[0], str(portal), *words[1:], "--export", str(tmp_path / f"{words[0]}.csv"), "--json"]
        assert call(arguments) == 0
        check_shape(arguments, json.loads(capsys.readouterr().out))
    for arguments in (["config", "show", "--json"], ["doctor", "--json"], ["bench", "strategies", "--json"]):
        call(arguments)
        check_shape(arguments, json.loads(capsys.readouterr().out))


def test_a_wrong_object_is_noticed() -> None:
    right = {"portal": "p", "seeds": 1, "topics": 0, "problems": [], "notices": []}
    check_shape(["new"], right)
    with pytest.raises(AssertionError):
        check_shape(["new"], {**right, "more": 1})
    with pytest.raises(msgspec.ValidationError):
        check_shape(["new"], {**right, "seeds": "one"})


def test_every_command_with_json_has_a_documented_shape() -> None:
    found = walk(typer.main.get_command(commands()), "")
    printing = {path.strip() for path, command in found if any("--json" in option.opts for option in command.params)}
    assert set(SHAPES) == printing
    assert all(shape_section(name) for name in printing)


def test_the_shapes_are_consistent() -> None:
    named = {name.split()[0] for name in SHAPES}
    assert named <= set(MODULES)
    assert set(SAME_AS) | set(SAME_AS.values()) <= set(SHAPES)
    for name, kinds in SHAPES.items():
        assert len(kinds) == len(VARIANTS.get(name, ("",))), f"{name}: each type needs the words that choose it"
    for name, same in SAME_AS.items():
        assert SHAPES[name][0] is SHAPES[same][0]
    assert "`advice` is what would help" in shape_section("topics")
    assert shape(SHAPES["run"][0]).startswith("{…crawl, stage: string, phases: [{…crawl}]")
