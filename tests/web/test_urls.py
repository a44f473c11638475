"""URLs: the WHATWG door with its failures, the canonical form and its properties, hosts and ids."""

import string

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from thresher.web.urls import canonical, host_of, origin_of, parse, registered_domain, url_id

PIECES = ["http:", "https:", "//", "/", "\\", "?", "#", "@", ":", ".", "..", "%2e", "%2F", "%7e", "%", "%4", "80"]
PIECES += ["a.test", "[::1]", "0x7f.1", "xn--", "xn--4ca", "ü", "\0", "\t", " ", "\ud800", "\U0001f600"]
PIECES += ["ftp:", "mailto:", "&a=%41", "utm_source=x", "&fbclid=y", "?", "%75tm_id"]
urlish = st.lists(st.one_of(st.sampled_from(PIECES), st.text(string.printable, max_size=3))).map("".join)
http = urlish.map(lambda tail: "http://" + tail)
anything = st.one_of(urlish, http, st.text(st.characters()))


@pytest.mark.parametrize(
    ("url", "base", "expected"),
    [
        ("http://example\t.\norg", None, "http://example.org/"),
        ("  http://a.test/b ", None, "http://a.test/b"),
        ("b", None, None),
        ("", None, None),
        ("b", "http://a.test/x/y", "http://a.test/x/b"),
        ("", "http://a.test/x?q#f", "http://a.test/x?q"),
        ("//b.test", "https://a.test/", "https://b.test/"),
        ("http:b", "http://a.test/x/y", "http://a.test/x/b"),
        ("http:b", "https://a.test/x/y", "http://b/"),
        ("\\\\b.test\\c", "http://a.test/", "http://b.test/c"),
        ("http://a.test/", "no base", None),
        ("http://a.test/", "", None),
        ("http://a.test/", "about:blank", "http://a.test/"),
        ("#f", "about:blank", "about:blank#f"),
        ("#f", "mailto:x@y", "mailto:x@y#f"),
        ("x", "mailto:x@y", None),
        ("?q", "data:text/plain,x", None),
        ("/x", "file:///C:/y", "file:///C:/x"),
        ("http://a.test:65536/", None, None),
        ("http://a.test:080/", None, "http://a.test/"),
        ("http://a b/", None, None),
        ("http://1.2.3.256/", None, None),
        ("http://0x7F.1", None, "http://127.0.0.1/"),
        ("http://2130706433", None, "http://127.0.0.1/"),
        ("http://[::ffff:127.0.0.1]", None, "http://[::ffff:7f00:1]/"),
        ("http://[::1", None, None),
        ("http://%6D.test", None, "http://m.test/"),
        ("http://a.test/%2e%2E/b/%2e", None, "http://a.test/b/"),
        ("http://faß.test", None, "http://xn--fa-hia.test/"),
        ("http://☕.test", None, "http://xn--53h.test/"),
        ("javascript:alert(1)", None, "javascript:alert(1)"),
        ("http://a.test/ü?ü#ü", None, "http://a.test/%C3%BC?%C3%BC#%C3%BC"),
        ("http://a.test/a'b?a'b", None, "http://a.test/a'b?a%27b"),
        ("non:special?'", None, "non:special?'"),
    ],
)
def test_parse_follows_the_standard(url: str, base: str | None, expected: str | None) -> None:
    assert parse(url, base) == expected


@pytest.mark.parametrize("label", ["xn--", "xn--a", "xn--0", "xn--abc-", "xn--pokxncvks", "xn--4ca"])
def test_labels_of_ascii_are_taken_as_they_are(label: str) -> None:
    assert parse(f"http://{label}/") == f"http://{label}/"
    assert parse(f"HTTPS://www.{label.upper()}.test/x") == f"https://www.{label}.test/x"
    assert parse("/x", f"ftp://{label}/") == f"ftp://{label}/x"
    assert canonical(f"http://{label}.test/") == f"http://{label}.test/"


@pytest.mark.parametrize("url", ["http://xn--ü/", "http://xn--a.ü/", "http://ａ.xn--/"])
def test_labels_that_stand_for_nothing_fail_beside_others_that_are_encoded(url: str) -> None:
    assert parse(url) is None


def test_surrogates_are_joined_or_replaced() -> None:
    assert parse("http://a.test/\ud83d\ude00") == "http://a.test/%F0%9F%98%80"
    assert parse("http://a.test/\ud800x\udfff") == "http://a.test/%EF%BF%BDx%EF%BF%BD"
    assert parse("x", "http://a.test/\ud800/") == "http://a.test/%EF%BF%BD/x"
    assert parse("\ud800") is None


