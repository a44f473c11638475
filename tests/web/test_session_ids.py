"""Session ids: which are cut out of addresses, and what must stay."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thresher.web.session_ids import looks_random, without_session
from thresher.web.urls import canonical


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("http://a.test/x?PHPSESSID=abc", "http://a.test/x"),
        ("http://a.test/x?a=1&phpsessid=9f86d081884c7d65&b=2", "http://a.test/x?a=1&b=2"),
        ("http://a.test/x;jsessionid=0A1B.node2", "http://a.test/x"),
        ("http://a.test/x;jsessionid=0A1B?a=1", "http://a.test/x?a=1"),
        ("http://a.test/x;JSESSIONID=0A1B/y", "http://a.test/x/y"),
        ("http://a.test/(S(k3xv5455gkqlfk55ny2hkd55))/page.aspx", "http://a.test/page.aspx"),
        ("http://a.test/?ASPSESSIONIDQATTBQDA=JHGF", "http://a.test/"),
        ("http://a.test/?osCsid=1&zenid=2", "http://a.test/"),
        ("http://a.test/view?item=3&sid=0a1b2c3d", "http://a.test/view?item=3"),
        ("http://a.test/?sid=0a1b2c3d&item=3", "http://a.test/?item=3"),
        ("http://a.test/?sessionid=k3Xv54q5gkQ7fk55ny2h", "http://a.test/"),
        ("http://a.test/?a=1;sid=9f86d081884c7d65;b=2", "http://a.test/?a=1;b=2"),
        ("http://a.test:8080/x?session_id=9f86d081884c7d65", "http://a.test:8080/x"),
    ],
)
def test_session_ids_are_cut_out(url: str, expected: str) -> None:
    assert without_session(url) == expected
    assert without_session(expected) == expected


@pytest.mark.parametrize(
    "url",
    [
        "http://a.test/",
        "http://a.test/x?y",
        "http://a.test/article.pl?sid=06/01/02/1234",
        "http://a.test/?sid=2041",
        "http://a.test/?sid=20041231",
        "http://a.test/?session=morning&sessionid=1",
        "http://a.test/?side=9f86d081884c7d65",
        "http://a.test/?id=9f86d081884c7d65",
        "http://a.test/sessions/9f86d081884c7d65",
        "http://a.test/wiki/Congress_(US)/page",
        "http://a.test/x;v=1?a=;b=",
        "http://a.test/?a=1&&b=2&",
        "http://sid.test/?x=sid",
    ],
)
def test_what_is_no_session_stays_as_it_is(url: str) -> None:
    assert without_session(url) == url


@pytest.mark.parametrize("value", ["9f86d081884c7d65", "0A1B2C3D", "k3Xv54q5gkQ7fk55ny2h", "1" * 20])
def test_machines_make_random_values(value: str) -> None:
    assert looks_random(value)


@pytest.mark.parametrize(
    "value",
    ["", "12345678", "deadbeef", "annual-report-2004", "the-best-of-2004-and-2005", "morning", "2024-05-01", "ab12"],
)
def test_people_do_not(value: str) -> None:
    assert not looks_random(value)


QUERY = st.lists(st.sampled_from(["sid=0a1b2c3d", "phpsessid=1", "a=1", "b", "", "sid=7", ";", "x=;jsessionid=1"])).map(
    "&".join
)
PATH = st.lists(st.sampled_from(["a", "b;jsessionid=1", "(S(k3xv5455gkqlfk55ny2hkd55))", "", ";sid=1"])).map("/".join)


@given(PATH, QUERY)
def test_cutting_twice_changes_nothing_more_and_leaves_an_address(path: str, query: str) -> None:
    url = canonical(f"http://a.test/{path}?{query}")
    assert url is not None
    once = without_session(url)
    assert without_session(once) == once
    assert canonical(once) is not None
    assert len(once) <= len(url)
