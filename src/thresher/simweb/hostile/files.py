"""Hostile files: archives that escape, overlap or explode; PDF and Office files made to break their readers."""

import gzip
import io
import struct
import tarfile
import zipfile
import zlib
from collections.abc import Callable
from functools import cache
from typing import Final

from thresher.simweb.files.text_runs import Draft, TextRun
from thresher.simweb.files.word_writer import write_word
from thresher.simweb.files.zip_writer import write_zip
from thresher.simweb.hostile.quine import gzip_quine
from thresher.simweb.hostile.talk import Behaviour, ClientRequest, Sender

PDF: Final = "application/pdf"
DOCX: Final = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
XLSX: Final = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
EPUB: Final = "application/epub+zip"
RTF: Final = "application/rtf"
ZIP: Final = "application/zip"
GZIP: Final = "application/gzip"
TAR: Final = "application/x-tar"

CLIMBING: Final = (
    "../../../../tmp/thresher-was-here",
    "/tmp/thresher-was-here",  # noqa: S108 - nobody may write it
    "..\\..\\thresher-was-here.txt",
    "C:\\thresher-was-here.txt",
    "a/../../thresher-was-here.txt",
)
"""Names that lead out of the folder into which an archive is unpacked."""

_ZEROS: Final = bytes(1 << 20)
_OBJECTS: Final = 1_000_000
_IN_STREAM: Final = 10_000
_FIRST: Final = 10


def zip_slip() -> bytes:
    """Return an archive whose members escape from it, except one."""
    return write_zip({**dict.fromkeys(CLIMBING, b"I was here."), "good.txt": b"This one stays where it is."})


def tar_slip() -> bytes:
    """Return a TAR with escaping names, links out of it and devices."""
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w") as archive:
        for name in CLIMBING:
            _add(archive, name, tarfile.REGTYPE, b"I was here.")
        for kind in (tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.CHRTYPE, tarfile.FIFOTYPE):
            _add(archive, f"odd-{kind.decode()}", kind, b"")
        _add(archive, "good.txt", tarfile.REGTYPE, b"This one stays where it is.")
    return buffer.getvalue()


def _add(archive: tarfile.TarFile, name: str, kind: bytes, body: bytes) -> None:
    member = tarfile.TarInfo(name)
    member.type, member.size = kind, len(body)
    member.linkname = "/etc/passwd" if kind in (tarfile.SYMTYPE, tarfile.LNKTYPE) else ""
    archive.addfile(member, io.BytesIO(body))


def overlapping_zip() -> bytes:
    """Return a ZIP whose thousand entries all unpack the same bytes, 16 GB in total (Fifield 2019)."""
    bomb = _ZEROS * 16
    packed, check = zlib.compress(bomb, 9)[2:-4], zlib.crc32(bomb)
    sizes = (8, 0, 33, check, len(packed), len(bomb), 5, 0)
    body = struct.pack("<4s2H3H3I2H", b"PK\3\4", 20, 0, *sizes) + b"00000" + packed
    directory = b"".join(
        struct.pack("<4s3H3H3I2H3H2I", b"PK\1\2", 20, 20, 0, *sizes, 0, 0, 0, 0, 0) + b"%05d" % number
        for number in range(1000)
    )
    return body + directory + struct.pack("<4s4H2IH", b"PK\5\6", 0, 0, 1000, 1000, len(directory), len(body), 0)


def zip_bomb() -> bytes:
    """Return a ZIP of text files of 80 MB each."""
    return write_zip(dict.fromkeys(("one.txt", "two.txt"), b"bomb " * 16_000_000))


def lying_sizes() -> bytes:
    """Return a ZIP that declares a member of ten bytes, which unpacks to eight megabytes."""
    bomb = bytearray(write_zip({"small.txt": b"bomb " * 1_600_000}))
    place = bomb.index(b"PK\1\2")
    bomb[place + 24 : place + 28] = struct.pack("<I", 10)
    bomb[22:26] = struct.pack("<I", 10)
    return bytes(bomb)


def nested_zips() -> bytes:
    """Return archives in archives, ten at each of six levels."""
    body = write_zip({"deep.txt": b"Deep down there is a text."})
    for _ in range(6):
        body = write_zip({f"inner{number}.zip": body for number in range(10)})
    return body


