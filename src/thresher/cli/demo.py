"""`thresher demo`: a small web, a portal, a crawl, in one command."""

import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any

import msgspec
import typer

from thresher.cli.display import print_outcome, run_interruptibly
from thresher.cli.main import INTERRUPTED, app
from thresher.cli.options import Json
from thresher.cli.output import console, crawl_summary, plain, print_json, program
from thresher.crawl.budget import Stop
from thresher.errors import PortalError
from thresher.portals import create_portal
from thresher.runs.plans import Start
from thresher.simweb.manifest import write
from thresher.simweb.parameters import WebParameters
from thresher.simweb.web import Web
from thresher.store.sqlite.store import open_store

MARK = "demo.json"
PAGES = 600


@app.command(epilog="Example: thresher demo --portal my-demo")
def demo(
    portal: Annotated[Path, typer.Option("--portal", metavar="DIR", help="Where the demo portal is made.")] = Path(
        "demo-portal"
    ),
    once: Annotated[bool, typer.Option("--once", help="End when the crawl is done.")] = False,
    json: Json = False,
) -> None:
    """Generate a web, serve it over HTTP on loopback, crawl it and show what came of it; takes less than a minute."""
    del once  # The demo ends by itself.
    out = console(stderr=json)
    _make_room(portal)
    with tempfile.TemporaryDirectory(prefix="thresher-demo-") as folder, _served(Path(folder) / "web", out) as served:
        create_portal(portal, "\n".join(served["start_pages"]), contact="demo@localhost", settings=_settings(served))
        (portal / MARK).write_bytes(msgspec.json.encode({"web": served["parameters"]}))
        out.print(f"Crawling into [bold]{plain(str(portal))}[/] from {len(served['start_pages'])} start pages.")
        plan = Start(portal, overrides=[f"crawl.pages={PAGES}"])
        outcome = run_interruptibly(plan, json)
    if json:
        print_json(crawl_summary(str(portal), outcome.crawl, outcome.progress))
    else:
        print_outcome(plan, outcome, resumable=False)
        out.print(f"Ask about a page: [bold]{program()} explain {plain(str(portal))} {_some_page(portal)}[/]")
    raise typer.Exit(INTERRUPTED if outcome.progress.stopped_because == Stop.INTERRUPTED else 0)


def _make_room(portal: Path) -> None:
    """Remove the portal of an earlier demo; anything else that is there is left alone."""
    if not portal.exists() or (portal.is_dir() and not any(portal.iterdir())):
        return
    if not (portal / MARK).exists():
        raise PortalError(
            f"{portal} exists and is no earlier demo.", "Name another directory: thresher demo --portal DIR"
        )
    shutil.rmtree(portal)


@contextmanager
def _served(directory: Path, out: Any) -> Iterator[dict[str, Any]]:
    """Plan a web and serve it from a process of its own; gives its port, start pages and parameters."""
    parameters = WebParameters(pages=3000, hosts=60, seed=2026)
    planned = Web(parameters)
    write(planned, directory)
    topics = len(planned.topics())
    out.print(f"Generated a web of {parameters.pages:,} pages on {parameters.hosts} hosts about {topics} topics.")
    command = [sys.executable, "-m", "thresher", "web", "serve", str(directory), "--port", "0", "--json"]
    server = subprocess.Popen(command, stdout=subprocess.PIPE, start_new_session=True)  # noqa: S603 - our own program
    try:
        line = server.stdout.readline() if server.stdout else b""
        if not line:
            raise PortalError("The generated web could not be served.", "Try: thresher doctor")
        ready: dict[str, Any] = msgspec.json.decode(line)
        yield {**ready, "parameters": msgspec.to_builtins(parameters)}
    finally:
        server.terminate()
        server.wait()


def _settings(served: dict[str, Any]) -> str:
    return "\n".join(
        [
            "",
            "[network.map]",
            "# The generated web answers for every host name that ends in .test.",
            f'"*.test" = "127.0.0.1:{served["port"]}"',
            "",
            "[manners]",
            "# Our own server needs no pause between two fetches.",
            "delay = 0",
            "",
        ]
    )


def _some_page(portal: Path) -> str:
    """Return the page that was stored last: its way from a start page is the longest."""
    store = open_store(portal, read_only=True)
    try:
        return list(store.log.documents_since(0))[-1][1]
    finally:
        store.close()
