"""Documents that are made from the code say what the code says today."""

from pathlib import Path

import pytest

from scripts.document_commands import commands_document
from scripts.document_settings import settings_document
from scripts.make_docs import DOCUMENTS


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.name)
def test_a_generated_document_is_fresh(path: Path) -> None:
    made = DOCUMENTS[path]()
    assert path.read_text("utf-8") == made, "run: make docs"


def test_prose_stays_and_tables_are_made_anew() -> None:
    path = next(path for path in DOCUMENTS if path.name == "SETTINGS.md")
    fresh = path.read_text("utf-8")
    stale = fresh.replace("| `crawl.pages` | `1000` |", "| `crawl.pages` | `7` |") + "My own words.\n"
    assert settings_document(stale) == fresh + "My own words.\n"
    path = next(path for path in DOCUMENTS if path.name == "COMMANDS.md")
    fresh = path.read_text("utf-8")
    stale = fresh.replace("| `--export FILE` |", "| `--wrong` |").replace("PORTAL [TOPIC]`", "PORTAL [TOPIC] [--old]`")
    assert stale != fresh
    assert commands_document(stale) == fresh


def test_a_command_without_a_section_gets_one() -> None:
    path = next(path for path in DOCUMENTS if path.name == "COMMANDS.md")
    fresh = path.read_text("utf-8")
    section = fresh[fresh.index("### `thresher web serve") : fresh.index("## Measuring")]
    made = commands_document(fresh.replace(section, ""))
    assert made.index("### `thresher web generate") < made.index("### `thresher web serve") < made.index("## Measuring")
    assert "| `--port N` |" in made
    assert commands_document(made) == made
    assert commands_document("# Commands\n\n").count("\n### `thresher ") > 50


def test_what_is_wrong_is_named() -> None:
    with pytest.raises(ValueError, match="what is no command: thresher fly"):
        commands_document("### `thresher fly`\n")
    with pytest.raises(ValueError, match="no heading for: archetypes"):
        settings_document("# Settings\n")
