"""`thresher serve`: the portal in a browser."""

import socket
import webbrowser
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from thresher.accounts import Accounts
from thresher.cli.admin_shapes import ServeData
from thresher.cli.main import app
from thresher.cli.options import Json
from thresher.cli.output import console, print_json
from thresher.cli.screen import bold
from thresher.config.load import load
from thresher.errors import InputError, UsageError
from thresher.file_rights import make_private
from thresher.portal.app import first_key_of, make_app
from thresher.portal.folder import FolderApp
from thresher.portal.worker import Order
from thresher.portal.workers import Workers, usual_workers
from thresher.runs.serving import listen
from thresher.runs.serving import serve as serve_app
from thresher.store.disk_failures import disk_failures
from thresher.store.repository import open_store

HOST = "127.0.0.1"
PORT = 8080

_EVERYWHERE = ("0.0.0.0", "::")  # noqa: S104 - compared, not bound


@app.command(epilog="Example: thresher serve my-portal --port 8080")
def serve(
    portal: Annotated[Path | None, typer.Argument(metavar="[PORTAL]", help="Directory of the portal.")] = None,
    folder: Annotated[
        Path | None,
        typer.Option("--folder", metavar="DIR", help="Serve all portals in this directory; admins can add new ones."),
    ] = None,
    host: Annotated[str, typer.Option("--host", help="Address to listen on; loopback by default.")] = HOST,
    port: Annotated[int, typer.Option("--port", min=0, max=65535, help="Port; 0 picks a free one.")] = PORT,
    open_browser: Annotated[bool, typer.Option("--open", help="Open the portal in a browser.")] = False,
    workers: Annotated[
        int,
        typer.Option(
            "--workers", min=0, max=64, help="Server processes; 0 chooses a number for this portal and machine."
        ),
    ] = 0,
    json: Json = False,
) -> None:
    """Serve the portal as a website until Ctrl-C. Works while a crawl is running.

    If the portal has no accounts, a link to create the first one is printed. Schedules are carried out while it serves.
    """
    if (portal is None) == (folder is None):
        raise UsageError("Give a portal, or a folder of portals with --folder.", "See: thresher serve --help")
    if folder is not None:
        serve_folder(folder, host, port, open_browser=open_browser, json=json)
    elif portal is not None:
        serve_portal(portal, host, port, open_browser=open_browser, workers=workers, json=json)


def serve_folder(folder: Path, host: str, port: int, *, open_browser: bool, json: bool) -> None:
    """Serve all portals of a folder until Ctrl-C; the folder is created if it is missing."""
    with disk_failures():
        make_private(folder)
    listening = listen(host, port)
    web = FolderApp(folder, _names(host))
    address = _address(host, listening)
    serve_app(web, listening, partial(_announce, folder, address, web.first_key, open_browser=open_browser, json=json))


def serve_portal(
    portal: Path,
    host: str = HOST,
    port: int = PORT,
    *,
    open_browser: bool = False,
    workers: int = 1,
    json: bool = False,
    any_port: bool = False,
) -> None:
    """Serve a portal until Ctrl-C; with `any_port`, use another port if the requested one is taken."""
    settings = load(portal).settings
    with closing(open_store(portal)) as store:
        try:
            listening = listen(host, port)
        except InputError:
            if not any_port:
                raise
            listening = listen(host, 0)
        names = _names(host)
        key = first_key_of(Accounts(store))
        number = workers or usual_workers(store.documents.count_accepted())
        ready = partial(_announce, portal, _address(host, listening), key, open_browser=open_browser, json=json)
        if number == 1:
            serve_app(make_app(portal, store, settings, hosts=names, first_key=key), listening, ready)
            return
    Workers(Order(str(portal), names, key, listening.fileno()), listening, number).run(ready)


def _names(host: str) -> tuple[str, ...]:
    return () if host in _EVERYWHERE else (host,)


def _address(host: str, listening: socket.socket) -> str:
    shown = HOST if host in _EVERYWHERE else f"[{host}]" if ":" in host else host
    return f"http://{shown}:{listening.getsockname()[1]}/"


def _announce(portal: Path, address: str, key: str, *, open_browser: bool, json: bool) -> None:
    first = f"{address}first?key={key}" if key else ""
    if json:
        served: ServeData = {"portal": str(portal), "address": address, "first_account": first or None}
        print_json(served)
    else:
        console().print("Serving ", bold(portal), " at ", bold(address), "; press Ctrl-C to stop.")
        if first:
            console(stderr=True).print("No accounts yet. Create the first one: ", bold(first))
    if open_browser:
        webbrowser.open(first or address)
