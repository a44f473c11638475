"""Browsers that send sessions: keys, who may ask, and what is taken."""

import json
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace
from starlette.testclient import TestClient

from tests.portal.made import HOSTILE, Made, token_for
from thresher.portal.routes.browsers import MOST_KEYS, MOST_PAGES
from thresher.store.portal_records import Role

SESSION = {
    "pages": [
        {"url": "http://port.test/#top", "title": "Port", "at": 100.0},
        {"url": "http://boats.test/red?utm_source=x", "title": "Red", "useful": True, "more": 1},
        {"url": "about:blank"},
        {"url": "http://port.test/", "useful": False, "at": 1e300},
    ],
    "links": [[0, 1], [3, 1], [0, 2], [1, 1]],
}


@pytest.fixture(scope="module")
def portal(tmp_path_factory: pytest.TempPathFactory) -> Any:
    made = Made(tmp_path_factory.mktemp("browsers") / "portal", pages=False)
    yield made
    made.close()


def key_of(browser: TestClient, name: str = "laptop") -> str:
    """Make a key as a person does, and return it."""
    answer = browser.post("/account/browsers/make", data={"token": token_for(browser), "name": name})
    assert answer.status_code == 200
    return answer.text.partition('id="key">')[2].partition("<")[0]


def send(portal: Made, body: Any, key: str, **headers: str) -> Any:
    sent = body if isinstance(body, bytes) else json.dumps(body).encode()
    fields = {"authorization": f"Bearer {key}", "content-type": "application/json", **headers}
    return portal.browser().post("/browsing/sessions.json", content=sent, headers=fields)


def test_a_session_is_taken_with_a_key(portal: Made) -> None:
    browser = portal.signed_in(Role.REVIEWER, "maria")
    key = key_of(browser)
    assert "not used yet" in browser.get("/account/browsers").text
    assert key not in browser.get("/account/browsers").text
    hello = portal.browser().get("/browsing/hello.json", headers={"authorization": f"bearer {key}"})
    assert hello.json() == {"portal": portal.app.state.library.title, "name": "maria"}
    answer = send(portal, SESSION, key)
    assert (answer.status_code, answer.json()) == (201, {"pages": 2, "useful": 1, "links": 1})
    (row,) = portal.store.browsing.all()
    assert (row.source, row.label, row.links) == ("extension", "maria", [(0, 1)])
    assert [(page.url, page.title, page.at, page.useful) for page in row.pages] == [
        ("http://port.test/", "Port", 100.0, False),
        ("http://boats.test/red", "Red", None, True),
    ]
    portal.store.browsing.keep([], [row.id])


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{",
        b"[" * 100_000,
        b"\xff",
        {"pages": []},
        {"pages": [{"url": 7}]},
        {"pages": [{"url": "file:///etc/passwd"}]},
        {"pages": [{"url": "http://a.test/" + "a" * 3000}]},
        {"pages": [{"url": "http://a.test/"}], "links": [[0, 1]]},
        {"pages": [{"url": "http://a.test/"}], "links": [[-1, 0]]},
        {"pages": [{"url": "http://a.test/"}] * (MOST_PAGES + 1)},
    ],
    ids=lambda body: str(body)[:20],
)
def test_what_is_no_session_is_refused(portal: Made, body: Any) -> None:
    key = portal_key(portal)
    answer = send(portal, body, key)
    assert answer.status_code == 400
    assert answer.json()["remedy"]
    assert portal.store.browsing.all() == []


def portal_key(portal: Made) -> str:
    """Return a key of an account that is made for this."""
    return key_of(portal.signed_in(Role.REVIEWER))


def test_hostile_words_are_kept_as_words(portal: Made) -> None:
    page = {"url": "http://a.test/", "title": HOSTILE * 10 + "\ud800", "useful": True}
    assert send(portal, json.dumps({"pages": [page]}).encode(), portal_key(portal)).status_code in (201, 400)
    for row in portal.store.browsing.all():
        assert len(row.pages[0].title) <= 300
        portal.store.browsing.keep([], [row.id])


