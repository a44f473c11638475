"""Files of every kind: text in reading order, title, links, what they say of themselves; and reasons for all else."""

import zipfile
from collections.abc import Iterator
from io import BytesIO

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.documents.made_files import (
    AUTHOR,
    ENCRYPTED_PDF,
    IMAGE_ONLY_PDF,
    LINK,
    MAKERS,
    TITLE,
    WORDS,
    docx,
    epub,
    odf,
    packed,
    pdf,
    rtf,
    xlsx,
)
from tests.text.sentences import SENTENCES
from thresher.documents.analyse import Reader
from thresher.documents.formats.limits import Limits
from thresher.documents.sandbox import SandboxLimits
from thresher.reasons import Reason
from thresher.text.words import words
from thresher.types import Failed, Fetched, Opened, ParsedPage

KINDS = sorted(MAKERS)
NAMES = [kind.rpartition(".")[2].rpartition("/")[2] for kind in KINDS]


@pytest.fixture(scope="module")
def reader() -> Iterator[Reader]:
    made = Reader(files=SandboxLimits(seconds=5.0, memory_mb=1024))
    yield made
    made.close()


def fetched(body: bytes, mime: str) -> Fetched:
    return Fetched(url="http://a.test/dir/file", status=200, headers=[], body=body, raw=body, mime=mime, at=5.0)


def read(reader: Reader, body: bytes, mime: str) -> ParsedPage:
    page = reader.read(fetched(body, mime))
    assert isinstance(page, ParsedPage), page
    return page


def refused(reader: Reader, body: bytes, mime: str) -> Reason:
    failed = reader.read(fetched(body, mime))
    assert isinstance(failed, Failed)
    return failed.reason


@pytest.mark.parametrize("mime", KINDS, ids=NAMES)
def test_every_kind_gives_text_title_links_and_statements(reader: Reader, mime: str) -> None:
    page = read(reader, MAKERS[mime](), mime)
    said = [word for word in page.words if word not in ("back", "Boats", "S")]
    assert said == WORDS
    assert page.title == TITLE
    assert page.about == {"author": AUTHOR, "created": page.about["created"]}
    assert page.about["created"].startswith("2024-01-31")
    assert page.language == "en"
    assert page.terms["boat"] >= 2, "the title counts too"
    (link,) = page.links
    assert (link.url, link.anchor.strip(), page.words[link.position : link.position + link.length]) == (
        LINK,
        "harbour",
        ["harbour"],
    )


@pytest.mark.parametrize("mime", KINDS, ids=NAMES)
@pytest.mark.parametrize("language", ["ar", "de", "fa", "he", "hi", "ja", "ko", "ru", "th", "zh"])
def test_every_script_survives_every_kind(reader: Reader, mime: str, language: str) -> None:
    if language not in SENTENCES:
        pytest.skip(f"there is no sentence in {language}")
    sentence = SENTENCES[language][0]
    page = read(reader, MAKERS[mime](sentence), mime)
    wanted, found = words(sentence), page.words
    if mime == "application/pdf":
        # Lines are broken at a width, and a line ends a word of a script without spaces.
        assert len(set(wanted) & set(found)) >= 0.8 * len(set(wanted)), found
    else:
        assert [word for word in found if word in set(wanted)] == wanted


@pytest.mark.parametrize("mime", KINDS, ids=NAMES)
def test_a_label_that_lies_among_files_does_no_harm(reader: Reader, mime: str) -> None:
    for label in ("application/zip", "application/pdf", "application/gzip", "application/rtf"):
        assert set(WORDS) <= set(read(reader, MAKERS[mime](), label).words)


