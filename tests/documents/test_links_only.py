"""Reading links alone finds the links, title and wishes that reading everything finds."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from thresher.documents.analyse import Reader
from thresher.documents.html import Markup, read_html
from thresher.documents.links_only import read_links
from thresher.simweb.parameters import WebParameters
from thresher.simweb.render import render
from thresher.simweb.web import Web
from thresher.types import Fetched, ParsedPage

URL = "http://site.test/dir/page.html"


def essentials(markup: Markup) -> tuple[object, ...]:
    links = [(link.url, link.anchor, link.rel, link.tag) for link in markup.links]
    return markup.title, links, markup.metas, markup.language


def both(text: str) -> tuple[tuple[object, ...], tuple[object, ...]]:
    """Return what reading links alone finds, and what reading everything finds."""
    return essentials(read_links(text, URL)), essentials(read_html(text, URL))


@pytest.mark.parametrize(
    "text",
    [
        "",
        "<html lang=' DE '><title> A  b </title><title>C</title>",
        "<svg><title>picture</title></svg><title>page</title>",
        "<base href=/x/><base href=/y/><a href=z>z</a>",
        "<a href=z>before</a><base href=http://other.test/>",
        "<base href='javascript:x'><a href=z>z</a>",
        "<a href=#top>up</a><a href=' #a'>a</a><a href=''>b</a><a>c</a><a href=mailto:x@y>d</a><a href>e</a>",
        "<a href=/x rel='NoFollow ugc'>a <b>bold</b>  word</a>",
        "<a href=/x title=T><img src=i alt=A></a><a href=/y title=T></a><a href=/z aria-label=L title=T> </a>",
        "<a href=/x><img alt=one><img alt=two><img alt=''></a>",
        "<map><area href=/area alt=Area rel=nofollow></map>",
        "<frameset><frame src=/f name=N></frameset>",
        "<iframe src=/i title=I></iframe>",
        "<link rel='Stylesheet' href=/s><link rel='next prefetch' href=/n title=N><link href=/none><link rel=next>",
        "<meta name=' Robots ' content='NOINDEX, nofollow'><meta name=thresher content=noarchive><meta name=robots>",
        "<meta http-equiv=refresh content='5; URL=/later'><meta http-equiv=refresh content=5>",
        "<div hidden><a href=/menu>menu</a></div><template><a href=/t>t</a></template>",
        "<svg><a xlink:href=/s>S</a><a xlink:href=/t href=/u>U</a><title>\0</title></svg><title>a\0\x07b</title>",
        "<svg><area xlink:href=/s><base xlink:href=/b/><link rel=next xlink:href=/n><a xlink:href=''>x</a></svg>",
        "<noscript><a href=/plain>plain</a></noscript><select><option>x</select>",
        "<a href=/soft>soft\u00adhyphen</a><a href='/ä?ö'>ä</a>",
        "<p><a href=/1>one<p>two</a> <a href=/2>three",
        "<table><a href=/t>out</a><tr><td><a href=/u>in</a></table>",
    ],
)
def test_links_are_those_of_the_whole_reading(text: str) -> None:
    alone, whole = both(text)
    assert alone == whole


def test_links_of_generated_pages_are_the_same() -> None:
    web = Web(WebParameters(pages=300, hosts=20, seed=3))
    links = 0
    for page in range(0, 300, 3):
        if web.pages.status[page] == 200 and not web.hosts[int(web.pages.host[page])].trap:
            alone, whole = both(render(web, page).decode("latin-1"))
            assert alone == whole
            links += len(read_links(render(web, page).decode("latin-1"), URL).links)
    assert links > 100


PIECES = st.sampled_from(
    [
        "<a href=/x>",
        "</a>",
        "<b>",
        "</b>",
        "text",
        " ",
        "<img alt=A>",
        "<title>",
        "</title>",
        "<base href=/b/>",
        "<p>",
        "<table>",
        "<td>",
        "</table>",
        "<area href=y alt=Y>",
        "<a href='q?1' rel=nofollow>",
        "<meta name=robots content=none>",
    ]
)


@settings(max_examples=150)
@given(st.lists(PIECES, max_size=25))
def test_links_of_broken_pages_are_the_same(pieces: list[str]) -> None:
    text = "".join(pieces)
    assert [link.url for link in read_links(text, URL).links] == [link.url for link in read_html(text, URL).links]


def test_links_are_limited() -> None:
    assert len(read_links("<a href=/x>x</a>" * 50, URL, max_links=7).links) == 7


def read(body: bytes, mime: str = "text/html") -> ParsedPage:
    answer = Reader(text=False).read(Fetched(url=URL, status=200, headers=[], body=body, raw=body, mime=mime, at=0.0))
    assert isinstance(answer, ParsedPage)
    return answer


def test_pages_without_text_are_told_apart_by_their_bytes() -> None:
    one, other = read(b"<title>T</title><p>one"), read(b"<title>T</title><p>other")
    assert (one.title, one.words, one.terms) == ("T", [], {})
    assert one.digest
    assert one.digest != other.digest
    assert one.digest == read(b"<title>T</title><p>one").digest
    assert read(b"one two", "text/plain").words == []