def test_large_bodies_are_refused(portal: Made) -> None:
    key = portal_key(portal)
    assert send(portal, b"x" * ((1 << 20) + 1), key).status_code == 413

    def endless() -> Any:
        for _ in range(30):
            yield b"x" * 50_000

    headers = {"authorization": f"Bearer {key}"}
    assert portal.browser().post("/browsing/sessions.json", content=endless(), headers=headers).status_code == 413


@pytest.mark.parametrize("field", ["", "Bearer", "Bearer ", "Bearer wrong", "Basic eDp5", "Bearer \xe9"])
def test_without_a_key_nothing_is_taken(portal: Made, field: str) -> None:
    for browser in (portal.browser(), portal.signed_in(Role.ADMIN)):
        headers = {"authorization": field.encode("latin-1")} if field else {}
        answer = browser.post("/browsing/sessions.json", content=json.dumps(SESSION), headers=headers)
        assert answer.status_code == 401
        assert "key" in answer.json()["error"]
    assert portal.store.browsing.all() == []


def test_a_key_ends_with_its_removal_its_role_and_its_account(portal: Made) -> None:
    browser = portal.signed_in(Role.REVIEWER, "ben")
    first, second = key_of(browser, "one"), key_of(browser, "two")
    user = portal.store.users.get("ben")
    assert user is not None
    stranger = portal.signed_in(Role.REVIEWER)
    number = str(portal.store.browser_keys.of(user.id)[0].id)
    for who, status in ((stranger, 201), (browser, 401)):
        who.post("/account/browsers/remove", data={"token": token_for(who), "key": number})
        assert send(portal, SESSION, first).status_code == status
    assert send(portal, SESSION, second).status_code == 201
    portal.store.users.change(replace(user, role=Role.READER))
    assert send(portal, SESSION, second).status_code == 403
    portal.store.users.remove(user.id)
    assert send(portal, SESSION, second).status_code == 401
    portal.store.browsing.keep([], [row.id for row in portal.store.browsing.all()])


def test_names_and_the_number_of_keys_are_limited(portal: Made) -> None:
    browser = portal.signed_in(Role.REVIEWER)
    token = token_for(browser)
    assert browser.post("/account/browsers/make", data={"token": token, "name": " "}).status_code == 400
    for number in range(MOST_KEYS):
        assert key_of(browser, f"browser {number}")
    assert browser.post("/account/browsers/make", data={"token": token, "name": "more"}).status_code == 409


@pytest.mark.parametrize("origin", ["chrome-extension://abcdefghijklmnopabcdefghijklmnop", "moz-extension://0a-1b"])
def test_extensions_may_ask(portal: Made, origin: str) -> None:
    asked = {"origin": origin, "access-control-request-method": "POST"}
    answer = portal.browser().options("/browsing/sessions.json", headers=asked)
    assert (answer.status_code, answer.headers["access-control-allow-origin"]) == (204, origin)
    assert "authorization" in answer.headers["access-control-allow-headers"]
    assert "access-control-allow-credentials" not in answer.headers
    refused = send(portal, SESSION, "wrong", origin=origin)
    assert (refused.status_code, refused.headers["access-control-allow-origin"]) == (401, origin)
    # Other pages of the portal are none of an extension's business.
    assert "access-control-allow-origin" not in portal.browser().get("/", headers={"origin": origin}).headers


@pytest.mark.parametrize("origin", ["https://evil.example", "null", "chrome-extension://", "http://127.0.0.1:8080"])
def test_websites_may_not(portal: Made, origin: str) -> None:
    key = portal_key(portal)
    for answer in (
        portal.browser().options("/browsing/sessions.json", headers={"origin": origin}),
        send(portal, SESSION, key, origin=origin),
        portal.browser().get("/browsing/hello.json", headers={"origin": origin, "authorization": f"Bearer {key}"}),
    ):
        assert answer.status_code == 403
        assert "access-control-allow-origin" not in answer.headers
    assert portal.store.browsing.all() == []


def test_sending_is_limited_by_the_hour(tmp_path: Path) -> None:
    made = Made(tmp_path / "portal", pages=False)
    made.app.state.limits["browsing"]._number = 3
    key = portal_key(made)
    assert [send(made, SESSION, key).status_code for _ in range(5)] == [201, 201, 201, 429, 429]
    made.close()