@pytest.mark.parametrize("mime", KINDS, ids=NAMES)
def test_what_is_empty_or_torn_has_a_reason(reader: Reader, mime: str) -> None:
    whole = MAKERS[mime]()
    assert refused(reader, b"", mime) is Reason.UNREADABLE
    for part in range(1, 12):
        torn = reader.read(fetched(whole[: len(whole) * part // 12], mime))
        # RTF and PDF can be read as far as they go.
        assert isinstance(torn, ParsedPage) or torn.reason in (Reason.UNREADABLE, Reason.NO_TEXT)


@pytest.mark.parametrize("mime", KINDS, ids=NAMES)
@settings(max_examples=15, suppress_health_check=list(HealthCheck))
@given(flips=st.lists(st.tuples(st.integers(0, 10**6), st.integers(0, 255)), min_size=1, max_size=30))
def test_flipped_bytes_never_raise(reader: Reader, mime: str, flips: list[tuple[int, int]]) -> None:
    body = bytearray(MAKERS[mime]())
    for place, byte in flips:
        body[place % len(body)] = byte
    assert isinstance(reader.open(fetched(bytes(body), mime)), ParsedPage | Failed | Opened)
    assert isinstance(reader.read(fetched(bytes(body), mime)), ParsedPage | Failed)


@pytest.mark.parametrize(
    ("body", "mime", "reason"),
    [
        (ENCRYPTED_PDF, "application/pdf", Reason.ENCRYPTED),
        (IMAGE_ONLY_PDF, "application/pdf", Reason.NO_TEXT),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + "EncryptedPackage".encode("utf-16-le"), KINDS[0], Reason.ENCRYPTED),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600), KINDS[0], Reason.UNREADABLE),
        (rtf("") + b"", "application/rtf", Reason.NO_TEXT),
        (docx(""), KINDS[0], Reason.NO_TEXT),
        (b"plain words", "application/pdf", Reason.UNREADABLE),
    ],
    ids=["encrypted-pdf", "image-only-pdf", "encrypted-office", "old-office", "empty-rtf", "empty-docx", "no-pdf"],
)
def test_odd_files_have_their_reasons(reader: Reader, body: bytes, mime: str, reason: Reason) -> None:
    assert refused(reader, body, mime) is reason


def test_encrypted_open_documents_books_and_archives_are_told(reader: Reader) -> None:
    office = unpacked(odf("text"))
    locked = packed({**office, "META-INF/manifest.xml": b"<manifest><encryption-data/></manifest>"})
    assert refused(reader, locked, "application/vnd.oasis.opendocument.text") is Reason.ENCRYPTED
    book = unpacked(epub())
    fonts = packed({**book, "META-INF/encryption.xml": b"<e><x URI='OEBPS/font.ttf'/></e>"})
    assert isinstance(reader.read(fetched(fonts, "application/epub+zip")), ParsedPage), "only its fonts are garbled"
    sealed = packed({**book, "META-INF/encryption.xml": b"<e><x URI='OEBPS/one.xhtml'/></e>"})
    assert refused(reader, sealed, "application/epub+zip") is Reason.ENCRYPTED


def unpacked(body: bytes) -> dict[str, bytes]:
    with zipfile.ZipFile(BytesIO(body)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def test_limits_of_words_links_and_pages_hold() -> None:
    reader = Reader(max_words=10, max_links=3, files=SandboxLimits(reading=Limits(pages=1)))
    try:
        for mime in KINDS:
            page = reader.read(fetched(MAKERS[mime](*["many boats sail"] * 400), mime))
            assert isinstance(page, ParsedPage)
            assert len(page.words) == 10
    finally:
        reader.close()


def test_without_text_a_file_has_title_and_links_only() -> None:
    reader = Reader(text=False)
    try:
        page = read(reader, pdf(), "application/pdf")
        assert (page.title, page.words, [link.url for link in page.links]) == (TITLE, [], [LINK])
        assert page.digest
    finally:
        reader.close()


def test_fields_of_word_are_links_and_deleted_text_is_none(reader: Reader) -> None:
    field = (
        '<w:p><w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText> HYPERLINK "http://b.test/f" '
        "</w:instrText></w:r>"
        '<w:r><w:fldChar w:fldCharType="separate"/></w:r><w:r><w:t>fie</w:t></w:r><w:r><w:t>ld</w:t></w:r>'
        '<w:r><w:fldChar w:fldCharType="end"/></w:r><w:r><w:t> after</w:t></w:r>'
        "<w:del><w:r><w:delText>gone</w:delText></w:r></w:del></w:p>"
    )
    office = unpacked(docx("First."))
    office["word/document.xml"] = office["word/document.xml"].replace(b"</w:body>", field.encode() + b"</w:body>")
    page = read(reader, packed(office), KINDS[0])
    assert page.words == ["First", "field", "after"]
    assert [(link.url, link.anchor) for link in page.links] == [("http://b.test/f", "field")]


def test_a_cell_with_a_number_can_be_a_link(reader: Reader) -> None:
    book = unpacked(xlsx())
    sheet = "xl/worksheets/sheet1.xml"
    book[sheet] = book[sheet].replace(b'ref="A3"', b'ref="Z9" display="the number"')
    page = read(reader, packed(book), KINDS[0])
    assert [(link.url, link.anchor, link.length) for link in page.links] == [(LINK, "the number", 0)]


def test_rtf_reads_code_pages_and_pairs_of_units(reader: Reader) -> None:
    fonts = rb"{\rtf1\ansi\ansicpg1252{\fonttbl{\f0 A;}{\f1\fcharset204 B;}}"
    body = fonts + rb"\f1 \'ec\'ee\'f0\'e5\f0  caf\'e9 \uc2\u8364??x {\v hidden}}"
    assert read(reader, body, "application/rtf").words == ["море", "café", "x"]
