"""`thresher bench run`: lets strategies crawl webs for topics, and records every run."""

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from statistics import fmean
from typing import Annotated, get_args

import typer
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID, TextColumn, TimeRemainingColumn

from thresher.bench.assignment import Job
from thresher.bench.profile import bench_settings, described
from thresher.bench.quick import BUDGET, SEEDS, some_topics
from thresher.bench.record_files import LONGEST
from thresher.bench.records import CLASSIFIER, PAGES, Run, Training
from thresher.bench.running import jobs_for, prepare, run_all
from thresher.bench.webs.catalogue import expanded, find
from thresher.classify.flat import Model
from thresher.cli.bench_shapes import Runs
from thresher.cli.options import Data, Json, Manners, Quick, Set, one_of, size_of, words_of
from thresher.cli.output import console, print_json
from thresher.cli.screen import harmless
from thresher.errors import UsageError

Web = Annotated[str, typer.Argument(metavar="WEB", help="The web; webkb stands for each of its universities.")]
Strategies = Annotated[str, typer.Option("--strategies", help="Strategies, separated by commas.")]
Topics = Annotated[
    str, typer.Option("--topics", help="Topics or sets of topics, separated by commas; the web's own by default.")
]
Seeds = Annotated[int | None, typer.Option("--seeds", min=1, max=10_000, help="Number of seed sets; 5 by default.")]
PageBudget = Annotated[
    int | None,
    typer.Option(
        "--budget", min=0, max=LONGEST, help="Pages per crawl; 0 crawls everything. By default the web's own."
    ),
]
Hard = Annotated[bool, typer.Option("--hard", help="Examples return 404, and start pages have no link into the topic.")]
Examples = Annotated[
    int | None, typer.Option("--examples", min=1, help="Training pages of the topic; 10 by default, 20 on webkb.")
]
Negatives = Annotated[
    int | None,
    typer.Option("--negatives", min=1, help="Training pages without the topic; by default three times the examples."),
]
Wrong = Annotated[
    int, typer.Option("--wrong", min=0, help="How many of the examples are mislabelled pages of another topic.")
]
StartPages = Annotated[
    int | None, typer.Option("--start", min=1, help="Start pages, if the web has none of its own; 5 by default.")
]
Out = Annotated[Path, typer.Option("--out", help="Directory for the records; runs already there are not repeated.")]
Classifier = Annotated[str, typer.Option("--classifier", help=f"The page classifier: {', '.join(get_args(Model))}.")]
Train = Annotated[
    str, typer.Option("--train", help="Training data: pages, or back-links (the words around links to them).")
]
Processes = Annotated[int, typer.Option("--processes", min=0, help="Parallel runs; 0 for one per core.")]


def run(
    web: Web,
    strategies: Strategies,
    topics: Topics = "",
    seeds: Seeds = None,
    budget: PageBudget = None,
    hard: Hard = False,
    examples: Examples = None,
    negatives: Negatives = None,
    wrong: Wrong = 0,
    start: StartPages = None,
    out: Out = Path("bench-runs"),
    classifier: Classifier = CLASSIFIER,
    train: Train = PAGES,
    processes: Processes = 0,
    manners: Manners = False,
    settings: Set = None,
    data: Data = None,
    quick: Quick = False,
    json: Json = False,
) -> None:
    """Compare strategies: runs every strategy on every topic from every seed set, on all cores."""
    names, wanted = expanded(web), words_of(strategies)
    if not wanted:
        raise UsageError("No strategy was given.", "Give some with --strategies; see: thresher bench strategies")
    jobs = jobs_for(
        names,
        data,
        topics=some_topics(find(names[0], data), words_of(topics)) if quick else words_of(topics),
        strategies=wanted,
        seeds=size_of(seeds, quick, SEEDS, 5),
        budget=BUDGET if quick and budget is None else budget,
        mode="hard" if hard else "normal",
        examples=examples,
        negatives=negatives,
        start=start,
        wrong=wrong,
        settings=settings or (),
        classifier=one_of(Model, "--classifier", classifier),
        training=one_of(Training, "--train", train),
        manners=manners,
    )
    done = _run_shown(jobs, names, data, out, processes)
    runs = [done[job] for job in jobs]
    if json:
        shown: Runs = {"runs": runs}
        print_json(shown)
        return
    for name in names:
        if find(name, data).note:
            console().print(find(name, data).note)
    _print_means(runs)
    console().print(f"Settings {described(bench_settings(settings or (), manners=manners))[1]}; records in {out}.")


def _run_shown(
    jobs: Sequence[Job], names: Sequence[str], data: Path | None, out: Path, processes: int
) -> dict[Job, Run]:
    """Execute the runs with a progress display."""
    columns = [TextColumn("{task.description}", markup=False), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn()]
    with Progress(*columns, console=console(stderr=True).rich, transient=True) as progress:
        for name in names:
            reading = progress.add_task(harmless(f"reading {name}"), total=None)
            prepare(name, data, partial(_show_reading, progress, reading))
            progress.remove_task(reading)
        crawling = progress.add_task("crawling", total=len(jobs))
        done: dict[Job, Run] = {}
        for job, figures in run_all(jobs, data, out, processes=processes):
            done[job] = figures
            progress.update(crawling, advance=1, description=harmless(f"crawling ({job.topic}, {job.strategy})"))
        return done


def _show_reading(progress: Progress, reading: TaskID, pages: int, of: int) -> None:
    progress.update(reading, completed=pages, total=of)


def _print_means(runs: Sequence[Run]) -> None:
    """Print the mean figures of each strategy."""
    out = console()
    out.print("web               strategy               runs  harvest   recall  oracle share  CPU ms/page")
    for web, strategy in dict.fromkeys((run.web, run.crawler) for run in runs):
        own = [run for run in runs if (run.web, run.crawler) == (web, strategy)]
        shares = [run.oracle_share for run in own if run.oracle_share is not None]
        out.print(
            f"{web:<18}{strategy:<22}{len(own):>5}{fmean(run.harvest_rate for run in own):>9.3f}"
            f"{fmean(run.target_recall for run in own):>9.3f}"
            + (f"{fmean(shares):>14.3f}" if shares else f"{'-':>14}")
            + f"{fmean(run.cpu_ms_per_page for run in own):>13.2f}"
        )
