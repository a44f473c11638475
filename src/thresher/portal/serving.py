"""`thresher.serve`: a portal, or a folder of portals, as a website."""

import socket
import sys
from collections.abc import Callable
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Final

from msgspec import Struct

from thresher.accounts import Accounts
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

HOST: Final = "127.0.0.1"
PORT: Final = 8080

_EVERYWHERE: Final = ("0.0.0.0", "::")  # noqa: S104 - compared, not bound


class Website(Struct, frozen=True):
    """A website that answers: its address, and a link for creating the first account if there is none yet."""

    address: str
    first_account: str | None


def show(served: Website) -> None:
    """Print the address of a website."""
    first = f"No accounts yet. Create the first one: {served.first_account}\n" if served.first_account else ""
    sys.stdout.write(f"Serving at {served.address}; interrupt to stop.\n{first}")
    sys.stdout.flush()


def serve(
    portal: str | Path | None = None,
    *,
    folder: str | Path | None = None,
    host: str = HOST,
    port: int = PORT,
    any_port: bool = False,
    workers: int = 0,
    ready: Callable[[Website], None] | None = None,
) -> None:
    """Serve a portal as a website until Ctrl-C or a notebook's stop button, also while a crawl is running.

    With `folder` instead of a portal, all portals in that directory are served, and admins can add new ones; it is
    created if it is missing. `port` 0 picks a free port; with `any_port`, that also happens if the port is taken.
    `workers` is the number of server processes for a portal; 0 chooses one for its size. `ready` is called with the
    `address` and the link `first_account` once the website answers; by default both are printed. Schedules are carried
    out while it serves.
    """
    if (portal is None) == (folder is None):
        raise UsageError("Give a portal, or a folder of portals with --folder.", "See: thresher serve --help")
    if folder is not None:
        _serve_folder(Path(folder), host, _listen(host, port, any_port), ready or show)
    elif portal is not None:
        _serve_portal(Path(portal), host, port, any_port, workers, ready or show)


def _serve_folder(folder: Path, host: str, listening: socket.socket, ready: Callable[[Website], None]) -> None:
    with closing(listening):
        with disk_failures():
            make_private(folder)
        web = FolderApp(folder, _names(host))
        serve_app(web, listening, partial(ready, _served(host, listening, web.first_key)))


def _serve_portal(
    portal: Path, host: str, port: int, any_port: bool, workers: int, ready: Callable[[Website], None]
) -> None:
    settings = load(portal).settings
    names = _names(host)
    with closing(_listen(host, port, any_port)) as listening:
        with closing(open_store(portal)) as store:
            key = first_key_of(Accounts(store))
            number = workers or usual_workers(store.documents.count_accepted())
            told = partial(ready, _served(host, listening, key))
            if number == 1:
                serve_app(make_app(portal, store, settings, hosts=names, first_key=key), listening, told)
                return
        Workers(Order(str(portal), names, key, listening.fileno()), listening, number).run(told)


def _listen(host: str, port: int, any_port: bool) -> socket.socket:
    try:
        return listen(host, port)
    except InputError:
        if not any_port:
            raise
        return listen(host, 0)


def _names(host: str) -> tuple[str, ...]:
    return () if host in _EVERYWHERE else (host,)


def _served(host: str, listening: socket.socket, key: str) -> Website:
    shown = HOST if host in _EVERYWHERE else f"[{host}]" if ":" in host else host
    address = f"http://{shown}:{listening.getsockname()[1]}/"
    return Website(address, f"{address}first?key={key}" if key else None)
