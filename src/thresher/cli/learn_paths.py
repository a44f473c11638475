"""`thresher learn-paths`: what leads to a portal's topics, for the strategies `hmm` and `context-graph`."""

from pathlib import Path
from typing import Annotated

import typer

from thresher.api.paths import learn_paths as learn
from thresher.cli.main import app
from thresher.cli.options import Json, Portal
from thresher.cli.output import console, counted, hint, print_json


@app.command("learn-paths", epilog="Example: thresher learn-paths my-portal --sessions browsing.jsonl")
def learn_paths(
    portal: Portal,
    sessions: Annotated[
        Path | None, typer.Option("--sessions", metavar="FILE", help="Browsing sessions in JSON Lines.")
    ] = None,
    topic: Annotated[str | None, typer.Option("--topic", metavar="TOPIC", help="Only the way to this topic.")] = None,
    json: Json = False,
) -> None:
    """Learn the way to the topics from browsing sessions or, without any, from the links of stored pages.

    What was learned is kept in the portal's `models` directory, for the strategies hmm and context-graph.
    """
    learned = learn(portal, sessions, topic)
    if json:
        print_json(learned)
        return
    out = console()
    out.print(
        f"Learned from {counted(learned['pages'], 'page')} and {counted(learned['links'], 'link')}, "
        f"{learned['useful']} of the pages useful."
    )
    for hops, pages in list(learned["clicks"].items())[1:]:
        out.print(f"{counted(pages, 'page')} {counted(int(hops), 'click')} away")
    out.print(f"Use it: {hint('harvest', portal, '--strategy', learned['strategy'])}")
