"""The name the crawler goes by."""

import pytest

from thresher.errors import SettingsError
from thresher.web.robots import allowed
from thresher.web.user_agent import TOKEN, user_agent


def test_the_name_says_who_and_how_to_reach_them() -> None:
    assert user_agent(" https://us.example/bot ").endswith(" (+https://us.example/bot)")
    assert "(" not in user_agent("")


def test_robots_files_know_the_name_and_the_token() -> None:
    body = b"User-agent: Thresher\nDisallow: /"
    assert not allowed(body, user_agent("a@b.example"), "http://a.test/")
    assert not allowed(body, TOKEN, "http://a.test/")


@pytest.mark.parametrize("contact", ["a\r\nX: y", "ü@b.example", "a)b", "a\0b", "a\\b"])
def test_contacts_that_would_break_the_header_are_refused(contact: str) -> None:
    with pytest.raises(SettingsError):
        user_agent(contact)
