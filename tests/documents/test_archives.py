"""Archives: each member a document with its own address, safe names only, and limits for all that is inside."""

import contextlib
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.documents.made_files import MAKERS, WORDS, docx, gz, packed, pdf, tar
from thresher.documents.analyse import Reader
from thresher.documents.formats.limits import Limits, ReaderGaveUp, UnpackBudget
from thresher.documents.formats.member_names import quoted, safe_name
from thresher.documents.formats.zipped import Zipped
from thresher.documents.sandbox import SandboxLimits
from thresher.reasons import Reason
from thresher.simweb.hostile.files import CLIMBING, tar_slip, zip_slip
from thresher.types import Failed, Fetched, Opened, ParsedPage
from thresher.web.urls import canonical

URL = "http://a.test/files/all.zip"
TEXTS = {
    "one.txt": b"The first boats sail.",
    "deep/two words.html": b"<title>Two</title><p>Second <a href='../one.txt'>boats",
}


@pytest.fixture(scope="module")
def reader() -> Iterator[Reader]:
    made = Reader()
    yield made
    made.close()


def opened(
    reader: Reader, body: bytes, mime: str = "application/zip", url: str = URL, *headers: tuple[str, str]
) -> Opened:
    found = reader.open(Fetched(url=url, status=200, headers=list(headers), body=body, raw=body, mime=mime, at=5.0))
    assert isinstance(found, Opened), found
    return found


def told(found: Opened) -> dict[str, object]:
    """Return words or reason of each member by its address behind that of the archive."""
    return {
        member.url.partition("!/")[2]: member.page.reason if isinstance(member.page, Failed) else member.page.words
        for member in found.members
    }


@pytest.mark.parametrize(
    ("body", "mime"),
    [
        (packed(TEXTS), "application/zip"),
        (tar(TEXTS), "application/x-tar"),
        (gz(tar(TEXTS)), "application/gzip"),
        (gz(tar(TEXTS)), "application/x-tgz"),
    ],
    ids=["zip", "tar", "tar.gz", "tgz"],
)
def test_members_are_documents_with_addresses_of_their_own(reader: Reader, body: bytes, mime: str) -> None:
    found = opened(reader, body, mime)
    assert [member.url for member in found.members] == [f"{URL}!/one.txt", f"{URL}!/deep/two%20words.html"]
    assert told(found)["one.txt"] == ["The", "first", "boats", "sail"]
    second = found.members[1].page
    assert isinstance(second, ParsedPage)
    assert (second.title, [link.url for link in second.links]) == ("Two", [f"{URL}!/one.txt"])
    assert (found.members[1].mime, found.members[1].size) == ("text/html", len(TEXTS["deep/two words.html"]))
    assert found.note == ""


def test_a_single_file_in_a_gz_is_named_after_it(reader: Reader) -> None:
    found = opened(reader, gz(b"Boats sail."), "application/gzip", "http://a.test/notes.txt.gz")
    assert [member.url for member in found.members] == ["http://a.test/notes.txt.gz!/notes.txt"]


def test_every_kind_of_document_is_read_in_an_archive(reader: Reader) -> None:
    endings = {
        "presentationml.presentation": "pptx",
        "wordprocessingml.document": "docx",
        "spreadsheetml.sheet": "xlsx",
    }
    files = {f"f{n}.{endings.get(mime[46:], 'bin')}": make() for n, (mime, make) in enumerate(MAKERS.items())}
    found = told(opened(reader, packed(files)))
    assert len(found) == len(MAKERS)
    for words in found.values():
        assert isinstance(words, list)
        assert set(WORDS) <= set(words)


def test_names_that_climb_out_are_refused_and_counted(reader: Reader) -> None:
    for body, mime in ((zip_slip(), "application/zip"), (tar_slip(), "application/x-tar")):
        found = opened(reader, body, mime)
        assert list(told(found)) == ["good.txt"]
        assert found.note == f"{len(CLIMBING)} members with unsafe names"


def test_a_single_member_that_is_left_out_is_one_member(reader: Reader) -> None:
    found = opened(reader, packed({"../climbs.txt": b"no", "good.txt": b"yes"}))
    assert found.note == "1 member with unsafe names"


@given(st.text(max_size=80))
def test_the_address_of_a_safe_name_lies_below_its_archive(name: str) -> None:
    plain = safe_name(name)
    if plain is not None:
        address = canonical(f"{URL}!/{quoted(plain)}")
        assert address is not None
        assert address.startswith(f"{URL}!/")
        assert "?" not in address
        assert canonical(address) == address


