"""The figures of reading documents: every file counted once, memory noted, recall with and without."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from tests.documents.made_files import docx, pdf
from thresher.bench.document_files import folder_files, made_files
from thresher.bench.documents import measure_crawl, measure_kinds, measure_memory
from thresher.cli.main import commands
from thresher.errors import InputError


def test_files_of_a_folder_are_counted_by_type_and_outcome(tmp_path: Path) -> None:
    (tmp_path / "deep").mkdir()
    for name, body in {
        "a.pdf": pdf(),
        "deep/b.PDF": b"%PDF broken",
        "c.docx": docx(),
        "d.txt": b"x",
        "e.pdf": b"",
    }.items():
        (tmp_path / name).write_bytes(body)
    rows = {row.mime.rpartition(".")[2]: row for row in measure_kinds(folder_files(tmp_path))}
    found = rows["application/pdf"]
    assert (found.files, found.texts, found.reasons) == (2, 1, {"unreadable": 1})
    assert (rows["document"].files, rows["document"].texts) == (1, 1)
    assert found.mean_ms > 0
    with pytest.raises(InputError):
        list(folder_files(tmp_path / "nowhere"))


def test_memory_is_noted_on_the_way() -> None:
    figures = measure_memory(made_files(10), 40)
    assert figures.documents == [4, 10, 20, 40]
    assert len(figures.memory_mb) == 4
    assert figures.processes == 1


def test_files_add_what_html_alone_does_not_find() -> None:
    figures = measure_crawl(pages=250, share=0.3)
    assert figures.recall == 1.0
    assert figures.html_recall < 1.0
    assert figures.stored > figures.html_stored


def test_the_command_prints_all_figures(tmp_path: Path) -> None:
    (tmp_path / "a.pdf").write_bytes(pdf())
    arguments = ["bench", "documents", "--folder", str(tmp_path), "--documents", "10", "--pages", "200"]
    printed = CliRunner().invoke(commands(), [*arguments, "--json"])
    assert printed.exit_code == 0, printed.output
    assert set(json.loads(printed.output)) == {"kinds", "memory", "crawl"}
    assert "recall" in CliRunner().invoke(commands(), arguments).output
