"""Review and management in a real Chromium: keys, the next page at once, no script, and everybody can use them."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.portal.made import Made
from tests.portal.test_browser import AXE, CHROMIUM, chromium, served
from tests.portal.test_keeper_browser import context
from thresher.portals import load_topics
from thresher.store.page_records import ReviewState
from thresher.store.portal_records import Role

__all__ = ["chromium"]

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="Chromium is not installed")

TASKS = (
    "topics",
    "training",
    "words",
    "archetypes",
    "organise",
    "sites",
    "inbox",
    "settings",
    "users",
    "sql",
    "changes",
)
PAGES = ["/review", "/review/log", "/review/moved", "/remove?site=b.test", *(f"/manage/{task}" for task in TASKS)]


@pytest.fixture
def kept(tmp_path: Path) -> Iterator[tuple[Made, str, str]]:
    """Give a portal, its address and the session of its keeper."""
    made = Made(tmp_path / "portal")
    session = made.signed_in(Role.ADMIN, "anna").cookies["thresher_session"]
    with served(made) as address:
        yield made, address, session
    made.close()


def card(page: Any) -> str:
    return str(page.get_attribute(".place [data-name]", "data-name"))


@pytest.mark.slow
def test_keys_decide_and_the_next_page_is_there_before_the_answer(kept: tuple[Made, str, str], chromium: Any) -> None:
    made, base, session = kept
    window = context(chromium, base, session, viewport={"width": 1280, "height": 900})
    page = window.new_page()
    held: list[Any] = []
    page.route("**/review/decide", lambda route: held.append(route))  # noqa: PLW0108 - Playwright marks it
    page.goto(base + "/review")
    first = card(page)
    page.keyboard.press("r")
    second = card(page)
    assert second != first, "the next page was loaded ahead"
    assert page.evaluate("document.activeElement.closest('.judge') !== null"), "its heading has the focus"
    page.wait_for_timeout(50)
    held.pop().continue_()
    page.wait_for_selector(".status >> text=is right")
    page.unroute("**/review/decide")
    page.keyboard.press("m")
    page.keyboard.type("gree")
    page.keyboard.press("1")
    page.wait_for_selector(".status >> text=moved to Green")
    states = [found.state for found in made.store.decisions.settled().values()]
    assert sorted(states) == [ReviewState.MOVED, ReviewState.RIGHT]
    with page.expect_navigation():
        page.keyboard.press("z")
    assert card(page) == second, "what was undone is asked again"
    assert len(made.store.decisions.settled()) == 1
    with page.expect_navigation():
        page.keyboard.press("Shift+Z")
    assert len(made.store.decisions.settled()) == 2
    window.close()


@pytest.mark.slow
def test_review_works_without_a_script(kept: tuple[Made, str, str], chromium: Any) -> None:
    made, base, session = kept
    window = context(chromium, base, session, java_script_enabled=False)
    page = window.new_page()
    page.goto(base + "/review")
    page.click(".judge button:has-text('Irrelevant')")
    assert "is irrelevant" in page.inner_text(".status")
    page.click(".likely button >> nth=0")
    assert "moved to" in page.inner_text(".status")
    page.click(".status button:has-text('Undo')")
    assert [found.state for found in made.store.decisions.settled().values()] == [ReviewState.IRRELEVANT]
    page.goto(base + "/manage/topics")
    page.click("summary:has-text('Boats')")
    page.fill(".topic-row[open] .rename input[name=to]", "Ships")
    page.click(".topic-row[open] .rename button")
    page.click("main button:has-text('Rename it')")
    assert load_topics(made.folder).get(("Ships",)) is not None
    page.click(".status button:has-text('Undo')")
    assert load_topics(made.folder).get(("Boats",)) is not None
    window.close()


@pytest.mark.slow
@pytest.mark.parametrize(("width", "theme"), [(320, "light"), (390, "dark"), (1280, "light")])
def test_the_keepers_pages_fit(kept: tuple[Made, str, str], chromium: Any, width: int, theme: str) -> None:
    _, base, session = kept
    size = {"width": width, "height": 800}
    window = context(chromium, base, session, viewport=size, color_scheme=theme, locale="de-DE")
    page = window.new_page()
    faults: list[str] = []
    page.on("console", lambda said: faults.append(said.text) if said.type == "error" else None)
    for address in PAGES:
        page.goto(base + address)
        wide = page.evaluate("document.documentElement.scrollWidth")
        assert wide <= width, f"{address} is {wide} px wide"
    window.close()
    assert faults == []


@pytest.mark.skipif(not AXE.exists(), reason="axe-core is not installed: npm ci")
@pytest.mark.slow
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_keepers_pages_shut_nobody_out(kept: tuple[Made, str, str], chromium: Any, theme: str) -> None:
    _, base, session = kept
    window = context(chromium, base, session, color_scheme=theme, bypass_csp=True)
    page = window.new_page()
    wrong: list[str] = []
    for address in PAGES:
        page.goto(base + address)
        page.evaluate("document.querySelectorAll('main details').forEach(found => { found.open = true })")
        page.add_script_tag(path=str(AXE))
        found = page.evaluate("axe.run(document, {resultTypes: ['violations']})")
        for violation in found["violations"]:
            if violation["impact"] in ("serious", "critical"):
                places = [node["html"][:160] for node in violation["nodes"][:3]]
                wrong.append(f"{address}: {violation['id']}: {places}")
    window.close()
    assert wrong == []