@pytest.mark.parametrize("name", [b"\0name", b"", b"/////"])
def test_a_file_without_a_name_costs_only_itself(reader: Reader, name: bytes) -> None:
    body = packed({"aname": b"Boats without a name.", **TEXTS}).replace(b"aname", name.ljust(5, b"\0"))
    found = opened(reader, body)
    assert [member.url for member in found.members if isinstance(member.page, ParsedPage)] == [
        f"{URL}!/one.txt",
        f"{URL}!/deep/two%20words.html",
    ]


@given(st.data())
def test_no_damage_to_the_directory_of_a_zip_raises(data: st.DataObject) -> None:
    body = bytearray(packed({"a.txt": b"Boats", "b/c.txt": b"Ships"}))
    for _ in range(data.draw(st.integers(1, 4))):
        body[data.draw(st.integers(0, len(body) - 1))] = data.draw(st.integers(0, 255))
    with contextlib.suppress(ReaderGaveUp):
        package = Zipped(bytes(body), UnpackBudget(10_000))
        for name in package.names():
            with contextlib.suppress(ReaderGaveUp):
                package.read(name)


def test_a_zip_of_an_unknown_version_is_refused() -> None:
    body = packed({"a.txt": b"Boats"})
    directory = body.index(b"PK\x01\x02")
    newer = body[: directory + 6] + b"\xff\x00" + body[directory + 8 :]
    with pytest.raises(ReaderGaveUp, match="version"):
        Zipped(newer, UnpackBudget(10_000))


def test_pictures_and_hidden_files_are_no_documents(reader: Reader) -> None:
    found = told(opened(reader, packed({"a.png": b"\x89PNG", ".hidden": b"x", "__MACOSX/a": b"y", "b.css": b"p {}"})))
    assert found == {"a.png": Reason.TYPE_REFUSED, "b.css": found["b.css"]}


def test_types_that_are_not_wanted_are_not_read_inside_either() -> None:
    reader = Reader(files=SandboxLimits(reading=Limits(types=("application/zip", "text/plain"))))
    try:
        found = told(opened(reader, packed({"a.txt": b"Boats sail.", "b.pdf": pdf()})))
        assert found == {"a.txt": ["Boats", "sail"], "b.pdf": Reason.TYPE_REFUSED}
    finally:
        reader.close()


def test_archives_in_archives_are_opened_to_a_depth(reader: Reader) -> None:
    inner = packed({"c.txt": b"Innermost boats."})
    found = told(
        opened(
            reader, packed({"b.zip": packed({"deep.zip": inner, "b.txt": b"Inner boats."}), "a.txt": b"Outer boats."})
        )
    )
    assert found == {
        "b.zip!/deep.zip": Reason.OVER_LIMITS,
        "b.zip!/b.txt": ["Inner", "boats"],
        "a.txt": ["Outer", "boats"],
    }


def test_members_and_unpacked_bytes_are_limited() -> None:
    reader = Reader(files=SandboxLimits(reading=Limits(members=3, unpacked=100_000)))
    try:
        found = opened(reader, packed({f"{n}.txt": b"Boats sail." for n in range(8)}))
        assert (len(found.members), found.note) == (3, "5 members beyond the limit of 3")
        large = told(
            opened(reader, packed({"small.txt": b"Boats", "large.txt": b"boats " * 20_000, "more.txt": b"More"}))
        )
        assert large == {"small.txt": ["Boats"], "large.txt": Reason.OVER_LIMITS, "more.txt": Reason.OVER_LIMITS}
    finally:
        reader.close()


def test_a_broken_member_costs_only_itself(reader: Reader) -> None:
    whole = docx()
    found = told(
        opened(reader, packed({"torn.docx": whole[:500], "bad.pdf": b"%PDF-1.4 nonsense", "good.docx": whole}))
    )
    assert (found["torn.docx"], found["bad.pdf"]) == (Reason.UNREADABLE, Reason.UNREADABLE)
    assert found["good.docx"] == WORDS


def test_what_the_server_asks_of_an_archive_holds_for_its_members(reader: Reader) -> None:
    found = opened(reader, packed(TEXTS), "application/zip", URL, ("X-Robots-Tag", "noindex"))
    assert all(isinstance(member.page, ParsedPage) and "noindex" in member.page.robots for member in found.members)


def test_an_archive_is_no_page(reader: Reader) -> None:
    body = packed(TEXTS)
    page = reader.read(Fetched(url=URL, status=200, headers=[], body=body, raw=body, mime="application/zip", at=0.0))
    assert isinstance(page, Failed)
    assert page.reason is Reason.NO_TEXT
