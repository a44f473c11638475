"""`thresher new`: creates a portal."""

from pathlib import Path
from typing import Annotated

import typer

from thresher.api.portal import Portal as OpenPortal
from thresher.api.sources import read_seeds
from thresher.cli.main import app
from thresher.cli.options import Json, Portal
from thresher.cli.output import console, counted, hint, print_json
from thresher.cli.screen import bold, yellow


@app.command(epilog="Example: thresher new my-portal --bookmarks bookmarks.html")
def new(
    portal: Portal,
    bookmarks: Annotated[
        Path | None, typer.Option("--bookmarks", metavar="FILE", help="Browser bookmarks; folders become topics.")
    ] = None,
    topics: Annotated[
        Path | None, typer.Option("--topics", metavar="FILE", help="A topics.toml, e.g. of another portal.")
    ] = None,
    folder: Annotated[
        Path | None, typer.Option("--folder", metavar="DIR", help="Local documents; subfolders become topics.")
    ] = None,
    query: Annotated[
        str | None, typer.Option("--query", metavar="WORDS", help="One topic, described by a query.")
    ] = None,
    seeds: Annotated[
        Path | None,
        typer.Option("--seeds", metavar="FILE", help="Start pages, one URL per line; - reads them from stdin."),
    ] = None,
    json: Json = False,
) -> None:
    """Create a portal directory. Nothing is fetched yet."""
    text = () if seeds is None else read_seeds(seeds)
    with OpenPortal.create(
        portal, bookmarks=bookmarks, topics=topics, folder=folder, query=query, seeds=text
    ) as opened:
        created = opened.created
    assert created is not None
    if json:
        print_json(created)
        return
    out = console()
    for problem in created["problems"]:
        out.print(yellow("Skipped"), f" {problem}")
    for notice in created["notices"]:
        out.print(yellow("Note:"), f" {notice}")
    number = created["topics"]
    with_topics = f"{counted(number, 'topic')} and " if number else ""
    starts = counted(created["seeds"], "start page")
    out.print("Created ", bold(portal), f" with {with_topics}{starts}.")
    if not number and not created["seeds"]:
        out.print("Add a topic: ", bold(hint("topics", portal, "add", "TOPIC", "URL")))
        return
    following = hint("run", portal) if number else hint("crawl", portal, "--pages", 100)
    out.print(f"Set your contact in {portal / 'thresher.toml'}, then: ", bold(following))
