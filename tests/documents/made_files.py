"""Files of every kind, made by hand: the same two paragraphs, one link, a title and an author in each."""

import gzip
import io
import tarfile

from thresher.simweb.files.pdf_writer import write_pdf
from thresher.simweb.files.text_runs import Draft, TextRun
from thresher.simweb.files.word_writer import write_word
from thresher.simweb.files.zip_writer import write_zip

LINK = "http://b.test/harbour"
TITLE = "About boats"
AUTHOR = "Ann Lee"
TEXT = ("The boats sail on the wide sea.", "See the harbour page.")
WORDS = " ".join(TEXT).replace(".", "").split()

_REL = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_CORE = (
    f'<c:coreProperties xmlns:c="urn:c" xmlns:dc="urn:dc" xmlns:t="urn:t"><dc:title>{TITLE}</dc:title>'
    f"<dc:creator>{AUTHOR}</dc:creator><t:created>2024-01-31T12:00:00Z</t:created></c:coreProperties>"
)
_ODF = "urn:oasis:names:tc:opendocument:xmlns"


def draft(*paragraphs: str) -> Draft:
    """Return a draft of plain paragraphs, or the usual one with its link."""
    if paragraphs:
        return Draft(TITLE, [[TextRun(text)] for text in paragraphs], AUTHOR, "en")
    return Draft(
        TITLE, [[TextRun(TEXT[0])], [TextRun("See the "), TextRun("harbour", LINK), TextRun(" page.")]], AUTHOR, "en"
    )


def pdf(*paragraphs: str) -> bytes:
    return write_pdf(draft(*paragraphs))


def docx(*paragraphs: str) -> bytes:
    return write_word(draft(*paragraphs))


def pptx(*paragraphs: str) -> bytes:
    said = "".join(f"<a:p><a:r><a:t>{text}</a:t></a:r></a:p>" for text in paragraphs or TEXT[:1])
    link = (
        '<a:p><a:r><a:t>See the </a:t></a:r><a:r><a:rPr><a:hlinkClick r:id="rId9"/></a:rPr><a:t>harbour</a:t></a:r>'
        "<a:r><a:t> page.</a:t></a:r></a:p>"
    )
    spaces = f'xmlns:a="urn:a" xmlns:p="urn:p" xmlns:r="{_REL}"'
    slides = [said, "" if paragraphs else link]
    parts = {
        "[Content_Types].xml": "<Types/>",
        "_rels/.rels": f'<R><Relationship Id="1" Type="{_REL}/officeDocument" Target="ppt/presentation.xml"/></R>',
        "docProps/core.xml": _CORE,
        # The order of the slides is not that of their names, and `id` means two things.
        "ppt/presentation.xml": f'<p {spaces}><sldId id="256" r:id="rId2"/><sldId r:id="rId1" id="257"/></p>',
        "ppt/_rels/presentation.xml.rels": (
            f'<R><Relationship Id="rId1" Type="{_REL}/slide" Target="slides/slide1.xml"/>'
            f'<Relationship Id="rId2" Type="{_REL}/slide" Target="/ppt/slides/slide2.xml"/></R>'
        ),
        "ppt/slides/slide2.xml": f"<s {spaces}>{slides[0]}</s>",
        "ppt/slides/slide1.xml": f"<s {spaces}>{slides[1]}</s>",
        "ppt/slides/_rels/slide1.xml.rels": (
            f'<R><Relationship Id="rId9" Type="{_REL}/hyperlink" Target="{LINK}" TargetMode="External"/></R>'
        ),
    }
    return packed(parts)


def xlsx(*paragraphs: str) -> bytes:
    texts = paragraphs or (TEXT[0], "See the", "harbour", "page.")
    cells = "".join(f'<row><c r="A{n + 1}" t="s"><v>{n}</v></c></row>' for n in range(len(texts)))
    links = "" if paragraphs else '<hyperlinks><hyperlink ref="A3" r:id="rId7"/></hyperlinks>'
    spaces = f'xmlns="urn:x" xmlns:r="{_REL}"'
    number = '<row><c r="Z9"><v>45321</v></c></row>'
    parts = {
        "[Content_Types].xml": "<Types/>",
        "docProps/core.xml": _CORE,
        "xl/workbook.xml": (
            f'<w {spaces}><sheet name="Boats" r:id="rId1"/><sheet name="Secret" state="hidden" r:id="rId2"/></w>'
        ),
        "xl/_rels/workbook.xml.rels": (
            f'<R><Relationship Id="rId1" Type="{_REL}/worksheet" Target="worksheets/sheet1.xml"/>'
            f'<Relationship Id="rId3" Type="{_REL}/sharedStrings" Target="sharedStrings.xml"/></R>'
        ),
        "xl/sharedStrings.xml": f"<sst>{''.join(f'<si><r><t>{text}</t></r></si>' for text in texts)}</sst>",
        "xl/worksheets/sheet1.xml": f"<ws {spaces}><sheetData>{cells}{number}</sheetData>{links}</ws>",
        "xl/worksheets/_rels/sheet1.xml.rels": (
            f'<R><Relationship Id="rId7" Type="{_REL}/hyperlink" Target="{LINK}" TargetMode="External"/></R>'
        ),
    }
    return packed(parts)


