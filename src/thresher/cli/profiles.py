"""`thresher profiles`: saved searches, relevance feedback, and the rankings fitted to it."""

from pathlib import Path
from typing import Annotated

import typer

from thresher.api.portal import Portal as OpenPortal
from thresher.api.saved_searches import Profiles
from thresher.cli.main import app
from thresher.cli.options import Json, Portal
from thresher.cli.output import console, counted, hint, print_json
from thresher.cli.screen import bold, dim


@app.command(epilog="Example: thresher profiles my-portal --forget 3")
def profiles(
    portal: Portal,
    forget: Annotated[
        list[str] | None,
        typer.Option("--forget", metavar="WHAT", help="Delete the feedback with this number, or this saved search."),
    ] = None,
    json: Json = False,
) -> None:
    """Show saved searches, feedback on results and the rankings fitted to it, or delete some of it."""
    searches = OpenPortal.open(portal).saved_searches
    for name in forget or []:
        searches.forget(name)
    found = searches.profiles()
    if json:
        print_json(found)
    else:
        _show(portal, found)


def _show(portal: Path, found: Profiles) -> None:
    out = console()
    if not found["saved"] and not found["feedback"]:
        out.print("Nothing saved yet. Save a search: ", bold(hint("search", portal, "WORDS", "--save", "NAME")))
        out.print("Mark a relevant result: ", bold(hint("search", portal, "WORDS", "--relevant", "URL")))
    for one in found["saved"]:
        new = f"{counted(one['new'], 'new page')} since you last looked" if one["new"] else "nothing new"
        out.print(bold(one["name"]), f"  {one['query'] or '(all pages)'}  ", dim(new))
    for row in found["feedback"]:
        judged = f"{len(row['relevant'])} relevant, {len(row['irrelevant'])} irrelevant"
        out.print(f"{row['id']:3}  ", bold(row["profile"]), f"  {row['query']}  ", dim(judged))
        out.print("     ", dim(weights_text(row["weights"])))
    if len(found["profiles"]) > 1:
        out.print(counted(len(found["profiles"]), "shared profile"), " of them:")
        for shared in found["profiles"]:
            out.print("     ", dim(weights_text(shared["weights"])))


def weights_text(weights: dict[str, float]) -> str:
    """Return weights in the syntax of `--rank`, without those near 0.

    >>> weights_text({"text": 1.0, "hub": 0.001, "recency": -0.5})
    'text=1,recency=-0.5'
    """
    return ",".join(f"{name}={round(weight, 2):g}" for name, weight in weights.items() if abs(weight) >= 0.005)
