"""The figures of reading documents: every file counted once, memory noted, recall with and without."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from tests.cli.shapes import check_shape
from tests.documents.made_files import docx, pdf
from thresher.bench import document_measures
from thresher.bench.document_files import folder_files, made_files
from thresher.bench.document_measures.crawl import measure_crawl
from thresher.bench.document_measures.kinds import measure_kinds
from thresher.bench.document_measures.memory import measure_memory
from thresher.bench.documents import MEASURES
from thresher.cli.main import commands
from thresher.errors import InputError, PluginError


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


@pytest.mark.slow
def test_files_add_what_html_alone_does_not_find() -> None:
    figures = measure_crawl(pages=250, share=0.3)
    assert figures.recall == 1.0
    assert figures.html_recall < 1.0
    assert figures.stored > figures.html_stored


@pytest.mark.slow
def test_the_command_prints_all_figures(tmp_path: Path) -> None:
    (tmp_path / "a.pdf").write_bytes(pdf())
    arguments = ["bench", "documents", "--folder", str(tmp_path), "--documents", "10", "--pages", "200"]
    printed = CliRunner().invoke(commands(), [*arguments, "--json"])
    assert printed.exit_code == 0, printed.output
    body = json.loads(printed.output)
    check_shape(arguments, body)
    assert set(body) == {"kinds", "memory", "crawl"}
    assert "recall" in CliRunner().invoke(commands(), arguments).output


def test_a_file_more_is_a_measure_more(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "endings.py").write_text(
        "from thresher.bench.document_measures.measure import DocumentMeasure\n"
        "def measure(plan):\n"
        "    return sorted({file.mime for file in plan.files()})\n"
        "MEASURE = DocumentMeasure('endings', measure, lambda found: [f'{len(found)} types of files'])\n"
    )
    (tmp_path / "a.pdf").write_bytes(pdf())
    monkeypatch.setattr(document_measures, "__path__", [*document_measures.__path__, str(tmp_path)])
    words = ["bench", "documents", "endings", "--folder", str(tmp_path)]
    assert json.loads(CliRunner().invoke(commands(), [*words, "--json"]).output) == {"endings": ["application/pdf"]}
    assert CliRunner().invoke(commands(), words).output == "1 types of files\n"
    assert list(MEASURES.all()) == ["crawl", "kinds", "memory", "endings"]


def test_a_measure_that_is_not_there() -> None:
    refused = CliRunner().invoke(commands(), ["bench", "documents", "endigns"])
    assert isinstance(refused.exception, PluginError)
    assert "kinds" in refused.exception.remedy
