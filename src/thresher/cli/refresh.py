"""`thresher refresh`: checks known pages again."""

from typing import Annotated

import typer

from thresher.api.portal import Portal as OpenPortal
from thresher.api.reports import Report
from thresher.cli.display import Terminal, crawl_shown
from thresher.cli.main import app
from thresher.cli.options import Json, Portal, Set


@app.command(epilog="Example: thresher refresh my-portal --pages 500 --older-than 7")
def refresh(
    portal: Portal,
    pages: Annotated[int, typer.Option("--pages", min=0, help="Check at most this many pages; 0 for all.")] = 0,
    older_than: Annotated[
        float, typer.Option("--older-than", min=0, metavar="DAYS", help="Only pages not visited for this many days.")
    ] = 0.0,
    hours: Annotated[float, typer.Option("--hours", min=0, help="Stop after this many hours; 0 for no limit.")] = 0.0,
    overrides: Set = None,
    json: Json = False,
) -> None:
    """Recheck the portal's pages, oldest visit first, and mark those that are gone. Links are not followed."""

    def start(terminal: Terminal) -> Report:
        crawls = OpenPortal.open(portal).crawls
        return crawls.refresh(pages=pages, older_than=older_than, hours=hours, settings=overrides, progress=terminal)

    raise typer.Exit(crawl_shown(portal, json, "Refresh: checking the portal's pages.", start))
