"""`thresher profiles`: saved searches, relevance feedback, and the rankings fitted to it."""

from contextlib import closing
from pathlib import Path
from typing import Annotated, Any

import typer

from thresher.cli.main import app
from thresher.cli.options import Json, Portal
from thresher.cli.output import console, counted, hint, print_json
from thresher.cli.screen import bold, dim
from thresher.errors import InputError
from thresher.search.profiles import shared_profiles
from thresher.search.searcher import Searcher
from thresher.store.protocol import Store
from thresher.store.repository import open_store


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
    if forget:
        with closing(open_store(portal)) as store:
            for name in forget:
                _forget(store, name)
    with closing(open_store(portal, read_only=True)) as store:
        found = _found(portal, store)
    if json:
        print_json({"portal": str(portal), **found})
    else:
        _show(portal, found)


def _forget(store: Store, name: str) -> None:
    if name.isdigit() and store.searches.forget_feedback([int(name)]):
        return
    if not store.searches.forget(name):
        raise InputError(f"There is no feedback or saved search '{name}'.", "List them without --forget.")


def _found(portal: Path, store: Store) -> dict[str, Any]:
    feedback = store.searches.feedback()
    saved = store.searches.saved()
    news: dict[str, int] = {}
    if saved:
        with Searcher(portal) as searcher:
            news = {one.name: searcher.search(one.query, number=1, since=one.looked).total for one in saved}
    return {
        "saved": [
            {"name": one.name, "query": one.query, "rank": one.rank, "looked": one.looked, "new": news[one.name]}
            for one in saved
        ],
        "feedback": [
            {
                "id": row.id,
                "profile": row.profile,
                "query": row.query,
                "at": row.at,
                "relevant": row.relevant,
                "irrelevant": row.irrelevant,
                "weights": row.weights,
            }
            for row in feedback
        ],
        "profiles": [
            {"weights": shared.weights, "queries": shared.queries, "relevant": len(shared.relevant)}
            for shared in shared_profiles(feedback)
        ],
    }


def _show(portal: Path, found: dict[str, Any]) -> None:
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
    """Return weights as `--rank` takes them, without those near 0.

    >>> weights_text({"text": 1.0, "hub": 0.001, "recency": -0.5})
    'text=1,recency=-0.5'
    """
    return ",".join(f"{name}={round(weight, 2):g}" for name, weight in weights.items() if abs(weight) >= 0.005)
