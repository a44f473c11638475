"""Make the pictures of the documentation from a demo: python -m scripts.make_pictures [--portal DIR] [--only NAME]

Runs `thresher demo`, takes a picture of its live view, finds websites in the same generated web, and takes all other
pictures of the portal in a headless Chromium. A demo that is there already is used again, without the live view. Needs
Chromium, the fonts that the portal asks for, and the packages of requirements-dev.lock.
"""

import argparse
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from thresher.accounts import Accounts
from thresher.portals import create_portal, load_topics
from thresher.simweb.manifest import write
from thresher.simweb.parameters import WebParameters
from thresher.simweb.web import Web
from thresher.store.portal_records import Role
from thresher.store.repository import open_store

OUT = Path(__file__).parents[1] / "docs" / "pictures"
LARGEST = 150_000
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--hide-scrollbars"]
QUERY = "quiet heat pump"
ENOUGH = 150
SETTINGS = """
[portal]
title = "Thresher demo"

[network.map]
"*.test" = "127.0.0.1:{port}"

[manners]
delay = 0
"""


class Picture(NamedTuple):
    """A picture: `steps` are selectors to click before it is taken, `{page}` in the address is a document.

    The page is loaded again until it no longer says what `until` is, if anything.
    """

    name: str
    address: str
    width: int = 1120
    height: int = 760
    dark: bool = False
    signed_in: bool = False
    steps: tuple[str, ...] = ()
    until: str = ""
    wait: float = 0.3


PICTURES = (
    Picture("home", "/"),
    Picture("results", f"/search?q={QUERY.replace(' ', '+')}&topic=Home+energy", steps=("summary[data-key=w]",)),
    Picture("topic", "/t/Food/Beekeeping", dark=True),
    Picture("document", "/d/{page}", height=900),
    Picture("phone", f"/search?q={QUERY.replace(' ', '+')}", width=390, height=780),
    Picture("report", "/report", height=900, signed_in=True),
    Picture("graph", "/graph", height=640, signed_in=True, steps=("text=Only link lists",), wait=6.0),
    Picture("review", "/review", height=900, signed_in=True),
    Picture("review-phone", "/review", width=390, height=780, dark=True, signed_in=True),
    Picture("topics", "/manage/topics", signed_in=True),
    Picture("words", "/manage/words?topic=Home+energy/Heat+pumps", signed_in=True),
    Picture(
        "organise",
        "/manage/organise",
        signed_in=True,
        steps=("form[action='/manage/organise/split'] button",),
        until="being split",
    ),
)
SITES = Picture("sites", "/manage/sites", signed_in=True)
START = Picture("start", "/start", height=900, signed_in=True)
CRAWL = Picture("crawl", "/crawl", height=900, dark=True, signed_in=True, wait=2.5)


class Studio:
    """A browser in front of one served portal."""

    def __init__(self, browser: Any, portal: Path, address: str, out: Path) -> None:
        self._browser = browser
        self._address = address
        self._out = out
        with closing(open_store(portal)) as store:
            accounts = Accounts(store)
            user = accounts.add("anna", "a password for pictures", Role.ADMIN) or store.users.get("anna")
            assert user is not None
            self._session = accounts.sign_in(user)

    def take(self, picture: Picture, page: str = "", when: Callable[[str], bool] = bool) -> bool:
        """Take a picture if the text of the page is as wanted; return whether it was taken."""
        context = self._browser.new_context(
            viewport={"width": picture.width, "height": picture.height},
            color_scheme="dark" if picture.dark else "light",
            is_mobile=picture.width < 500,
        )
        if picture.signed_in:
            context.add_cookies([{"name": "thresher_session", "value": self._session, "url": self._address}])
        shown = context.new_page()
        shown.goto(self._address + picture.address.replace("{page}", page))
        good = when(shown.inner_text("body"))
        if good:
            for step in picture.steps:
                shown.locator(step).first.click()
            while picture.until and picture.until in shown.inner_text("body"):
                shown.wait_for_timeout(2000)
                shown.reload()
            shown.wait_for_timeout(picture.wait * 1000)
            path = self._out / f"portal-{picture.name}.png"
            shown.screenshot(path=path)
            size = path.stat().st_size
            print(f"{path.name}: {size:,} bytes{' - TOO LARGE' if size > LARGEST else ''}")
        context.close()
        return good

    def first_result(self) -> str:
        """Return the name of the first document that the query finds."""
        context = self._browser.new_context()
        shown = context.new_page()
        shown.goto(f"{self._address}/search?q={QUERY.replace(' ', '+')}")
        found = re.search(r'href="/d/([^/"?#]+)', shown.content())
        context.close()
        assert found, "the query finds nothing"
        return found[1]


