"""`thresher bench report`: an HTML page with tables, tests and curves for a directory of runs."""

from pathlib import Path
from typing import Annotated

import typer

from thresher.bench.accuracy import read_accuracies
from thresher.bench.record_files import read_records
from thresher.bench.report import CURVES, write_report
from thresher.cli.bench_shapes import ReportFiles
from thresher.cli.options import Json, Quick
from thresher.cli.output import console, print_json

PAGE = "report.html"


def report(
    directory: Annotated[Path, typer.Argument(metavar="DIR", help="Directory with the records of the runs.")],
    baseline: Annotated[
        str | None, typer.Option("--baseline", help="Strategy to test the others against; page by default.")
    ] = None,
    out: Annotated[
        Path | None, typer.Option("--out", help="File of the report; report.html in DIR by default.")
    ] = None,
    quick: Quick = False,
    json: Json = False,
) -> None:
    """Write a report of runs: means and standard errors, paired tests, curves, topics by difficulty, settings."""
    del quick  # Reading records is quick.
    page = out or directory / PAGE
    records = read_records(directory)
    figures = write_report(records, page, baseline, read_accuracies(directory))
    curves = page.with_name(CURVES)
    if json:
        shown: ReportFiles = {
            "report": str(page),
            "curves": str(curves),
            "runs": len(records),
            "experiments": figures,
        }
        print_json(shown)
        return
    console().print(f"{len(records):,} runs: {page}, curves in {curves}")
