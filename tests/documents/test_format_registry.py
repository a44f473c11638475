"""A format is one file: put beside the others, or named by an entry point, it is known from settings to archives."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from thresher.config.load import load
from thresher.documents import formats
from thresher.documents.formats.kinds import FORMATS, by_ending, by_type, kind_of, largest, signatures
from thresher.web.sniff import sniff

LOGBOOK = """
from thresher.documents.formats.extract import Extract
from thresher.documents.formats.format import Format
from thresher.documents.formats.prose import TextCollector

def read_logbook(body, url, limits):
    prose = TextCollector(limits.words, limits.links)
    prose.say(body.decode().partition("\\n")[2])
    return Extract(prose.markup(url, "Logbook"))

LOGBOOK = Format(
    name="application/x-logbook",
    aliases=("text/x-logbook",),
    endings=(".logbook",),
    begins=(b"LOGBOOK\\x01",),
    largest=1234,
    text=read_logbook,
)
"""
BODY = b"LOGBOOK\x01\nWind from the west"


def test_a_file_more_is_a_format_more(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "logbook.py").write_text(LOGBOOK)
    monkeypatch.setattr(formats, "__path__", [*formats.__path__, str(tmp_path)])
    assert by_ending()[".logbook"] == "application/x-logbook"
    assert by_type()["text/x-logbook"] is FORMATS.named("application/x-logbook")
    assert kind_of(BODY) is FORMATS.named("application/x-logbook")
    types = load().settings.network.types
    assert (types["application/x-logbook"], types["text/x-logbook"]) == (1234, 1234)
    assert sniff(BODY, "application/octet-stream", signatures=signatures()) == "application/x-logbook"
    assert sniff(BODY, "text/html", signatures=signatures()) == "application/x-logbook"


def test_without_the_file_it_is_gone() -> None:
    assert ".logbook" not in by_ending()
    assert kind_of(BODY) is None
    assert "application/x-logbook" not in load().settings.network.types


SCRIPT = """
import io, json, sys, zipfile
from pathlib import Path
from thresher.config.load import load
from thresher.documents.analyse import Reader
from thresher.train.local_files import read_file
from thresher.types import Fetched

body, folder = Path(sys.argv[1]).read_bytes(), Path(sys.argv[1]).parent
packed = io.BytesIO()
with zipfile.ZipFile(packed, "w") as archive:
    archive.writestr("day.logbook", body)
reader = Reader()
def fetched(body, mime):
    return Fetched(url="http://a.test/x", status=200, headers=[], body=body, raw=body, mime=mime, at=0.0)
said = {
    "fetched": reader.read(fetched(body, "text/x-logbook")).words,
    "packed": [member.page.words for member in reader.open(fetched(packed.getvalue(), "application/zip")).members],
    "local": read_file(Path(sys.argv[1]).as_uri(), reader, load().settings).words,
}
reader.close()
print(json.dumps(said))
"""


def test_another_package_adds_a_format_by_an_entry_point(tmp_path: Path) -> None:
    (tmp_path / "logbooks.py").write_text(LOGBOOK)
    declared = tmp_path / "logbooks-1.0.dist-info"
    declared.mkdir()
    (declared / "METADATA").write_text("Metadata-Version: 2.1\nName: logbooks\nVersion: 1.0\n")
    (declared / "entry_points.txt").write_text("[thresher.formats]\nlogbook = logbooks:LOGBOOK\n")
    file = tmp_path / "day.logbook"
    file.write_bytes(BODY)
    environment = {**os.environ, "PYTHONPATH": str(tmp_path)}
    words = [sys.executable, "-c", SCRIPT, str(file)]
    done = subprocess.run(words, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    text = ["Wind", "from", "the", "west"]
    assert json.loads(done.stdout) == {"fetched": text, "packed": [text], "local": text}


def test_every_format_is_read_in_one_way_and_told_by_something() -> None:
    for kind in FORMATS.all().values():
        assert sum(way is not None for way in (kind.text, kind.package, kind.files)) == 1, kind.name
        assert kind.begins or kind.recognises or kind.holds or kind.package, kind.name
        assert kind.endings, kind.name


def test_no_two_formats_have_a_type_or_an_ending_in_common() -> None:
    kinds = FORMATS.all().values()
    types = [mime for kind in kinds for mime in kind.mimes]
    endings = [ending for kind in kinds for ending in kind.endings]
    assert len(types) == len(set(types))
    assert len(endings) == len(set(endings))
    assert set(types) | {"text/html", "application/xhtml+xml", "text/plain"} == set(largest())


def test_asking_for_types_does_not_load_the_parsers() -> None:
    code = (
        "import sys; from thresher.documents.formats.kinds import largest; largest(); print('pypdfium2' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"
