"""`thresher archetypes`: crawled pages used for training, retraining rounds, and rollback."""

from pathlib import Path
from typing import Annotated

import typer

from thresher.api.archetypes import ArchetypeData, Archetypes, ArchetypesData
from thresher.api.portal import Portal as OpenPortal
from thresher.cli.main import app
from thresher.cli.options import Json, Portal, Set, action_argument
from thresher.cli.output import console, counted, hint, print_json
from thresher.cli.rounds import show_round, show_rounds, show_stored
from thresher.cli.screen import Screen, bold
from thresher.errors import UsageError, command

ACTIONS = ("list", "accept", "reject", "retrain", "rounds", "rollback")


@app.command(epilog="Example: thresher archetypes my-portal reject https://example.org/page")
def archetypes(
    portal: Portal,
    action: Annotated[str, action_argument(ACTIONS)] = "list",
    words: Annotated[list[str] | None, typer.Argument(metavar="[WORDS]...", help="Arguments of the action.")] = None,
    overrides: Set = None,
    json: Json = False,
) -> None:
    """Propose crawled pages as training pages, and retrain the topics with them.

    list - accept [URL]... (all proposals if no URL is given) - reject URL... - retrain - rounds [STEP] -
    rollback [STEP]
    """
    given = words or []
    if action not in ACTIONS:
        raise UsageError(f"There is no action '{action}'.", f"Choose one of: {', '.join(ACTIONS)}.")
    data = _done(Archetypes(OpenPortal.open(portal).path, overrides), portal, action, given)
    if json:
        print_json(data)
    else:
        if action in ("accept", "reject"):
            # The full list would bury the result of the action.
            data["archetypes"] = [row for row in data["archetypes"] if row["state"] == f"{action}ed"]
        _show(portal, data)


def _done(found: Archetypes, portal: Path, action: str, given: list[str]) -> ArchetypesData:
    name = str(portal)
    match action:
        case "list":
            return {"portal": name, "archetypes": found.propose()}
        case "accept":
            return {"portal": name, "archetypes": found.accept(given)}
        case "reject":
            return {"portal": name, "archetypes": found.reject(given)}
        case "retrain":
            return {"portal": name, "round": found.retrain()}
        case "rounds":
            step = _step(portal, given)
            if step is not None:
                return {"portal": name, "stored_round": found.round(step)}
            return {"portal": name, "rounds": found.rounds()}
        case _:
            return {"portal": name, "rolled_back": found.roll_back(_step(portal, given)), "rounds": found.rounds()}


def _step(portal: Path, given: list[str]) -> int | None:
    if len(given) > 1 or (given and not given[0].isdigit()):
        raise UsageError(
            "Give the step of one round, a number.", f"List them: {command('archetypes', portal, 'rounds')}"
        )
    return int(given[0]) if given else None


def _show(portal: Path, data: ArchetypesData) -> None:
    out = console()
    if "archetypes" in data:
        _show_archetypes(out, data["archetypes"])
        if data["archetypes"]:
            how = "without" if all(row["state"] == "rejected" for row in data["archetypes"]) else "with"
            out.print(f"Retrain {how} them: ", bold(hint("archetypes", portal, "retrain")))
        else:
            out.print("No page is good enough to train on yet. Find more: ", bold(hint("learn", portal)))
    elif "round" in data:
        show_round(out, data["round"])
        judged = data["round"]["judged"]
        if judged:
            out.print(f"Reclassified {counted(judged['pages'], 'page')}: {judged['moved']:,} changed topic.")
    elif "stored_round" in data:
        show_stored(out, portal, data["stored_round"])
    else:
        if "rolled_back" in data:
            steps = ", ".join(map(str, data["rolled_back"]))
            out.print(f"Rolled back: step {steps}." if steps else "Nothing to roll back.")
            out.print("Reclassify the stored pages with the restored model: ", bold(hint("reclassify", portal)))
        show_rounds(out, portal, data["rounds"])


def _show_archetypes(out: Screen, rows: list[ArchetypeData]) -> None:
    topic = None
    for row in rows:
        if row["topic"] != topic:
            topic = row["topic"]
            out.print(bold(topic))
        out.print(
            f"  {row['state']:<9} {row['rule']:<10} conf {row['confidence']:.2f}  auth {row['authority']:.4f}  "
            f"{row['url']}"
        )
