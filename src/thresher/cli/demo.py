"""`thresher demo`: a small web, a portal and a crawl in one command."""

import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Annotated, Any

import msgspec
import typer

from thresher.cli.main import INTERRUPTED, app
from thresher.cli.options import Json
from thresher.cli.output import console, hint
from thresher.cli.run import print_report, run_shown
from thresher.cli.screen import Screen, bold
from thresher.documents.formats.kinds import by_type
from thresher.errors import PortalError
from thresher.link_analysis import analyse_links
from thresher.portals import DEMO, create_portal, mark_demo
from thresher.search import Searcher
from thresher.simweb.manifest import write
from thresher.simweb.parameters import WebParameters
from thresher.simweb.web import Web
from thresher.store.repository import open_store
from thresher.taxonomy.from_bookmarks import from_bookmarks
from thresher.taxonomy.to_bookmarks import to_bookmarks
from thresher.taxonomy.topic_tree import Taxonomy, Topic, TrainingPage, parsed, put
from thresher.web.urls import url_id

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
        topics = from_bookmarks(_bookmarks(served["web"]).encode(), "demo").taxonomy
        create_portal(portal, None, topics, contact="demo@localhost", settings=_settings(served))
        mark_demo(portal, served["parameters"])
        number = len(list(topics.walk()))
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
        out.print("Explain a page: ", bold(hint("explain", portal, _some_page(portal))))
        _tour(out, portal, once)
    raise typer.Exit(0 if report.done else INTERRUPTED)


def _finish(portal: Path) -> None:
    """Score the links of all stored pages, and index them."""
    with closing(open_store(portal)) as store:
        analyse_links(store)
    with Searcher(portal) as searcher:
        searcher.search("", number=1)


def _tour(out: Screen, portal: Path, once: bool) -> None:
    """Serve the portal, or print how to."""
    if once or not sys.stdout.isatty():
        out.print("Open it in a browser: ", bold(hint("serve", portal, "--open")))
        return
    # The web framework is loaded only when it is needed.
    from thresher.cli.serve import serve_portal

    serve_portal(portal, any_port=True)


def _bookmarks(web: Web) -> str:
    """Return a few pages of each leaf topic as a browser's bookmark file."""
    tree = Taxonomy()
    names = web.topics()
    for topic in names:
        if not any(other.startswith(f"{topic}/") for other in names):
            pages = tuple(TrainingPage(url) for url in web.examples(topic, BOOKMARKS, exact=True))
            path = parsed(topic)
            tree = put(tree, path, Topic(name=path[-1], pages=pages))
    return to_bookmarks(tree)


def _show(out: Screen, portal: Path, web: Web) -> None:
    """Print how many pages were classified correctly; the generated web knows the truth."""
    store = open_store(portal, read_only=True)
    truth = web.labels()
    found: Counter[str] = Counter()
    right: Counter[str] = Counter()
    try:
        for url in store.documents.urls():
            judged = store.documents.judgement(url_id(url))
            if judged is not None and judged.topic is not None:
                found[judged.topic] += 1
                right[judged.topic] += truth.get(url.partition("!/")[0]) == judged.topic
        counts = store.documents.counts()
    finally:
        store.close()
    out.print("Pages by topic, and how many of them belong there:")
    for topic in sorted(found):
        out.print(f"  {topic:<28} {found[topic]:4} found, {right[topic]:4} correct")
    known = by_type()
    files: Counter[str] = Counter()
    for row in counts:
        if row.mime in known:
            files[known[row.mime].endings[0].removeprefix(".").upper()] += row.pages
    kinds = ", ".join(f"{number} {kind}" for kind, number in files.most_common())
    packed = sum(row.pages for row in counts if row.member)
    out.print(f"Documents among the stored pages: {kinds or 'none'}; {packed} of them from archives.")


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


def _some_page(portal: Path) -> str:
    """Return the page stored last, which is the farthest from the start pages."""
    store = open_store(portal, read_only=True)
    try:
        return list(store.log.documents_since(0))[-1][1]
    finally:
        store.close()
