"""The browser extension in a real Chromium: a session is recorded, marked and sent, and nothing else is."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from tests.portal.made import Made
from tests.portal.test_browser import CHROMIUM, FLAGS, playwright, served
from tests.portal.test_browsers import key_of
from thresher.store.portal_records import Role

EXTENSION = Path(__file__).parents[2] / "extension"

pytestmark = [
    pytest.mark.skipif(CHROMIUM is None, reason="Chromium is not installed"),
    pytest.mark.slow,
]

PAGES = {
    "/port": '<title>Port</title><a id="next" href="/go">list</a>',
    "/list": '<title>List</title><a id="next" href="/red">red</a> <a id="tab" href="/blue" target="_blank">blue</a>',
    "/red": "<title>Red boat</title>",
    "/blue": "<title>Blue boat</title>",
}


class Site(BaseHTTPRequestHandler):
    """A few pages that link to one another; one address redirects."""

    def do_GET(self) -> None:
        if self.path == "/go":
            self.send_response(302)
            self.send_header("location", "/list")
            self.end_headers()
            return
        body = PAGES.get(self.path, "").encode()
        self.send_response(200 if body else 404)
        self.send_header("content-type", "text/html; charset=utf-8")
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: Any) -> None:
        """Say nothing."""


@contextmanager
def site() -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), Site)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()


@contextmanager
def browser_with_extension(profile: Path) -> Iterator[tuple[Any, str]]:
    """Start Chromium with the extension; give the browser and the address of the extension's pages."""
    with playwright.sync_playwright() as running:
        context = running.chromium.launch_persistent_context(
            profile,
            executable_path=CHROMIUM,
            headless=False,
            args=[
                *(flag for flag in FLAGS if flag != "--headless"),
                "--headless=new",
                f"--disable-extensions-except={EXTENSION}",
                f"--load-extension={EXTENSION}",
            ],
            ignore_default_args=["--disable-extensions"],
        )
        worker = context.service_workers[0] if context.service_workers else context.wait_for_event("serviceworker")
        yield context, worker.url.rpartition("/")[0]
        context.close()


def wait_for_title(popup: Any, title: str) -> None:
    """Wait until the extension has noted the title of a page; people are slower than this test."""
    for _ in range(100):
        noted = popup.evaluate("chrome.storage.session.get('session')")["session"]["pages"]
        if any(page["title"] == title for page in noted):
            return
        popup.wait_for_timeout(50)
    raise AssertionError(f"The title {title} was not noted.")


def test_a_session_is_recorded_marked_and_sent(tmp_path: Path) -> None:
    made = Made(tmp_path / "portal", pages=False)
    key = key_of(made.signed_in(Role.REVIEWER, "maria"))
    expect = playwright.expect
    with served(made) as portal, site() as web, browser_with_extension(tmp_path / "profile") as (context, extension):
        options = context.new_page()
        options.goto(f"{extension}/options.html")
        options.fill("#address", portal + "/")
        options.fill("#key", "wrong")
        options.click("button")
        expect(options.locator("#said")).to_contain_text("key is missing")
        options.fill("#key", key)
        options.click("button")
        expect(options.locator("#said")).to_contain_text("as maria")
        options.close()

        page = context.new_page()
        page.goto(f"{web}/blue")
        page.goto(f"{web}/port")
        popup = context.new_page()
        popup.goto(f"{extension}/popup.html")
        popup.click("#start")
        expect(popup.locator("#recording")).to_be_visible()

        page.bring_to_front()
        page.click("#next")
        page.wait_for_url(f"{web}/list")
        wait_for_title(popup, "List")
        page.click("#next")
        page.wait_for_url(f"{web}/red")
        page.go_back()
        page.wait_for_url(f"{web}/list")
        with context.expect_page() as opened:
            page.click("#tab")
        opened.value.wait_for_url(f"{web}/blue")
        wait_for_title(popup, "Blue boat")
        opened.value.close()
        page.goto(f"{portal}/about")
        page.goto(f"{web}/red")

        popup.bring_to_front()
        popup.reload()
        expect(popup.locator("#last")).to_have_text("Red boat")
        popup.click("#useful")
        expect(popup.locator("li.useful")).to_have_text("Red boat×")
        expect(popup.locator("li")).to_have_count(4)
        popup.click("#submit")
        expect(popup.locator("#said")).to_have_text("Sent 4 pages, 1 of them useful.")
        expect(popup.locator("#idle")).to_be_visible()

        page.bring_to_front()
        page.goto(f"{web}/port")
        popup.reload()
        expect(popup.locator("#idle")).to_be_visible()
        (row,) = made.store.browsing.all()
        paths = [page.url.removeprefix(web) for page in row.pages]
        assert paths == ["/port", "/list", "/red", "/blue"]
        assert [(paths[source], paths[target]) for source, target in row.links] == [
            ("/port", "/list"),
            ("/list", "/red"),
            ("/list", "/blue"),
        ]
        assert [page.title for page in row.pages][1:] == ["List", "Red boat", "Blue boat"]
        assert [page.useful for page in row.pages] == [False, False, True, False]

        popup.click("#start")
        page.goto(f"{web}/red")
        popup.reload()
        popup.locator("li", has_text="Red boat").locator("button").click()
        expect(popup.locator("li", has_text="Red boat")).to_have_count(0)
        popup.click("#discard")
        expect(popup.locator("#idle")).to_be_visible()
        assert len(made.store.browsing.all()) == 1
    made.close()
