"""The keeper's pages in a real Chromium: they follow what happens, and fit."""

import time
from collections.abc import Iterator
from typing import Any

import pytest

from tests.portal.made import Made
from tests.portal.test_browser import CHROMIUM, chromium, served
from thresher.store.locks import CrawlLock
from thresher.store.portal_records import Role
from thresher.store.records import Batch, Progress

__all__ = ["chromium"]

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="Chromium is not installed")

PAGES = ["/crawl", "/crawl/log", "/report", "/start", "/graph?as=list"]


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Made, str, str]]:
    """Give a portal, its address and the session of its keeper."""
    made = Made(tmp_path_factory.mktemp("kept") / "portal")
    session = made.signed_in(Role.ADMIN, "anna").cookies["thresher_session"]
    with served(made) as address:
        yield made, address, session
    made.close()


def context(chromium: Any, base: str, session: str, **more: Any) -> Any:
    """Return a browser's window in which the keeper is signed in."""
    found = chromium.new_context(**more)
    found.add_cookies([{"name": "thresher_session", "value": session, "url": base}])
    return found


@pytest.mark.slow
def test_two_tabs_follow_the_crawl_over_one_stream(kept: tuple[Made, str, str], chromium: Any) -> None:
    made, base, session = kept
    window = context(chromium, base, session)
    asked: list[str] = []
    window.on("request", lambda request: asked.append(request.url) if "events" in request.url else None)
    with CrawlLock(made.folder):
        made.store.commit(Batch(crawl=1, at=time.time(), progress=Progress(pages=70, accepted=30)))
        made.app.state.live.look_again()
        tabs = [window.new_page() for _ in range(2)]
        for tab in tabs:
            tab.goto(base + "/crawl")
            assert "70" in tab.inner_text('[data-part="figures"]')
        made.store.commit(Batch(crawl=1, at=time.time(), progress=Progress(pages=7654, accepted=30)))
        for tab in tabs:
            tab.wait_for_selector("[data-part=figures] >> text=7,654")
        assert len(asked) == 1
        tabs[0].keyboard.press("Space")
        assert tabs[0].get_attribute("#hold", "aria-pressed") == "true"
    window.close()


@pytest.mark.slow
@pytest.mark.parametrize(("width", "theme"), [(390, "dark"), (1280, "light")])
def test_the_keepers_pages_fit_and_break_no_policy(
    kept: tuple[Made, str, str], chromium: Any, width: int, theme: str
) -> None:
    _, base, session = kept
    size = {"width": width, "height": 800}
    window = context(chromium, base, session, viewport=size, color_scheme=theme, locale="de-DE")
    page = window.new_page()
    said: list[str] = []
    # A stream that is broken off because the page is left is no fault.
    page.on("console", lambda message: said.append(message.text) if "Content Security Policy" in message.text else None)
    page.on("pageerror", lambda error: said.append(str(error)))
    for address in PAGES:
        page.goto(base + address)
        # The crawl view loads itself again when a crawl begins or ends; this waits for that, too.
        page.wait_for_function(f"document.documentElement.scrollWidth <= {width}")
    window.close()
    assert said == []