def odf(kind: str, *paragraphs: str) -> bytes:
    link = f'<text:p>See the <text:a xlink:href="{LINK}">harbour</text:a> page.</text:p>'
    said = (
        "".join(f"<text:p>{text}</text:p>" for text in paragraphs)
        if paragraphs
        else f"<text:p>{TEXT[0]}</text:p>{link}"
    )
    inner = {
        "text": said,
        "spreadsheet": f'<table:table table:name="S"><table:table-row><table:table-cell>{said}</table:table-cell>'
        "</table:table-row></table:table>",
        "presentation": f'<draw:page draw:name="p1"><draw:frame>{said}</draw:frame></draw:page>',
    }[kind]
    spaces = " ".join(f'xmlns:{name}="{_ODF}:{name}:1.0"' for name in ("office", "text", "table", "draw", "meta"))
    spaces += ' xmlns:xlink="http://www.w3.org/1999/xlink" xmlns:dc="http://purl.org/dc/elements/1.1/"'
    removed = "<text:tracked-changes><text:p>Deleted words</text:p></text:tracked-changes>"
    meta = (
        f"<dc:title>{TITLE}</dc:title><meta:initial-creator>{AUTHOR}</meta:initial-creator>"
        "<meta:creation-date>2024-01-31T12:00:00</meta:creation-date><dc:language>en</dc:language>"
    )
    parts = {
        "mimetype": f"application/vnd.oasis.opendocument.{kind}",
        "content.xml": (
            f"<office:document-content {spaces}><office:body><office:{kind}>{removed}{inner}</office:{kind}>"
            "</office:body></office:document-content>"
        ),
        "meta.xml": f"<office:document-meta {spaces}><office:meta>{meta}</office:meta></office:document-meta>",
        "META-INF/manifest.xml": "<manifest/>",
    }
    return packed(parts)


def rtf(*paragraphs: str) -> bytes:
    said = "".join(f"{_rtf(text)}\\par\n" for text in paragraphs or TEXT[:1])
    link = (
        ""
        if paragraphs
        else (f'See the {{\\field{{\\*\\fldinst HYPERLINK "{LINK}"}}{{\\fldrslt harbour}}}} page.\\par')
    )
    info = f"{{\\info{{\\title {TITLE}}}{{\\author {AUTHOR}}}{{\\creatim\\yr2024\\mo1\\dy31\\hr12\\min0\\sec0}}}}"
    fonts = "{\\fonttbl{\\f0\\fcharset0 Arial;}{\\f1\\fcharset204 Cyr;}}{\\*\\generator Nothing to read;}"
    return f"{{\\rtf1\\ansi\\ansicpg1252{fonts}{info}\\f0 {said}{link}}}".encode("ascii")


def _rtf(text: str) -> str:
    units = [text.encode("utf-16-le")[at : at + 2] for at in range(0, 2 * len(text.encode("utf-16-le")) // 2, 2)]
    numbers = [int.from_bytes(unit, "little", signed=True) for unit in units]
    return "".join(chr(number) if 0 < number < 128 else f"\\u{number}?" for number in numbers)


def epub(*paragraphs: str) -> bytes:
    link = f'<p>See the <a href="{LINK}">harbour</a> page. <a href="one.xhtml">back</a></p>' if not paragraphs else ""
    first = "".join(f"<p>{text}</p>" for text in paragraphs or TEXT[:1])
    opf = (
        '<package xmlns:dc="urn:dc"><metadata>'
        f"<dc:title>{TITLE}</dc:title><dc:creator>{AUTHOR}</dc:creator><dc:language>en</dc:language>"
        "<dc:date>2024-01-31</dc:date></metadata><manifest>"
        '<item id="b" href="two.xhtml" media-type="application/xhtml+xml"/>'
        '<item id="a" href="one.xhtml" media-type="application/xhtml+xml"/>'
        '<item id="c" href="style.css" media-type="text/css"/></manifest>'
        '<spine><itemref idref="a"/><itemref idref="b"/><itemref idref="c"/></spine></package>'
    )
    parts = {
        "mimetype": "application/epub+zip",
        "META-INF/container.xml": '<container><rootfile full-path="OEBPS/book.opf"/></container>',
        "OEBPS/book.opf": opf,
        "OEBPS/one.xhtml": f"<html><body>{first}</body></html>",
        "OEBPS/two.xhtml": f"<html><body>{link}</body></html>",
    }
    return packed(parts)


def packed(parts: dict[str, str] | dict[str, bytes]) -> bytes:
    """Return a ZIP file of texts or bytes."""
    return write_zip({name: part.encode() if isinstance(part, str) else part for name, part in parts.items()})


def tar(files: dict[str, bytes]) -> bytes:
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w") as archive:
        for name, body in files.items():
            member = tarfile.TarInfo(name)
            member.size = len(body)
            archive.addfile(member, io.BytesIO(body))
    return buffer.getvalue()


def gz(body: bytes) -> bytes:
    return gzip.compress(body, mtime=0)


MAKERS = {
    "application/pdf": pdf,
    "application/vnd.openxmlformats-officedocument.wordprocessingml.document": docx,
    "application/vnd.openxmlformats-officedocument.presentationml.presentation": pptx,
    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": xlsx,
    "application/vnd.oasis.opendocument.text": lambda *said: odf("text", *said),
    "application/vnd.oasis.opendocument.spreadsheet": lambda *said: odf("spreadsheet", *said),
    "application/vnd.oasis.opendocument.presentation": lambda *said: odf("presentation", *said),
    "application/rtf": rtf,
    "application/epub+zip": epub,
}
"""A maker of each kind of document by its MIME type; without arguments it says the usual."""

ENCRYPTED_PDF = write_pdf(draft()).replace(
    b"trailer <<",
    b"trailer <</Encrypt<</Filter/Standard/V 1/R 2/P -4/O<" + b"AB" * 32 + b">/U<" + b"CD" * 32 + b">>>/ID[<00><00>]",
)
IMAGE_ONLY_PDF = write_pdf(Draft(TITLE, []))
