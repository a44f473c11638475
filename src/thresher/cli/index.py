"""`thresher index`: updates or rebuilds the search index."""

from contextlib import closing
from typing import Annotated

import typer

from thresher.cli.main import app
from thresher.cli.options import Json, Portal
from thresher.cli.output import console, counted, print_json
from thresher.cli.screen import dim
from thresher.errors import PortalBusy
from thresher.search import text_index
from thresher.search.indexer import Caught, catch_up, index_lock, rebuild
from thresher.search.text_index import FOLDER, TextIndex
from thresher.store.repository import open_store


@app.command(epilog="Example: thresher index my-portal --rebuild")
def index(
    portal: Portal,
    anew: Annotated[bool, typer.Option("--rebuild", help="Rebuild the index from scratch.")] = False,
    json: Json = False,
) -> None:
    """Update the search index and show its state.

    Searching does this automatically. During a rebuild, searches use the old index until the new one is ready.
    """
    told = console(stderr=True)

    def progress(pages: int) -> None:
        if not json and pages:
            told.print(dim(f"Indexed {pages:,} pages."))

    with closing(open_store(portal, read_only=True)) as store, index_lock(portal, patience=1.0) as mine:
        if not mine:
            raise PortalBusy(f"Another process is indexing {portal}.", "Try again when it is done.")
        caught = rebuild(portal, store, progress) if anew else catch_up(portal, store, progress)
    _show(str(portal), caught, _pages(portal), text_index.size_of(portal), json)


def _pages(portal: Portal) -> int:
    state = text_index.state_of(portal)
    # One document is the mark of the index.
    return TextIndex(portal / FOLDER / state.folder).searcher().num_docs - 1 if state else 0


def _show(portal: str, caught: Caught, pages: int, size: int, json: bool) -> None:
    if json:
        print_json(
            {
                "portal": portal,
                "pages": pages,
                "written": caught.written,
                "removed": caught.removed,
                "sequence": caught.mark,
                "bytes": size,
                "seconds": round(caught.seconds, 3),
                "rebuilt": caught.built,
            }
        )
        return
    out = console()
    done = f"{counted(caught.written, 'page')} indexed" if caught.written else "Up to date"
    gone = f", {counted(caught.removed, 'page')} removed" if caught.removed else ""
    out.print(f"{done}{gone}: {counted(pages, 'page')} in total, {size / 1e6:.1f} MB, {caught.seconds:.1f} s.")