def many_entries() -> bytes:
    """Return a ZIP of twenty thousand empty files."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for number in range(20_000):
            archive.writestr(zipfile.ZipInfo(f"{number}.txt"), b"")
    return buffer.getvalue()


def ninety_zips() -> bytes:
    """Return a ZIP that seems to contain itself: each of ninety levels names an archive as large as its container."""
    body = b"the end"
    for _ in range(90):
        body = write_zip({"r/r.zip": body})
    return body


def gzip_bomb() -> bytes:
    """Return a GZ of a text of 20 MB, packed twice."""
    stream = zlib.compressobj(6, zlib.DEFLATED, 31)
    packed = b"".join(stream.compress(_ZEROS) for _ in range(20)) + stream.flush()
    return gzip.compress(packed, 9, mtime=0)


def xref_loop() -> bytes:
    """Return a PDF whose cross-reference tables refer to each other, and whose page tree is its own child."""
    body = b"%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n"
    body += b"2 0 obj<</Type/Pages/Count 9/Kids[2 0 R 2 0 R]>>endobj\n"
    first = len(body)
    table = b"xref\n0 3\n0000000000 65535 f \n%010d 00000 n \n%010d 00000 n \n" % (9, body.index(b"2 0 obj"))
    trailer = b"trailer<</Size 3/Root 1 0 R/Prev %d>>\nstartxref\n%d\n%%%%EOF"
    second = first + len(table) + len(trailer % (10_000, 10_000))
    one = table + (trailer % (second, first))
    return body + one.ljust(second - first) + table + trailer % (first, second)


def million_objects() -> bytes:
    """Return a PDF with a million objects packed in streams, besides the few for its single page."""
    body = b"%PDF-1.5\n"
    places: dict[int, int] = {}
    for number, content in (
        (1, b"<</Type/Catalog/Pages 2 0 R>>"),
        (2, b"<</Type/Pages/Count 1/Kids[3 0 R]>>"),
        (3, b"<</Type/Page/Parent 2 0 R/Contents 4 0 R/Resources<</Font<</F 5 0 R>>>>/MediaBox[0 0 500 500]>>"),
        (4, b"<</Length 45>>\nstream\nBT /F 9 Tf 50 50 Td (Among a million) Tj ET   \nendstream"),
        (5, b"<</Type/Font/Subtype/Type1/BaseFont/Courier>>"),
        *((_FIRST + number, _packed_objects(number)) for number in range(_OBJECTS // _IN_STREAM)),
    ):
        places[number] = len(body)
        body += b"%d 0 obj%s\nendobj\n" % (number, content)
    return body + _places(places, len(body))


def _packed_objects(stream: int) -> bytes:
    """Return a stream of objects that are all 0."""
    first = _FIRST + 1000 + stream * _IN_STREAM
    head = b" ".join(b"%d %d" % (first + number, 2 * number) for number in range(_IN_STREAM)) + b" "
    packed = zlib.compress(head + b"0 " * _IN_STREAM, 1)
    told = (_IN_STREAM, len(head), len(packed), packed)
    return b"<</Type/ObjStm/N %d/First %d/Filter/FlateDecode/Length %d>>\nstream\n%s\nendstream" % told


def _places(places: dict[int, int], here: int) -> bytes:
    """Return the cross-reference table as a packed stream: plain objects, then those in streams."""
    last = max(places) + 1
    plain = b"".join(
        struct.pack(">BII", 1 if number in places else 0, places.get(number, 0), 0) for number in range(last)
    )
    inside = b"".join(
        struct.pack(">BII", 2, _FIRST + stream, index)
        for stream in range(_OBJECTS // _IN_STREAM)
        for index in range(_IN_STREAM)
    )
    packed = zlib.compress(plain + inside, 1)
    index = b"0 %d %d %d" % (last, _FIRST + 1000, _OBJECTS)
    told = (last, _FIRST + 1000 + _OBJECTS, index, len(packed), packed, here)
    return (
        b"%d 0 obj<</Type/XRef/W[1 4 4]/Root 1 0 R/Size %d/Index[%s]/Filter/FlateDecode/Length %d>>\nstream\n%s\n"
        b"endstream\nendobj\nstartxref\n%d\n%%%%EOF" % told
    )


def entity_bomb() -> bytes:
    """Return a Word file whose entities expand to ten thousand million letters and would read a local file."""
    entities = '<!ENTITY a "aaaaaaaaaa">' + "".join(
        f'<!ENTITY {chr(name)} "{f"&{chr(name - 1)};" * 10}">' for name in range(ord("b"), ord("k"))
    )
    kept = dict(_parts(write_word(Draft("Bomb", [[TextRun("boom")]]))))
    document = kept["word/document.xml"].decode()
    declared = f"<!DOCTYPE d [{entities}<!ENTITY file SYSTEM 'file:///etc/passwd'>]><w:document"
    kept["word/document.xml"] = document.replace("<w:document", declared, 1).replace("boom", "&j;&file;").encode()
    return write_zip(kept)


def deep_xml() -> bytes:
    """Return a Word file of a hundred thousand nested tables."""
    kept = dict(_parts(write_word(Draft("Deep", [[TextRun("deep")]]))))
    document = kept["word/document.xml"]
    kept["word/document.xml"] = document.replace(b"<w:p>", b"<w:tbl>" * 100_000 + b"<w:p>", 1)
    return write_zip(kept)


def _parts(package: bytes) -> list[tuple[str, bytes]]:
    with zipfile.ZipFile(io.BytesIO(package)) as archive:
        return [(name, archive.read(name)) for name in archive.namelist()]


def endless_sheet() -> bytes:
    """Return a workbook with one shared text of 40 MB repeated in a million cells."""
    strings = b"<sst><si><t>" + b"boat " * 8_000_000 + b"</t></si></sst>"
    sheet = b"<worksheet><sheetData><row>" + b'<c t="s"><v>0</v></c>' * 1_000_000 + b"</row></sheetData></worksheet>"
    relations = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
    return write_zip(
        {
            "[Content_Types].xml": b"<Types/>",
            "_rels/.rels": b"<Relationships/>",
            "xl/workbook.xml": (
                f'<workbook xmlns:r="{relations}"><sheets><sheet name="S" r:id="a"/></sheets></workbook>'
            ).encode(),
            "xl/_rels/workbook.xml.rels": (
                f'<Relationships><Relationship Id="a" Type="{relations}/worksheet" Target="s.xml"/>'
                f'<Relationship Id="b" Type="{relations}/sharedStrings" Target="t.xml"/></Relationships>'
            ).encode(),
            "xl/s.xml": sheet,
            "xl/t.xml": strings,
        }
    )


FILES: Final[dict[str, tuple[str, Callable[[], bytes]]]] = {
    "zip-slip": (ZIP, zip_slip),
    "tar-slip": (TAR, tar_slip),
    "zip-overlap": (ZIP, overlapping_zip),
    "zip-bomb": (ZIP, zip_bomb),
    "zip-lies": (ZIP, lying_sizes),
    "zip-nested": (ZIP, nested_zips),
    "zip-levels": (ZIP, ninety_zips),
    "zip-entries": (ZIP, many_entries),
    "gzip-twice": (GZIP, gzip_bomb),
    "gzip-quine": (GZIP, gzip_quine),
    "pdf-loop": (PDF, xref_loop),
    "pdf-objects": (PDF, million_objects),
    "pdf-torn": (PDF, lambda: b"%PDF-1.7\n" + bytes(range(256)) * 4000),
    "docx-entities": (DOCX, entity_bomb),
    "docx-deep": (DOCX, deep_xml),
    "docx-torn": (DOCX, lambda: write_word(Draft("Torn", [[TextRun("torn " * 1000)]]))[:900]),
    "sheet-endless": (XLSX, endless_sheet),
    "rtf-deep": (RTF, lambda: b"{\\rtf1" + b"{" * 1_000_000 + b"deep"),
    "epub-empty": (EPUB, lambda: write_zip({"mimetype": b"application/epub+zip"})),
}
"""Hostile files by name: MIME type, and a function that creates the bytes."""


@cache
def hostile_file(name: str) -> bytes:
    """Return a hostile file; it is created once."""
    return FILES[name][1]()


def pack_files() -> None:
    """Create all files before they are requested: packing takes longer than a client waits."""
    for name in FILES:
        hostile_file(name)


def sends(name: str) -> Behaviour:
    """Return a behaviour that sends a hostile file."""

    async def behaviour(_: ClientRequest, sender: Sender) -> None:
        body, mime = hostile_file(name), FILES[name][0].encode()
        await sender.send(b"HTTP/1.1 200 OK\r\nContent-Type: " + mime, b"\r\nContent-Length: %d\r\n" % len(body))
        await sender.send(b"Connection: close\r\n\r\n", body)

    return behaviour


DOCUMENTS: Final[dict[str, Behaviour]] = {f"file-{name}": sends(name) for name in FILES}
"""Behaviours by the first label of their hosts' names."""
