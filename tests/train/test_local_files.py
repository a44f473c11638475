"""Training pages that are files of this machine."""

import os
from pathlib import Path

import pytest

from tests.documents.made_files import MAKERS
from thresher.config.load import load
from thresher.documents.analyse import Reader
from thresher.documents.formats.kinds import by_ending
from thresher.reasons import Reason
from thresher.train.local_files import read_file
from thresher.types import Failed, ParsedPage

SETTINGS = load().settings


@pytest.mark.parametrize("name", ["boats.html", "boats.HTM", "ein Böötchen #1 100%.txt"])
def test_files_are_read_by_the_ending_of_their_names(tmp_path: Path, name: str) -> None:
    file = tmp_path / name
    file.write_text("<title>Boats</title><p>Sailing boats", "utf-8")
    page = read_file(file.as_uri(), Reader("en"), SETTINGS)
    assert isinstance(page, ParsedPage)
    assert page.terms["boat"] >= 2
    assert ("title" in page.words) is name.endswith(".txt"), "tags are words of a text and none of a page"


@pytest.mark.parametrize(
    ("name", "body", "reason"),
    [
        ("boats.pdf", b"%PDF", Reason.UNREADABLE),
        ("boats.zip", b"PK\x05\x06" + bytes(18), Reason.NO_TEXT),
        ("boats.doc", b"boats", Reason.TYPE_REFUSED),
        ("boats", b"boats", Reason.TYPE_REFUSED),
        ("absent.html", None, Reason.NOT_FOUND),
        ("large.txt", b"boat " * 100, Reason.BODY_TOO_LARGE),
    ],
)
def test_what_cannot_be_read_has_a_reason(tmp_path: Path, name: str, body: bytes | None, reason: Reason) -> None:
    if body is not None:
        (tmp_path / name).write_bytes(body)
    settings = load(overrides=["network.max_body=100"]).settings
    found = read_file((tmp_path / name).as_uri(), Reader("en"), settings)
    assert isinstance(found, Failed)
    assert found.reason is reason


def test_the_documentation_names_all_endings_but_those_of_archives() -> None:
    text = (Path(__file__).parents[2] / "docs" / "TOPICS.md").read_text("utf-8")
    named = {ending for ending in by_ending() if f"`{ending}`" in text}
    assert by_ending().keys() - named == {".zip", ".gz", ".tgz", ".tar"}


@pytest.mark.parametrize("mime", sorted(MAKERS))
def test_documents_of_every_kind_are_training_pages(tmp_path: Path, mime: str) -> None:
    ending = next(ending for ending, kind in by_ending().items() if kind == mime)
    (tmp_path / f"boats{ending}").write_bytes(MAKERS[mime]())
    page = read_file((tmp_path / f"boats{ending}").as_uri(), Reader(), SETTINGS)
    assert isinstance(page, ParsedPage)
    assert (page.title, page.language) == ("About boats", "en")
    assert page.terms["boat"] >= 2


def test_pipes_and_folders_are_no_files(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.txt")
    (tmp_path / "folder.html").mkdir()
    for name in ("pipe.txt", "folder.html"):
        found = read_file((tmp_path / name).as_uri(), Reader("en"), SETTINGS)
        assert isinstance(found, Failed)
        assert found.reason is Reason.NOT_FOUND
    assert isinstance(read_file("file:///a%00b.html", Reader("en"), SETTINGS), Failed)
