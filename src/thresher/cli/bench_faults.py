"""`thresher bench crash`, `manners`, `hostile` and `fairness`: kills, broken rules, attackers, costly hosts."""

import tempfile
from pathlib import Path
from typing import Annotated

import typer

from thresher.bench.crash import crash_trials
from thresher.bench.fairness import FairnessSize, measure_fairness
from thresher.bench.hostile import Siege, measure_hostile
from thresher.bench.manners import measure_manners
from thresher.bench.sites.kills import kill_sites
from thresher.cli.options import Json, Quick, size_of
from thresher.cli.output import console, print_json


def crash(
    kills: Annotated[
        int | None, typer.Option("--kills", min=1, help="How often to kill a crawl; 100 by default.")
    ] = None,
    pages: Annotated[
        int | None, typer.Option("--pages", min=100, help="Pages of the generated web; 600 by default.")
    ] = None,
    sites: Annotated[
        int | None,
        typer.Option("--sites", min=40, help="Kill a crawl for websites instead, on a web of this many sites."),
    ] = None,
    quick: Quick = False,
    json: Json = False,
) -> None:
    """Kill crawls over HTTP at random moments, resume them, and count what was lost or fetched again."""
    if sites is not None:
        _crash_sites(sites, size_of(kills, quick, 3, 10), size_of(pages, quick, 300, 3000), json)
        return
    with tempfile.TemporaryDirectory(prefix="thresher-bench-") as folder:
        figures = crash_trials(Path(folder), kills=size_of(kills, quick, 8, 100), pages=size_of(pages, quick, 300, 600))
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


def _crash_sites(sites: int, kills: int, pages: int, json: bool) -> None:
    with tempfile.TemporaryDirectory(prefix="thresher-bench-") as folder:
        figures = kill_sites(Path(folder), sites=sites, kills=kills, pages=pages)
    if json:
        print_json(figures)
        return
    out = console()
    out.print(f"{figures.kills} kills of a crawl for websites of {figures.pages:,} pages:")
    out.print(f"  committed pages and decisions lost  {figures.lost}")
    out.print(f"  committed pages refetched           {figures.wrongly}")
    out.print(f"  decisions made again                {figures.changed}")
    out.print(f"  sites read at once, at most         {figures.most_open}")
    broken = figures.before_robots + figures.too_early + figures.too_parallel
    out.print(f"  broken rules in the server's log    {broken}")
    out.print("                       in both   only in one   only in the other   other verdict")
    for name, found in (("two without kills", figures.whole), ("with and without", figures.killed)):
        out.print(f"  {name:18} {found.both:10} {found.first_only:13} {found.second_only:19} {found.verdicts:15}")


def manners(
    pages: Annotated[int | None, typer.Option("--pages", min=100, help="Pages to crawl; 10,000 by default.")] = None,
    quick: Quick = False,
    json: Json = False,
) -> None:
    """Crawl a generated web over HTTP, kill and resume the crawl, and count broken rules in the server's log."""
    with tempfile.TemporaryDirectory(prefix="thresher-bench-") as folder:
        figures = measure_manners(Path(folder), pages=size_of(pages, quick, 1000, 10_000))
    if json:
        print_json(figures)
        return
    out = console()
    out.print(f"{figures.requests:,} requests, {figures.pages:,} pages:")
    out.print(f"  to disallowed paths        {figures.disallowed}")
    out.print(f"  before robots.txt was read {figures.before_robots}")
    out.print(f"  too early                  {figures.too_early}")
    out.print(f"  too many at once per host  {figures.too_parallel} (most at once: {figures.max_parallel})")


def hostile(quick: Quick = False, json: Json = False) -> None:
    """Crawl healthy hosts alone and among a hundred hostile ones, and compare the rates."""
    with tempfile.TemporaryDirectory(prefix="thresher-bench-") as folder:
        figures = measure_hostile(Path(folder), Siege(pages=40, copies=3) if quick else Siege())
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


def fairness(quick: Quick = False, json: Json = False) -> None:
    """Crawl healthy hosts alone, next to one costly host and next to 58; print how much of their rate remains."""
    with tempfile.TemporaryDirectory(prefix="thresher-bench-") as folder:
        figures = measure_fairness(Path(folder), FairnessSize(seconds=15.0) if quick else FairnessSize())
    if json:
        print_json(figures)
        return
    out = console()
    out.print("costly hosts               healthy pages/s   kept   costly pages   memory of all   of the largest")
    for crawl in figures.crawls:
        name = f"{crawl.costly} ({', '.join(crawl.kinds)})" if crawl.costly == 1 else str(crawl.costly)
        out.print(
            f"{name:26} {crawl.healthy_per_second:15.1f} {crawl.kept:6.0%} {crawl.costly_pages:14} "
            f"{crawl.memory_mb:12.0f} MB {crawl.largest_mb:13.0f} MB"
        )
        if crawl.exit_code:
            out.print(f"  failed: {crawl.last_words}")