@given(anything, st.one_of(st.none(), anything))
def test_parse_never_raises_and_is_stable(url: str, base: str | None) -> None:
    parsed = parse(url, base)
    assert parsed is None or parse(parsed) == parsed


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("HTTP://User:pw@Example.COM:80/a/../b#x", "http://example.com/b"),
        ("https://a.test:443", "https://a.test/"),
        ("https://a.test:80/", "https://a.test:80/"),
        ("http://a.test/?", "http://a.test/"),
        ("http://a.test/?#x", "http://a.test/"),
        ("http://a.test?", "http://a.test/"),
        ("http://a.test/x??", "http://a.test/x??"),
        ("http://a.test/x?y?", "http://a.test/x?y?"),
        ("http://a.test/x?a=b/?", "http://a.test/x?a=b/?"),
        ("http://a.test./x", "http://a.test/x"),
        ("http://a.test.:8080/x", "http://a.test:8080/x"),
        ("http://a.test../", "http://a.test/"),
        ("http://./", None),
        ("http://foo.0x4../", None),
        ("http://a.test/%7Eb/%2f/%c3%bc", "http://a.test/~b/%2F/%C3%BC"),
        ("http://a.test/?q=%41%26%3d", "http://a.test/?q=A%26%3D"),
        ("http://a.test/%2e%2e/x", "http://a.test/x"),
        ("http://a.test/%252e", "http://a.test/%252e"),
        ("http://a.test/%25%34%31", "http://a.test/%2541"),
        ("http://a.test/%zz%4", "http://a.test/%zz%4"),
        ("http://a.test/a:b@c", "http://a.test/a:b@c"),
        ("http://[::1]:80/", "http://[::1]/"),
        ("http://u@[::1]:81/", "http://[::1]:81/"),
        ("ftp://a.test/", None),
        ("mailto:a@b", None),
        ("javascript:x", None),
        ("data:text/html,x", None),
        ("http://", None),
        ("a.test/x", None),
        ("http://xn--/", "http://xn--/"),
        ("", None),
    ],
)
def test_canonical_form(url: str, expected: str | None) -> None:
    assert canonical(url) == expected


@pytest.mark.parametrize(
    ("query", "kept"),
    [
        ("?utm_source=letter&utm_medium=mail&utm_anything=x", ""),
        ("?id=7&utm_source=letter&page=2", "?id=7&page=2"),
        ("?UTM_Source=x&GCLID=y&id=7", "?id=7"),
        ("?%75tm_source=x&id=7", "?id=7"),
        ("?fbclid=x", ""),
        ("?fbclid", ""),
        ("?&fbclid=x", ""),
        ("?a=1&&fbclid=x", "?a=1&"),
        ("?ref=home&source=utm_source&utm=1&gclid2=x", "?ref=home&source=utm_source&utm=1&gclid2=x"),
        ("?next=http://b.test/?utm_source=x", "?next=http://b.test/?utm_source=x"),
    ],
)
def test_parameters_that_track_visitors_are_no_part_of_an_address(query: str, kept: str) -> None:
    assert canonical(f"http://a.test/x{query}") == f"http://a.test/x{kept}"
    assert canonical(f"y{query}#f", "http://a.test/x/") == f"http://a.test/x/y{kept}"
    assert parse(f"http://a.test/x{query}") == f"http://a.test/x{query}"


def test_canonical_resolves_against_a_base() -> None:
    assert canonical("?q=1#f", "http://a.test/x/y?z") == "http://a.test/x/y?q=1"
    assert canonical("x", "bad base") is None


@given(anything, st.one_of(st.none(), anything))
@example("http://a.test/%2e%2E%2f./%2e", None)
@example("http://a.test./?", "http://b.test/")
def test_canonical_is_idempotent_parses_to_itself_and_never_raises(url: str, base: str | None) -> None:
    form = canonical(url, base)
    if form is None:
        return
    assert canonical(form) == form
    assert parse(form) == form
    assert form.isascii()
    assert "#" not in form
    assert "@" not in form.partition("://")[2].partition("/")[0]
    assert form.startswith(origin_of(form) + "/")
    assert host_of(form) in origin_of(form)
    assert registered_domain(host_of(form))
    assert -(1 << 63) <= url_id(form) < 1 << 63


def test_hosts_origins_and_domains() -> None:
    assert host_of("http://[::1]:81/x") == "[::1]"
    assert host_of("http://a.test:81/x:y") == "a.test"
    assert origin_of("https://a.test/x") == "https://a.test"
    assert registered_domain("a.b.example.org") == "example.org"
    assert registered_domain("co.uk") == "co.uk"
    assert registered_domain("[::1]") == "[::1]"
    assert registered_domain("a..b")


def test_ids_of_one_host_lie_together_and_differ() -> None:
    ids = {url_id(f"http://a.test/{i}") for i in range(1000)}
    assert len(ids) == 1000
    assert len({i >> 48 for i in ids}) == 1
