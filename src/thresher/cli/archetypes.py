"""`thresher archetypes`: crawled pages used for training, retraining rounds, and rollback."""

import time
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Annotated, Any

import typer
from msgspec.structs import replace

from thresher.classify.examples_file import load_training_set
from thresher.cli.main import app
from thresher.cli.options import Json, Portal, Set
from thresher.cli.output import console, counted, hint, print_json
from thresher.cli.rounds import show_round, show_rounds, show_stored
from thresher.cli.screen import Screen, bold
from thresher.config.load import load
from thresher.config.settings import Settings
from thresher.errors import InputError, UsageError, command
from thresher.link_analysis import analyse_links
from thresher.models import load_classifier, roll_back, used_model
from thresher.store.locks import CrawlLock, holder
from thresher.store.model_files import model_path
from thresher.store.protocol import Store
from thresher.store.records import ArchetypeRow, ArchetypeState, ModelRow
from thresher.store.repository import open_store
from thresher.train.reclassifying import reclassify
from thresher.train.retraining import grounds_of, propose, retrain_portal, rules_of
from thresher.web.urls import canonical

ACTIONS = ("list", "accept", "reject", "retrain", "rounds", "rollback")


@app.command(epilog="Example: thresher archetypes my-portal reject https://example.org/page")
def archetypes(
    portal: Portal,
    action: Annotated[str, typer.Argument(metavar="[ACTION]", help=f"{', '.join(ACTIONS)}.")] = "list",
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
    settings = load(portal, overrides or []).settings
    with closing(open_store(portal)) as store:
        load_classifier(portal, store)
        data = _done(portal, store, settings, action, given)
    if json:
        print_json({"portal": str(portal), **data})
    else:
        if action in ("accept", "reject"):
            # The whole list would bury what was done.
            data = {"archetypes": [row for row in data["archetypes"] if row["state"] == f"{action}ed"]}
        _show(portal, data)


def _done(portal: Path, store: Store, settings: Settings, action: str, given: list[str]) -> dict[str, Any]:
    match action:
        case "list":
            return {"archetypes": _rows(_proposed(portal, store, settings))}
        case "accept" | "reject":
            return {"archetypes": _rows(_decided(portal, store, action, given))}
        case "retrain":
            return {"round": _retrained(portal, store, settings)}
        case "rounds":
            step = _step(portal, given)
            return {"rounds": _rounds(store)} if step is None else {"stored_round": _stored(portal, store, step)}
        case _:
            step = _step(portal, given)
            return {"rolled_back": [row.step for row in roll_back(portal, store, step)], "rounds": _rounds(store)}


def _proposed(portal: Path, store: Store, settings: Settings) -> list[ArchetypeRow]:
    file = used_model(portal, store).file
    training_set = load_training_set(Path(model_path(portal, file)))
    grounds = grounds_of(store, load_classifier(portal, store), training_set)
    return propose(store, analyse_links(store), grounds, rules_of(settings, asked=True), time.time())


def _decided(portal: Path, store: Store, action: str, urls: Sequence[str]) -> list[ArchetypeRow]:
    state = ArchetypeState.ACCEPTED if action == "accept" else ArchetypeState.REJECTED
    rows = store.archetypes.all()
    if not urls and state is ArchetypeState.REJECTED:
        raise UsageError(
            "No archetype to reject was given.", f"Give its URL: {command('archetypes', portal, 'reject', 'URL')}"
        )
    named = {canonical(url) or url for url in urls}
    known = {row.url for row in rows}
    unknown = sorted(named - known)
    if unknown:
        raise InputError(
            f"{unknown[0][:200]} is not an archetype.", f"List them: {command('archetypes', portal, 'list')}"
        )
    chosen = [row for row in rows if row.url in named or (not named and row.state is ArchetypeState.PROPOSED)]
    store.archetypes.put([replace(row, state=state, at=time.time()) for row in chosen])
    return store.archetypes.all()


def _retrained(portal: Path, store: Store, settings: Settings) -> dict[str, Any]:
    told = retrain_portal(portal, store, settings, time.time(), asked=True)
    if "error" in told.detail:
        action = "accept" if settings.archetypes.review else "list"
        raise InputError(
            f"Retraining changed nothing: {told.detail['error']}.",
            f"Review the archetypes: {command('archetypes', portal, action)} - "
            f"or find more: {command('learn', portal)}",
        )
    judged = None
    if holder(portal) is None:
        # A running crawl classifies its own pages, and all pages again when it ends.
        with CrawlLock(portal):
            found = reclassify(store, load_classifier(portal, store), at=time.time(), preview=settings.reading.preview)
        judged = {"pages": found.pages, "accepted": found.accepted, "moved": sum(found.moves.values())}
    return {**told.detail, "judged": judged}


def _rounds(store: Store) -> list[dict[str, Any]]:
    used = store.models.newest()
    return [_round(row, used) for row in store.models.all()]


def _stored(portal: Path, store: Store, step: int) -> dict[str, Any]:
    used = store.models.newest()
    row = next((row for row in store.models.all() if row.step == step), None)
    if row is None:
        raise InputError(f"There is no step {step}.", f"List them: {command('archetypes', portal, 'rounds')}")
    return {**_round(row, used), "report": row.report}


def _round(row: ModelRow, used: ModelRow | None) -> dict[str, Any]:
    report = row.report or {}
    change = report.get("change", {})
    return {
        "step": row.step,
        "model": row.file.removesuffix(".zip"),
        "at": row.at,
        "archetypes": report.get("archetypes", 0),
        "before": change.get("before"),
        "after": change.get("after"),
        "topics": [
            {"topic": topic["topic"], "kept": topic.get("kept", False), "why": topic.get("why", "")}
            for topic in report.get("topics", [])
        ],
        "moved": sum(move["pages"] for move in report["moves"]) if "moves" in report else None,
        "state": "in use" if row == used else "rolled back" if row.rolled_back else "earlier",
    }


def _step(portal: Path, given: list[str]) -> int | None:
    if len(given) > 1 or (given and not given[0].isdigit()):
        raise UsageError(
            "Give the step of one round, a number.", f"List them: {command('archetypes', portal, 'rounds')}"
        )
    return int(given[0]) if given else None


def _rows(rows: Sequence[ArchetypeRow]) -> list[dict[str, Any]]:
    return [
        {
            "topic": row.topic,
            "url": row.url,
            "rule": row.rule,
            "confidence": round(row.confidence, 4),
            "authority": round(row.authority, 6),
            "state": row.state.value,
        }
        for row in rows
    ]


def _show(portal: Path, data: dict[str, Any]) -> None:
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


def _show_archetypes(out: Screen, rows: list[dict[str, Any]]) -> None:
    topic = None
    for row in rows:
        if row["topic"] != topic:
            topic = row["topic"]
            out.print(bold(topic))
        out.print(
            f"  {row['state']:<9} {row['rule']:<10} conf {row['confidence']:.2f}  auth {row['authority']:.4f}  "
            f"{row['url']}"
        )
