"""`thresher bench search`: how fast search is, and how good its rankings are."""

import tempfile
from pathlib import Path
from typing import Annotated

import typer

from thresher.bench.running import prepare
from thresher.bench.search.latency import CLIENTS, WORDS, Cost, Latency, build, measure
from thresher.bench.search.measuring import measure_newsgroups, measure_web
from thresher.bench.search.quality import Quality
from thresher.bench.webs.catalogue import find
from thresher.cli.bench_shapes import SearchBench
from thresher.cli.options import Data, Json, Quick, size_of
from thresher.cli.output import console, print_json
from thresher.cli.screen import dim

WEB = "wikispeedia"


def search(
    documents: Annotated[
        list[int] | None,
        typer.Option("--documents", min=100, help="Synthetic pages to search; repeatable; 100,000 by default."),
    ] = None,
    searches: Annotated[int | None, typer.Option("--searches", min=5, help="Searches of each kind.")] = None,
    items: Annotated[int | None, typer.Option("--items", min=5, help="Known items of each kind.")] = None,
    split: Annotated[str, typer.Option("--split", help="Topics to evaluate rankings on: report or tune.")] = "report",
    only: Annotated[str, typer.Option("--only", help="Measure only latency, or only quality.")] = "",
    data: Data = None,
    quick: Quick = False,
    json: Json = False,
) -> None:
    """Measure search latency in synthetic portals, compared with FTS5, and ranking quality on real pages."""
    told = console(stderr=True)

    def progress(line: str) -> None:
        told.print(dim(line))

    costs: list[Cost] = []
    runs: list[Latency] = []
    quality: list[Quality] = []
    if only != "quality":
        for number in documents or [size_of(None, quick, 10_000, 100_000)]:
            with tempfile.TemporaryDirectory(prefix="thresher-search-") as folder:
                progress(f"Creating a portal of {number:,} pages.")
                costs.append(build(Path(folder), number))
                asked = size_of(searches, quick, 20, 200)
                clients = CLIENTS[:1] if quick else CLIENTS
                runs += measure(Path(folder), number, asked, words=WORDS, clients=clients, on_progress=progress)
    if only != "latency":
        known = size_of(items, quick, 30, 200)
        pages, web = prepare(WEB, data), find(WEB, data)
        quality += measure_web(web, pages, split, known, progress)
        if data is not None:
            quality += measure_newsgroups(data, known, progress)
    if json:
        shown: SearchBench = {"runs": runs, "costs": costs, "quality": quality}
        print_json(shown)
        return
    _show(costs, runs, quality)


def _show(costs: list[Cost], runs: list[Latency], quality: list[Quality]) -> None:
    out = console()
    for cost in costs:
        out.print(
            f"{cost.documents:,} pages: {cost.pages_per_second:,.0f} indexed per second of CPU time, "
            f"{cost.bytes_per_page:,.0f} bytes each, {cost.memory_mb:,.0f} MB of memory"
        )
    if runs:
        out.print("   pages  words  clients     p50     p95     cpu  ms")
    for run in runs:
        crawl = " while a crawl writes" if run.during_crawl else ""
        figures = f"{run.documents:>8,} {run.words:>6} {run.clients:>8} {run.p50_ms:>7.1f} {run.p95_ms:>7.1f}"
        out.print(f"{figures} {run.cpu_ms:>7.1f}  {run.ranking}{crawl}")
    for row in quality:
        out.print(f"{row.value:6.3f}  {row.ranking:<30} {row.task:<18} {row.data}")
