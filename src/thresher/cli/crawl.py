"""`thresher crawl` and `thresher resume`."""

from typing import Annotated

import typer

from thresher.api.portal import Portal as OpenPortal
from thresher.api.reports import Report
from thresher.cli.display import Terminal, crawl_shown
from thresher.cli.main import app
from thresher.cli.options import Json, Portal, Set
from thresher.cli.output import console
from thresher.cli.topic_notes import warn_of_changed_topics

Pages = Annotated[int | None, typer.Option("--pages", min=1, help="Stop after this many pages in total.")]
Hours = Annotated[float | None, typer.Option("--hours", min=0, help="Stop after this many hours.")]


@app.command(epilog="Example: thresher crawl my-portal --pages 500 --strategy 'random(seed=7)'")
def crawl(
    portal: Portal,
    pages: Pages = None,
    hours: Hours = None,
    strategy: Annotated[
        str | None, typer.Option("--strategy", help="Strategy, with parameters in quotes: 'random(seed=7)'.")
    ] = None,
    fresh: Annotated[
        bool, typer.Option("--fresh", help="Start a new crawl even if the last one could continue.")
    ] = False,
    replay: Annotated[
        list[str] | None,
        typer.Option("--replay", metavar="FILE", help="Crawl a WARC or ARC file, or a folder of them; repeatable."),
    ] = None,
    overrides: Set = None,
    json: Json = False,
) -> None:
    """Crawl from the portal's start pages until the budget is spent.

    Ctrl-C stops cleanly; press it twice to stop immediately.
    """
    opened = OpenPortal.open(portal)
    if opened.topics.changed:
        warn_of_changed_topics(console(stderr=True), portal)

    def start(terminal: Terminal) -> Report:
        return opened.crawls.start(
            pages=pages,
            hours=hours,
            strategy=strategy,
            fresh=fresh,
            replay=replay or [],
            settings=overrides,
            progress=terminal,
        )

    raise typer.Exit(crawl_shown(portal, json, "Crawl: following links from the start pages.", start))


@app.command(epilog="Example: thresher resume my-portal --pages 2000")
def resume(
    portal: Portal,
    pages: Pages = None,
    hours: Hours = None,
    adopt: Annotated[bool, typer.Option("--adopt", help="Adopt settings changed since the crawl began.")] = False,
    json: Json = False,
) -> None:
    """Continue the latest crawl where it stopped, with the settings it began with."""

    def go_on(terminal: Terminal) -> Report:
        return OpenPortal.open(portal).crawls.resume(pages=pages, hours=hours, adopt=adopt, progress=terminal)

    raise typer.Exit(crawl_shown(portal, json, "Resuming: continuing where the crawl stopped.", go_on))
