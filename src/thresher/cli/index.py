"""`thresher index`: updates or rebuilds the search index."""

from typing import Annotated

import typer

from thresher.api.indexing import IndexData, update_index
from thresher.cli.main import app
from thresher.cli.options import Json, Portal
from thresher.cli.output import console, counted, print_json
from thresher.cli.screen import dim


@app.command(epilog="Example: thresher index my-portal --rebuild")
def index(
    portal: Portal,
    rebuild: Annotated[bool, typer.Option("--rebuild", help="Rebuild the index from scratch.")] = False,
    json: Json = False,
) -> None:
    """Update the search index and show its state.

    Searching does this automatically. During a rebuild, searches use the old index until the new one is ready.
    """
    told = console(stderr=True)

    def progress(pages: int) -> None:
        if not json and pages:
            told.print(dim(f"Indexed {pages:,} pages."))

    state = update_index(portal, rebuild=rebuild, progress=progress)
    if json:
        print_json(state)
    else:
        _show(state)


def _show(state: IndexData) -> None:
    done = f"{counted(state['written'], 'page')} indexed" if state["written"] else "Up to date"
    gone = f", {counted(state['removed'], 'page')} removed" if state["removed"] else ""
    size = f"{counted(state['pages'], 'page')} in total, {state['bytes'] / 1e6:.1f} MB"
    console().print(f"{done}{gone}: {size}, {state['seconds']:.1f} s.")
