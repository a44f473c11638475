"""Files from the user's side: training on a folder of PDFs, crawling, explaining, exporting and replaying files."""

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pytest

from tests.documents.made_files import docx, epub, packed, pdf
from tests.text.sentences import SENTENCES
from thresher.cli.main import call
from thresher.store.repository import open_store
from thresher.web.urls import url_id

SCRIPTS = [language for language in ("ar", "he", "fa", "ja", "zh", "ko", "th", "ru", "de") if language in SENTENCES]
HOME = "http://files.test/"


def said(language: str) -> str:
    return " ".join(SENTENCES[language])


FILES: dict[str, tuple[str, bytes]] = {
    **{
        f"/{code}.html": ("text/html; charset=utf-8", f"<title>{code}</title><p>{said(code)}".encode())
        for code in SCRIPTS
    },
    **{f"/{code}.epub": ("application/epub+zip", epub(f"{said(code)} epub")) for code in SCRIPTS},
    "/all.zip": ("application/zip", packed({f"{code}.docx": docx(f"{said(code)} docx") for code in SCRIPTS})),
    "/boats.pdf": ("application/pdf", pdf()),
    "/locked.bin": ("application/x-7z-compressed", b"7z\xbc\xaf\x27\x1c"),
}
FILES["/"] = ("text/html", "".join(f"<a href='{path}'>{path}</a> " for path in FILES).encode())


class Web(BaseHTTPRequestHandler):
    """Serves the files above."""

    def do_GET(self) -> None:
        mime, body = FILES.get(unquote(self.path), ("", b""))
        self.send_response(200 if mime else 404)
        self.send_header("Content-Type", mime or "text/plain")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: Any) -> None:
        pass


@pytest.fixture(scope="module")
def port() -> Iterator[int]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), Web)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield server.server_port
    server.shutdown()
    server.server_close()


def told(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, Any]:
    capsys.readouterr()
    assert call([*arguments, "--json"]) == 0
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    return found


def portal(folder: Path, port: int, *settings: str) -> Path:
    (folder / "seeds.txt").write_text(HOME)
    made = folder / "portal"
    assert call(["new", str(made), "--seeds", str(folder / "seeds.txt")]) == 0
    mapped = f'\n[network.map]\n"*.test" = "127.0.0.1:{port}"\n[manners]\ndelay = 0.0\n[traps]\nmissing_after = 1000\n'
    file = made / "thresher.toml"
    file.write_text(file.read_text() + mapped + "\n".join(settings))
    return made


def texts(made: Path) -> dict[str, str]:
    store = open_store(made, read_only=True)
    try:
        found = {url: store.documents.document(url_id(url)) for url in store.documents.urls()}
        return {url: row.text for url, row in found.items() if row is not None}
    finally:
        store.close()


@pytest.mark.slow
def test_every_script_survives_from_the_server_to_the_export(
    tmp_path: Path, port: int, capsys: pytest.CaptureFixture[str]
) -> None:
    made = portal(tmp_path, port)
    assert told(capsys, "crawl", str(made))["errors"] == {"type-refused": 1, "not-found": 1}
    stored = texts(made)
    for code in SCRIPTS:
        assert stored[f"{HOME}{code}.html"] == said(code)
        assert f"{said(code)} epub" in stored[f"{HOME}{code}.epub"].split("\n")
        assert f"{said(code)} docx" in stored[f"{HOME}all.zip!/{code}.docx"].split("\n")
        explained = told(capsys, "explain", str(made), f"{HOME}all.zip!/{code}.docx")
        assert explained["document"]["preview"].startswith(SENTENCES[code][0][:20])
        assert (
            explained["document"]["language"]
            == told(capsys, "explain", str(made), f"{HOME}{code}.html")["document"]["language"]
        )
    export = tmp_path / "pages.warc.gz"
    told(capsys, "export", str(made), "--warc", str(export))
    (tmp_path / "again").mkdir()
    again = portal(tmp_path / "again", 1)
    told(capsys, "crawl", str(again), "--replay", str(export))
    assert texts(again) == stored, "what was exported says the same, word for word"


def test_explain_tells_why_a_file_was_refused(tmp_path: Path, port: int, capsys: pytest.CaptureFixture[str]) -> None:
    made = portal(tmp_path, port, '[network.types]\n"text/html" = 1000000\n"application/zip" = 300\n')
    told(capsys, "crawl", str(made))
    pdf_told = told(capsys, "explain", str(made), f"{HOME}boats.pdf")
    assert (pdf_told["reason"], pdf_told["visits"][0]["detail"]) == ("type-refused", "application/pdf")
    large = told(capsys, "explain", str(made), f"{HOME}all.zip")
    assert large["reason"] == "body-too-large"
    assert "at most 300" in large["visits"][0]["detail"]
    assert call(["explain", str(made), f"{HOME}boats.pdf"]) == 0
    assert "not listed in network.types" in " ".join(capsys.readouterr().out.split())


@pytest.mark.slow
def test_the_gate_reports_what_it_turned_away(tmp_path: Path, port: int, capsys: pytest.CaptureFixture[str]) -> None:
    made = portal(tmp_path, port, '[reading]\nlanguages = ["en", "de"]\nd_stop = -1000\n')
    told(capsys, "crawl", str(made))
    rejected = told(capsys, "status", str(made))["wrong_languages"]
    assert "de" not in rejected
    assert rejected["ru"] == 3, "a page, a book and a member of an archive"
    assert call(["status", str(made)]) == 0
    assert "rejected" in capsys.readouterr().out


def test_a_folder_of_pdfs_trains_a_portal(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    subjects = {
        "Boats": "The boats sail on the sea with wind in their sails, past the harbour, under captain number {}.",
        "Bread": "The baker kneads dough from flour and yeast and bakes warm bread in the oven, loaf number {}.",
    }
    for topic, text in subjects.items():
        (tmp_path / "folder" / topic).mkdir(parents=True)
        for number in range(5):
            (tmp_path / "folder" / topic / f"{number}.pdf").write_bytes(pdf(text.format(number)))
    (tmp_path / "folder" / "Bread" / "broken.pdf").write_bytes(b"%PDF-1.4 nothing")
    made = tmp_path / "portal"
    assert call(["new", str(made), "--folder", str(tmp_path / "folder")]) == 0
    trained = told(capsys, "train", str(made))
    assert {topic["name"]: topic["pages"] for topic in trained["topics"]} == {"Boats": 5, "Bread": 5}
    left = [(page["url"].rpartition("/")[2], page["reason"]) for page in trained["failed"]]
    assert left == [("broken.pdf", "unreadable")]
