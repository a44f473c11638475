"""`thresher bench search`: how fast search is, and how good its rankings are."""

from enum import StrEnum
from typing import Annotated

import typer

from thresher.bench.running import prepare
from thresher.bench.search.indexed_crawl import IndexShare, index_share
from thresher.bench.search.latency import CLIENTS, WAYS, WORDS, IndexCost, Latency, build, measure
from thresher.bench.search.measuring import measure_newsgroups, measure_web
from thresher.bench.search.quality import RankingQuality
from thresher.bench.webs.catalogue import find
from thresher.cli.bench_shapes import SearchBench
from thresher.cli.options import Data, Json, Keep, Quick, kept_folder, size_of, words_of
from thresher.cli.output import console, print_json
from thresher.cli.screen import dim
from thresher.errors import InputError

WEB = "wikispeedia"


class Part(StrEnum):
    """What to measure: everything, one part, or nothing after building the synthetic portals."""

    ALL = "all"
    BUILD = "build"
    LATENCY = "latency"
    QUALITY = "quality"
    CRAWL = "crawl"


def search(
    documents: Annotated[
        list[int] | None,
        typer.Option("--documents", min=100, help="Synthetic pages to search; repeatable; 100,000 by default."),
    ] = None,
    searches: Annotated[int | None, typer.Option("--searches", min=5, help="Searches of each kind.")] = None,
    items: Annotated[int | None, typer.Option("--items", min=5, help="Known items of each kind.")] = None,
    split: Annotated[str, typer.Option("--split", help="Topics to evaluate rankings on: report or tune.")] = "report",
    only: Annotated[
        Part, typer.Option("--only", help="Measure only one part, or only build the portals for --keep.")
    ] = Part.ALL,
    words: Annotated[
        list[int] | None,
        typer.Option("--words", min=1, max=20, help="Words per query; repeatable; 1, 3 and 6 by default."),
    ] = None,
    clients: Annotated[
        list[int] | None,
        typer.Option("--clients", min=1, max=100, help="Parallel clients; repeatable; 1, 5 and 10 by default."),
    ] = None,
    ways: Annotated[
        str, typer.Option("--ways", help=f"Kinds of searches, separated by commas: {', '.join(WAYS)}.")
    ] = ",".join(WAYS),
    keep: Keep = None,
    data: Data = None,
    quick: Quick = False,
    json: Json = False,
) -> None:
    """Measure search latency in synthetic portals, compared with FTS5, and ranking quality on real pages."""
    told = console(stderr=True)

    def progress(line: str) -> None:
        told.print(dim(line))

    kinds = words_of(ways)
    if unknown := [way for way in kinds if way not in WAYS]:
        raise InputError(f"There is no kind of search '{unknown[0]}'.", f"Choose from {', '.join(WAYS)}.")
    costs: list[IndexCost] = []
    runs: list[Latency] = []
    quality: list[RankingQuality] = []
    shares: list[IndexShare] = []
    if only in (Part.ALL, Part.BUILD, Part.LATENCY):
        for number in documents or [size_of(None, quick, 10_000, 100_000)]:
            with kept_folder(keep, f"search-{number}") as folder:
                progress(f"Creating a portal of {number:,} pages.")
                costs.append(build(folder, number, progress))
                if only is not Part.BUILD:
                    asked = size_of(searches, quick, 20, 200)
                    beside = clients or (CLIENTS[:1] if quick else CLIENTS)
                    runs += measure(
                        folder, number, asked, words=words or WORDS, clients=beside, ways=kinds, on_progress=progress
                    )
    if only in (Part.ALL, Part.QUALITY):
        known = size_of(items, quick, 30, 200)
        pages, web = prepare(WEB, data), find(WEB, data)
        quality += measure_web(web, pages, split, known, progress)
        if data is not None:
            quality += measure_newsgroups(data, known, progress)
    if only in (Part.ALL, Part.CRAWL):
        shares.append(index_share(*((300, 1) if quick else (2_000, 3)), progress))
    if json:
        shown: SearchBench = {"runs": runs, "costs": costs, "shares": shares, "quality": quality}
        print_json(shown)
        return
    _show(costs, runs, quality)
    for share in shares:
        console().print(
            f"{share.cpu_ms:.2f} ms of CPU time per crawled page, {share.cpu_ms_without:.2f} without an index: "
            f"the index takes {share.share:.0%}"
        )


def _show(costs: list[IndexCost], runs: list[Latency], quality: list[RankingQuality]) -> None:
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
