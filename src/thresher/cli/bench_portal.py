"""`thresher bench portal`: how quickly the web portal responds."""

from typing import Annotated

import typer

from thresher.bench.portal_load import CLIENTS, make, measure
from thresher.cli.bench_shapes import PortalBench
from thresher.cli.options import Json, Keep, Quick, kept_folder, size_of
from thresher.cli.output import console, print_json
from thresher.cli.screen import dim


def portal(
    documents: Annotated[
        int | None, typer.Option("--documents", min=100, help="Synthetic pages in the portal; 100,000 by default.")
    ] = None,
    asked: Annotated[int | None, typer.Option("--asked", min=10, help="Requests per route.")] = None,
    clients: Annotated[int, typer.Option("--clients", min=1, max=100, help="Parallel clients.")] = CLIENTS,
    build: Annotated[bool, typer.Option("--build", help="Only build the portal for --keep.")] = False,
    keep: Keep = None,
    quick: Quick = False,
    json: Json = False,
) -> None:
    """Measure the time to first byte of each page of a synthetic portal while a crawl writes to it."""
    told = console(stderr=True)
    number = size_of(documents, quick, 10_000, 100_000)
    with kept_folder(keep, f"portal-{number}") as folder:
        told.print(dim(f"Creating a portal of {number:,} pages."))
        make(folder / "portal", number)
        if build:
            return
        runs = measure(
            folder / "portal",
            number,
            size_of(asked, quick, 50, 300),
            clients,
            on_progress=lambda line: told.print(dim(line)),
        )
    if json:
        shown: PortalBench = {"documents": number, "runs": runs}
        print_json(shown)
        return
    out = console()
    out.print(
        f"{number:,} pages, {clients} clients, while a crawl writes; time to the first byte, and p95 of the whole page"
    )
    out.print("     p50     p95   whole     CPU  ms")
    for run in runs:
        out.print(f"{run.p50_ms:>8.1f} {run.p95_ms:>7.1f} {run.whole_p95_ms:>7.1f} {run.cpu_ms:>7.1f}  {run.route}")
