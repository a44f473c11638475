"""`thresher learn-paths`: what leads to a portal's topics, for the strategies `hmm` and `context-graph`."""

from collections import Counter
from contextlib import closing
from pathlib import Path
from typing import Annotated

import typer

from thresher.cli.main import app
from thresher.cli.options import Json, Portal
from thresher.cli.output import console, counted, hint, print_json
from thresher.errors import InputError
from thresher.file_rights import make_folder
from thresher.runs.path_learning import paths_file, portal_session
from thresher.sessions.path_model import PathModel
from thresher.sessions.session import UNREACHED, joined
from thresher.sessions.session_file import read_sessions, write_sessions
from thresher.store.repository import open_store


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

    What was learnt from is kept in the portal's `models` directory, for the strategies hmm and context-graph.
    """
    with closing(open_store(portal)) as store:
        session = joined(read_sessions(sessions)) if sessions is not None else portal_session(store, topic)
    if not session.useful:
        raise InputError("The sessions have no useful pages.", "Mark the pages that were useful.")
    model = PathModel().fit(session)
    path = paths_file(portal)
    make_folder(path.parent)
    write_sessions(path, [session])
    clicks = Counter(hops for hops in session.distances() if hops != UNREACHED)
    strategy = f"hmm(paths={path})"
    if json:
        print_json(
            {
                "portal": str(portal),
                "pages": len(session.pages),
                "links": len(session.links),
                "useful": len(session.useful),
                "clicks": {str(hops): clicks[hops] for hops in sorted(clicks)},
                "clusters": model.clusters_,
                "strategy": strategy,
            }
        )
        return
    console().print(
        f"Learned from {counted(len(session.pages), 'page')} and {counted(len(session.links), 'link')}, "
        f"{len(session.useful)} of the pages useful."
    )
    for hops in sorted(clicks)[1:]:
        console().print(f"{counted(clicks[hops], 'page')} {counted(hops, 'click')} away")
    console().print(f"Use it: {hint('harvest', portal, '--strategy', strategy)}")
