"""What `split`, `filter` and `dedupe` share: options, and output about a step and its undoing."""

from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, Protocol, TypeVar

import typer

from thresher.api.organised import UndoneStep
from thresher.api.portal import Portal as OpenPortal
from thresher.cli.output import as_called, console, counted, hint, print_json
from thresher.cli.steps import Steps
from thresher.errors import UsageError
from thresher.work_steps import OnStep

if TYPE_CHECKING:
    from thresher.learn.error_curve import ErrorEstimate

Apply = Annotated[bool, typer.Option("--apply", help="Apply the changes; otherwise only show them.")]
Undo = Annotated[bool, typer.Option("--undo", help="Undo the latest step of this kind.")]
Loss = Annotated[
    float | None,
    typer.Option("--loss", min=0.0, max=0.95, metavar="SHARE", help="Share of pages to leave undecided, as in 0.2."),
]


class Organised(Protocol):
    """The result of a step, applied or proposed."""

    def to_dict(self) -> Any:
        """Return the object for `--json`."""


Found = TypeVar("Found", bound=Organised)


def organise(
    portal: Path,
    kind: Literal["split", "filter", "dedupe"],
    step: Callable[[OpenPortal, OnStep], Found],
    show: Callable[[Found], None],
    *,
    apply: bool,
    undo: bool,
    json: bool,
) -> None:
    """Propose or take a step and print it, or undo the latest of its kind."""
    if apply and undo:
        raise UsageError("--apply and --undo contradict each other.", "Leave one of them out.")
    opened = OpenPortal.open(portal)
    if undo:
        _show_undone(portal, opened.undo(kind), json)
        return
    with closing(Steps()) as told:
        found = step(opened, told)
    if json:
        body = found.to_dict()
        print_json({**body, "undo": as_called(body["undo"]) if body["undo"] else None})
    else:
        show(found)


def _show_undone(portal: Path, undone: UndoneStep, json: bool) -> None:
    if json:
        print_json(undone.to_dict())
        return
    out, step, done = console(), undone.undone.step, undone.undone
    of = f" of {step.topic}" if step.topic else ""
    out.print(f"Undid the {step.kind}{of}: {counted(done.pages, 'page')} moved back.")
    if done.stayed:
        out.print(f"Not moved back, because reclassified or moved since: {counted(done.stayed, 'page')}.")
    if undone.topics_kept:
        out.print(f"These topics were changed since the split, and stay: {', '.join(undone.topics_kept)}.")
        out.print(f"Delete one with: {hint('topics', portal, 'delete', undone.topics_kept[0])}")


def error_words(estimate: "ErrorEstimate") -> str:
    """Return an estimate in words.

    >>> from thresher.learn.error_curve import ErrorEstimate
    >>> error_words(ErrorEstimate(0.06, (0.04, 0.09), 300)), error_words(ErrorEstimate(None, (0.0, 1.0), 0))
    ('6% (95% interval: 4% to 9%)', 'unknown')
    """
    if estimate.error is None:
        return "unknown"
    low, high = estimate.interval
    return f"{estimate.error:.0%} (95% interval: {low:.0%} to {high:.0%})"


def show_undo(portal: Path, kind: str) -> None:
    """Print the command that undoes a step."""
    console().print(f"To undo it: {hint(kind, portal, '--undo')}")
