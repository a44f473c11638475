"""`thresher bench promise`: whole runs from bookmarks on webs with manners, and their results."""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer
from msgspec import Struct
from msgspec.structs import replace

from thresher.bench.promise.bookmarks import Spread
from thresher.bench.promise.cells import Cell, all_cells, named_cells
from thresher.bench.promise.comparing import Difference, differences
from thresher.bench.promise.records import Promise
from thresher.bench.promise.running import hold_all
from thresher.bench.promise.trial import Trial
from thresher.bench.running import prepare
from thresher.bench.webs.catalogue import find
from thresher.cli.bench_promise_table import show_differences, show_table, show_trial
from thresher.cli.bench_shapes import Promises
from thresher.cli.options import Data, Json, Quick, Set, one_of, words_of
from thresher.cli.output import console, print_json
from thresher.cli.screen import dim
from thresher.errors import UsageError

QUICK = 250
"""Pages per run in the short bench."""


def promise(
    web: Annotated[
        str, typer.Argument(metavar="[WEB]", help="A web, for one cell made from the options; all cells by default.")
    ] = "",
    cells: Annotated[
        str, typer.Option("--cells", help="Cells, webs, choose or report, separated by commas; all by default.")
    ] = "",
    pages: Annotated[
        int | None,
        typer.Option("--pages", min=0, help="Page budget of a run; 0 for no limit. By default the cell's own."),
    ] = None,
    hours: Annotated[
        float | None, typer.Option("--hours", min=0, help="Virtual hours of a run; 0 for no limit.")
    ] = None,
    bookmarks: Annotated[str, typer.Option("--bookmarks", help="With WEB: one of its bookmark files.")] = "",
    topics: Annotated[str, typer.Option("--topics", help="With WEB: topics to draw bookmarks from.")] = "",
    examples: Annotated[int, typer.Option("--examples", min=1, help="With WEB: bookmarks per topic.")] = 4,
    spread: Annotated[str, typer.Option("--from", help="With WEB: draw them from one host or from many.")] = "one",
    seeds: Annotated[int, typer.Option("--seeds", min=1, max=1000, help="Number of draws of bookmarks.")] = 1,
    baselines: Annotated[
        bool, typer.Option(help="Also crawl breadth-first, and on the bookmarked hosts only, for comparison.")
    ] = True,
    out: Annotated[
        Path, typer.Option("--out", help="Directory for the records; trials already there are not repeated.")
    ] = Path("bench-promise"),
    processes: Annotated[int, typer.Option("--processes", min=0, help="Parallel trials; 0 for one per core.")] = 0,
    settings: Set = None,
    against: Annotated[
        list[str] | None,
        typer.Option("--against", metavar="KEY=VALUE", help="Compare with runs that use this setting; repeatable."),
    ] = None,
    data: Data = None,
    quick: Quick = False,
    json: Json = False,
) -> None:
    """Build portals from bookmarks, run them on virtual time with all delays, and score them against the labels."""
    if web:
        drawn = Cell(name=web, web=web, topics=tuple(words_of(topics)), examples=examples, split="choose")
        drawn = replace(drawn, spread=one_of(Spread, "--from", spread))
        chosen = [_from_file(drawn, bookmarks, data) if bookmarks or not topics else drawn]
    else:
        chosen = [cell for cell in named_cells(words_of(cells)) or all_cells() if cell.quick or not quick]
    limit = QUICK if quick and pages is None else pages
    bounded = [_bounded(cell, limit, hours) for cell in chosen]
    trials = [
        Trial(cell=cell, seed=seed, settings=tuple(settings or ()), baselines=baselines)
        for cell in bounded
        for seed in range(1 if cell.bookmarks else seeds)
    ]
    _prepare(bounded, data)
    options = _RunOptions(data, out, processes)
    rows = _held(trials, options)
    others = [replace(trial, settings=(*trial.settings, *(against or ())), baselines=False) for trial in trials]
    compared = differences(rows, _held(others, options)) if against else []
    if json:
        shown: Promises = {"runs": rows}
        if against:
            shown = {"runs": rows, "against": against, "differences": compared}
        print_json(shown)
    else:
        _show(rows, against or (), compared, [find(cell.web, data).note for cell in chosen])


class _RunOptions(Struct, frozen=True):
    """Where trials find their webs and write their records, and how many run in parallel."""

    data: Path | None
    out: Path
    processes: int


def _prepare(cells: Sequence[Cell], data: Path | None) -> None:
    """Read the pages of all webs before any trial starts."""
    for name in dict.fromkeys(cell.web for cell in cells):
        _tell(f"Preparing the web {name}.")
        prepare(name, data)


def _held(trials: Sequence[Trial], options: _RunOptions) -> list[Promise]:
    """Run the trials and return their figures, worst first."""
    rows: list[Promise] = []
    for row in hold_all(trials, options.data, options.out, processes=options.processes, on_stage=_tell):
        rows.append(row)
        _tell(f"{len(rows)} of {len(trials)} trials: {row.cell}")
    return sorted(rows, key=lambda row: (row.margin, row.cell, row.seed))


def _tell(text: str) -> None:
    console(stderr=True).print(dim(text))


def _show(
    rows: Sequence[Promise], against: Sequence[str], compared: Sequence[Difference], notes: Sequence[str]
) -> None:
    screen = console()
    if len(rows) > 1:
        show_table(screen, rows)
    show_trial(screen, rows[0])
    if against:
        show_differences(screen, against, compared)
    for note in filter(None, dict.fromkeys(notes)):
        screen.print(note)


def _from_file(cell: Cell, bookmarks: str, data: Path | None) -> Cell:
    """Return a cell with a bookmark file of its web, by default the first; unchanged if the web has none."""
    files = list(find(cell.web, data).bookmarks)
    chosen = bookmarks or (files[0] if files else "")
    # The web's own files make a cell of the bench, in the split for reporting.
    return replace(cell, name=f"{cell.web}/{chosen}", bookmarks=chosen, split="report") if chosen else cell


def _bounded(cell: Cell, pages: int | None, hours: float | None) -> Cell:
    cell = replace(cell, pages=cell.pages if pages is None else pages, hours=cell.hours if hours is None else hours)
    if not cell.pages and not cell.hours:
        raise UsageError("A run without any limit fetches the whole web.", "Set --pages or --hours.")
    return cell
