"""`thresher bench`: how good strategies are, how fast this machine is, and what a kill costs."""

import tempfile
from pathlib import Path
from typing import Annotated

import typer

from thresher.bench.big_graphs import cnr_2000, generated_graph
from thresher.bench.crash import crash_trials
from thresher.bench.hostile import measure_hostile
from thresher.bench.manners import measure_manners
from thresher.bench.speed_engine import measure_engine
from thresher.bench.speed_frontier import measure_frontier
from thresher.bench.speed_links import measure_links
from thresher.bench.stages import measure_stages
from thresher.bench.tiers import measure_tiers
from thresher.cli.bench_accuracy import accuracy
from thresher.cli.bench_classifier import classifier, classify
from thresher.cli.bench_committee import committee
from thresher.cli.bench_contexts import contexts
from thresher.cli.bench_documents import documents
from thresher.cli.bench_findings import tell_findings
from thresher.cli.bench_gate import gate
from thresher.cli.bench_phases import phases
from thresher.cli.bench_promise import promise
from thresher.cli.bench_reading import main_text, reading
from thresher.cli.bench_report import report
from thresher.cli.bench_run import run
from thresher.cli.bench_webs import strategies, webs
from thresher.cli.main import app
from thresher.cli.options import Data, Json
from thresher.cli.output import console, print_json

bench = typer.Typer(help="Measure.", no_args_is_help=True, rich_markup_mode=None)
speed = typer.Typer(help="Measure speed; medians of repeated runs.", no_args_is_help=True, rich_markup_mode=None)
app.add_typer(bench, name="bench")
bench.add_typer(speed, name="speed")
bench.command(epilog="Example: thresher bench webs wikispeedia")(webs)
bench.command(epilog="Example: thresher bench strategies")(strategies)
bench.command(epilog="Example: thresher bench run wikispeedia --topics tune --strategies random,breadth-first")(run)
bench.command(epilog="Example: thresher bench report runs --baseline page")(report)
bench.command("findings", epilog="Example: thresher bench findings runs")(tell_findings)
bench.command(epilog="Example: thresher bench accuracy wikispeedia --topics open --out runs")(accuracy)
bench.command(epilog="Example: thresher bench gate runs")(gate)
bench.command(epilog="Example: thresher bench phases wikispeedia --topics tune --repeats 5")(phases)
bench.command(epilog="Example: thresher bench promise manuals --pages 1500")(promise)
speed.command(epilog="Example: thresher bench speed reading --collection webkb")(reading)
speed.command(epilog="Example: thresher bench speed classify --quick")(classify)
bench.command(epilog="Example: thresher bench classifier newsgroups --features 2000 --measures ig")(classifier)
bench.command("main-text", epilog="Example: thresher bench main-text")(main_text)
bench.command(epilog="Example: thresher bench documents --folder /usr/share/doc")(documents)
bench.command(epilog="Example: thresher bench committee wikispeedia --topics tune")(committee)
bench.command(epilog="Example: thresher bench contexts wikispeedia --topics tune")(contexts)

Quick = Annotated[bool, typer.Option("--quick", help="Smaller sizes, for a first impression.")]
Runs = Annotated[int, typer.Option("--runs", min=1, help="Repetitions; the median is reported.")]


@speed.command(epilog="Example: thresher bench speed frontier --quick")
def frontier(quick: Quick = False, runs: Runs = 3, json: Json = False) -> None:
    """Offers and takes per second with durable writes, memory and disk per queued URL, time to resume."""
    sizes = [(10_000, 1), (100_000, 1)] if quick else [(10_000, 1), (100_000, 1), (1_000_000, 1), (1_000_000, 10_000)]
    rows = [measure_frontier(queued, queues=queues, runs=runs) for queued, queues in sizes]
    if json:
        print_json({"frontier": rows})
        return
    out = console()
    out.print("   queued   queues   ops/s   CPU µs/op   bytes/URL   disk B/URL   resume s")
    for row in rows:
        out.print(
            f"{row.queued:>9,}{row.queues:>9,}{row.operations_per_second:>8,.0f}{row.cpu_us_per_operation:>12,.0f}"
            f"{row.bytes_per_url:>12,.0f}{row.disk_bytes_per_url:>13,.0f}{row.resume_seconds:>11,.2f}"
        )


