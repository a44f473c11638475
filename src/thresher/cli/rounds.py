"""Retraining rounds as text: in one sentence, or in full."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

from thresher.api.archetypes import RoundData, StoredRound
from thresher.cli.output import counted, hint
from thresher.cli.screen import Screen, bold, yellow
from thresher.crawl.phases.retraining import BROKEN_OFF
from thresher.reasons import UNKEPT, Unkept
from thresher.store.records import RETRAINED, EventRow, LogEntry


def round_sentence(event: Mapping[str, Any]) -> str:
    """Return the result of retraining during a crawl, given the detail of its log event.

    >>> round_sentence({"pages": 400, "error": "no page is good enough to teach a topic"})
    'Retraining at 400 pages: no page is good enough to teach a topic; keeping the current classifier.'
    >>> topics = [{"topic": "A", "kept": True, "why": ""}, {"topic": "B", "kept": False, "why": "one-host"}]
    >>> round_sentence({"pages": 400, "step": 2, "archetypes": 7, "change": {}, "topics": topics, "moves": []})
    'Round 2 at 400 pages: 7 archetypes in use; new for A, not for B (one-host); no page changed topic.'
    """
    pages = counted(event.get("pages", 0), "page")
    if "change" not in event:
        why = event.get("error", "nothing learned")
        return f"Retraining at {pages}: {why}; keeping the current classifier."
    name = f"Round {event['step']}" if "step" in event else "A round"
    archetypes = counted(event.get("archetypes", 0), "archetype")
    if event.get("message"):
        # Earlier versions rolled back a round as a whole.
        return f"{name} at {pages}: {archetypes}; rolled back: {event['message']}"
    topics = event.get("topics", [])
    kept = ", ".join(row["topic"] for row in topics if row.get("kept"))
    not_kept = ", ".join(f"{row['topic']} ({row['why']})" for row in topics if row.get("why"))
    new = ", ".join([*([f"new for {kept}"] if kept else []), *([f"not for {not_kept}"] if not_kept else [])])
    return f"{name} at {pages}: {archetypes} in use; {new or 'none new'}; {_moved(event.get('moves', []))}."


def round_summary(data: Mapping[str, Any]) -> str:
    """Return a short summary of a retraining round.

    >>> topics = [{"topic": "A", "kept": True, "why": "", "archetypes": 7}]
    >>> topics += [{"topic": "B", "kept": False, "why": "one-host", "archetypes": 0}]
    >>> round_summary({"pages": 45, "change": {"before": 0.896, "after": 0.93}, "topics": topics})
    '7 crawled pages added to 1 topic, none to 1. Cross-validated accuracy on your 45 pages: 89.6% -> 93.0%.'
    """
    topics, change = data["topics"], data["change"]
    taught = sum(1 for row in topics if row["archetypes"])
    left = sum(1 for row in topics if row.get("why"))
    number = sum(row["archetypes"] for row in topics)
    added = "No crawled page was good enough to train on"
    if number:
        none = f", none to {left:,}" if left else ""
        added = f"{counted(number, 'crawled page')} added to {counted(taught, 'topic')}{none}"
    measured = f"{change['before']:.1%} -> {change['after']:.1%}"
    return f"{added}. Cross-validated accuracy on your {counted(data['pages'], 'page')}: {measured}."


def _moved(moves: Sequence[Mapping[str, Any]]) -> str:
    number = sum(move["pages"] for move in moves)
    if not number:
        return "no page changed topic"
    return f"{counted(number, 'page')} changed topic"


def news_sentence(event: EventRow | LogEntry) -> str | None:
    """Return what an event says about retraining during a crawl, or None if it is about something else."""
    if event.kind == BROKEN_OFF:
        return f"Retraining cancelled: the crawl ended at {event.detail.get('pages', 0):,} pages."
    return round_sentence(event.detail) if event.kind == RETRAINED else None


def show_round(out: Screen, data: Mapping[str, Any]) -> None:
    """Print what a retraining round did."""
    change = data["change"]
    for row in data["topics"]:
        out.print(bold(row["topic"]), f"  {_change(row)}")
        if row.get("why"):
            out.print("  ", yellow("New archetypes not used:"), f" {_meaning(row['why'])}")
    out.print(
        f"Cross-validated accuracy on your {counted(data['pages'], 'page')}: "
        f"{change['before']:.1%} -> {change['after']:.1%} with archetypes."
    )
    for move in data.get("moves", []):
        out.print(f"{move['pages']:7,}  {move['from'] or 'no topic'} -> {move['to'] or 'no topic'}")
    if "moves" in data:
        out.print(f"Checked {counted(data['looked_at'], 'stored page')}: {_moved(data['moves'])}.")
    if data.get("message"):
        out.print(yellow("Rolled back:"), f" {data['message']}")


def _meaning(why: str) -> str:
    """Return what a reason means, or the reason itself if a newer version wrote it."""
    return UNKEPT[Unkept(why)] if why in set(Unkept) else why


def show_stored(out: Screen, portal: Path, data: StoredRound) -> None:
    """Print a stored round and what to do about it."""
    when = datetime.fromtimestamp(data["at"]).astimezone().isoformat(sep=" ", timespec="seconds")
    out.print(bold(f"Step {data['step']}"), f", model {data['model']}, {when}, {data['state']}")
    if data["report"] is None or "change" not in data["report"]:
        out.print("Trained on your pages and the existing archetypes; no retraining round was held.")
        out.print("Retrain with crawled pages: ", bold(hint("archetypes", portal, "retrain")))
        return
    show_round(out, data["report"])
    if data["report"]["topics"]:
        topic = data["report"]["topics"][0]["topic"]
        out.print("See the words that identify a topic: ", bold(hint("features", portal, topic)))
    if data["state"] != "rolled back" and data["step"]:
        out.print("Roll it back: ", bold(hint("archetypes", portal, "rollback", data["step"] - 1)))


def show_rounds(out: Screen, portal: Path, rows: Sequence[RoundData]) -> None:
    """Print a line for each model, and the result of its round for each topic."""
    out.print("step  model             archetypes  accuracy on yours    state")
    for row in rows:
        right = " -> ".join(f"{share:.3f}" if share is not None else "-" for share in (row["before"], row["after"]))
        out.print(f"{row['step']:>4}  {row['model']:<16}  {row['archetypes']:>10}  {right:<19}  {row['state']}")
        for topic in row["topics"]:
            if topic["kept"] or topic["why"]:
                kept = "new archetypes used" if topic["kept"] else f"new archetypes not used: {topic['why']}"
                out.print(f"      {topic['topic']}: {kept}")
        if row["moved"] is not None:
            out.print(f"      {counted(row['moved'], 'page')} changed topic")
    out.print("Show one in full: ", bold(hint("archetypes", portal, "rounds", rows[-1]["step"])))


def _change(row: Mapping[str, Any]) -> str:
    before, after = (f"{row[key]:.2f}" if row[key] is not None else "-" for key in ("f_before", "f_after"))
    # Reports of earlier versions did not measure the whole space.
    space = f"{row['space_moved']:.0%} of its feature space changed, " if "space_moved" in row else ""
    words = f": {', '.join(row['new_words'])}" if row["new_words"] else ""
    agreed = f"halves agree on {row['agreement']:.0%}, " if row.get("agreement") is not None else ""
    return (
        f"{counted(row['archetypes'], 'archetype')}, {agreed}F {before} -> {after}, {space}"
        f"{row['moved']:.0%} of its top words new{words}"
    )
