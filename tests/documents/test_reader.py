"""The whole way from bytes to a page, the doors, and that no input does any harm."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from tests.machine import spending
from tests.packing import packed_gzip
from thresher.documents import read
from thresher.documents.analyse import MAX_TERMS, Reader
from thresher.reasons import Reason
from thresher.text.gate import LanguageGate
from thresher.types import Failed, Fetched, ParsedPage


def fetched(body: bytes, mime: str = "text/html", *headers: tuple[str, str]) -> Fetched:
    fields = [("Content-Type", mime), *headers]
    essence = mime.partition(";")[0]
    return Fetched(url="http://a.test/", status=200, headers=fields, body=body, raw=body, mime=essence, at=5.0, ip="i")


def page(body: bytes, mime: str = "text/html", *headers: tuple[str, str]) -> ParsedPage:
    answer = Reader().read(fetched(body, mime, *headers))
    assert isinstance(answer, ParsedPage)
    return answer


def test_a_page_has_all_that_was_read() -> None:
    found = page("<title>Größe</title><p>The boats floated <a href=/x>boating</a>".encode(), "text/html; charset=utf-8")
    assert (found.url, found.title, found.encoding, found.language) == ("http://a.test/", "Größe", "utf-8", "en")
    assert found.words == ["The", "boats", "floated", "boating"]
    assert found.terms == {"größe": 1, "boat": 2, "float": 1}
    assert [link.url for link in found.links] == ["http://a.test/x"]
    assert len(found.digest) == 16


def test_the_header_names_the_encoding() -> None:
    assert page(b"<p>\xe9t\xe9", "text/html; charset=latin1").words == ["été"]


def test_the_language_chooses_the_stemmer() -> None:
    answer = Reader(language="de").read(fetched("<p>Die schönen Häuser".encode()))
    assert isinstance(answer, ParsedPage)
    assert answer.terms == {"schon": 1, "haus": 1}
    assert answer.language == "de"


def test_each_page_is_read_in_its_own_language() -> None:
    german = page("<html lang=en><p>Die schönen Häuser stehen auf dem Berg, und wir wohnen nicht dort.".encode())
    assert (german.language, german.terms["haus"]) == ("de", 1)
    assert page(b"<html lang=en-GB><p>Boats").terms == {"boat": 1}
    assert page(b"<p>Boats").language == ""


def test_a_page_that_does_not_pass_the_gate_is_in_a_wrong_language() -> None:
    reader = Reader(gate=LanguageGate(["en"]))
    english = b"<p>The boats that we saw in the harbour were not ours, and they did not leave."
    assert isinstance(reader.read(fetched(english)), ParsedPage)
    german = reader.read(fetched(b"<p>Die Boote im Hafen waren nicht die unseren, und sie fuhren nicht ab."))
    assert isinstance(german, Failed)
    assert (german.reason, german.detail) == (Reason.WRONG_LANGUAGE, "de")


def test_pages_have_a_simhash_of_their_stems() -> None:
    boats = page(b"<html lang=en><p>Boats in the wind")
    assert boats.simhash == page(b"<html lang=en><h1>The boat</h1>winds").simhash != 0
    assert page(b"<p>").simhash == 0


def test_digests_know_words_not_markup() -> None:
    assert page(b"<p>One <b>two</b>").digest == page(b"<div>one</div>TWO").digest
    assert page(b"<p>one two").digest != page(b"<p>onetwo").digest
    assert page(b"<p>").digest == b""


def test_plain_text() -> None:
    found = page(b"\n A <b>title</b> \r\n\r\nSome text.", "text/plain")
    assert found.title == "A <b>title</b>"
    assert found.words == ["A", "b", "title", "b", "Some", "text"]
    assert found.links == []
    long = Reader(max_words=3).read(fetched(b"a b c d " * 100_000, "text/plain"))
    assert isinstance(long, ParsedPage)
    assert long.words == ["a", "b", "c"]


def test_of_a_text_without_end_of_different_words_the_most_frequent_are_terms() -> None:
    many = " ".join(f"word{number}" for number in range(MAX_TERMS + 5000))
    found = page(f"{many} tulip tulip tulip".encode(), "text/plain")
    assert len(found.terms) == MAX_TERMS
    assert found.terms["tulip"] == 3
    assert len(found.words) == MAX_TERMS + 5003


def test_directives_of_page_and_headers_are_joined() -> None:
    found = page(
        b"<meta name=robots content=nofollow>",
        "text/html",
        ("X-Robots-Tag", "noarchive"),
        ("x-robots-tag", "otherbot: noindex"),
        ("X-Robots-Tag", "Thresher: nofollow, nosnippet"),
    )
    assert found.robots == ("nofollow", "noarchive", "nosnippet")


def test_the_most_restrictive_wish_of_page_and_headers_wins() -> None:
    found = page(
        b"<meta name=robots content='max-snippet:20, none'><meta name=thresher content='index, max-snippet:-1'>",
        "text/html",
        ("X-Robots-Tag", "all, max-snippet:50"),
    )
    assert found.robots == ("noindex", "nofollow", "max-snippet:20")


def test_opt_outs_of_page_and_headers_are_recorded() -> None:
    found = page(
        b"<meta name=tdm-reservation content=1><meta name=robots content='noai'>",
        "text/html",
        ("Content-Signal", "ai-train=no"),
        ("X-Robots-Tag", "otherbot: noimageai"),
    )
    assert found.opt_outs == ("content-signal:ai-train=no", "noai", "tdm-reservation=1")
    assert page(b"<p>plain").opt_outs == ()


def test_what_is_too_deep_fails_with_its_reason() -> None:
    with spending() as spent:
        answer = Reader().read(fetched(b"<div>" * 100_000))
    assert isinstance(answer, Failed)
    assert (answer.reason, answer.url, answer.at, answer.ip) == (Reason.NESTED_TOO_DEEP, "http://a.test/", 5.0, "i")
    assert spent.seconds < 4
    wide = Reader().read(fetched("<div>".encode("utf-16") * 100_000, "text/html; charset=utf-16"))
    assert isinstance(wide, Failed)


def test_other_types_are_unreadable() -> None:
    answer = Reader().read(fetched(b"%PDF", "application/pdf"))
    assert isinstance(answer, Failed)
    assert answer.reason is Reason.UNREADABLE


def test_a_broken_parser_does_not_stop_the_crawl(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> None:
        raise MemoryError

    monkeypatch.setattr("thresher.documents.analyse.read_html", broken)
    answer = Reader().read(fetched(b"x"))
    assert isinstance(answer, Failed)
    assert (answer.reason, answer.detail) == (Reason.UNREADABLE, "MemoryError: ")


def test_the_door() -> None:
    document = read(b"<title>T</title>\xe9", " Text/HTML ; charset=latin1", "http://a.test/")
    assert (document.title, document.words, document.encoding) == ("T", ["é"], "windows-1252")
    for unreadable in (read(b"<div>" * 100_000, "text/html", "u"), read(b"x", "image/png", "u")):
        assert (unreadable.words, unreadable.links, unreadable.encoding) == ([], [], "")
    assert read(b"<a href=x>y<a href=http://b.test/>", "", "no url").links[0].url == "http://b.test/"


types = st.sampled_from(["text/html", "text/html; charset=utf-16", "text/plain", "application/xhtml+xml", "", "x/y"])


@given(st.binary(max_size=2000), types)
@settings(max_examples=200)
def test_any_bytes_are_read_or_refused(body: bytes, mime: str) -> None:
    answer = Reader(max_words=100, max_links=10).read(fetched(body, mime))
    if isinstance(answer, ParsedPage):
        assert len(answer.words) <= 100
        assert len(answer.links) <= 10
        assert sum(answer.terms.values()) <= 2 * 100 + 500
    assert read(body, mime, "http://a.test/").url == "http://a.test/"


def still_packed(packed: bytes, limit: int = 10_000_000, coding: str = "gzip") -> Fetched:
    return replace(fetched(packed), coding=coding, limit=limit)


def test_a_body_that_is_still_packed_is_read_like_any_other() -> None:
    body = b"<title>Boats</title><p>Here are boats <a href=/x>more</a>"
    assert Reader().read(still_packed(packed_gzip(body))) == Reader().read(fetched(body))
    assert Reader(text=False).read(still_packed(packed_gzip(body))) == Reader(text=False).read(fetched(body))


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        (still_packed(packed_gzip(b"x" * 1001), 1000), Reason.BODY_TOO_LARGE),
        (still_packed(packed_gzip(b"x" * 1000)[:-3], 1000), Reason.BAD_CODING),
        (still_packed(b"no gzip at all"), Reason.BAD_CODING),
        (still_packed(packed_gzip(b"x"), coding="secret"), Reason.BAD_CODING),
    ],
)
def test_a_body_that_cannot_be_unpacked_is_refused(answer: Fetched, reason: Reason) -> None:
    found = Reader().read(answer)
    assert isinstance(found, Failed)
    assert (found.reason, found.status, found.ip) == (reason, 200, "i")
