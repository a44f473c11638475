"""`thresher bench speed`: how fast this machine is; frontier, engine, whole crawls, stages and links."""

from pathlib import Path
from typing import Annotated

import typer

from thresher.bench.big_graphs import cnr_2000, generated_graph
from thresher.bench.speed_engine import measure_engine
from thresher.bench.speed_frontier import measure_frontier
from thresher.bench.speed_links import measure_links
from thresher.bench.stages import measure_stages
from thresher.bench.tiers import measure_tiers
from thresher.cli.bench_shapes import EngineBench, FrontierBench, LinkBench, StageBench
from thresher.cli.options import Data, Json, Quick, size_of
from thresher.cli.output import console, print_json

Runs = Annotated[int | None, typer.Option("--runs", min=1, help="Repetitions; the median is reported.")]


def frontier(quick: Quick = False, runs: Runs = None, json: Json = False) -> None:
    """Measure the frontier: durable offers and takes per second, memory and disk per URL, time to resume."""
    sizes = [(10_000, 1), (100_000, 1)] if quick else [(10_000, 1), (100_000, 1), (1_000_000, 1), (1_000_000, 10_000)]
    rows = [measure_frontier(queued, queues=queues, runs=size_of(runs, quick, 1, 3)) for queued, queues in sizes]
    if json:
        shown: FrontierBench = {"frontier": rows}
        print_json(shown)
        return
    out = console()
    out.print("   queued   queues   ops/s   CPU µs/op   bytes/URL   disk B/URL   resume s")
    for row in rows:
        out.print(
            f"{row.queued:>9,}{row.queues:>9,}{row.operations_per_second:>8,.0f}{row.cpu_us_per_operation:>12,.0f}"
            f"{row.bytes_per_url:>12,.0f}{row.disk_bytes_per_url:>13,.0f}{row.resume_seconds:>11,.2f}"
        )


def engine(quick: Quick = False, runs: Runs = None, json: Json = False) -> None:
    """Measure the engine's pages per second on a generated web in memory, and its memory use as the crawl grows."""
    marks = [1_000, 5_000] if quick else [10_000, 100_000]
    figures = [measure_engine(marks) for _ in range(runs or 1)]
    best = sorted(figures, key=lambda found: found.stages[-1].cpu_ms_per_page)[len(figures) // 2]
    if json:
        shown: EngineBench = {"engine": best.stages}
        print_json(shown)
        return
    out = console()
    out.print("    pages   pages/s   CPU ms/page   memory MB")
    for stage in best.stages:
        out.print(
            f"{stage.pages:>9,}{stage.pages_per_second:>10,.0f}{stage.cpu_ms_per_page:>14.2f}{stage.memory_mb:>12,.0f}"
        )


def crawl(
    pages: Annotated[int | None, typer.Option("--pages", min=100, help="Pages per crawl; 3,000 by default.")] = None,
    repeats: Annotated[
        int | None, typer.Option("--repeats", min=1, help="Rounds; the median is reported. 5 by default.")
    ] = None,
    workers: Annotated[int, typer.Option("--workers", min=-1, help="Worker processes, as in the settings.")] = -1,
    rivals: Annotated[
        Path | None, typer.Option("--rivals", help="Python of the environment with Scrapy and Crawlee.")
    ] = None,
    quick: Quick = False,
    json: Json = False,
) -> None:
    """Compare crawl speed on a loopback web with Scrapy and Crawlee: links only, with text and scores, on disk."""
    figures = measure_tiers(
        pages=size_of(pages, quick, 600, 3000),
        repeats=size_of(repeats, quick, 1, 5),
        workers=workers,
        rivals=rivals,
    )
    if json:
        print_json(figures)
        return
    out = console()
    out.print("crawler         pages   pages/s   CPU ms/page   memory MB   requests   server CPU ms/page")
    for row in figures.rows:
        out.print(
            f"{row.crawler:<13}{row.pages:>8,}{row.pages_per_second:>10,.0f}{row.cpu_ms_per_page:>14.2f}"
            f"{row.memory_mb:>12,.0f}{row.requests:>11,}{row.server_cpu_ms:>21.2f}"
        )
    for ratio in figures.ratios:
        out.print(f"{ratio.crawler} / {ratio.against}: {ratio.wall:.2f} in wall time, {ratio.cpu:.2f} in CPU time")


def stages(
    pages: Annotated[int | None, typer.Option("--pages", min=100, help="Pages per stage; 2,000 by default.")] = None,
    runs: Runs = None,
    quick: Quick = False,
    json: Json = False,
) -> None:
    """Measure the CPU time per page of each stage: fetching, reading, classifying, queueing, writing."""
    rows = measure_stages(size_of(pages, quick, 500, 2000), size_of(runs, quick, 1, 3))
    if json:
        shown: StageBench = {"stages": rows}
        print_json(shown)
        return
    out = console()
    out.print("stage                  CPU ms/page")
    for row in rows:
        out.print(f"{row.stage:<22}{row.cpu_ms_per_page:>12.3f}")


def links(quick: Quick = False, data: Data = None, json: Json = False) -> None:
    """Measure link analysis (weights, 20 rounds of HITS, PageRank, loading) on 1.12 M pages with 8.14 M links."""
    graphs = [generated_graph(50_000, 400_000)] if quick else [cnr_2000(data), generated_graph(1_117_652, 8_144_358)]
    rows = [measure_links(graph) for graph in graphs]
    if json:
        shown: LinkBench = {"links": rows}
        print_json(shown)
        return
    out = console()
    out.print(
        "    nodes      edges  weights s  HITS s  PageRank s  loading s  keeping s  wait ms  "
        "lock ms: most, mean  memory MB"
    )
    for row in rows:
        out.print(
            f"{row.nodes:>9,}{row.edges:>11,}{row.weights:>11.2f}{row.hits:>8.2f}{row.pagerank:>12.2f}{row.loading:>11.2f}"
            f"{row.keeping:>11.2f}{row.longest_wait:>9.0f}{row.longest_hold:>15.0f}{row.mean_hold:>6.1f}"
            f"{row.memory_mb:>11,.0f}  {row.graph}"
        )
