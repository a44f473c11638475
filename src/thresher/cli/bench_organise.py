"""`thresher bench organise`: how well topics are split and filtered, on labelled texts."""

from collections.abc import Sequence
from statistics import fmean
from typing import Annotated

import typer

from thresher.bench.organise.draws import OrganiseRun, draw
from thresher.bench.organise.filter_quality import EstimateRun, IntervalCoverage, draw_for_filter, measure_filter
from thresher.bench.organise.labelled_bags import COLLECTIONS
from thresher.bench.organise.split_quality import measure_split
from thresher.bench.organise.split_speed import SplitSpeed, measure_speed
from thresher.cli.bench_reading import folder_of
from thresher.cli.bench_shapes import OrganiseBench
from thresher.cli.options import Data, Json, Quick, size_of, words_of
from thresher.cli.output import console, print_json
from thresher.cli.screen import dim
from thresher.errors import UsageError

SPLIT = ("newsgroups20", "reuters21578", "wikispeedia")
FILTER = ("newsgroups20", "reuters21578", "webkb")
PARTS = ("split", "filter", "speed")
NUMBERS = (3, 5)


def organise(
    draws: Annotated[
        int | None, typer.Option("--draws", min=1, help="Draws of topics from each collection; 10 by default.")
    ] = None,
    first: Annotated[int, typer.Option("--first", min=0, help="Seed of the first draw.")] = 0,
    only: Annotated[str, typer.Option("--only", help="Parts to measure: split, filter, speed.")] = ",".join(PARTS),
    documents: Annotated[
        int | None,
        typer.Option("--documents", min=100, help="Pages of the topic whose split is timed; 10,000 by default."),
    ] = None,
    data: Data = None,
    quick: Quick = False,
    json: Json = False,
) -> None:
    """Measure error and loss of splitting and filtering topics, the accuracy of error estimates, and split time."""
    parts = words_of(only)
    for part in parts:
        if part not in PARTS:
            raise UsageError(f"There is no part '{part}'.", f"Choose from: {', '.join(PARTS)}.")
    seeds = range(first, first + size_of(draws, quick, 2, 10))
    folder = folder_of(data) if {"split", "filter"} & set(parts) else None
    told = console(stderr=True)
    runs: list[OrganiseRun] = []
    estimates: list[EstimateRun] = []
    speed: list[SplitSpeed] = []
    if "split" in parts and folder is not None:
        for name in SPLIT:
            topics = COLLECTIONS[name](folder)
            for k in NUMBERS:
                told.print(dim(f"Splitting {name} into {k}."))
                for seed in seeds:
                    runs += measure_split(name, draw(name, topics, k, seed), k, seed)
    if "filter" in parts and folder is not None:
        for name in FILTER:
            topics = COLLECTIONS[name](folder)
            told.print(dim(f"Filtering {name}."))
            for seed in seeds:
                found, told_errors = measure_filter(name, draw_for_filter(name, topics, seed), seed)
                runs += found
                estimates += told_errors
    if "speed" in parts:
        speed.append(measure_speed(size_of(documents, quick, 1_000, 10_000)))
    if json:
        shown: OrganiseBench = {"runs": runs, "intervals": _intervals(estimates), "speed": speed}
        print_json(shown)
        return
    _print(runs, estimates, speed)


def _print(runs: Sequence[OrganiseRun], estimates: Sequence[EstimateRun], speed: Sequence[SplitSpeed]) -> None:
    out = console()
    for task, data, k in dict.fromkeys((run.task, run.data, run.k) for run in runs):
        here = [run for run in runs if (run.task, run.data, run.k) == (task, data, k)]
        out.print()
        out.print(f"{task}: {data}, {k} topics, {len({run.seed for run in here})} draws")
        out.print(f"{'':<40}{'loss':>8}{'error':>8}")
        # Each split method has its own losses; a filter has the same ones in every draw.
        keys = dict.fromkeys((run.method, run.loss if task == "filter" else -1.0) for run in here)
        for method, loss in keys:
            own = [run for run in here if run.method == method and loss in (-1.0, run.loss)]
            out.print(f"{method:<40}{fmean(run.loss for run in own):>8.3f}{fmean(run.error for run in own):>8.3f}")
    for row in _intervals(estimates):
        out.print(
            f"{row.data}, {row.method}, loss {row.loss}: the 95% interval held for {row.held} of {row.topics}"
            f" topics; estimated {row.estimated:.3f}, true {row.error:.3f}"
        )
    for one in speed:
        out.print(
            f"Splitting a topic of {one.documents:,} pages takes {one.seconds:.1f} s ({one.cpu:.1f} s of CPU time)."
        )


def _intervals(estimates: Sequence[EstimateRun]) -> list[IntervalCoverage]:
    """Return how often the interval contained the true error, over all topics and draws."""
    rows: list[IntervalCoverage] = []
    for data, method, loss in dict.fromkeys((one.data, one.method, one.loss) for one in estimates):
        here = [one for one in estimates if (one.data, one.method, one.loss) == (data, method, loss)]
        known = [one for one in here if one.estimated is not None]
        if known:
            rows.append(
                IntervalCoverage(
                    data=data,
                    method=method,
                    loss=loss,
                    topics=len(known),
                    held=sum(one.held for one in known),
                    estimated=round(fmean(one.estimated or 0.0 for one in known), 4),
                    error=round(fmean(one.error for one in known), 4),
                )
            )
    return rows
