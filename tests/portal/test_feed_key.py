"""Feeds for programs that cannot sign in: the address with a key of one's own."""

import re
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from tests.portal.made import PASSWORD, Made, token_for
from thresher.store.portal_records import Role


def post(browser: TestClient, path: str, **fields: Any) -> Any:
    return browser.post(path, data={**fields, "token": token_for(browser)})


def address_for(browser: TestClient) -> str:
    """Create an address for a feed reader and return it."""
    found = re.search(r'value="(http://[^"]+report\.atom\?key=[^"]+)"', post(browser, "/account/feed").text)
    assert found is not None
    return found[1]


def test_a_feed_reader_gets_the_report_by_its_key_until_it_is_taken_away(made: Made) -> None:
    rita = made.signed_in(Role.REVIEWER, "Rita")
    assert "Create an address" in rita.get("/account").text
    first = address_for(rita)
    assert first.startswith("http://127.0.0.1:8080/report.atom?key=")
    reader = made.browser()
    assert reader.get("/report.atom").status_code == 401
    assert reader.get("/report.atom?key=wrong").status_code == 401
    assert reader.get("/report.atom?key=").status_code == 401
    answer = reader.get(first)
    assert answer.status_code == 200
    assert answer.headers["content-type"] == "application/atom+xml"
    assert "key=" not in answer.text
    assert first.partition("key=")[2] not in rita.get("/account").text, "it is shown once"
    second = address_for(rita)
    assert reader.get(first).status_code == 401, "a new address takes the place of the old one"
    assert reader.get(second).status_code == 200
    post(rita, "/account/feed/remove")
    assert reader.get(second).status_code == 401


@pytest.mark.parametrize(
    ("path", "fields"),
    [
        ("/account/sign-out-everywhere", {}),
        ("/account/password", {"old": PASSWORD, "password": "another long password"}),
    ],
)
def test_signing_out_everywhere_takes_the_key_away(made: Made, path: str, fields: dict[str, str]) -> None:
    rita = made.signed_in(Role.REVIEWER, "Rita")
    address = address_for(rita)
    assert made.browser().get(address).status_code == 200
    assert post(rita, path, **fields).status_code == 303
    assert made.browser().get(address).status_code == 401


def test_a_key_opens_feeds_and_nothing_else(made: Made) -> None:
    key = address_for(made.signed_in(Role.ADMIN, "Ada")).partition("key=")[2]
    reader = made.browser()
    for path in ("/report", "/crawl.json", "/manage/users", "/review/log.json"):
        assert reader.get(f"{path}?key={key}").status_code in (303, 401), path
    assert post(reader, f"/crawl/start?key={key}", kind="rank").status_code != 200
    assert made.store.works.open() == []


def test_a_role_that_was_taken_away_takes_the_feed_with_it(made: Made) -> None:
    rita = made.signed_in(Role.REVIEWER, "Rita")
    address = address_for(rita)
    ada = made.signed_in(Role.ADMIN, "Ada")
    post(ada, "/manage/users/change", name="Rita", role="reader")
    assert made.browser().get(address).status_code == 403
    post(ada, "/manage/users/remove", name="Rita")
    assert made.browser().get(address).status_code == 401


def test_feeds_of_a_private_portal_open_by_the_key(tmp_path: Path) -> None:
    made = Made(tmp_path / "private", settings="[portal]\nprivate = true\n")
    key = address_for(made.signed_in(Role.REVIEWER)).partition("key=")[2]
    assert made.browser().get("/new.atom").status_code == 401
    assert "Round pots" in made.browser().get(f"/new.atom?key={key}").text
    assert made.browser().get(f"/new.json?key={key}").status_code == 401
    made.close()
