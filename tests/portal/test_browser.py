"""The pages in a real Chromium: nothing hostile runs, nobody is shut out, and they work without a script."""

import shutil
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
import uvicorn

from tests.portal.made import Made
from tests.portal.test_routes import routes, samples
from thresher.portal.ids import page_name
from thresher.runs.serving import listen

playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
AXE = Path(__file__).parents[2] / "node_modules" / "axe-core" / "axe.min.js"
FLAGS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
SHIFTS = """() => new Promise(done => {
  let sum = 0;
  new PerformanceObserver(list => { for (const entry of list.getEntries()) sum += entry.value; })
    .observe({ type: "layout-shift", buffered: true });
  setTimeout(() => done(sum), 150);
})"""

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="Chromium is not installed")


@contextmanager
def served(made: Made) -> Iterator[str]:
    """Serve a portal on loopback and give its address."""
    listening = listen("127.0.0.1", 0)
    server = uvicorn.Server(uvicorn.Config(made.app, log_level="error", access_log=False))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]}, daemon=True)
    thread.start()
    while not server.started:
        time.sleep(0.02)
    try:
        yield f"http://127.0.0.1:{listening.getsockname()[1]}"
    finally:
        server.should_exit = True
        thread.join(timeout=10)
        listening.close()


@pytest.fixture(scope="module")
def chromium() -> Iterator[Any]:
    with playwright.sync_playwright() as running:
        browser = running.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield browser
        browser.close()


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Made, str]]:
    made = Made(tmp_path_factory.mktemp("plain") / "portal")
    with served(made) as address:
        yield made, address
    made.close()


def addresses(made: Made) -> list[str]:
    """Return what a browser shows of every route; it saves the rest as files."""
    known = samples(made)
    found = [address for path, method, _ in routes(made) if method == "GET" for address in known[path].addresses]
    downloaded = (".csv", ".html", ".ris", ".bib", ".atom", ".xml")
    return list(dict.fromkeys(address for address in found if not address.partition("?")[0].endswith(downloaded)))


def pages(made: Made) -> list[str]:
    """Return one address of every page that a reader sees."""
    name = page_name(made.rows[0].url_id)
    plain = ["/", "/topics", "/new", "/t/Tea", "/t/Tea?order=links", "/t/Boats", "/site/b.test", "/about", "/crawler"]
    plain += ["/help", "/keys", "/api", "/propose", "/sign-in", "/nothing", f"/d/{name}", f"/d/{name}/copy"]
    plain += [f"/feedback?page={name}", "/search?q=pot", "/search?sort=mix", "/search?q=nowherenothing"]
    return plain


@pytest.mark.slow
def test_nothing_of_a_hostile_web_runs_in_any_answer(hostile: Made, chromium: Any) -> None:
    fired: list[str] = []
    with served(hostile) as base:
        context = chromium.new_context()
        context.add_init_script("window.alert = text => console.log('FIRED ' + text)")
        page = context.new_page()
        page.on("dialog", lambda dialog: (fired.append(f"dialog {dialog.message}"), dialog.dismiss()))
        page.on("console", lambda said: fired.append(said.text) if "FIRED" in said.text else None)
        page.on("request", lambda asked: fired.append(asked.url) if not asked.url.startswith((base, "data:")) else None)
        looked = 0
        for address in addresses(hostile):
            answer = page.goto(base + address)
            assert answer is not None
            assert answer.status < 500
            wide = page.evaluate("document.documentElement.scrollWidth")
            assert wide <= 1280, f"{address} is {wide} px wide"
            page.evaluate("document.querySelectorAll('details').forEach(found => { found.open = true })")
            for hovered in page.query_selector_all("main b, main bdi")[:5]:
                if hovered.is_visible():
                    hovered.hover(force=True, timeout=2000, no_wait_after=True)
            looked += 1
        context.close()
    assert looked > 30
    assert fired == []


@pytest.mark.slow
def test_a_listener_would_have_heard_it(chromium: Any) -> None:
    """The test above can fail: the same listener hears a page that does run its payload."""
    fired: list[str] = []
    page = chromium.new_page()
    page.on("dialog", lambda dialog: (fired.append(dialog.message), dialog.dismiss()))
    page.set_content("<script>alert('heard')</script>")
    page.close()
    assert fired == ["heard"]


