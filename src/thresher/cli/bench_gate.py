"""`thresher bench gate`: fails when a figure has fallen below what was last accepted."""

import tempfile
from pathlib import Path
from typing import Annotated

import typer

from thresher.bench.comparison import experiments
from thresher.bench.floors import FLOORS, read_floors, write_floors
from thresher.bench.gate import PASSED, FloorResult, FloorState, accept, judge
from thresher.bench.quick import run_quick
from thresher.bench.record_files import read_records
from thresher.cli.bench_shapes import GateResult
from thresher.cli.options import Data, Json
from thresher.cli.output import console, print_json
from thresher.cli.screen import green, red, yellow
from thresher.errors import UsageError

SIGNS = {FloorState.HELD: green("held"), FloorState.NEW: yellow("new ")}


def gate(
    directory: Annotated[
        Path | None, typer.Argument(metavar="[DIR]", help="Directory with the records of the runs.")
    ] = None,
    quick: Annotated[
        bool, typer.Option("--quick", help="Run the short bench first; its records go to DIR, if given.")
    ] = False,
    floors: Annotated[Path, typer.Option("--floors", help="The floor file.", show_default=False)] = FLOORS,
    accepting: Annotated[bool, typer.Option("--accept", help="Raise the floors to the measured figures.")] = False,
    lower: Annotated[
        str, typer.Option("--lower", metavar="REASON", help="With --accept: also lower floors, and record this reason.")
    ] = "",
    data: Data = None,
    json: Json = False,
) -> None:
    """Compare runs with the floor file; exits with 1 if a figure fell by more than the noise or is missing."""
    if lower.strip() == "" and lower:
        raise UsageError(
            "The reason for lowering a floor is empty.", "Say why the lower figure is acceptable: --lower 'REASON'."
        )
    if lower and not accepting:
        raise UsageError("--lower needs --accept.", "Add --accept to change the floor file.")
    if directory is None and not quick:
        raise UsageError("There is nothing to compare.", "Give a directory of runs, or run some with --quick.")
    with tempfile.TemporaryDirectory(prefix="thresher-bench-") as folder:
        place = directory or Path(folder)
        if quick:
            run_quick(place, data)
        found = experiments(read_records(place))
    old = read_floors(floors)
    verdicts = judge(old, found)
    concerned = any(verdict.state is not FloorState.NEW for verdict in verdicts)
    changed = 0
    if accepting:
        new = accept(old, found, lower)
        changed = sum(floor not in old for floor in new)
        write_floors(floors, new)
        passed = all(verdict.state in PASSED or _accepted(verdict, lower) for verdict in verdicts)
    else:
        # If nothing was compared, the gate has not been passed.
        passed = concerned and all(verdict.state in PASSED for verdict in verdicts)
    if json:
        shown: GateResult = {"passed": passed, "floors": verdicts, "changed": changed}
        print_json(shown)
    else:
        _print(verdicts, floors, concerned, changed if accepting else None)
    raise typer.Exit(0 if passed else 1)


def _accepted(verdict: FloorResult, lower: str) -> bool:
    return bool(lower) and verdict.now is not None


def _print(verdicts: list[FloorResult], floors: Path, concerned: bool, changed: int | None) -> None:
    out = console()
    for verdict in verdicts:
        out.print(SIGNS.get(verdict.state, red("fell")), f" {verdict.sentence}")
    if changed is not None:
        out.print(f"{changed} floors of {floors} changed.")
    elif not concerned:
        out.print(f"No floor in {floors} applies to these runs; add some with --accept.")
