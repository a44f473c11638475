"""The browser extension in a real Firefox: a session is recorded, marked and sent, and nothing else is."""

import json
from pathlib import Path

import pytest

from tests.portal.made import Made
from tests.portal.marionette import FIREFOX, firefox
from tests.portal.test_browser import served
from tests.portal.test_browsers import key_of
from tests.portal.test_extension import EXTENSION, site
from thresher.store.portal_records import Role

UUID = "6d1f0c5e-3f0b-4a55-9a3c-0f5b8a1d2e3f"

pytestmark = [pytest.mark.skipif(FIREFOX is None, reason="Firefox is not installed"), pytest.mark.slow]


def test_a_session_is_recorded_marked_and_sent(tmp_path: Path) -> None:
    made = Made(tmp_path / "portal", pages=False)
    key = key_of(made.signed_in(Role.REVIEWER, "maria"))
    name = json.loads((EXTENSION / "manifest.json").read_text())["browser_specific_settings"]["gecko"]["id"]
    own = {"extensions.webextensions.uuids": json.dumps({name: UUID})}
    with served(made) as portal, site() as web, firefox(tmp_path / "profile", own) as browser:
        assert browser.say("Addon:Install", path=str(EXTENSION), temporary=True) == name
        page = browser.tabs()[0]
        browser.new_tab_of_extension(f"moz-extension://{UUID}/options.html")
        browser.fill("#address", portal + "/")
        browser.fill("#key", "wrong")
        browser.click("button")
        browser.wait_for("document.getElementById('said').textContent.includes('key is missing')")
        browser.fill("#key", key)
        browser.click("button")
        browser.wait_for("document.getElementById('said').textContent.includes('as maria')")

        browser.turn_to(page)
        browser.go(f"{web}/blue")
        browser.go(f"{web}/port")
        popup = browser.new_tab_of_extension(f"moz-extension://{UUID}/popup.html")
        browser.click("#start")
        browser.wait_for("!document.getElementById('recording').hidden")

        browser.turn_to(page)
        browser.click("#next")
        browser.wait_for("location.pathname === '/list'")
        browser.click("#next")
        browser.wait_for("location.pathname === '/red'")
        browser.say("WebDriver:Back")
        browser.wait_for("location.pathname === '/list'")
        before = set(browser.tabs())
        browser.click("#tab")
        while not (opened := set(browser.tabs()) - before):
            pass
        browser.turn_to(opened.pop())
        browser.wait_for("document.title === 'Blue boat'")
        browser.say("WebDriver:CloseWindow")
        browser.turn_to(page)
        browser.go(f"{portal}/about")
        browser.go(f"{web}/red")

        browser.turn_to(popup)
        browser.wait_for("document.getElementById('last').textContent === 'Red boat'", reload=True)
        browser.wait_for("document.querySelectorAll('li').length === 4", reload=True)
        browser.click("#useful")
        browser.wait_for("document.querySelector('li.useful')?.textContent === 'Red boat×'")
        browser.click("#submit")
        browser.wait_for("document.getElementById('said').textContent === 'Sent 4 pages, 1 of them useful.'")
        assert browser.texts("li") == []

        browser.turn_to(page)
        browser.go(f"{web}/port")
        browser.turn_to(popup)
        browser.reload()
        browser.wait_for("!document.getElementById('idle').hidden")
        (row,) = made.store.browsing.all()
        paths = [one.url.removeprefix(web) for one in row.pages]
        assert paths == ["/port", "/list", "/red", "/blue"]
        assert [(paths[source], paths[target]) for source, target in row.links] == [
            ("/port", "/list"),
            ("/list", "/red"),
            ("/list", "/blue"),
        ]
        assert [one.title for one in row.pages][2] == "Red boat"
        assert [one.useful for one in row.pages] == [False, False, True, False]
    made.close()
