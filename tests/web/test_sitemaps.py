"""Sitemaps and feeds: every form, every limit, and files made to hurt."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.machine import spending
from tests.packing import packed_gzip
from thresher.web.sitemaps import MAX_ELEMENTS, MAX_URLS, Listed, Sitemap, read_sitemap

MAP = "http://a.test/maps/map.xml"
URLSET = b"""<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:image="http://www.google.com/schemas/sitemap-image/1.1">
  <url><loc> http://a.test/1?x=1&amp;y=2 </loc><lastmod>2024-05-01</lastmod><priority>0.5</priority></url>
  <url><image:image><image:loc>http://a.test/picture.png</image:loc></image:image><loc>http://a.test/2</loc></url>
  <url><loc><![CDATA[HTTP://A.test:80/3#top]]></loc></url>
  <url><loc>http://a.test/2</loc></url>
  <url><loc>mailto:x@a.test</loc></url><url><loc/></url><url/>
</urlset>"""
INDEX = b"""<sitemapindex><sitemap><loc>http://a.test/b.xml.gz</loc><lastmod>2024</lastmod></sitemap>
<sitemap><loc>/c.xml</loc></sitemap></sitemapindex>"""
RSS = b"""<?xml version="1.0"?><rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom"><channel>
<link>http://a.test/</link><atom:link rel="self" href="http://a.test/feed"/><image><link>http://a.test/logo</link></image>
<item><title>One</title><link>http://a.test/one</link><pubDate>Mon, 01 Jan 2024 00:00:00 GMT</pubDate>
<guid>http://a.test/guid</guid><description>&lt;a href="http://a.test/no"&gt;</description></item>
<item><link>../two</link></item></channel></rss>"""
RDF = b"""<rdf:RDF xmlns:rdf="r"><channel><link>http://a.test/</link></channel>
<item rdf:about="x"><link>http://a.test/one</link><dc:date>2024-01-01</dc:date></item></rdf:RDF>"""
ATOM = b"""<feed xmlns="http://www.w3.org/2005/Atom"><link href="http://a.test/"/>
<entry><link rel="self" href="http://a.test/self"/><link href="/one"/><link rel="alternate" href="http://a.test/other"/>
<updated>2024-01-01T00:00:00Z</updated><published>2023-01-01T00:00:00Z</published></entry></feed>"""


def urls(found: Sitemap) -> list[str]:
    return [listed.url for listed in found.pages]


@pytest.mark.parametrize(
    ("body", "pages", "maps"),
    [
        (URLSET, [("http://a.test/1?x=1&y=2", "2024-05-01"), ("http://a.test/2", ""), ("http://a.test/3", "")], []),
        (INDEX, [], [("http://a.test/b.xml.gz", "2024"), ("http://a.test/c.xml", "")]),
        (RSS, [("http://a.test/one", "Mon, 01 Jan 2024 00:00:00 GMT"), ("http://a.test/two", "")], []),
        (RDF, [("http://a.test/one", "2024-01-01")], []),
        (ATOM, [("http://a.test/one", "2024-01-01T00:00:00Z")], []),
        (b"\xef\xbb\xbfhttp://a.test/1\r\n\r\n HTTPS://a.test/2 \nhttp://a.test/1",
         [("http://a.test/1", ""), ("https://a.test/2", "")], []),
        (b"<html><body><a href='/x'>x</a></body></html>", [], []),
        (b"<urlset></urlset>", [], []),
    ],
)  # fmt: skip
@pytest.mark.parametrize("packed", [False, True])
def test_every_form_is_read(
    body: bytes, pages: list[tuple[str, str]], maps: list[tuple[str, str]], packed: bool
) -> None:
    found = read_sitemap(packed_gzip(body) if packed else body, MAP)
    assert found == Sitemap(pages=[Listed(*page) for page in pages], maps=[Listed(*one) for one in maps], whole=True)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "iso-8859-1", "windows-1251"])
def test_encodings(encoding: str) -> None:
    text = f'<?xml version="1.0" encoding="{encoding}"?><urlset><url><loc>http://a.test/x</loc></url></urlset>'
    assert urls(read_sitemap(text.encode(encoding), MAP)) == ["http://a.test/x"]


