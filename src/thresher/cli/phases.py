"""`thresher learn` and `thresher harvest`: the two phases of a focused crawl."""

from typing import Annotated

import typer

from thresher.cli.crawl import Hours, Pages, limits_of
from thresher.cli.display import run_shown
from thresher.cli.main import app
from thresher.cli.options import Json, Portal, Set
from thresher.runs.plans import Harvest, Learn

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
    plan = Learn(portal, [*(overrides or []), *limits_of(pages, hours)], fresh)
    raise typer.Exit(run_shown(plan, json))


@app.command(epilog='Example: thresher harvest my-portal --hours 8 --until "harvest<0.1"')
def harvest(
    portal: Portal,
    pages: Pages = None,
    hours: Hours = None,
    until: Annotated[
        str | None, typer.Option("--until", metavar="CONDITION", help='Stop when it is true, as in "harvest<0.1".')
    ] = None,
    strategy: Annotated[
        str | None, typer.Option("--strategy", help="Strategy, with parameters in quotes: 'best-first(k=2)'.")
    ] = None,
    fresh: Fresh = False,
    overrides: Set = None,
    json: Json = False,
) -> None:
    """Crawl wherever the topics lead, starting where the learning crawl ended, and retrain on the way."""
    named = [f"crawl.strategy={strategy}"] if strategy is not None else []
    ends = [f"harvest.until={until}"] if until is not None else []
    plan = Harvest(portal, [*(overrides or []), *limits_of(pages, hours), *named, *ends], fresh)
    raise typer.Exit(run_shown(plan, json))