@contextmanager
def child(*words: object) -> Iterator[subprocess.Popen[bytes]]:
    """Run a command of thresher until the block ends."""
    command = [sys.executable, "-m", "thresher", *map(str, words)]
    started = subprocess.Popen(command, stdout=subprocess.PIPE)  # noqa: S603 - our own program
    try:
        yield started
    finally:
        started.terminate()
        started.wait()


@contextmanager
def served(portal: Path) -> Iterator[str]:
    """Serve a portal and give its address."""
    with child("serve", portal, "--port", 0, "--json", "--workers", 1) as server:
        assert server.stdout is not None
        yield msgspec.json.decode(server.stdout.readline())["address"].rstrip("/")


def crawl_in_sight(browser: Any, portal: Path, out: Path) -> None:
    """Run the demo, and take the picture of its live view when the harvest has got going."""
    with child("demo", "--portal", portal, "--once", "--json") as demo:
        while demo.poll() is None and not (portal / "portal.db").exists():
            time.sleep(0.2)
        with served(portal) as address:
            studio = Studio(browser, portal, address, out)
            while demo.poll() is None and not studio.take(CRAWL, when=_well_under_way):
                time.sleep(1)
        demo.wait()


def _well_under_way(text: str) -> bool:
    found = re.search(r"([\d,]+) of 400 pages", text)
    return "Crawl is running" in text and found is not None and int(found[1].replace(",", "")) >= ENOUGH


def whole_sites(browser: Any, portal: Path, folder: Path, out: Path) -> None:
    """Serve the demo's web once more, find whole websites in it for a portal of their own, and take their picture."""
    parameters = msgspec.json.decode((portal / "demo.json").read_bytes())["web"]
    write(Web(msgspec.convert(parameters, WebParameters)), folder / "web")
    with child("web", "serve", folder / "web", "--port", 0, "--json") as web:
        assert web.stdout is not None
        port = msgspec.json.decode(web.stdout.readline())["port"]
        settings = SETTINGS.format(port=port)
        create_portal(folder / "sites", None, load_topics(portal), contact="demo@localhost", settings=settings)
        with child("sites", folder / "sites", "run", "--want", 25, "--pages", 400, "--json") as sites:
            print(sites.communicate()[0].decode()[:300])
    with served(folder / "sites") as address:
        Studio(browser, folder / "sites", address, out).take(SITES)


def first_start(browser: Any, portal: Path, folder: Path, out: Path) -> None:
    """Take the picture of a portal's first start, with the bookmarks of the demo."""
    create_portal(folder, None, load_topics(portal), settings='\n[portal]\ntitle = "My portal"\n')
    with served(folder) as address:
        Studio(browser, folder, address, out).take(START)


def main() -> None:
    """Make the pictures."""
    from playwright.sync_api import sync_playwright

    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--portal", type=Path, help="Where the demo is, or will be made.")
    parser.add_argument("--only", action="append", help="Only this picture; repeatable.")
    parser.add_argument("--out", type=Path, default=OUT)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="thresher-pictures-") as temporary, ExitStack() as stack:
        folder = Path(temporary)
        running = stack.enter_context(sync_playwright())
        browser = running.chromium.launch(executable_path=shutil.which("chromium"), args=FLAGS)
        portal = given.portal or folder / "demo"
        if not portal.exists():
            crawl_in_sight(browser, portal, given.out)
        if not given.only or "sites" in given.only:
            whole_sites(browser, portal, folder, given.out)
        if not given.only or "start" in given.only:
            first_start(browser, portal, folder / "first", given.out)
        address = stack.enter_context(served(portal))
        studio = Studio(browser, portal, address, given.out)
        page = studio.first_result()
        for picture in PICTURES:
            if not given.only or picture.name in given.only:
                studio.take(picture, page)
        browser.close()


if __name__ == "__main__":
    main()