@speed.command(epilog="Example: thresher bench speed engine --quick")
def engine(quick: Quick = False, runs: Runs = 1, json: Json = False) -> None:
    """Pages per second of the whole engine on the generated web in memory, and its memory as the crawl grows."""
    marks = [1_000, 5_000] if quick else [10_000, 100_000]
    figures = [measure_engine(marks) for _ in range(runs)]
    best = sorted(figures, key=lambda found: found.stages[-1].cpu_ms_per_page)[len(figures) // 2]
    if json:
        print_json({"engine": best.stages})
        return
    out = console()
    out.print("    pages   pages/s   CPU ms/page   memory MB")
    for stage in best.stages:
        out.print(
            f"{stage.pages:>9,}{stage.pages_per_second:>10,.0f}{stage.cpu_ms_per_page:>14.2f}{stage.memory_mb:>12,.0f}"
        )


@speed.command(epilog="Example: thresher bench speed crawl --pages 3000 --rivals .venv-rivals/bin/python")
def crawl(
    pages: Annotated[int, typer.Option("--pages", min=100, help="Pages of each crawl.")] = 3000,
    repeats: Annotated[int, typer.Option("--repeats", min=1, help="Rounds; medians are reported.")] = 5,
    workers: Annotated[int, typer.Option("--workers", min=-1, help="Our worker processes, as in the settings.")] = -1,
    rivals: Annotated[
        Path | None, typer.Option("--rivals", help="Python of the environment with Scrapy and Crawlee.")
    ] = None,
    json: Json = False,
) -> None:
    """Crawl tiers on a loopback web: links only, with text and scores, on disk; against Scrapy and Crawlee."""
    figures = measure_tiers(pages=pages, repeats=repeats, workers=workers, rivals=rivals)
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
        out.print(
            f"{ratio.crawler} / {ratio.against}: {ratio.wall:.2f} by the clock, {ratio.cpu:.2f} by processor time"
        )


@speed.command(epilog="Example: thresher bench speed stages --pages 1000")
def stages(
    pages: Annotated[int, typer.Option("--pages", min=100, help="Pages taken through every stage.")] = 2000,
    runs: Runs = 3,
    json: Json = False,
) -> None:
    """Processor time per page of every stage by itself: fetching, reading, judging, offering, writing."""
    rows = measure_stages(pages, runs)
    if json:
        print_json({"stages": rows})
        return
    out = console()
    out.print("stage                  CPU ms/page")
    for row in rows:
        out.print(f"{row.stage:<22}{row.cpu_ms_per_page:>12.3f}")


@speed.command(epilog="Example: thresher bench speed links --quick")
def links(quick: Quick = False, data: Data = None, json: Json = False) -> None:
    """Seconds for weights, 20 rounds of HITS, PageRank, and loading from a repository of 1.12 M pages, 8.14 M links."""
    graphs = [generated_graph(50_000, 400_000)] if quick else [cnr_2000(data), generated_graph(1_117_652, 8_144_358)]
    rows = [measure_links(graph) for graph in graphs]
    if json:
        print_json({"links": rows})
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


@bench.command(epilog="Example: thresher bench crash --kills 20")
def crash(
    kills: Annotated[int, typer.Option("--kills", min=1, help="How often a crawl is killed.")] = 100,
    pages: Annotated[int, typer.Option("--pages", min=100, help="Pages of the generated web.")] = 600,
    json: Json = False,
) -> None:
    """Kill crawls over HTTP at random moments, resume them, and count what was lost or fetched again."""
    with tempfile.TemporaryDirectory(prefix="thresher-bench-") as folder:
        figures = crash_trials(Path(folder), kills=kills, pages=pages)
    if json:
        print_json(figures)
        return
    out = console()
    out.print(f"{figures.kills} kills of a crawl of {figures.pages} pages:")
    out.print(f"  committed pages lost      {figures.lost}")
    out.print(f"  committed pages refetched {figures.wrongly}")
    out.print(f"  refetched in all          {figures.refetched}")
    out.print(f"  most undone by one kill   {figures.most_in_flight} (at most {figures.bound})")
    out.print(f"  page sets that differ     {figures.differing}")
    out.print(f"  damaged repositories      {figures.damaged}")


@bench.command(epilog="Example: thresher bench manners --pages 2000")
def manners(
    pages: Annotated[int, typer.Option("--pages", min=100, help="Pages to crawl.")] = 10_000, json: Json = False
) -> None:
    """Crawl a generated web over HTTP, kill and resume the crawl, and count broken rules in the server's log."""
    with tempfile.TemporaryDirectory(prefix="thresher-bench-") as folder:
        figures = measure_manners(Path(folder), pages=pages)
    if json:
        print_json(figures)
        return
    out = console()
    out.print(f"{figures.requests:,} requests, {figures.pages:,} pages:")
    out.print(f"  to disallowed paths        {figures.disallowed}")
    out.print(f"  before robots was decided  {figures.before_robots}")
    out.print(f"  too early                  {figures.too_early}")
    out.print(f"  hosts asked too much       {figures.too_parallel} (most at once: {figures.max_parallel})")


@bench.command(epilog="Example: thresher bench hostile --json")
def hostile(json: Json = False) -> None:
    """Crawl healthy hosts alone and among a hundred hostile ones; compare their rates, judge by listeners."""
    with tempfile.TemporaryDirectory(prefix="thresher-bench-") as folder:
        figures = measure_hostile(Path(folder))
    if json:
        print_json(figures)
        return
    out = console()
    out.print(f"{figures.healthy_pages:,} healthy pages, {figures.attackers} attackers:")
    out.print(f"  healthy pages/s, alone     {figures.alone_per_second}")
    out.print(f"  healthy pages/s, attacked  {figures.attacked_per_second} ({figures.rate_kept:.0%})")
    out.print(f"  forbidden connections      {figures.forbidden_connects}")
    out.print(f"  memory above a quiet crawl {figures.memory_growth_mb} MB")
    out.print(f"  memory of file readers     {figures.files_mb} MB")
    out.print(f"  files written outside      {len(figures.escaped)}")
    out.print(f"  read beyond the limit      {', '.join(figures.over_limit) or 'none'}")
    out.print(f"  URLs without a reason      {len(figures.unexplained)}")