@pytest.mark.skipif(not AXE.exists(), reason="axe-core is not installed: npm ci")
@pytest.mark.slow
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_no_page_shuts_anybody_out(plain: tuple[Made, str], chromium: Any, theme: str) -> None:
    made, base = plain
    context = chromium.new_context(color_scheme=theme, bypass_csp=True, viewport={"width": 1280, "height": 900})
    page = context.new_page()
    wrong: list[str] = []
    for address in pages(made):
        page.goto(base + address)
        page.evaluate("document.querySelectorAll('main details').forEach(found => { found.open = true })")
        page.add_script_tag(path=str(AXE))
        found = page.evaluate("axe.run(document, {resultTypes: ['violations']})")
        for violation in found["violations"]:
            if violation["impact"] in ("serious", "critical"):
                places = [node["html"][:160] for node in violation["nodes"][:3]]
                wrong.append(f"{address}: {violation['id']}: {places}")
    context.close()
    assert wrong == []


@pytest.mark.slow
@pytest.mark.parametrize("width", [320, 390, 1280])
def test_pages_fit_and_do_not_jump(plain: tuple[Made, str], chromium: Any, width: int) -> None:
    made, base = plain
    context = chromium.new_context(viewport={"width": width, "height": 800}, locale="de-DE")
    page = context.new_page()
    for address in pages(made):
        page.goto(base + address)
        wide = page.evaluate("document.documentElement.scrollWidth")
        assert wide <= width, f"{address} is {wide} px wide"
        if width != 320:
            # On a busy machine a page is painted while it arrives, and its last words settle by a pixel.
            assert round(page.evaluate(SHIFTS), 2) == 0, address
    context.close()


@pytest.mark.slow
def test_home_asks_for_little_and_for_nothing_elsewhere(plain: tuple[Made, str], chromium: Any) -> None:
    _, base = plain
    context = chromium.new_context()
    page = context.new_page()
    sizes: list[int] = []
    asked: list[str] = []
    page.on("response", lambda answer: sizes.append(len(answer.body())))
    page.on("request", lambda request: asked.append(request.url))
    page.goto(base + "/", wait_until="networkidle")
    context.close()
    assert sum(sizes) < 100_000
    assert all(url.startswith(base) for url in asked)


@pytest.mark.slow
def test_everything_works_without_a_script(plain: tuple[Made, str], chromium: Any) -> None:
    made, base = plain
    context = chromium.new_context(java_script_enabled=False, viewport={"width": 1280, "height": 900})
    page = context.new_page()
    page.goto(base + "/")
    page.fill("#q", "pot")
    page.click("button:has-text('Search')")
    assert "1 page" in page.inner_text("h1")
    page.click("summary:has-text('Why here?')")
    assert page.is_visible("text=Total")
    page.goto(base + "/search")
    page.check(".facets input[name=topic][value=Boats]")
    page.click(".facets button.apply")
    assert "topic=Boats" in page.url
    page.click("a.chip.on")
    assert "topic=Boats" not in page.url
    page.goto(base + "/search?sort=mix")
    page.fill("#w_recency", "100")
    page.click("button:has-text('Sort like this')")
    assert "w_recency=100" in page.url
    page.goto(base + "/propose")
    page.fill("input[name=url]", "https://www.example.org/pots")
    page.click("button:has-text('Send')")
    assert "Thank you" in page.inner_text("h1")
    page.click("nav >> text=Deutsch")
    page.goto(base + "/")
    assert page.get_attribute("html", "lang") == "de"
    context.close()
    assert made.store.inbox.proposals()[-1].url == "https://www.example.org/pots"


@pytest.mark.slow
def test_keys_do_what_the_key_page_says_and_off_means_off(plain: tuple[Made, str], chromium: Any) -> None:
    _, base = plain
    context = chromium.new_context(viewport={"width": 1280, "height": 900})
    page = context.new_page()
    page.goto(base + "/t/Tea")
    page.keyboard.press("/")
    assert page.evaluate("document.activeElement.id") == "q"
    page.keyboard.type("jk")
    assert page.input_value("#q") == "jk"
    page.keyboard.press("Escape")
    page.keyboard.press("j")
    page.keyboard.press("j")
    page.keyboard.press("k")
    assert page.locator(".hit.at").count() == 1
    page.keyboard.press("o")
    page.wait_for_url("**/d/*")
    page.keyboard.press("g")
    page.keyboard.press("n")
    page.wait_for_url("**/new")
    page.keyboard.press("?")
    page.wait_for_url("**/keys")
    page.click("text=Switch the keys off")
    page.goto(base + "/t/Tea")
    page.keyboard.press("/")
    assert page.evaluate("document.activeElement.id") != "q"
    context.close()


