"""`thresher learn-paths`: learns which paths lead to the topics, for the strategies `hmm` and `context-graph`."""

from pathlib import Path
from typing import Annotated

import typer

from thresher.api.paths import PathSource
from thresher.api.paths import learn_paths as learn
from thresher.cli.main import app
from thresher.cli.options import Json, Portal, one_of
from thresher.cli.output import console, counted, hint, print_json


@app.command("learn-paths", epilog="Example: thresher learn-paths my-portal")
def learn_paths(
    portal: Portal,
    sessions: Annotated[
        Path | None, typer.Option("--sessions", metavar="FILE", help="Browsing sessions in JSON Lines.")
    ] = None,
    source: Annotated[
        str | None,
        typer.Option("--from", metavar="SOURCE", help="sessions (kept in the portal) or links (of stored pages)."),
    ] = None,
    topic: Annotated[
        str | None, typer.Option("--topic", metavar="TOPIC", help="Learn paths to this topic only.")
    ] = None,
    json: Json = False,
) -> None:
    """Learn which paths lead to the topics, from browsing sessions or, if there are none, from links of stored pages.

    Uses the sessions kept in the portal (see `thresher sessions`) or those of a file. The result is saved in the
    portal's `models` directory and used by the strategies hmm and context-graph.
    """
    learned = learn(portal, sessions, topic, one_of(PathSource, "--from", source) if source is not None else None)
    if json:
        print_json(learned)
        return
    out = console()
    where = "of stored pages" if learned["source"] == "links" else "of browsing sessions"
    out.print(
        f"Learned from {counted(learned['pages'], 'page')} and {counted(learned['links'], 'link')} {where}, "
        f"{learned['useful']} of the pages useful."
    )
    for hops, pages in list(learned["clicks"].items())[1:]:
        out.print(f"{counted(pages, 'page')} {counted(int(hops), 'click')} away")
    if learned["unread"]:
        out.print(f"{counted(learned['unread'], 'page')} are known by their titles only.")
        out.print(f"Fetch them, then learn again: {hint('sessions', portal, 'fetch')}")
    out.print(f"Use it: {hint('harvest', portal, '--strategy', learned['strategy'])}")
