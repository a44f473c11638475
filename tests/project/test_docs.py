"""The documents say everything there is, and what they show is what happens."""

import doctest
import re
from pathlib import Path
from typing import Any

import pytest
import typer.main

from thresher import errors
from thresher.cli.main import EPILOG, MODULES, commands
from thresher.config.describe import descriptions
from thresher.config.load import defaults, flat
from thresher.plugins import STRATEGIES
from thresher.reasons import MEANING, UNKEPT, UNMET, Reason, Unkept, Unmet

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"


def walk(command: Any, path: str) -> list[tuple[str, Any]]:
    if hasattr(command, "commands"):
        return [found for name, inner in command.commands.items() for found in walk(inner, f"{path} {name}")]
    return [(path, command)]


COMMANDS = walk(typer.main.get_command(commands()), "thresher")


def test_every_command_is_found_without_importing_the_others() -> None:
    assert {path.split()[1] for path, _ in COMMANDS} == set(MODULES)


def test_every_setting_is_documented_with_its_default_and_meaning() -> None:
    document = (DOCS / "SETTINGS.md").read_text()
    meanings = descriptions()
    for key, value in flat(defaults()).items():
        shown = str(value).lower() if isinstance(value, bool) else repr(value).replace("'", '"')
        assert meanings[key], f"{key} has no description"
        assert f"| `{key}` | `{shown}` | {meanings[key]} |" in document, key


def test_no_document_names_a_setting_that_is_not_there() -> None:
    named = set(re.findall(r"^\| `([a-z]+\.[a-z_]+)` \|", (DOCS / "SETTINGS.md").read_text(), re.MULTILINE))
    assert named == set(flat(defaults()))


@pytest.mark.parametrize(("path", "command"), COMMANDS, ids=[path for path, _ in COMMANDS])
def test_every_command_is_documented_and_has_help_an_example_and_json(path: str, command: Any) -> None:
    assert f"### `{path}" in (DOCS / "COMMANDS.md").read_text()
    assert command.help
    assert command.epilog
    assert command.epilog.startswith(f"Example: {path}")
    options = {name for parameter in command.params for name in parameter.opts}
    assert "--json" in options
    assert "--quick" in options or not path.startswith("thresher bench ")
    assert all(parameter.help for parameter in command.params if parameter.param_type_name == "option")


def test_every_reason_is_documented_with_its_meaning() -> None:
    document = (DOCS / "REASONS.md").read_text()
    assert set(MEANING) == set(Reason)
    for reason in Reason:
        assert f"| `{reason.value}` | {MEANING[reason]} |" in document, reason
    assert set(UNMET) == set(Unmet)
    for rule in Unmet:
        assert f"| `{rule.value}` | {UNMET[rule]} |" in document, rule
    assert set(UNKEPT) == set(Unkept)
    for why in Unkept:
        assert f"| `{why.value}` | {UNKEPT[why]} |" in document, why
    assert len(re.findall(r"^\| `", document, re.MULTILINE)) == len(Reason) + len(Unmet) + len(Unkept)


def test_every_strategy_is_documented() -> None:
    document = (DOCS / "STRATEGIES.md").read_text()
    for name in STRATEGIES:
        assert re.search(rf"^##+ `{name}`$", document, re.MULTILINE), name


def test_exit_codes_are_documented() -> None:
    document = (DOCS / "COMMANDS.md").read_text()
    kinds = [
        kind for kind in vars(errors).values() if isinstance(kind, type) and issubclass(kind, errors.ThresherError)
    ]
    assert len({kind.exit_code for kind in kinds}) == len(kinds)
    for kind in kinds:
        assert f"| {kind.exit_code} | `{kind.reason}` |" in document, kind
        assert str(kind.exit_code) in EPILOG


def test_readme_example_runs() -> None:
    results = doctest.testfile(str(ROOT / "README.md"), module_relative=False, optionflags=doctest.ELLIPSIS)
    assert results.attempted >= 5
    assert results.failed == 0


def test_contributing_example_runs() -> None:
    results = doctest.testfile(str(DOCS / "CONTRIBUTING.md"), module_relative=False, optionflags=doctest.ELLIPSIS)
    assert results.attempted >= 8
    assert results.failed == 0


def test_architecture_names_every_folder_and_only_files_that_exist() -> None:
    document = (DOCS / "ARCHITECTURE.md").read_text()
    assert len(document.encode()) < 12_000
    named = re.findall(r"`((?:[a-z_]+/)*[a-z_]+\.py)`", document)
    assert len(named) > 25
    for name in named:
        assert (ROOT / "src" / "thresher" / name).exists() or (ROOT / name).exists(), name
    for folder in (ROOT / "src" / "thresher").iterdir():
        if folder.is_dir() and (folder / "__init__.py").exists():
            assert f"`{folder.name}/`" in document, folder.name


@pytest.mark.parametrize("name", ["MANNERS.md", "SECURITY.md"])
def test_promises_name_code_and_tests_that_exist(name: str) -> None:
    named = re.findall(r"`((?:[a-z_]+/)+(?:[a-z_0-9]+\.py)?)`", (DOCS / name).read_text())
    assert len(named) > 15
    for path in named:
        assert (ROOT / path).exists() or (ROOT / "src" / "thresher" / path).exists(), path


def anchors(document: Path) -> set[str]:
    """Return the anchors of a document's headings, as GitHub makes them."""
    text = re.sub(r"^```.*?^```$", "", document.read_text(), flags=re.MULTILINE | re.DOTALL)
    headings = re.findall(r"^#+ (.+)$", text, re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).strip().replace(" ", "-") for heading in headings}


def test_links_between_documents_lead_somewhere() -> None:
    for document in [ROOT / "README.md", *DOCS.glob("*.md")]:
        for target, anchor in re.findall(r"\]\(([^)#:]*)(?:#([^)]*))?\)", document.read_text()):
            led = document.parent / target if target else document
            assert led.exists(), f"{document.name} → {target}"
            assert not anchor or anchor in anchors(led), f"{document.name} → {target}#{anchor}"


def test_the_architecture_can_be_read_in_one_sitting() -> None:
    assert 8_000 <= (DOCS / "ARCHITECTURE.md").stat().st_size <= 10_000
