"""`thresher answers`: what the decisions of review would change about other pages."""

import time
from contextlib import closing
from pathlib import Path
from typing import Annotated, Any

import typer
from msgspec.structs import replace

from thresher.cli.main import app
from thresher.cli.options import Json, Portal
from thresher.cli.output import console, counted, hint, print_json
from thresher.cli.screen import bold
from thresher.config.load import load
from thresher.errors import InputError, ThresherError, UsageError
from thresher.store.decisions import LessonRow, LessonState
from thresher.store.protocol import Store
from thresher.store.repository import open_store
from thresher.train.lesson_claims import claim, give_up
from thresher.train.lessons import apply, estimate, take_back

ACTIONS = ("show", "estimate", "apply", "undo")


@app.command(epilog="Example: thresher answers my-portal estimate")
def answers(
    portal: Portal,
    action: Annotated[str, typer.Argument(metavar="[ACTION]", help=f"{', '.join(ACTIONS)}.")] = "show",
    number: Annotated[int, typer.Option("--lesson", help="Number of the lesson; the latest by default.")] = 0,
    json: Json = False,
) -> None:
    """Show what your review decisions would change about other pages, apply it, or undo it."""
    if action not in ACTIONS:
        raise UsageError(f"There is no action '{action}'.", f"Choose one of: {', '.join(ACTIONS)}.")
    with closing(open_store(portal)) as store:
        lesson = _lesson(store, action, number)
        lesson = _done(portal, store, lesson, action)
    if json:
        print_json({"portal": str(portal), "lesson": lesson.id, "state": lesson.state.value, **lesson.report})
    else:
        _show(portal, lesson)


def _lesson(store: Store, action: str, number: int) -> LessonRow:
    rows = store.lessons.all()
    if action == "undo":
        rows = [row for row in rows if row.state is LessonState.APPLIED] or rows
    found = store.lessons.get(number) if number else next(iter(rows), None)
    if action == "estimate" and not number:
        return LessonRow(at=time.time(), state=LessonState.WANTED)
    if found is None:
        raise InputError(
            "There is no such lesson.", "Estimate what the decisions change: thresher answers PORTAL estimate"
        )
    return found


def _done(portal: Path, store: Store, lesson: LessonRow, action: str) -> LessonRow:
    """Carry out an action; a lesson whose estimate fails says why."""
    settings = load(portal).settings
    if action == "show":
        return lesson
    mine = claim(store, lesson)
    lesson = replace(mine, report=lesson.report)
    try:
        match action:
            case "estimate":
                return estimate(portal, store, lesson)
            case "apply":
                return apply(portal, store, settings, lesson, time.time())
            case _:
                return take_back(portal, store, settings, lesson, time.time())
    except ThresherError as error:
        give_up(store, mine, error.sentence)
        raise


def _show(portal: Path, lesson: LessonRow) -> None:
    out, report = console(), lesson.report
    if "answers" not in report:
        out.print(f"Lesson {lesson.id}: {report.get('error', lesson.state.value)}")
        return
    low, high = report["interval"]
    out.print(
        f"{counted(report['answers'], 'answer')}: {report['before']:.0%} judged as you did without them, "
        f"{report['after']:.0%} with the others ({low:.0%}-{high:.0%})."
    )
    for topic in report["topics"]:
        out.print(_topic(topic))
    if lesson.state is LessonState.READY and report.get("file"):
        out.print(f"{counted(report['moved'], 'page')} would move. Apply: ", bold(hint("answers", portal, "apply")))
    elif lesson.state is LessonState.READY:
        out.print("Other pages stay as they are: the answers do not help to judge them.")
    else:
        out.print(f"Lesson {lesson.id} is {lesson.state.value}.")


def _topic(row: dict[str, Any]) -> str:
    teaches = "" if row["teaches"] else "  (not learnt from)"
    return f"  {row['before']:3} -> {row['after']:3} of {row['answers']:3}  {row['topic']}{teaches}"
