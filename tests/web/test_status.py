"""Statuses and Retry-After."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thresher.reasons import Reason
from thresher.web.status import reason_of, retry_after


@pytest.mark.parametrize(
    ("status", "expected"),
    [
        (200, None),
        (201, Reason.BAD_STATUS),
        (304, Reason.BAD_STATUS),
        (400, Reason.BAD_STATUS),
        (401, Reason.FORBIDDEN),
        (403, Reason.FORBIDDEN),
        (404, Reason.NOT_FOUND),
        (410, Reason.GONE),
        (429, Reason.RATE_LIMITED),
        (451, Reason.FORBIDDEN),
        (500, Reason.SERVER_ERROR),
        (503, Reason.UNAVAILABLE),
        (599, Reason.SERVER_ERROR),
        (600, Reason.BAD_STATUS),
        (999, Reason.BAD_STATUS),
    ],
)
def test_each_status_has_its_reason(status: int, expected: Reason | None) -> None:
    assert reason_of(status) is expected


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (None, None),
        ("", None),
        ("0", 0.0),
        (" 120 ", 120.0),
        ("-5", None),
        ("1.5", None),
        ("soon", None),
        ("²", None),
        ("9" * 400, None),
        ("Thu, 01 Jan 1970 00:16:50 GMT", 10.0),
        ("Thursday, 01-Jan-70 00:16:50 GMT", 10.0),
        ("Thu Jan  1 00:16:50 1970", 10.0),
        ("Thu, 01 Jan 1970 00:00:10 GMT", 0.0),
        ("Thu, 01 Jan 1970 01:16:50 +0100", 10.0),
        ("Thu, 99 Jan 1970 00:00:00 GMT", None),
    ],
)
def test_retry_after_in_seconds(value: str | None, expected: float | None) -> None:
    assert retry_after(value, 1000.0) == expected


@given(st.text(max_size=40), st.floats(0, 4e9))
def test_retry_after_never_raises(value: str, now: float) -> None:
    seconds = retry_after(value, now)
    assert seconds is None or seconds >= 0
