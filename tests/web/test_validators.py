"""Conditional requests from both sides."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thresher.types import Copy
from thresher.web.validators import conditions, is_current

MONDAY, TUESDAY = "Mon, 01 Jan 2024 00:00:00 GMT", "Tue, 02 Jan 2024 00:00:00 GMT"


@pytest.mark.parametrize(
    ("fields", "etag", "modified", "current"),
    [
        ({}, '"a"', MONDAY, False),
        ({"if-none-match": '"a"'}, '"a"', "", True),
        ({"if-none-match": 'W/"a"'}, '"a"', "", True),
        ({"if-none-match": '"b", "a"'}, 'W/"a"', "", True),
        ({"if-none-match": "*"}, '"a"', "", True),
        ({"if-none-match": "*"}, "", "", False),
        ({"if-none-match": '"b"', "if-modified-since": TUESDAY}, '"a"', MONDAY, False),
        ({"if-modified-since": MONDAY}, '"a"', MONDAY, True),
        ({"if-modified-since": TUESDAY}, "", MONDAY, True),
        ({"if-modified-since": MONDAY}, "", TUESDAY, False),
        ({"if-modified-since": "yesterday"}, "", MONDAY, False),
        ({"if-modified-since": MONDAY}, "", "", False),
    ],
    ids=range(12),
)
def test_a_server_compares_tags_before_dates(fields: dict[str, str], etag: str, modified: str, current: bool) -> None:
    assert is_current(fields, etag, modified) is current


@given(etag=st.text(max_size=20), modified=st.text(max_size=20))
def test_nothing_that_breaks_a_head_is_ever_sent(etag: str, modified: str) -> None:
    for value in conditions(Copy(etag=etag, last_modified=modified)).values():
        assert value.isascii()
        assert value.isprintable()


@given(fields=st.dictionaries(st.sampled_from(["if-none-match", "if-modified-since"]), st.text()), now=st.text())
def test_any_condition_is_decided(fields: dict[str, str], now: str) -> None:
    assert is_current(fields, now, now) in (True, False)
