"""`thresher crawl` and `thresher resume`."""

from typing import Annotated

import typer

from thresher.cli.display import run_shown
from thresher.cli.main import app
from thresher.cli.options import Json, Portal, Set
from thresher.cli.output import console
from thresher.cli.topic_notes import warn_of_changed_topics
from thresher.runs.plans import Resume, Start
from thresher.train.changed_topics import topics_changed

Pages = Annotated[int | None, typer.Option("--pages", min=1, help="Stop after this many pages in total.")]
Hours = Annotated[float | None, typer.Option("--hours", min=0, help="Stop after this many hours.")]


def _limits(pages: int | None, hours: float | None) -> dict[str, float]:
    named = {"crawl.pages": pages, "crawl.hours": hours}
    return {key: value for key, value in named.items() if value is not None}


def limits_of(pages: int | None, hours: float | None) -> list[str]:
    """Return the budgets that were given, as settings.

    >>> limits_of(5, None)
    ['crawl.pages=5']
    """
    return [f"{key}={value!r}" for key, value in _limits(pages, hours).items()]


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
    limits = limits_of(pages, hours)
    named = [f"crawl.strategy={strategy}"] if strategy is not None else []
    if topics_changed(portal):
        warn_of_changed_topics(console(stderr=True), portal)
    start = Start(portal, overrides=[*(overrides or []), *limits, *named], fresh=fresh, replay=replay or [])
    raise typer.Exit(run_shown(start, json))


@app.command(epilog="Example: thresher resume my-portal --pages 2000")
def resume(
    portal: Portal,
    pages: Pages = None,
    hours: Hours = None,
    adopt: Annotated[bool, typer.Option("--adopt", help="Adopt settings changed since the crawl began.")] = False,
    json: Json = False,
) -> None:
    """Continue the latest crawl where it stopped, with the settings it began with."""
    raise typer.Exit(run_shown(Resume(portal, limits=_limits(pages, hours), adopt=adopt), json))
