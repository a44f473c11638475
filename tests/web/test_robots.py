"""Robots files: groups, longest match, wildcards, escapes, forgiveness, limits and answers without a file."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tests.machine import spending
from tests.web.test_path_patterns import matches
from thresher.web.robots import MAX_LINE, MAX_ROBOTS, allowed, parse_robots, rules_for

BOT = "Harvester"


def may(rules: str | bytes, path: str, agent: str = BOT) -> bool:
    body = rules if isinstance(rules, bytes) else rules.encode()
    return allowed(body, agent, f"http://site.test{path}")


def mine(*rules: str) -> str:
    return "\n".join(["User-agent: harvester", *rules])


@pytest.mark.parametrize(
    ("rules", "path", "expected"),
    [
        # Longest match, ties for the crawler, empty rules.
        ((), "/x", True),
        (("Disallow:",), "/x", True),
        (("Allow:", "Disallow:"), "/x", True),
        (("Disallow: /",), "/x", False),
        (("Disallow: /",), "", False),
        (("Disallow: /", "Allow: /open"), "/open/x", True),
        (("Allow: /open", "Disallow: /"), "/ope", False),
        (("Allow: /a/b", "Disallow: /a/b"), "/a/b", True),
        (("Disallow: /a/b/c", "Allow: /a/b"), "/a/b/c/d", False),
        (("Disallow: /a", "Allow: /a/"), "/a", False),
        (("Disallow: /a", "Allow: /a/"), "/a/", True),
        # Of several rules of one kind the longest that matches counts.
        (("Disallow: /a/b/c", "Disallow: /a", "Allow: /a/b"), "/a/b/c", False),
        (("Disallow: /a", "Disallow: /a/b/c", "Allow: /a/b"), "/a/b/c", False),
        (("Disallow: /a/b", "Allow: /a", "Allow: /a/b/c"), "/a/b/c", True),
        (("Disallow: /a/b", "Allow: /a/b/c", "Allow: /a"), "/a/b/c", True),
        (("Disallow: /a/b", "Allow: /a/b/c", "Allow: /a"), "/a/b/d", False),
        (("Disallow: /*/b", "Disallow: /*/b/c", "Allow: /a/b"), "/a/b/c", False),
        (("Disallow: /a/b", "Allow: /*/b", "Allow: /a"), "/a/b", True),
        (("Disallow: /a*c", "Allow: /abc"), "/abc", True),
        (("Disallow: /A",), "/a", True),
        (("Disallow: x",), "/x", True),
        # Stars and dollars.
        (("Disallow: /*.pdf",), "/deep/er/file.pdf.html?x", False),
        (("Disallow: /*.pdf$",), "/file.pdf", False),
        (("Disallow: /*.pdf$",), "/file.pdf?x", True),
        (("Disallow: /*.pdf$",), "/.pdf.pdf", False),
        (("Disallow: /end$",), "/end", False),
        (("Disallow: /end$",), "/end/", True),
        (("Disallow: /$",), "/", False),
        (("Disallow: /$",), "/x", True),
        (("Disallow: *",), "/x", False),
        (("Disallow: /a*",), "/abc", False),
        (("Disallow: /a***z",), "/a-z", False),
        (("Disallow: /a*b*c$",), "/a-b-c-c", False),
        (("Disallow: /a*b*c$",), "/a-c-b", True),
        (("Disallow: /aa*aa$",), "/aaa", True),
        (("Disallow: /aa*aa$",), "/aaaa", False),
        (("Disallow: /price$list",), "/price$list", False),
        (("Disallow: /a.c",), "/abc", True),
        (("Allow: /page", "Disallow: /*.html"), "/page.html", False),
        (("Allow: /x/page.", "Disallow: /*.html"), "/x/page.html", True),
        (("Allow: /$", "Disallow: /"), "/", True),
        (("Allow: /$", "Disallow: /"), "/a", False),
        # The query belongs to the path, the fragment does not.
        (("Disallow: /*?",), "/x?y", False),
        (("Disallow: /?id=",), "?id=5", False),
        (("Disallow: /x#y",), "/x", False),
        (("Disallow: /a#",), "/b#/a", True),
        # The robots file itself.
        (("Disallow: /",), "/robots.txt", True),
        (("Disallow: /",), "/robots.txt?x", False),
        # The index file speaks for its directory.
        (("Disallow: /", "Allow: /d/index.html"), "/d/", True),
        (("Disallow: /", "Allow: /d/index.html"), "/d/x", False),
        (("Disallow: /d/index.html",), "/d/", True),
    ],
)
def test_the_longest_rule_decides(rules: tuple[str, ...], path: str, expected: bool) -> None:
    assert may(mine(*rules), path) is expected


@pytest.mark.parametrize(
    ("rules", "path", "expected"),
    [
        ("Disallow: /ü", "/%C3%BC", False),
        ("Disallow: /ü", "/%c3%bc", False),
        ("Disallow: /ü", "/ü", False),
        ("Disallow: /%c3%bc", "/%C3%BC", False),
        ("Disallow: /%7Ejoe", "/~joe", False),
        ("Disallow: /~joe", "/%7ejoe", False),
        ("Disallow: /a%2Fb", "/a/b", True),
        ("Disallow: /a/b", "/a%2Fb", True),
        ("Disallow: /%2A", "/x", True),
        ("Disallow: /%2A", "/*", True),
        ("Disallow: /x%", "/x%", False),
        ("Disallow: /\nAllow: /ü", "/%C3%BC", True),
        ("Disallow: /\nAllow: /%c3%bc", "/%C3%BC", True),
        ("Disallow: /\nAllow: /~joe", "/~joe", True),
        ("Disallow: /\nAllow: /%7Ejoe", "/~joe", True),
        ("Disallow: /\nAllow: /~joe", "/%7ejoe", True),
        ("Disallow: /\nAllow: /a%2Db%2ec%5Fd", "/a-b.c_d", True),
        ("Disallow: /\nAllow: /a%2Fb", "/a/b", False),
        ("Disallow: /\nAllow: /%62", "/b", False),
        ("Disallow: /%62", "/b", False),
        ("Disallow: /%7Ejoe/x\nAllow: /~joe/xy", "/~joe/xyz", True),
        ("Disallow: /~joe/xy\nAllow: /%7Ejoe/x", "/~joe/xyz", False),
        ("Disallow: /a%2ehtml$", "/a.html", False),
        ("Disallow: /robots%2etxt", "/robots.txt", True),
    ],
)
def test_escapes_forbid_widely_and_allow_narrowly(rules: str, path: str, expected: bool) -> None:
    assert may(mine(rules), path) is expected


@given(st.sampled_from(["-", ".", "_", "~"]), st.booleans(), st.booleans(), st.sampled_from(["Allow", "Disallow"]))
def test_marks_match_with_and_without_escapes(mark: str, in_rule: bool, in_url: bool, kind: str) -> None:
    rule, url = (f"/a{f'%{ord(mark):02X}' if escaped else mark}b" for escaped in (in_rule, in_url))
    rules = f"Disallow: /\nAllow: {rule}" if kind == "Allow" else f"Disallow: {rule}"
    assert may(mine(rules), url) is (kind == "Allow")


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be"])
def test_files_in_utf_16_forbid_as_others_do(encoding: str) -> None:
    rules = "User-agent: *\r\nDisallow: /private\r\nDisallow: /ü\r\nSitemap: http://a.test/map.xml\r\n".encode(encoding)
    marked = b"\xfe\xff" + rules if encoding == "utf-16-be" else rules
    for body in (rules, marked):
        assert not may(body, "/private/x")
        assert not may(body, "/%C3%BC")
        assert may(body, "/open")
        assert parse_robots(body, BOT).sitemaps == ["http://a.test/map.xml"]


@pytest.mark.parametrize("encoding", ["utf-32", "utf-32-le", "utf-32-be"])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_files_in_utf_32_forbid_as_others_do(encoding: str, mark: str) -> None:
    assert not may(f"{mark}User-agent: *\r\nDisallow: /private\r\n".encode(encoding), "/private/x")


@pytest.mark.parametrize("body", [b"\0\0User-agent: *\nDisallow: /x", b"User-agent: *\0\nDis\0allow: /x\0"])
def test_null_characters_hide_no_rule(body: bytes) -> None:
    assert not may(body, "/x")


def test_a_long_file_in_utf_16_is_read_to_the_limit_as_well() -> None:
    filler = "# filler\n" * (MAX_ROBOTS // 18)
    assert not may(f"User-agent: *\n{filler}Disallow: /late\n".encode("utf-16"), "/late")


def test_sitemaps_that_are_named_again_count_once() -> None:
    lines = "".join(f"Sitemap: http://a.test/{number}.xml\n" * 500 for number in range(4))
    assert parse_robots(lines.encode(), BOT).sitemaps == [f"http://a.test/{number}.xml" for number in range(4)]


GROUPS = """
Disallow: /outside
User-agent: Other
User-agent: Harvester
Disallow: /both

