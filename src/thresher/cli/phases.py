"""`thresher learn` and `thresher harvest`: the two phases of a focused crawl."""

from typing import Annotated

import typer

from thresher.api.portal import Portal as OpenPortal
from thresher.api.reports import Report
from thresher.cli.crawl import Hours, Pages
from thresher.cli.display import Terminal, crawl_shown
from thresher.cli.main import app
from thresher.cli.options import Json, Portal, Set

Fresh = Annotated[bool, typer.Option("--fresh", help="Start over even if the last one could continue.")]


@app.command(epilog="Example: thresher learn my-portal --pages 200")
def learn(
    portal: Portal,
    pages: Pages = None,
    hours: Hours = None,
    fresh: Fresh = False,
    overrides: Set = None,
    json: Json = False,
) -> None:
    """Crawl near the training pages for more training material; archetypes are chosen from it."""

    def start(terminal: Terminal) -> Report:
        crawls = OpenPortal.open(portal).crawls
        return crawls.learn(pages=pages, hours=hours, fresh=fresh, settings=overrides, progress=terminal)

    headline = "Learning: crawling near your examples for more training material."
    raise typer.Exit(crawl_shown(portal, json, headline, start))


@app.command(epilog='Example: thresher harvest my-portal --hours 8 --until "harvest<0.1"')
def harvest(
    portal: Portal,
    pages: Pages = None,
    hours: Hours = None,
    until: Annotated[
        str | None, typer.Option("--until", metavar="CONDITION", help='Stop when this is true, as in "harvest<0.1".')
    ] = None,
    strategy: Annotated[
        str | None, typer.Option("--strategy", help="Strategy, with parameters in quotes: 'best-first(k=2)'.")
    ] = None,
    fresh: Fresh = False,
    from_hubs: Annotated[
        bool,
        typer.Option("--from-hubs", help="With --fresh: take over the pages of the last one, best hubs first."),
    ] = False,
    overrides: Set = None,
    json: Json = False,
) -> None:
    """Crawl wherever the topics lead, starting where the learning crawl ended, and retrain on the way."""

    def start(terminal: Terminal) -> Report:
        return OpenPortal.open(portal).crawls.harvest(
            pages=pages,
            hours=hours,
            until=until,
            strategy=strategy,
            fresh=fresh,
            from_hubs=from_hubs,
            settings=overrides,
            progress=terminal,
        )

    raise typer.Exit(crawl_shown(portal, json, "Harvest: crawling wherever the topics lead.", start))
