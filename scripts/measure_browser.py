"""Measure review and the crawl graph in Chromium: python -m scripts.measure_browser [--pages N] [--decisions N]

Fills a portal with generated pages and links, serves it, and measures in a headless Chromium how long the next page of
review takes after a key, and how many frames per second the graph of 5,000 pages has while it is moved. Without a
graphics card, the graph is drawn by the processor. Prints one line of JSON. Needs Chromium and the packages of
requirements-dev.lock.
"""

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, Final

import msgspec
import numpy as np
from msgspec.structs import replace

from thresher.accounts import Accounts
from thresher.bench.search.made_portal import HOSTS, TOPICS, made_pages, row_of
from thresher.portals import create_portal
from thresher.store.page_records import LinkRow, PageScores
from thresher.store.portal_records import Role
from thresher.store.records import Batch, CrawlKind
from thresher.store.repository import open_store
from thresher.taxonomy.topic_tree import Taxonomy, Topic, put
from thresher.web.urls import url_id

NODES: Final = 5_000
LINKS: Final = 6
"""Links of each page."""

SECONDS: Final = 4
PAUSE: Final = 100
"""Milliseconds between decisions."""

FLAGS: Final = ["--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"]

NEXT: Final = """key => new Promise(done => {
  const place = document.querySelector(".place");
  const started = performance.now();
  const watch = new MutationObserver(() => {
    watch.disconnect();
    const changed = performance.now() - started;
    requestAnimationFrame(() => setTimeout(() => done([changed, performance.now() - started])));
  });
  watch.observe(place, { childList: true });
  document.activeElement.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
})"""
"""Presses a key; returns the milliseconds until the next page is in place, and until it has been painted."""

FRAMES: Final = """async seconds => {
  const renderer = document.querySelector("#graph").renderer;
  const camera = renderer.getCamera();
  const count = () => { frames += 1; };
  let frames = 0;
  renderer.on("afterRender", count);
  const started = performance.now();
  await camera.animate({ x: 0.7, y: 0.3, ratio: 0.4 }, { duration: 500 * seconds, easing: "linear" });
  await camera.animate({ x: 0.5, y: 0.5, ratio: 1 }, { duration: 500 * seconds, easing: "linear" });
  const taken = (performance.now() - started) / 1000;
  renderer.off("afterRender", count);
  return frames / taken;
}"""
"""Moves and zooms the graph for some seconds, as its buttons do; returns the frames per second."""

SAVED: Final = "performance.getEntriesByType('resource').filter(one => one.name.endsWith('/review/decide'))"
"""The requests that saved decisions."""


def fill(portal: Path, pages: int) -> str:
    """Make a portal of generated pages that link to each other, and return the session of its administrator."""
    tree = Taxonomy()
    for number in range(TOPICS):
        tree = put(tree, (f"topic{number}",), Topic(name=""))
    create_portal(portal, None, tree)
    rng = np.random.default_rng(0)
    with closing(open_store(portal, create=True)) as store:
        crawl = store.crawls.start(CrawlKind.CRAWL, "breadth-first", {}, at=0.0)
        for block in made_pages(pages):
            rows = []
            for page in block:
                places = [int(pages * one**2) for one in rng.random(LINKS)]
                urls = [f"http://site{place % HOSTS}.test/{place}" for place in places]
                links = [LinkRow(url_id(url), url, "") for url in urls]
                row = row_of(page, rng)
                assert row.judgement is not None
                judged = replace(row.judgement, probability=float(rng.uniform(0.3, 1.0)))
                rows.append(replace(row, links=links, judgement=judged))
            store.commit(Batch(crawl=crawl.id, at=0.0, documents=rows))
        ids = [url_id(f"http://site{place % HOSTS}.test/{place}") for place in range(pages)]
        store.scores.keep(PageScores(id_, *row) for id_, row in zip(ids, rng.random((pages, 3)).tolist(), strict=True))
        accounts = Accounts(store)
        user = accounts.add("keeper", "a long enough password", Role.ADMIN)
        assert user is not None
        return accounts.sign_in(user)


@contextmanager
def served(portal: Path) -> Iterator[str]:
    """Serve a portal from a separate process, and yield its address."""
    command = [sys.executable, "-m", "thresher", "serve", str(portal), "--port", "0", "--json"]
    server = subprocess.Popen(command, stdout=subprocess.PIPE)  # noqa: S603 - our own program
    try:
        assert server.stdout is not None
        yield msgspec.json.decode(server.stdout.readline())["address"].rstrip("/")
    finally:
        server.terminate()
        server.wait()


def review(page: Any, address: str, decisions: int) -> dict[str, float]:
    """Decide about pages, each when the one after it is loaded; return milliseconds."""
    page.goto(f"{address}/review")
    page.wait_for_selector(".judge")
    times = []
    for number in range(decisions):
        times.append(page.evaluate(NEXT, "rx"[number % 2]))
        page.wait_for_function(f"number => {SAVED}.length > number", arg=number)
        page.wait_for_timeout(PAUSE)
    sent = page.evaluate(f"{SAVED}.map(one => one.duration)")
    placed, painted = np.array(times).T
    return {
        "placed_p50_ms": round(float(np.median(placed)), 1),
        "painted_p50_ms": round(float(np.median(painted)), 1),
        "painted_p95_ms": round(float(np.percentile(painted, 95)), 1),
        "saved_p50_ms": round(float(np.median(sent)), 1),
        "saved_p95_ms": round(float(np.percentile(sent, 95)), 1),
    }


def graph(page: Any, address: str) -> dict[str, float]:
    """Move the graph of NODES pages; return frames per second."""
    page.goto(f"{address}/graph?n={NODES}")
    page.wait_for_selector("#graph[data-ready]", timeout=120_000)
    nodes = int(page.get_attribute("#graph", "data-ready"))
    return {"nodes": nodes, "frames_per_second": round(page.evaluate(FRAMES, SECONDS), 1)}


def main() -> None:
    """Measure and print."""
    from playwright.sync_api import sync_playwright

    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--pages", type=int, default=10_000)
    parser.add_argument("--decisions", type=int, default=40)
    chosen = parser.parse_args()
    chromium = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as running:
        portal = Path(folder) / "portal"
        session = fill(portal, chosen.pages)
        with served(portal) as address:
            browser = running.chromium.launch(executable_path=chromium, args=FLAGS)
            window = browser.new_context(viewport={"width": 1280, "height": 900})
            window.add_cookies([{"name": "thresher_session", "value": session, "url": address}])
            page = window.new_page()
            found = {"review": review(page, address, chosen.decisions), "graph": graph(page, address)}
            browser.close()
    print(json.dumps({**found, "pages": chosen.pages, "load": round(os.getloadavg()[0], 1)}))


if __name__ == "__main__":
    main()