Disallow: /blank-lines-do-not-end-a-group
User-agent: *
Disallow: /star
User-agent: HARVESTER
Allow: /both/but
"""


@pytest.mark.parametrize(
    ("agent", "path", "expected"),
    [
        ("Harvester", "/both", False),
        ("Harvester", "/both/but", True),
        ("Harvester", "/blank-lines-do-not-end-a-group", False),
        ("Harvester", "/star", True),
        ("Harvester", "/outside", True),
        ("Other", "/both/but", False),
        ("Third", "/star", False),
        ("Third", "/both", True),
        ("Third", "/outside", True),
    ],
)
def test_groups_of_one_name_are_merged(agent: str, path: str, expected: bool) -> None:
    assert may(GROUPS, path, agent) is expected


@pytest.mark.parametrize(
    ("written", "agent", "named"),
    [
        ("Harvester", "harvester", True),
        ("harvester", "HARVESTER/2.0 (+http://us.test)", True),
        ("Harvester/9.9", "Harvester", True),
        ("Harvester Images", "Harvester", True),
        ("Harvester", "Harvester Images", False),
        ("Harvest", "Harvester", False),
        ("Harvester-News", "Harvester", False),
        ("har*", "Harvester", False),
        ("ツ", "", False),
        ("", "Harvester", False),
    ],
)
def test_a_group_is_for_a_whole_name(written: str, agent: str, named: bool) -> None:
    assert may(f"User-agent: {written}\nDisallow: /", "/x", agent) is not named


def test_a_group_of_ours_without_rules_sets_us_free_of_the_star() -> None:
    assert may("User-agent: harvester\nDisallow:\n\nUser-agent: *\nDisallow: /", "/x")


def test_other_lines_do_not_part_names_from_rules() -> None:
    for line in ("Sitemap: http://site.test/map", "Host: site.test", "Crawl-delay: 1", "nonsense"):
        assert not may(f"User-agent: Harvester\n{line}\nUser-agent: Other\nDisallow: /", "/x")


@pytest.mark.parametrize(
    "text",
    [
        "user-agent harvester\ndisallow /",
        "USER-AGENT: HARVESTER\nDISALLOW: /",
        "UserAgent: harvester\nDissallow: /",
        "user agent : harvester\ndisallow :/",
        "  User-agent:harvester  # us\n\t Disallow: /# all",
        "User-agent: harvester\rDisallow: /\r",
        "User-agent: harvester\r\nDisallow: /\r\n",
        "User-agent: * \nDisallow: /",
        "User-agent: * everyone\nDisallow: /",
        "\ufeffUser-agent: harvester\nDisallow: /",
    ],
)
def test_forgiven_spellings(text: str) -> None:
    assert not may(text, "/x")


def test_marks_and_garbage() -> None:
    assert not may(b"\xef\xbbUser-agent: harvester\nDisallow: /", "/x")
    assert not may(b"\xff\x00\x80garbage\n\x00\nUser-agent: harvester\nDisallow: /\n\xfe: \xfe", "/x")
    assert not may(b"User-agent: harvester\nDisallow: /\xff", "/%FF")
    assert may(b"User-agent: harvester\x0bDisallow: /", "/x")
    assert may(b"<html><body>User-agent: harvester</body></html>", "/x")


def test_lines_and_files_are_cut() -> None:
    prefix = "Disallow: /"
    long = "a" * (MAX_LINE - len(prefix))
    assert not may(mine(prefix + long + "more"), f"/{long}other")
    assert may(mine(prefix + long), f"/{long[1:]}")
    filler = "#" * 1023 + "\n"
    body = mine("Disallow: /early\n") + filler * (MAX_ROBOTS // 1024) + "\nDisallow: /late"
    assert not may(body, "/early")
    assert may(body, "/late")


def test_a_rule_cut_by_the_limit_is_left_out() -> None:
    start = mine("Disallow: /early\n")
    body = start + "#" * (MAX_ROBOTS - len(start) - 12) + "\nDisallow: /only-this"
    assert body[:MAX_ROBOTS].endswith("Disallow: /")
    assert may(body, "/x")
    assert not may(body, "/early")


def test_delays_and_sitemaps() -> None:
    rules = parse_robots(
        "Sitemap: http://site.test/ü.xml\nUser-agent: harvester\nCrawl-delay: 2.5\nUser-agent: other\nDisallow: /x\n"
        "User-agent: *\nCrawl-delay: 9\nSitemap:http://site.test/2.xml".encode(),
        BOT,
    )
    assert rules.crawl_delay == 2.5
    assert rules.sitemaps == ["http://site.test/ü.xml", "http://site.test/2.xml"]
    assert parse_robots(b"User-agent: *\nCrawl-delay: 9", BOT).crawl_delay == 9
    for value in ("nan", "inf", "-1", "soon", "", "1e999"):
        assert parse_robots(f"User-agent: *\nCrawl-delay: {value}".encode(), BOT).crawl_delay is None


@pytest.mark.parametrize("status", [200, 204, 301, 401, 403, 404, 410, 451, 429, 500, 503, 599, 0, 100, 999])
def test_answers_without_a_file(status: int) -> None:
    rules = rules_for(status, b"User-agent: *\nDisallow: /", BOT)
    assert rules.allowed("http://site.test/x") is (status in {301, 401, 403, 404, 410, 451})
    assert rules.allowed("http://site.test/robots.txt")


def test_urls_in_every_shape() -> None:
    rules = parse_robots(mine("Disallow: /x").encode(), BOT)
    for url in (
        "http://u:p@site.test:80/x",
        "//site.test/x",
        "/x",
        "site.test/x",
        "https://[::1]:8/x?y",
        "http://s.test/x#y",
    ):
        assert not rules.allowed(url), url
    for url in ("", "http://x", "http://site.test?/x", "http://site.test#/x", "http://site.test/?u=http://s.test/x"):
        assert rules.allowed(url), url


def test_hostile_patterns_cost_little() -> None:
    body = mine(*["Disallow: /" + "*a" * 3000 + "b" for _ in range(80)])
    rules = parse_robots(body.encode(), BOT)
    with spending() as spent:
        assert rules.allowed("http://site.test/" + "a" * 2000)
    assert spent.seconds < 2


def test_large_files_stay_fast() -> None:
    rules = parse_robots(mine(*[f"Disallow: /section-{i}/" for i in range(15000)]).encode(), BOT)
    with spending() as spent:
        for i in range(1000):
            assert rules.allowed(f"http://site.test/section-x{i}/")
    assert spent.seconds < 2


RULES = st.lists(st.tuples(st.sampled_from(["Allow", "Disallow"]), st.text("ab*$", max_size=5)), max_size=6)


@given(RULES, st.text("ab$", max_size=7))
@example([("Disallow", "a"), ("Allow", "ab"), ("Disallow", "ab*")], "abc")
def test_decisions_agree_with_the_plain_definition(rules: list[tuple[str, str]], path: str) -> None:
    def longest(kind: str) -> int:
        written = [f"/{pattern}" for name, pattern in rules if name == kind]
        return max((len(pattern) for pattern in written if matches(f"/{path}", pattern)), default=0)

    body = mine(*(f"{name}: /{pattern}" for name, pattern in rules))
    assert may(body, f"/{path}") is (longest("Allow") >= longest("Disallow"))


@given(st.binary(max_size=300), st.text(max_size=20), st.text(st.characters(), max_size=40))
def test_nothing_raises(body: bytes, agent: str, url: str) -> None:
    lines = b"User-agent: *\nDisallow: " + body
    assert allowed(lines, agent, url) in (True, False)
    assert rules_for(200, body, agent).allowed(url) in (True, False)