@pytest.mark.slow
def test_a_filter_applies_itself_and_the_menu_opens_on_a_phone(plain: tuple[Made, str], chromium: Any) -> None:
    _, base = plain
    context = chromium.new_context(viewport={"width": 1280, "height": 900})
    page = context.new_page()
    page.goto(base + "/search")
    page.check(".facets input[name=topic][value=Boats]")
    page.wait_for_url("**topic=Boats**")
    assert page.is_hidden(".facets button.apply")
    context.close()
    context = chromium.new_context(viewport={"width": 390, "height": 800}, has_touch=True)
    page = context.new_page()
    page.goto(base + "/")
    page.click("details.menu > summary")
    page.click("details.menu >> text=Topics")
    page.wait_for_url("**/topics")
    context.close()


def test_a_stored_copy_is_shown_in_its_sandbox(plain: tuple[Made, str], chromium: Any) -> None:
    made, base = plain
    page = chromium.new_page()
    page.goto(f"{base}/d/{page_name(made.rows[0].url_id)}/copy")
    frame = page.frame_locator("iframe.paper")
    assert "A pot of tea" in frame.locator("body").inner_text()
    assert page.locator("iframe.paper").get_attribute("sandbox") == ""
    page.close()


@pytest.mark.slow
def test_signing_in_and_out_by_hand(plain: tuple[Made, str], chromium: Any) -> None:
    made, base = plain
    context = chromium.new_context(viewport={"width": 1280, "height": 900})
    page = context.new_page()
    page.goto(f"{base}/first?key={made.app.state.first_key}")
    page.fill("input[name=name]", "Maria")
    page.fill("input[name=password]", "a long enough password")
    page.click("button:has-text('Create the account')")
    page.wait_for_url(f"{base}/")
    page.click("nav .who-menu > summary")
    page.click("nav >> text=Sign out")
    page.wait_for_url(f"{base}/")
    page.click("nav >> text=Sign in")
    page.fill("input[name=name]", "Maria")
    page.fill("input[name=password]", "a long enough password")
    page.click("main button:has-text('Sign in')")
    page.wait_for_url(f"{base}/")
    page.click("nav .who-menu > summary")
    page.click("nav >> text=Maria")
    assert "Administrator" in page.inner_text("main")
    page.click("button:has-text('Sign out everywhere')")
    page.wait_for_url(f"{base}/")
    assert page.is_visible("nav >> text=Sign in")
    context.close()


@pytest.mark.slow
def test_keys_of_ones_own_work_and_opened_results_are_reported(tmp_path: Path, chromium: Any) -> None:
    made = Made(tmp_path / "portal", settings="[portal]\nclicks = true\n")
    with served(made) as base:
        context = chromium.new_context(viewport={"width": 1280, "height": 900})
        page = context.new_page()
        page.goto(base + "/keys")
        page.fill("input[name=key_down]", "x")
        page.click("text=Save the keys")
        page.goto(base + "/search?q=pot")
        page.keyboard.press("j")
        assert page.locator(".hit.at").count() == 0
        page.keyboard.press("x")
        assert page.locator(".hit.at").count() == 1
        with page.expect_request("**/click"):
            page.keyboard.press("o")
        page.wait_for_url("**/d/*")
        with page.expect_request("**/click"):
            page.go_back()
        deadline = time.monotonic() + 20
        while not any(row.seconds is not None for row in made.store.clicks.all()) and time.monotonic() < deadline:
            page.wait_for_timeout(100)
        context.close()
    (row,) = made.store.clicks.all()
    made.close()
    assert (row.query, row.page, row.place, row.reader) == ("pot", made.rows[0].url_id, 1, "")
    assert row.seconds is not None
