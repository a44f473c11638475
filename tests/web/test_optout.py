"""Opt-outs from header fields, meta elements and robots files."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thresher.web.optout import MAX_SIGNALS, opt_outs
from thresher.web.robots import MAX_USAGES, parse_robots

Pairs = list[tuple[str, str]]


@pytest.mark.parametrize(
    ("headers", "metas", "expected"),
    [
        ([], [], ()),
        ([("Content-Type", "text/html")], [("description", "noai")], ()),
        ([("TDM-Reservation", "1")], [], ("tdm-reservation=1",)),
        ([("TDM-Reservation", "0")], [], ()),
        ([("TDM-Reservation", "0")], [("tdm-reservation", " 1 ")], ("tdm-reservation=1",)),
        (
            [("tdm-reservation", "1"), ("tdm-policy", "https://A.test/policy.json")],
            [],
            ("tdm-policy=https://a.test/policy.json", "tdm-reservation=1"),
        ),
        ([("tdm-policy", "https://a.test/policy.json")], [], ()),
        ([("tdm-reservation", "1"), ("tdm-policy", "javascript:1")], [], ("tdm-reservation=1",)),
        ([("X-Robots-Tag", "noai, noimageai, noindex")], [], ("noai", "noimageai")),
        ([("X-Robots-Tag", "otherbot: noai")], [], ()),
        ([("X-Robots-Tag", "thresher: noai")], [], ("noai",)),
        ([], [("Robots", "NOAI, follow")], ("noai",)),
        ([("Content-Usage", "train-ai=n, search=y")], [], ("content-usage:train-ai=n",)),
        ([("Content-Usage", "train-ai=n;why=x")], [], ("content-usage:train-ai=n",)),
        ([("Content-Usage", "train-ai=n, train-ai=y")], [], ()),
        ([("Content-Usage", "train-ai, search=?0, ai-use")], [], ()),
        ([("Content-Signal", "search=yes, ai-train=no,ai-input=no")], [],
         ("content-signal:ai-input=no", "content-signal:ai-train=no")),
        ([("Content-Signal", "ai-train=no"), ("content-usage", "train-ai=n")], [("robots", "noai")],
         ("content-signal:ai-train=no", "content-usage:train-ai=n", "noai")),
    ],
)  # fmt: skip
def test_what_a_page_reserves(headers: Pairs, metas: Pairs, expected: tuple[str, ...]) -> None:
    assert opt_outs(headers, metas) == expected


PATHS = b"""
User-Agent: *
Allow: /
Disallow: /never/
Content-Usage: / train-ai=n
Content-Usage: /ai-ok/ train-ai=y
Content-Signal: search=yes,ai-train=no

User-Agent: Thresher
Content-Usage: /mine/\tai-use=n
Content-Usage: /mine/ search=n
"""


@pytest.mark.parametrize(
    ("agent", "path", "expected"),
    [
        ("Other", "/test", ("content-usage:train-ai=n", "content-signal:ai-train=no")),
        ("Other", "/ai-ok/test", ("content-signal:ai-train=no",)),
        ("Thresher", "/test", ()),
        ("Thresher", "/mine/x", ("content-usage:ai-use=n", "content-usage:search=n")),
    ],
)
def test_a_robots_file_speaks_by_group_and_path(agent: str, path: str, expected: tuple[str, ...]) -> None:
    rules = parse_robots(PATHS, agent)
    assert rules.usage(f"http://a.test{path}") == expected
    assert opt_outs([], site=rules.usage(f"http://a.test{path}")) == tuple(sorted(expected))


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (b"Content-Usage: train-ai=n", ("content-usage:train-ai=n",)),
        (b"Content-Signal: ai-train=no\nUser-agent: thresher\nDisallow: /x", ("content-signal:ai-train=no",)),
        (b"User-agent: other\nContent-Signal: ai-train=no", ()),
        (
            b"User-agent: other\nDisallow: /\nUser-agent: *\nContent-Signal: ai-train=no",
            ("content-signal:ai-train=no",),
        ),
        (b"User-agent: *\nContent-Usage: /x train-ai=n", ()),
        (
            b"User-agent: *\nContent-Usage: /*.html$ train-ai=n\nContent-Usage: / train-ai=y",
            ("content-usage:train-ai=n",),
        ),
        (b"User-agent: *\nContent-Usage:\nContent-Usage: /\nContent-Signal: \xff=no, =, ===", ()),
    ],
)
def test_lines_on_use_in_all_their_forms(body: bytes, expected: tuple[str, ...]) -> None:
    assert parse_robots(body, "Thresher").usage("http://a.test/p.html") == expected


def test_lines_on_use_decide_nothing_about_fetching() -> None:
    rules = parse_robots(b"User-agent: *\nContent-Usage: / search=n\nContent-Signal: search=no", "Thresher")
    assert rules.allowed("http://a.test/")
    # They do not part two names of one group either: to older readers they are unknown lines.
    rules = parse_robots(b"User-agent: thresher\nContent-Signal: search=no\nUser-agent: b\nDisallow: /", "Thresher")
    assert not rules.allowed("http://a.test/")


def test_many_lines_are_cut() -> None:
    body = b"User-agent: *\n" + b"".join(b"Content-Usage: / use%d=n\n" % i for i in range(5000))
    found = parse_robots(body, "Thresher").usage("http://a.test/")
    assert len(found) == MAX_USAGES
    assert len(opt_outs([], site=found)) == MAX_SIGNALS


NAMES = st.sampled_from(["X-Robots-Tag", "tdm-reservation", "tdm-policy", "Content-Usage", "content-signal", "robots"])


@given(st.lists(st.tuples(NAMES, st.text(max_size=60))), st.lists(st.tuples(NAMES, st.text(max_size=60))))
def test_anything_can_be_read(headers: Pairs, metas: Pairs) -> None:
    found = opt_outs(headers, metas)
    assert len(found) <= MAX_SIGNALS
    assert list(found) == sorted(set(found))
    assert all(len(signal) < 600 and signal.isprintable() for signal in found)
    # What a page adds takes nothing back.
    assert {signal for signal in opt_outs(headers) if len(found) < MAX_SIGNALS} <= set(found)
