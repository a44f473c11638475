"""Rounds of retraining as a person reads them: one sentence, or all that was measured."""

from collections.abc import Mapping
from datetime import datetime
from pathlib import Path
from typing import Any

from rich.console import Console

from thresher.cli.output import counted, hint, plain
from thresher.crawl.phases.retraining import BROKEN_OFF, RETRAINED
from thresher.store.records import EventRow, LogEntry


def round_sentence(event: Mapping[str, Any]) -> str:
    """Return what came of a retraining beside a crawl, by the detail of its event in the log.

    >>> round_sentence({"pages": 400, "error": "no page is good enough to teach a topic"})
    'Retraining at 400 pages: no page is good enough to teach a topic; the classifier before it stays in use.'
    >>> change = {"before": 0.9, "after": 0.95}
    >>> round_sentence({"pages": 400, "step": 2, "archetypes": 7, "change": change, "kept": True})[:60]
    'Round 2 at 400 pages: 7 archetypes, 90.0% -> 95.0% of the fi'
    """
    pages = f"{event.get('pages', 0):,} pages"
    if "change" not in event:
        why = event.get("error", "nothing was learnt")
        return f"Retraining at {pages}: {why}; the classifier before it stays in use."
    change, name = event["change"], f"Round {event['step']}" if "step" in event else "A round"
    end = "the new classifier is in use." if event.get("kept") else f"rolled back: {event.get('message', '')}"
    teaching = counted(event.get("archetypes", 0), "archetype")
    return (
        f"{name} at {pages}: {teaching}, {change['before']:.1%} -> {change['after']:.1%} "
        f"of the first training pages judged rightly; {end}"
    )


def news_sentence(event: EventRow | LogEntry) -> str | None:
    """Return what an event says of retraining beside a crawl, None where it speaks of something else."""
    if event.kind == BROKEN_OFF:
        return (
            f"A round of retraining was broken off, as the crawl ended at {event.detail.get('pages', 0):,} pages; "
            "archetypes PORTAL rounds shows whether its classifier was stored before."
        )
    return round_sentence(event.detail) if event.kind == RETRAINED else None


def show_round(out: Console, data: Mapping[str, Any]) -> None:
    """Print what a round of retraining did."""
    change = data["change"]
    for row in data["topics"]:
        out.print(f"[bold]{plain(row['topic'])}[/]  {plain(_change(row))}")
    out.print(
        f"Of the {data['pages']} pages of the first training {change['before']:.1%} were judged "
        f"rightly before and {change['after']:.1%} after: {change['won']} won, {change['lost']} lost; "
        f"a test for worse gives p = {change['p_value']:.2f}."
    )
    if data["kept"]:
        out.print("The new classifier is in use.")
    else:
        out.print(f"[yellow]Rolled back:[/] {plain(data['message'])}")


def show_stored(out: Console, portal: Path, data: Mapping[str, Any]) -> None:
    """Print a round as it was stored, from its step to what may be done about it."""
    when = datetime.fromtimestamp(data["at"]).astimezone().isoformat(sep=" ", timespec="seconds")
    out.print(f"[bold]Step {data['step']}[/], model {data['model']} of {when}, {data['state']}")
    if data["report"] is None:
        out.print("It was learnt from the pages that a person gave; there was no round.")
        out.print(f"Learn from what was found: [bold]{hint('archetypes', portal, 'retrain')}[/]")
        return
    show_round(out, data["report"])
    if data["report"]["topics"]:
        topic = data["report"]["topics"][0]["topic"]
        out.print(f"See the words a topic is known by: [bold]{hint('features', portal, topic)}[/]")
    if data["state"] != "rolled back" and data["step"]:
        out.print(f"Take it out of use: [bold]{hint('archetypes', portal, 'rollback', data['step'] - 1)}[/]")


def show_rounds(out: Console, portal: Path, rows: list[dict[str, Any]]) -> None:
    """Print a line for each model."""
    out.print("step  model             archetypes  right on the first pages  state")
    for row in rows:
        right = " -> ".join(f"{row[key]:.3f}" if row[key] is not None else "-" for key in ("before", "after"))
        out.print(f"{row['step']:>4}  {row['model']:<16}  {row['archetypes']:>10}  {right:<24}  {row['state']}")
    out.print(f"Read one in full: [bold]{hint('archetypes', portal, 'rounds', rows[-1]['step'])}[/]")


def _change(row: Mapping[str, Any]) -> str:
    before, after = (f"{row[key]:.2f}" if row[key] is not None else "-" for key in ("f_before", "f_after"))
    # Reports of earlier versions did not measure the whole space.
    space = f"feature space {row['space_moved']:.0%} moved, " if "space_moved" in row else ""
    words = f": {', '.join(row['new_words'])}" if row["new_words"] else ""
    return (
        f"{counted(row['archetypes'], 'archetype')}, F {before} -> {after}, {space}"
        f"{row['moved']:.0%} of its most telling words new{words}"
    )
