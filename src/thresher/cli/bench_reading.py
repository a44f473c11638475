"""`thresher bench speed reading` and `thresher bench main-text`: reading pages, how fast and how well."""

from pathlib import Path
from typing import Annotated

import typer

from thresher.bench import html_eval
from thresher.bench.main_text import measure_main_text
from thresher.bench.speed_reading import measure_reading
from thresher.cli.bench_shapes import MainText
from thresher.cli.options import Data, Json, Quick, size_of
from thresher.cli.output import console, print_json
from thresher.errors import InputError

Collection = Annotated[str, typer.Option("--collection", help="html-eval, or the collection behind a web.")]
Sample = Annotated[int | None, typer.Option("--sample", min=2, help="Pages, drawn with a fixed seed; 300 by default.")]
Runs = Annotated[
    int | None, typer.Option("--runs", min=1, help="Times each page is read; the fastest counts. 3 by default.")
]


Rivals = Annotated[
    Path | None,
    typer.Option(
        "--rivals", metavar="PYTHON", help="Interpreter of an environment with trafilatura, to measure it too."
    ),
]


def folder_of(data: Path | None) -> Path:
    """Return the folder of the collections."""
    if data is None:
        raise InputError("The folder of the datasets is not set.", "Set it with --data or THRESHER_DATA.")
    return data


def reading(
    collection: Collection = html_eval.NAME,
    sample: Sample = None,
    runs: Runs = None,
    data: Data = None,
    quick: Quick = False,
    json: Json = False,
) -> None:
    """Measure how long reading a page takes, stage by stage, and pages per second per core."""
    figures = measure_reading(
        collection, folder_of(data), sample=size_of(sample, quick, 100, 300), runs=size_of(runs, quick, 1, 3)
    )
    if json:
        print_json(figures)
        return
    out = console()
    out.print(f"{figures.pages:,} pages of {figures.collection}, ms of one core per page:")
    out.print("stage      median     mean      p95")
    for stage in figures.stages:
        out.print(f"{stage.name:<8}{stage.median_ms:>9.3f}{stage.mean_ms:>9.3f}{stage.p95_ms:>9.3f}")
    out.print(f"{figures.pages_per_second:,.0f} pages/s per core")


def main_text(rivals: Rivals = None, data: Data = None, quick: Quick = False, json: Json = False) -> None:
    """Measure precision, recall and F of extracted page text on html-eval, compared with other extractors."""
    del quick  # All pages take half a minute.
    rows = measure_main_text(folder_of(data), rivals)
    if json:
        shown: MainText = {"main_text": rows}
        print_json(shown)
        return
    out = console()
    out.print("extractor                 half   pages  precision  recall      F")
    for row in rows:
        out.print(
            f"{row.extractor:<26}{row.half:<5}{row.pages:>7}{row.precision:>11.3f}{row.recall:>8.3f}{row.f:>7.3f}"
        )
