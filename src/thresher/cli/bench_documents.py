"""`thresher bench documents`: how fast, how well and at what cost files other than HTML are read."""

from pathlib import Path
from typing import Annotated

import typer

from thresher.bench.document_measures.measure import DocumentPlan
from thresher.bench.documents import MEASURES
from thresher.cli.options import Json, Quick
from thresher.cli.output import console, print_json

Folder = Annotated[
    Path | None, typer.Option("--folder", metavar="DIR", help="Folder of real files; generated ones by default.")
]
Number = Annotated[
    int | None, typer.Option("--documents", min=10, help="Documents to read while watching memory; 1,000 by default.")
]
Pages = Annotated[
    int | None, typer.Option("--pages", min=200, help="Pages of the generated web to crawl; 1,000 by default.")
]
Share = Annotated[float, typer.Option("--share", min=0.0, max=1.0, help="Share of its pages that are files.")]


def documents(
    measures: Annotated[
        list[str] | None, typer.Argument(metavar="[MEASURE]...", help="Measures by name; all by default.")
    ] = None,
    folder: Folder = None,
    number: Number = None,
    pages: Pages = None,
    share: Share = 0.2,
    quick: Quick = False,
    json: Json = False,
) -> None:
    """Measure documents per second by type, the share with text, memory, and recall with and without files."""
    chosen = [MEASURES.named(name) for name in measures or MEASURES.all()]
    plan = DocumentPlan(
        folder=folder,
        documents=number or (200 if quick else 1000),
        pages=pages or (400 if quick else 1000),
        share=share,
    )
    figures = {measure.name: measure.measures(plan) for measure in chosen}
    if json:
        print_json(figures)
        return
    for measure in chosen:
        for line in measure.tells(figures[measure.name]):
            console().print(line)
