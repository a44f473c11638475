"""Reading HTML: words a reader sees, links with places and spans, base, robots, limits and hostile markup."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.machine import spending
from thresher.documents.html import Markup, read_html
from thresher.documents.references import MAX_ANCHOR, MAX_SPANS
from thresher.documents.wishes import MAX_WISHES
from thresher.types import Link

URL = "http://site.test/dir/page.html?q#f"


def page(text: str, **limits: int) -> Markup:
    return read_html(text, URL, **limits)


def seen(text: str) -> str:
    return " ".join(page(text).words)


def targets(text: str) -> list[str]:
    return [link.url for link in page(text).links]


def only_link(text: str) -> Link:
    (link,) = page(text).links
    return link


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", ""),
        ("plain text", "plain text"),
        ("<p>one<p>two", "one two"),
        ("<ul><li>one<li>two</ul>three", "one two three"),
        ("<p>a<!-- b -->c", "a c"),
        ("<script>a</script>b<style>c</style>", "b"),
        ("<script>a='</p>'<!--<script></script>--></script>b", "b"),
        ("<noscript>a<img src=x></noscript>b", "b"),
        ("<template><p>a</template>b", "b"),
        ("<iframe src=x>a</iframe>b<noframes>c</noframes>", "b"),
        ("<textarea>a</textarea>", "a"),
        ("<select><option>a<option>b</select>c", "c"),
        ("<p hidden>a</p>b", "b"),
        ("<p hidden=until-found>a</p>b", "b"),
        ("<div hidden><p>a</div><p>b", "b"),
        ("<p style='color:red;DISPLAY : none'>a</p>b", "b"),
        ("<p style='display:nonesuch'>a</p>b", "a b"),
        ("<p style='x-display:none'>a</p>b", "a b"),
        ("<dialog>a</dialog><dialog open>b</dialog>", "b"),
        ("<svg><title>a</title><text>b</text><desc>c</desc></svg>", "b"),
        ("<svg><metadata>a</metadata></svg>b", "b"),
        ("<math><semantics><mi>x</mi><annotation>y</annotation></semantics></math>", "x"),
        ("<ruby>漢<rp>(</rp><rt>kan</rt><rp>)</rp></ruby>", "漢 kan"),
        ("<details><summary>a</summary>b</details>", "a b"),
        ("<title>t</title>a", "a"),
        ("<body><title>t</title>a", "a"),
        ("caf&eacute; &lt;b&gt; &amp;amp; &#x41;", "café b amp A"),
        ("a\0b", "ab"),
        ("<plaintext>a <b>c</b>", "a b c b"),
        ("<table>a<tr><td>b</table>", "a b"),
        ("<frameset><frame src=x></frameset>a", ""),
        ("<p>Hauptbahnhofs\xadvorplatz und Donau&shy;dampf", "Hauptbahnhofsvorplatz und Donaudampf"),
    ],
)
def test_words_a_reader_sees(text: str, expected: str) -> None:
    assert seen(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("<b>T</b>he end", "The end"),
        ("re<em>st</em>art", "restart"),
        ("H<sub>2</sub>O", "H2O"),
        ("super<wbr>cali", "supercali"),
        ("<b>a</b> <i>b</i>", "a b"),
        ("<b>a </b><i>b</i>", "a b"),
        ("<b>a</b><i> b</i>", "a b"),
        ("<b>a</b>\n<i>b</i>", "a b"),
        ("<b>a</b><i><b> </b>b</i>", "a b"),
        ("<p>a</p><p>b</p>", "a b"),
        ("a<br>b", "a b"),
        ("<span>Home</span><span>About</span>", "Home About"),
        ("<b><div>a</div></b><b>b</b>", "a b"),
        ("<b>a</b><!-- c --><i>b</i>", "a b"),
        ("word<sup>1</sup>", "word 1"),
        ("<td>a<td>b", "ab"),
    ],
)
def test_words_across_elements(text: str, expected: str) -> None:
    assert seen(text) == expected


def test_titles() -> None:
    assert page("<title> A\n  &amp; B </title><title>C</title>").title == "A & B"
    assert page("<svg><title>S</title></svg><p>x").title == ""
    assert page("<title>a\x00b&#0;c\x07\x1b[31m\x85d</title>").title == "a\ufffdb\ufffdc[31m d"
    assert page("<svg><title>S</title></svg><title>T</title>").title == "T"
    assert len(page(f"<title>{'x ' * 9999}</title>").title) <= 500
    assert page("<html lang=DE-at>").language == "de-at"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("<a href=x>y</a>", ["http://site.test/dir/x"]),
        ("<a href='/x'>", ["http://site.test/x"]),
        ("<a href=' \n/x\t'>", ["http://site.test/x"]),
        ("<a href='?z'>", ["http://site.test/dir/page.html?z"]),
        ("<a href='//other.test'>", ["http://other.test/"]),
        ("<a href='/\\other.test/x'>", ["http://other.test/x"]),
        ("<a href='/\t/other.test/x'>", ["http://other.test/x"]),
        ("<a href='HTTP://Other.TEST:80/a/../b#f'>", ["http://other.test/b"]),
        ("<A HREF=x>", ["http://site.test/dir/x"]),
        ("<a href='x&amp;y=&copy;'>", ["http://site.test/dir/x&y=%C2%A9"]),
        ("<a href=''>", []),
        ("<a href>", []),
        ("<a>", []),
        ("<a href='#top'>", []),
        ("<a href='javascript:x()'><a href='mailto:a@b'><a href='data:,x'><a href='tel:1'>", []),
        ("<a href='http://['><a href='http://a b/'><a href='http://xn--ü/'>", []),
        ("<a href='ftp://a.test/x'>", []),
        ("<a href=x><a href=x>", ["http://site.test/dir/x"] * 2),
        ("<map><area href=x alt=y></map>", ["http://site.test/dir/x"]),
        ("<iframe src=x></iframe>", ["http://site.test/dir/x"]),
        ("<frameset><frame src=x><frame src=y></frameset>", ["http://site.test/dir/x", "http://site.test/dir/y"]),
        ("<link rel='shortcut Canonical' href=x>", ["http://site.test/dir/x"]),
        ("<link rel=stylesheet href=x><link href=y>", []),
        ("<meta http-equiv=Refresh content='5; URL=\"x\"'>", ["http://site.test/dir/x"]),
        ("<meta http-equiv=refresh content='5'>", []),
        ("<!-- <a href=x> --><script>'<a href=x>'</script><template><a href=x></template>", []),
        ("<noscript><a href=x></a></noscript>", []),
        ("<div title=\"<a href='x'>\">", []),
        ("<textarea><a href=x></textarea><title><a href=x></title>", []),
        ("<div hidden><a href=x>menu</a></div>", ["http://site.test/dir/x"]),
        ("<svg><a href=x>y</a></svg>", ["http://site.test/dir/x"]),
        ("<svg><a xlink:href=x>y</a></svg>", ["http://site.test/dir/x"]),
        ("<svg><a xlink:href=old href=new>y</a></svg>", ["http://site.test/dir/new"]),
        (
            "<svg xmlns:xlink='w'><g><a xlink:href='#x'/><a xlink:href=/y><text>y</text></a></g></svg>",
            ["http://site.test/y"],
        ),
        ("<noscript><a href=x>y</a><iframe src=z></iframe><meta http-equiv=refresh content='0;url=/w'></noscript>", []),
        ("<base href='/b/'><a href=x>", ["http://site.test/b/x"]),
        ("<a href=x></a><base href='http://other.test/'>", ["http://other.test/x"]),
        ("<base target=_top><base href='/b/'><base href='/c/'><a href=x>", ["http://site.test/b/x"]),
        ("<base href='javascript:1'><a href=x>", ["http://site.test/dir/x"]),
        ("<base href='http://['><a href=x>", ["http://site.test/dir/x"]),
        (f"<a href='/{'x' * 9000}'>", []),
    ],
)
def test_links_lead_to_canonical_urls(text: str, expected: list[str]) -> None:
    assert targets(text) == expected


def test_anchor_texts() -> None:
    assert only_link("<a href=x> A\n <b>big</b>  C++ </a>").anchor == "A big C++"
    assert only_link("<a href=x><div>one</div><div>two</div></a>").anchor == "one two"
    assert only_link("<a href=x><img src=i alt='a boat'></a>").anchor == "a boat"
    assert only_link("<a href=x title=t><img src=i></a>").anchor == "t"
    assert only_link("<a href=x aria-label=l title=t></a>").anchor == "l"
    assert only_link("<a href=x title=t>words</a>").anchor == "words"
    assert only_link("<map><area href=x alt='North  Sea'>").anchor == "North Sea"
    assert only_link("<iframe src=x title=map></iframe>").anchor == "map"
    assert only_link("<div hidden><a href=x>menu</a></div>").anchor == "menu"
    assert len(only_link(f"<a href=x>{'y ' * 9999}</a>").anchor) == MAX_ANCHOR


def test_relations_and_elements() -> None:
    link = only_link("<a href=x rel='NoFollow  UGC'>y</a>")
    assert (link.rel, link.tag) == (("nofollow", "ugc"), "a")
    assert only_link("<link rel=next href=x>").tag == "link"
    assert only_link("<iframe src=x></iframe>").tag == "iframe"


def test_places_and_spans() -> None:
    found = page("<body>zero<div>one <p>two <a href=x>three four</a> five</p><p>six</p></div>seven")
    link = found.links[0]
    assert found.words[link.position : link.position + link.length] == ["three", "four"]
    assert (link.position, link.length) == (3, 2)
    assert [found.words[start:end] for start, end in link.spans] == [
        ["two", "three", "four", "five"],
        ["one", "two", "three", "four", "five", "six"],
        ["zero", "one", "two", "three", "four", "five", "six", "seven"],
    ]


def test_equal_spans_are_given_once_and_not_without_end() -> None:
    assert only_link("<div><div><p><span><a href=x>a</a></span></p></div></div>").spans == ()
    deep = "".join(f"<div>w{i} " for i in range(40)) + "<a href=x>a</a>"
    spans = only_link(deep).spans
    assert len(spans) == MAX_SPANS
    assert spans[0] == (39, 41)
    assert spans[1] == (38, 41)


def test_the_path_of_a_link_names_the_structure_around_it() -> None:
    assert only_link("<header><nav><ul><li><b><a href=x>a</a></b></li></ul></nav></header>").path == "header nav ul li"
    assert only_link("<table><tr><td><font><a href=x>a</a></font></table>").path == "table tr td"
    assert only_link("<my-menu><p><a href=x>a</a></my-menu>").path == "p"
    assert only_link("<a href=x>a</a>").path == ""


def test_wrappers_within_wrappers_do_not_lengthen_the_path() -> None:
    assert only_link("<div><div><span><div><p><a href=x>a</a>").path == "div p"
    deep = "<ul><li>" * 40 + "<p><a href=x>a</a>"
    assert only_link(deep).path == "li ul li ul li p"


def test_links_after_a_closed_element_have_their_own_path() -> None:
    found = page("<nav><p><a href=x>a</a></p><a href=y>b</a></nav><p><a href=z>c</a>")
    assert [link.path for link in found.links] == ["nav p", "nav", "p"]


def test_hidden_links_take_no_words() -> None:
    found = page("<p>a <span hidden>b <a href=x>c</a></span> <a href=y>d</a>")
    assert [(link.position, link.length) for link in found.links] == [(1, 0), (1, 1)]
    assert found.words == ["a", "d"]


def test_wishes_of_a_page_are_kept_as_they_are() -> None:
    assert page("<meta name=robots content='NoIndex, nofollow'>").metas == (("robots", "NoIndex, nofollow"),)
    assert page("<meta name=ROBOTS content=none><meta name=Thresher content=noarchive>").metas == (
        ("robots", "none"),
        ("robots", "noarchive"),
    )
    assert page("<meta name=otherbot content=noindex><meta name=robots>").metas == ()
    assert page("<body><meta name=' tdm-reservation' content=1>").metas == (("tdm-reservation", "1"),)
    many = page("<meta name=robots content=noindex>" * 1000).metas
    assert len(many) == MAX_WISHES


def test_limits() -> None:
    found = page("<p>one two <a href=x>three four</a> five <a href=y>six</a>", max_words=3)
    assert found.words == ["one", "two", "three"]
    assert [(link.position, link.length) for link in found.links] == [(2, 1)]
    assert len(page("<a href=x>" * 50, max_links=7).links) == 7


def test_many_nodes_are_cut() -> None:
    with spending() as spent:
        page("<br>" * 1_500_000)
    assert spent.seconds < 10


@pytest.mark.parametrize(
    "text",
    [
        "<select>" + "<option>x" * 50_000,
        "a<wbr>" * 200_000,
        "<svg>" + "<g>" * 400 + "<title></title>" * 50_000,
        "<a href=x>y</a>" * 50_000,
        "<a href=x>" + "y<br>" * 100_000,
        "x" * 5_000_000,
        "<p hidden>" * 100_000,
        "<b></b>" * 50_000 + "x",
        "<base href='" + "/x" * 2_000_000 + "'>" + "<a href=y>z</a>" * 10_000,
        "<p>" + "<b>x" * 3 + "<a href=y>z</a>" * 100_000,
    ],
)
def test_hostile_pages_are_read_in_linear_time(text: str) -> None:
    with spending() as spent:
        page(text)
    assert spent.seconds < 10


PIECES = ["<p>", "</p>", "<div>", "</div>", "<a href=x>", "<a href='/y?z'>", "</a>", "<b>", "</b>", "<table>", "<tr>"]
PIECES += ["<td>", "</table>", "<ul>", "<li>", "</ul>", "<img alt=i>", "<span hidden>", "</span>", "<script>"]
PIECES += ["</script>", "<svg>", "</svg>", "<title>", "</title>", "<base href=/b/>", "<!--", "-->", "<template>"]
PIECES += ["</template>", "text", "two words", " ", "é", "東京都", "\0", "&amp;", "<frameset>", "<select>", "<option>"]
PIECES += ["</html>", "<body>", "'", '"']
markup = st.lists(st.one_of(st.sampled_from(PIECES), st.text(max_size=5)), max_size=40).map("".join)


@given(markup, st.integers(1, 12))
@settings(max_examples=300)
def test_any_markup_gives_well_formed_places(text: str, max_words: int) -> None:
    for limit in (max_words, 200_000):
        found = page(text, max_words=limit)
        assert len(found.words) <= limit
        for link in found.links:
            end = link.position + link.length
            assert 0 <= link.position <= end <= len(found.words)
            last = (link.position, end)
            for span in link.spans:
                assert 0 <= span[0] <= last[0]
                assert last[1] <= span[1] <= len(found.words)
                assert span != last
                last = span
            assert link.url.startswith("http")


def test_feeds_are_told_from_other_alternates() -> None:
    head = (
        '<link rel="alternate" type="application/rss+xml" href="/rss">'
        '<link rel="ALTERNATE" type="Application/Atom+XML; charset=utf-8" href="/atom">'
        '<link rel="alternate" hreflang="de" href="/de">'
    )
    found = read_html(f"<head>{head}</head>", "http://a.test/")
    assert [(link.url, link.tag) for link in found.links] == [
        ("http://a.test/rss", "feed"),
        ("http://a.test/atom", "feed"),
        ("http://a.test/de", "link"),
    ]
