"""Dates in addresses."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thresher.web.url_dates import date_in


@pytest.mark.parametrize(
    ("tail", "shape", "date"),
    [
        ("calendar/2024/05", "calendar/{}", (2024, 5, 0)),
        ("calendar/2024/05/", "calendar/{}/", (2024, 5, 0)),
        ("2024/05/31/some-words", "{}/some-words", (2024, 5, 31)),
        ("x-2024-05-31.html", "x-{}.html", (2024, 5, 31)),
        ("2009_06_01_archive.html", "{}_archive.html", (2009, 6, 1)),
        ("events?month=2024-05", "events?month={}", (2024, 5, 0)),
        ("?year=2024&month=5", "?year={}&month={}", (2024, 5, 0)),
        ("?a=b&d=3&m=12&y=1999&c", "?a=b&d={}&m={}&y={}&c", (1999, 12, 3)),
        ("calendar/20240531", "calendar/{}", (2024, 5, 31)),
        ("x?date=202405", "x?date={}", (2024, 5, 0)),
    ],
)
def test_dates_are_found(tail: str, shape: str, date: tuple[int, int, int]) -> None:
    found = date_in(f"http://a.test/{tail}")
    assert found is not None
    assert found.shape == f"http://a.test/{shape}"
    assert found[1:] == date
    assert found.months == date[0] * 12 + date[1] - 1


OTHERS = """
2024 2024/5 2024/13 12024/05 2024/055 docs/20240531 1824/05 ?year=2024 ?m=5 ?y=24&m=5 physical/20240531 a%202024-05
?year=2024x&month=5
"""


@pytest.mark.parametrize("tail", ["", *OTHERS.split()])
def test_other_numbers_are_no_dates(tail: str) -> None:
    assert date_in(f"http://a.test/{tail}") is None


@given(st.text(max_size=100))
def test_any_text_can_be_asked(text: str) -> None:
    found = date_in(text)
    assert found is None or (1900 <= found.year < 2200 and 1 <= found.month <= 12 and 0 <= found.day <= 31)
