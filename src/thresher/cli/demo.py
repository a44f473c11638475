"""`thresher demo`: a small web, a portal and a crawl in one command."""

import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import msgspec
import typer

import thresher
from thresher.api.link_ranking import rank_pages
from thresher.cli.main import INTERRUPTED, app
from thresher.cli.options import Json
from thresher.cli.output import console, hint
from thresher.cli.run import print_report, run_shown
from thresher.cli.screen import Screen, bold
from thresher.cli.serve import announce
from thresher.errors import PortalError
from thresher.portals import DEMO, mark_demo
from thresher.simweb.bookmarks import bookmark_file
from thresher.simweb.manifest import write
from thresher.simweb.parameters import WebParameters
from thresher.simweb.web import Web

PAGES = 400
LEARN = 150
BOOKMARKS = 5


@app.command(epilog="Example: thresher demo --portal my-demo")
def demo(
    portal: Annotated[Path, typer.Option("--portal", metavar="DIR", help="Where to create the demo portal.")] = Path(
        "demo-portal"
    ),
    once: Annotated[bool, typer.Option("--once", help="Exit after the crawl without serving the portal.")] = False,
    json: Json = False,
) -> None:
    """Generate a web, serve it on loopback, and build a portal from a few bookmarks: train, learn, retrain, harvest.

    Takes less than a minute. On a terminal the portal is then served until Ctrl-C.
    """
    out = console(stderr=json)
    _make_room(portal)
    with tempfile.TemporaryDirectory(prefix="thresher-demo-") as folder, _served(Path(folder) / "web", out) as served:
        number = _create(portal, Path(folder) / "bookmarks.html", served)
        out.print("Created ", bold(portal), f" from {number} bookmark folders with {BOOKMARKS} pages per leaf folder.")
        # A person is watching: better to be done soon than to wait for the best pages.
        given = [f"learn.pages={LEARN}", f"harvest.pages={PAGES}", "learn.scope=web", "focus.patience=3"]
        report = run_shown(portal, out, overrides=given)
        if not json and report.done:
            _show(out, portal, served["web"])
    if not json and not report.done:
        # Its web is gone, so the crawl cannot continue.
        out.print("Interrupted. Start over: ", bold(hint("demo", "--portal", portal)))
        raise typer.Exit(INTERRUPTED)
    if report.done:
        _finish(portal)
    print_report(out, portal, report, json)
    if not json:
        out.print("Explain a page: ", bold(hint("explain", portal, _best_page(portal))))
        _tour(out, portal, once)
    raise typer.Exit(0 if report.done else INTERRUPTED)


def _create(portal: Path, bookmarks: Path, served: dict[str, Any]) -> int:
    """Create the portal from a bookmark file of the generated web and return the number of its topics."""
    bookmarks.write_text(bookmark_file(served["web"], BOOKMARKS), "utf-8")
    with thresher.Portal.create(portal, bookmarks=bookmarks, contact="demo@localhost") as created:
        with (portal / "thresher.toml").open("a", encoding="utf-8") as settings:
            settings.write(_settings(served))
        mark_demo(portal, served["parameters"])
        return len(list(created.topics))


def _finish(portal: Path) -> None:
    """Score the links of all stored pages, and index them."""
    rank_pages(portal)
    with thresher.Portal.open(portal) as opened:
        opened.search(number=1)


def _tour(out: Screen, portal: Path, once: bool) -> None:
    """Serve the portal, or print how to."""
    if once or not sys.stdout.isatty():
        out.print("Open it in a browser: ", bold(hint("serve", portal, "--open")))
    else:
        thresher.serve(portal, any_port=True, workers=1, ready=partial(announce, portal))


def _show(out: Screen, portal: Path, web: Web) -> None:
    """Print how many pages were classified correctly; the generated web knows the truth."""
    truth = web.labels()
    with thresher.Portal.open(portal) as opened:
        pages = list(opened.pages())
        types = opened.search(facets=True, number=1).facets["type"]
    found = Counter(page.topic for page in pages)
    right = Counter(page.topic for page in pages if truth.get(page.url.partition("!/")[0]) == page.topic)
    out.print("Pages by topic, and how many of them belong there:")
    for topic in sorted(found):
        out.print(f"  {topic:<28} {found[topic]:4} found, {right[topic]:4} correct")
    kinds = ", ".join(f"{kind.count} {kind.value.upper()}" for kind in types if kind.value != "html")
    packed = sum("!/" in page.url for page in pages)
    out.print(f"Documents among the accepted pages: {kinds or 'none'}; {packed} of them from archives.")


def _make_room(portal: Path) -> None:
    """Remove the portal of an earlier demo; never remove anything else."""
    if not portal.exists() or (portal.is_dir() and not any(portal.iterdir())):
        return
    if not (portal / DEMO).exists():
        raise PortalError(
            f"{portal} exists and is not an earlier demo.", "Choose another directory: thresher demo --portal DIR"
        )
    shutil.rmtree(portal)


@contextmanager
def _served(directory: Path, out: Any) -> Iterator[dict[str, Any]]:
    """Plan a web and serve it from a child process; yields its port, start pages and parameters."""
    parameters = WebParameters(pages=3000, hosts=60, seed=2026, documents=0.1, words="english", languages=("en", "de"))
    planned = Web(parameters)
    write(planned, directory)
    topics = len(planned.topics())
    out.print(f"Generated a web of {parameters.pages:,} pages on {parameters.hosts} hosts with {topics} topics.")
    command = [sys.executable, "-m", "thresher", "web", "serve", str(directory), "--port", "0", "--json"]
    server = subprocess.Popen(command, stdout=subprocess.PIPE, start_new_session=True)  # noqa: S603 - our own program
    try:
        line = server.stdout.readline() if server.stdout else b""
        if not line:
            raise PortalError("The generated web could not be served.", "Try: thresher doctor")
        ready: dict[str, Any] = msgspec.json.decode(line)
        yield {**ready, "parameters": msgspec.to_builtins(parameters), "web": planned}
    finally:
        server.terminate()
        server.wait()


def _settings(served: dict[str, Any]) -> str:
    return "\n".join(
        [
            "",
            "[portal]",
            'title = "Thresher demo"',
            'about = "Home energy, food and the outdoors, from a small generated web."',
            "",
            "[network.map]",
            "# The generated web answers for every host name that ends in .test.",
            f'"*.test" = "127.0.0.1:{served["port"]}"',
            "",
            "[manners]",
            "# Our own server needs no pause between fetches.",
            "delay = 0",
            "",
        ]
    )


def _best_page(portal: Path) -> str:
    with thresher.Portal.open(portal) as opened:
        return opened.pages()[0].url
