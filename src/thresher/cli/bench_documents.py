"""`thresher bench documents`: reading files that are no HTML, how fast, how well and at what cost."""

from pathlib import Path
from typing import Annotated

import typer

from thresher.bench.document_files import folder_files, made_files
from thresher.bench.documents import measure_crawl, measure_kinds, measure_memory
from thresher.cli.options import Json
from thresher.cli.output import console, print_json

Folder = Annotated[
    Path | None, typer.Option("--folder", metavar="DIR", help="Folder of real files; made ones are read without.")
]
Number = Annotated[int, typer.Option("--documents", min=10, help="Documents read to watch the memory of the reader.")]
Pages = Annotated[int, typer.Option("--pages", min=200, help="Pages of the generated web that is crawled.")]
Share = Annotated[float, typer.Option("--share", min=0.0, max=1.0, help="Share of its pages that are files.")]


def documents(
    folder: Folder = None, number: Number = 1000, pages: Pages = 1000, share: Share = 0.2, json: Json = False
) -> None:
    """Documents per second by type, share that gives text, memory of the reader, recall with and without files."""
    made = made_files(100)
    kinds = measure_kinds(folder_files(folder) if folder is not None else made)
    memory = measure_memory(made, number)
    crawl = measure_crawl(pages, share)
    if json:
        print_json({"kinds": kinds, "memory": memory, "crawl": crawl})
        return
    out = console()
    out.print("files  text  none  refused      MB  median ms  mean ms  files/s  type")
    for row in kinds:
        refused = row.files - row.texts - row.without
        out.print(
            f"{row.files:>5}{row.texts:>6}{row.without:>6}{refused:>9}{row.megabytes:>8.1f}{row.median_ms:>11.1f}"
            f"{row.mean_ms:>9.1f}{row.files_per_second:>9.1f}  {row.mime}"
        )
        for reason, count in row.reasons.items():
            out.print(f"{'':26}{count:>8}  {reason}")
    grown = ", ".join(f"{size} MB at {at:,}" for at, size in zip(memory.documents, memory.memory_mb, strict=True))
    out.print(f"memory of the reader: {grown}; {memory.processes} processes")
    out.print(
        f"{crawl.files} of {crawl.pages:,} pages are files: recall {crawl.recall:.3f} ({crawl.stored:,} pages stored), "
        f"with HTML alone {crawl.html_recall:.3f} ({crawl.html_stored:,})"
    )
