"""`thresher bench rejudge`: judges the pages fetched by recorded trials again, without crawling."""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from thresher.bench.page_building import build_pages
from thresher.bench.promise.cells import all_cells, named_cells
from thresher.bench.promise.records import SUFFIX, read_record
from thresher.bench.promise.rejudging import RejudgedTrial, rejudge_trial
from thresher.bench.webs.catalogue import find
from thresher.cli.bench_promise_table import figure
from thresher.cli.bench_shapes import Rejudged
from thresher.cli.options import Data, Json, Quick, Set, words_of
from thresher.cli.output import console, print_json
from thresher.cli.screen import Screen, dim
from thresher.errors import InputError

SAMPLE, QUICK = 1000, 200
"""Number of labelled pages of each web judged besides the fetched ones, in the short bench."""


def rejudge(
    records: Annotated[
        Path, typer.Argument(metavar="RECORDS", help="Directory of records that `thresher bench promise` left.")
    ] = Path("bench-promise"),
    cells: Annotated[
        str, typer.Option("--cells", help="Cells, webs, choose or report, separated by commas; all by default.")
    ] = "",
    sample: Annotated[
        int | None,
        typer.Option("--sample", min=2, help="Labelled pages to judge besides the fetched ones; 1,000 by default."),
    ] = None,
    settings: Set = None,
    data: Data = None,
    quick: Quick = False,
    json: Json = False,
) -> None:
    """Train on the bookmarks and fetched pages of recorded trials, judge the pages again, and score the result.

    Nothing is crawled: this measures the classifier alone, on the same pages each time.
    """
    named = named_cells(words_of(cells))
    wanted = {cell.name for cell in named or all_cells() if cell.quick or not quick} if named or quick else set()
    judged = sample or (QUICK if quick else SAMPLE)
    rows = []
    for file in _files(records):
        record = read_record(file)
        if wanted and record.run.cell not in wanted:
            continue
        console(stderr=True).print(dim(f"Judging the pages of {record.run.cell}, seed {record.run.seed}."))
        web = find(str(record.cell["web"]), data)
        rows.append(rejudge_trial(record, web, build_pages(web.collection), settings or (), judged))
    if not rows:
        raise InputError(f"'{records}' has no record of these cells.", "Run `thresher bench promise` for them first.")
    rows.sort(key=lambda row: (row.split, row.f_new_hosts or 0.0, row.cell, row.seed))
    if json:
        shown: Rejudged = {"rows": rows}
        print_json(shown)
    else:
        _show(console(), rows)


def _files(records: Path) -> list[Path]:
    """Return the records of a directory; raise InputError if there is none."""
    found = sorted(records.glob(f"*{SUFFIX}"))
    if not found:
        raise InputError(f"'{records}' has no records of trials.", "Run `thresher bench promise` first.")
    return found


def _show(out: Screen, rows: Sequence[RejudgedTrial]) -> None:
    """Print a line for each trial, worst first within each split."""
    width = max(len(row.cell) for row in rows) + 4
    out.print(
        f"{'':{width + 8}}accepted pages    home hosts      hosts without a bookmark                sample of them"
    )
    head = "".join(
        f"{name:>8}" for name in ("right", "wrong", "P", "R", "right", "wrong", "P", "R", "F", "P", "R", "F")
    )
    out.print(f"{'cell':{width}}split   {head}")
    for row in rows:
        named = f"{row.cell}{f' #{row.seed}' if row.seed else ''}"
        numbers = [f"{row.right:,}", f"{row.wrong:,}", *map(figure, (row.precision_home_hosts, row.recall_home_hosts))]
        numbers += [f"{row.right_new_hosts:,}", f"{row.wrong_new_hosts:,}"]
        numbers += map(figure, (row.precision_new_hosts, row.recall_new_hosts, row.f_new_hosts))
        numbers += map(figure, (row.sample_precision, row.sample_recall, row.sample_f))
        out.print(f"{named:{width}}{row.split:8}{''.join(f'{number:>8}' for number in numbers)}")
