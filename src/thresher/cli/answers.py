"""`thresher answers`: what your review decisions would change about other pages."""

from contextlib import closing
from pathlib import Path
from typing import Annotated, Any

import typer

from thresher.api.answers import Lesson
from thresher.api.portal import Portal as OpenPortal
from thresher.cli.main import app
from thresher.cli.options import Json, Portal, action_argument
from thresher.cli.output import console, counted, hint, print_json
from thresher.cli.screen import bold
from thresher.cli.steps import Steps
from thresher.errors import UsageError
from thresher.store.decisions import LessonState

ACTIONS = ("show", "estimate", "apply", "undo")


@app.command(epilog="Example: thresher answers my-portal estimate")
def answers(
    portal: Portal,
    action: Annotated[str, action_argument(ACTIONS)] = "show",
    number: Annotated[int, typer.Option("--lesson", help="Number of the lesson; the latest by default.")] = 0,
    json: Json = False,
) -> None:
    """Show what your review decisions would change about other pages, apply it, or undo it."""
    if action not in ACTIONS:
        raise UsageError(f"There is no action '{action}'.", f"Choose one of: {', '.join(ACTIONS)}.")
    known = OpenPortal.open(portal).answers
    with closing(Steps()) as told:
        match action:
            case "estimate":
                lesson = known.estimate(number, on_step=told)
            case "apply":
                lesson = known.apply(number, on_step=told)
            case "undo":
                lesson = known.undo(number, on_step=told)
            case _:
                lesson = known.latest(number)
    if json:
        print_json(lesson.to_dict())
    else:
        _show(portal, lesson)


def _show(portal: Path, lesson: Lesson) -> None:
    out, report = console(), lesson.report
    if "answers" not in report:
        out.print(f"Lesson {lesson.number}: {report.get('error', lesson.state.value)}")
        return
    low, high = report["interval"]
    out.print(
        f"{counted(report['answers'], 'answer')}: {report['before']:.0%} judged as you did without them, "
        f"{report['after']:.0%} with the others ({low:.0%}-{high:.0%})."
    )
    for topic in report["topics"]:
        out.print(_topic(topic))
    if lesson.changes_pages:
        out.print(f"{counted(report['moved'], 'page')} would move. Apply: ", bold(hint("answers", portal, "apply")))
    elif lesson.state is LessonState.READY:
        out.print("Other pages stay as they are: the answers do not improve their classification.")
    else:
        out.print(f"Lesson {lesson.number} is {lesson.state.value}.")


def _topic(row: dict[str, Any]) -> str:
    teaches = "" if row["teaches"] else "   (not learned from)"
    return f"  {row['before']:3} -> {row['after']:3} of {row['answers']:3}  {row['topic']}{teaches}"
