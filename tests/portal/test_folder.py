"""A folder of portals behind one address."""

import re
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from starlette.testclient import TestClient

from tests.portal.made import HOSTILE, QUICK, Made
from thresher.accounts import Accounts
from thresher.portal.brakes import GuessBrake
from thresher.portal.folder import ACCOUNTS, FolderApp, folder_name, portals_in
from thresher.portal.form_tokens import form_token
from thresher.store.portal_records import Role
from thresher.store.repository import open_store

PASSWORD = "a long enough password"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Path, TestClient, str]]:
    """Give a folder with a portal, a browser of its admin, and the token of its forms."""
    place = tmp_path_factory.mktemp("folder")
    Made(place / "tea", settings='[portal]\ntitle = "All of tea"\n').close()
    Made(place / "secret", settings="[portal]\nprivate = true\n", pages=False).close()
    (place / "notes").mkdir()
    (place / "broken").mkdir()
    (place / "broken" / "portal.db").write_bytes(b"no database")
    store = open_store(place / ACCOUNTS, create=True)
    accounts = Accounts(store, QUICK)
    user = accounts.add("anna", PASSWORD, Role.ADMIN)
    assert user is not None
    session = accounts.sign_in(user)
    store.close()
    with TestClient(FolderApp(place), base_url="http://127.0.0.1:8080", follow_redirects=False) as browser:
        browser.cookies.set("thresher_session", session, domain="127.0.0.1")
        yield place, browser, form_token(session)


def test_the_list_shows_the_portals_one_may_know_of(folder: tuple[Path, TestClient, str]) -> None:
    place, browser, _ = folder
    assert portals_in(place) == ["broken", "secret", "tea"]
    text = browser.get("/").text
    assert 'href="/p/tea/"' in text
    assert "All of tea" in text
    assert "5 pages" in text
    assert "could not be opened" in text
    session = browser.cookies.pop("thresher_session")
    stranger = browser.get("/").text
    assert "/p/tea/" in stranger
    assert "/p/secret/" not in stranger
    assert browser.get("/new").headers["location"].startswith("/sign-in")
    browser.cookies.set("thresher_session", session, domain="127.0.0.1")


def test_every_path_in_a_page_leads_below_its_portal(folder: tuple[Path, TestClient, str]) -> None:
    _, browser, _ = folder
    seen: set[str] = set()
    waiting = ["/p/tea/", "/p/tea/crawl", "/p/tea/start", "/p/tea/search?q=pot", "/p/tea/report"]
    while waiting:
        address = waiting.pop()
        if address in seen:
            continue
        seen.add(address)
        answer = browser.get(address)
        assert answer.status_code in (200, 303, 404), address
        assert answer.headers.get("location", "/p/tea/").startswith("/p/tea/"), address
        if not answer.headers.get("content-type", "").startswith("text/html"):
            continue
        found = re.findall(r'\s(?:href|action|src|data-base|data-load|data-events)="(/[^"]*)"', answer.text)
        for path in found:
            assert path.startswith("/p/tea/") or address.endswith("/raw"), f"{address}: {path}"
        links = re.findall(r'<a [^>]*href="(/p/tea/(?:t|d|topics|new|about|crawl)[^"?#.]*)"', answer.text)
        waiting += [link for link in links if len(seen) + len(waiting) < 40]
    assert len(seen) > 15
    stream = browser.get("/p/tea/crawl/events?seconds=0").text
    assert 'href=\\"/p/tea/' in stream
    assert 'href=\\"/t/' not in stream


def test_one_account_serves_all_portals_and_a_wrong_name_is_not_found(folder: tuple[Path, TestClient, str]) -> None:
    _, browser, _ = folder
    assert browser.get("/p/secret/").status_code == 200
    assert browser.get("/p/tea/crawl").status_code == 200
    for path in (
        "/p/none/",
        "/p/notes/",
        "/p/broken/",
        "/p/..%2ftea/",
        "/p/.thresher/",
        "/p/",
        "/p/tea%2f..%2fsecret/",
    ):
        assert browser.get(path).status_code == 404, path


def test_wrong_passwords_at_one_portal_count_at_all(folder: tuple[Path, TestClient, str]) -> None:
    place, _, _ = folder
    store = open_store(place / ACCOUNTS)
    GuessBrake(store.tries, time.time).missed(*["name anna"] * 6)
    store.close()
    stranger = TestClient(folder[1].app, base_url="http://127.0.0.1:8080", follow_redirects=False)
    stranger.get("/p/tea/sign-in")
    fields = {"name": "anna", "password": PASSWORD, "token": form_token(stranger.cookies["thresher_visitor"])}
    assert stranger.post("/p/tea/sign-in", data=fields).status_code == 429


def test_a_portal_is_made_in_the_browser(folder: tuple[Path, TestClient, str]) -> None:
    place, browser, token = folder
    made = browser.post("/new", data={"token": token, "title": "Tee & Gärten"})
    assert made.headers["location"] == "/p/tee-garten/start"
    assert "Set up the portal" in browser.get("/p/tee-garten/start").text
    assert browser.post("/new", data={"token": token, "title": "tee GARTEN"}).status_code == 409
    assert browser.post("/new", data={"token": token, "title": "…"}).status_code == 400
    assert browser.post("/new", data={"title": "Without a token"}).status_code == 403
    evil = browser.post("/new", data={"token": token, "title": HOSTILE[:150]})
    assert "<script>" not in evil.text
    assert {found.name for found in place.iterdir() if not found.name.startswith(".")} >= {"tee-garten", "tea"}
    assert not any(".." in found.name or "<" in found.name for found in place.iterdir())


@given(st.text(max_size=100))
def test_a_name_is_always_a_plain_directory(title: str) -> None:
    name = folder_name(title)
    assert re.fullmatch(r"([a-z0-9][a-z0-9-]{0,59})?", name)
    assert not name.endswith("-")