def test_space_before_the_declaration_is_forgiven() -> None:
    assert len(read_sitemap(b"\n\n " + URLSET, MAP).pages) == 3


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"  ",
        b"plain words",
        URLSET[: URLSET.index(b"<url><loc><!")],
        URLSET.replace(b"&amp;y", b"&y").replace(b"http://a.test/1", b"http://a.test/0"),
        URLSET.replace(b"</urlset>", b"&nbsp;</urlset>"),
        URLSET.replace(b"UTF-8", b"no-such-encoding"),
        packed_gzip(URLSET)[:-9],
        b"\x1f\x8bnonsense",
        b"http://a.test/1\nnot a url\n",
    ],
)
def test_what_is_broken_is_not_whole(body: bytes) -> None:
    assert not read_sitemap(body, MAP).whole


def test_what_stood_before_the_break_is_kept() -> None:
    assert urls(read_sitemap(URLSET[: URLSET.index(b"<url><loc><!")], MAP)) == [
        "http://a.test/1?x=1&y=2",
        "http://a.test/2",
    ]
    assert urls(read_sitemap(b"http://a.test/1\nnot a url\nhttp://a.test/2", MAP)) == [
        "http://a.test/1",
        "http://a.test/2",
    ]


@pytest.mark.parametrize("end", ["\r", "\n", "\r\n", "\n\r", "\r\r\n"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_lines_may_end_in_any_way(end: str, encoding: str) -> None:
    body = end.join(["http://a.test/1", "http://a.test/2", "", "http://a.test/3", ""]).encode(encoding)
    found = read_sitemap(body, MAP)
    assert (urls(found), found.whole) == (["http://a.test/1", "http://a.test/2", "http://a.test/3"], True)


@pytest.mark.parametrize("space", [" ", "\t", " \t ", "\x0b", "\x0c", "\x85", "\u2028"])
def test_addresses_with_only_space_between_them_are_not_joined(space: str) -> None:
    found = read_sitemap(f"http://a.test/1{space}https://a.test/2\nhttp://a.test/3".encode(), MAP)
    assert (urls(found), found.whole) == (["http://a.test/1", "https://a.test/2", "http://a.test/3"], True)


def test_many_addresses_on_one_line_are_limited_like_lines() -> None:
    found = read_sitemap(b" ".join(b"http://a.test/%d" % number for number in range(5)), MAP, max_urls=3)
    assert (len(found.pages), found.whole) == (3, False)


@pytest.mark.parametrize("first", ["# our pages", "Sitemap of A", "/relative", "-", '{"a": 1}'])
def test_a_first_line_that_is_no_address_costs_only_itself(first: str) -> None:
    found = read_sitemap(f"{first}\nhttp://a.test/1\nhttp://a.test/2\n".encode(), MAP)
    assert (urls(found), found.whole) == (["http://a.test/1", "http://a.test/2"], False)


def test_every_address_of_an_entry_is_kept() -> None:
    two = b"<urlset><url><loc>http://a.test/1</loc><loc>http://a.test/2</loc><lastmod>2024</lastmod></url></urlset>"
    found = read_sitemap(two, MAP)
    assert found.pages == [Listed("http://a.test/1", "2024"), Listed("http://a.test/2", "2024")]
    one = b"<urlset><url><loc>http://a.test/1\r\nhttp://a.test/2 http://a.test/3</loc></url></urlset>"
    assert urls(read_sitemap(one, MAP)) == ["http://a.test/1", "http://a.test/2", "http://a.test/3"]
    maps = b"<sitemapindex><sitemap><loc>/1.xml</loc><loc>/2.xml</loc></sitemap></sitemapindex>"
    assert [one.url for one in read_sitemap(maps, MAP).maps] == ["http://a.test/1.xml", "http://a.test/2.xml"]


def test_a_list_that_loses_a_long_address_is_not_whole() -> None:
    long = "http://a.test/" + "x" * 3000
    xml = f"<urlset><url><loc>{long}</loc></url><url><loc>http://a.test/1</loc></url></urlset>"
    for body in (xml, f"{long}\nhttp://a.test/1"):
        found = read_sitemap(body.encode(), MAP)
        assert (urls(found), found.whole) == (["http://a.test/1"], False)


@pytest.mark.slow
def test_the_number_of_addresses_is_limited() -> None:
    entries = [f"http://a.test/{i}" for i in range(MAX_URLS + 5)]
    xml = "<urlset>" + "".join(f"<url><loc>{url}</loc></url>" for url in entries) + "</urlset>"
    for body in (xml, "\n".join(entries)):
        found = read_sitemap(body.encode(), MAP)
        assert (len(found.pages), found.whole) == (MAX_URLS, False)
    exact = read_sitemap("\n".join(entries[:MAX_URLS]).encode(), MAP)
    assert (len(exact.pages), exact.whole) == (MAX_URLS, True)
    assert len(read_sitemap(xml.encode(), MAP, max_urls=7).pages) == 7


def test_the_size_is_limited() -> None:
    body = b"<urlset>" + b"<url><loc>http://a.test/x</loc></url>" * 1000
    for data in (body, packed_gzip(body)):
        found = read_sitemap(data, MAP, max_bytes=100)
        assert (urls(found), found.whole) == (["http://a.test/x"], False)


LAUGHS = b"""<!DOCTYPE urlset [<!ENTITY a "http://a.test/"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;">
<!ENTITY c "&b;&b;&b;&b;&b;&b;&b;&b;&b;&b;"><!ENTITY d "&c;&c;&c;&c;&c;&c;&c;&c;&c;&c;">]>
<urlset><url><loc>&d;</loc></url></urlset>"""


@pytest.mark.slow
@pytest.mark.parametrize(
    "body",
    [
        LAUGHS,
        b'<!DOCTYPE u [<!ENTITY x SYSTEM "file:///etc/passwd">]><urlset><url><loc>http://a.test/&x;</loc></url></urlset>',
        b'<!DOCTYPE u [<!ENTITY % x SYSTEM "http://a.test/x.dtd"> %x;]><urlset/>',
        b"<!DOCTYPE u [<!ATTLIST a "
        + b" ".join(b"b%d CDATA 'x'" % i for i in range(1000))
        + b">]><u>"
        + b"<a/>" * 9999,
        b"<a>" * 500_000,
        b"<urlset>" + b"<a/>" * (MAX_ELEMENTS + 10),
        b"<urlset><url><loc>" + b"x" * 20_000_000,
        b"<a " + b" ".join(b"a%d=''" % i for i in range(1_000_000)) + b"/>",
        b"<a b='" + b"x" * 20_000_000,
        b"<!--" + b"x" * 20_000_000,
        b"<urlset>" + (b"<a b='" + b"x" * 250_000 + b"'/>") * 80,
        packed_gzip(b"<urlset>" + b" " * 120_000_000),
        b"http://a.test/\n" + b"x\n" * 10_000_000,
        b"<" * 5_000_000,
        b"<urlset><url><loc>" + b"&#65;" * 2_000_000,
    ],
    ids=range(15),
)
def test_files_made_to_hurt_cost_little(body: bytes) -> None:
    with spending() as spent:
        found = read_sitemap(body, MAP)
    assert spent.seconds < 10
    assert not found.whole
    assert not any("passwd" in page.url for page in found.pages)
    assert len(found.pages) <= 1


def test_an_outside_dtd_is_never_read() -> None:
    body = b'<!DOCTYPE rss SYSTEM "http://127.0.0.1:9/x.dtd"><rss><channel><item><link>http://a.test/&eacute;</link></item></channel></rss>'
    assert len(read_sitemap(body, MAP).pages) <= 1


PIECES = st.sampled_from(
    (
        "<url> </url> <loc> </loc> http://a.test/x <item> <link> </link> </item> <a:b href='/y' > <![CDATA[ ]]> <!--"
        " --> &amp; &x; \xff <?x?> <!DOCTYPE ["
    )
    .encode("latin-1")
    .split()
)


@given(st.lists(PIECES, max_size=40).map(b"".join) | st.binary(max_size=300))
def test_anything_can_be_read(body: bytes) -> None:
    for data in (body, b"<urlset>" + body + b"</urlset>", packed_gzip(body)):
        found = read_sitemap(data, MAP)
        assert all(page.url.startswith(("http://", "https://")) for page in found.pages + found.maps)
