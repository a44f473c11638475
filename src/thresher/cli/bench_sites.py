"""`thresher bench sites`: how well whole websites are found, by several methods."""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from thresher.bench.sites.cost import closing_cost, cpu_cost, memory_cost
from thresher.bench.sites.labelled_sites import LabelledSites
from thresher.bench.sites.measuring import (
    DEFAULT,
    FEW,
    GENERATED,
    METHODS,
    WEBS,
    PageQuality,
    against,
    open_web,
    page_quality,
    report_topics,
    run_trials,
)
from thresher.bench.sites.trial import SiteTrial
from thresher.bench.statistics import over_topics
from thresher.cli.bench_shapes import SiteBench, SiteCost
from thresher.cli.options import Data, Json, Quick, size_of, words_of
from thresher.cli.output import console, print_json
from thresher.cli.screen import bold, dim
from thresher.errors import UsageError


def sites(
    webs: Annotated[str, typer.Option("--webs", help=f"Webs, separated by commas: {', '.join(WEBS)}.")] = "",
    methods: Annotated[str, typer.Option("--methods", help="Methods, separated by commas; all by default.")] = "",
    topics: Annotated[
        int | None, typer.Option("--topics", min=1, help="Number of topics of the generated web.")
    ] = None,
    seeds: Annotated[int | None, typer.Option("--seeds", min=1, help="Seed sets.")] = None,
    budget: Annotated[int | None, typer.Option("--budget", min=10, help="Pages per run.")] = None,
    number: Annotated[int, typer.Option("--sites", min=200, help="Sites of the generated web.")] = 2400,
    out: Annotated[
        Path | None,
        typer.Option("--out", metavar="FILE", help="Save runs to FILE; runs already there are not repeated."),
    ] = None,
    data: Data = None,
    cost: Annotated[bool, typer.Option("--cost", help="Measure CPU time and memory instead.")] = False,
    quick: Quick = False,
    json: Json = False,
) -> None:
    """Measure how well and at what cost whole sites are found, compared with three baselines."""
    if cost:
        _cost(size_of(budget, quick, 300, 1500), number, json)
        return
    named = words_of(webs) or [GENERATED, *([] if data is None or quick else WEBS[1:])]
    for name in named:
        if name not in WEBS:
            raise UsageError(f"There is no web '{name}' of sites.", f"Choose from: {', '.join(WEBS)}.")
        if name != GENERATED and data is None:
            raise UsageError(f"{name} needs the datasets.", "Set their folder with --data or THRESHER_DATA.")
    wanted = words_of(methods) or list(FEW if quick else METHODS)
    told = console(stderr=True)
    trials: list[SiteTrial] = []
    quality: list[PageQuality] = []
    for name in named:
        web = open_web(name, data, number)
        chosen = report_topics(web, size_of(topics, quick, 2, 4))
        repeats = size_of(seeds, quick, 1, 5)
        pages = size_of(budget, quick, 400, 800)
        own: list[SiteTrial] = []
        for trial in run_trials(web, wanted, chosen, repeats, pages, out):
            told.print(dim(f"{trial.run.topic} {trial.run.seed} {trial.run.method}: F {trial.run.f:.2f}"))
            own.append(trial)
        quality += page_quality(web, chosen, repeats)
        if not json:
            _print(web, own, quality)
        trials += own
    if json:
        tests = {figure: against(trials, figure) for figure in ("f", "pprs")} if DEFAULT in wanted else {}
        shown: SiteBench = {"runs": [trial.run for trial in trials], "quality": quality, "tests": tests}
        print_json(shown)


def _cost(pages: int, sites: int, json: bool) -> None:
    processor = cpu_cost(pages, sites)
    memory = memory_cost([pages // 4, pages // 2, pages, 2 * pages], sites)
    closing = closing_cost([20 * pages, 40 * pages, 80 * pages])
    if json:
        shown: SiteCost = {"cpu": processor, "memory": memory, "closing": closing}
        print_json(shown)
        return
    out = console()
    for row in processor:
        out.print(f"{row.strategy:26} {row.cpu_ms:7.2f} ms of CPU a page, {row.ratio:.2f} times breadth-first")
    for kept in memory:
        out.print(f"{kept.pages:6,} pages, {kept.closed:5,} sites closed: {kept.kilobytes:8,.0f} KB held")
    for kept in closing:
        out.print(f"{kept.closed:,} made-up sites closed: {kept.kilobytes:,.0f} KB held")


def _print(web: LabelledSites, trials: Sequence[SiteTrial], quality: Sequence[PageQuality]) -> None:
    out = console()
    out.print(bold(web.name), dim(f"  {web.note}"))
    for model in dict.fromkeys(one.model for one in quality):
        figures = [one.accuracy for one in quality if one.model == model and one.web == web.name]
        out.print(f"  page accuracy by ten folds of sites, {model}: {sum(figures) / max(1, len(figures)):.3f}")
    wide = max((len(trial.run.method) for trial in trials), default=0)
    out.print(f"  {'method':{wide}}  prec   rec     F  pages/site   pprs  1-page  found    p(F)")
    tests = against(trials, "f") if any(trial.run.method == DEFAULT for trial in trials) else {}
    for method in dict.fromkeys(trial.run.method for trial in trials):
        own = [trial for trial in trials if trial.run.method == method]
        test = tests.get(method)
        p = f"{test.two_sided:6.3f}" if test is not None and test.two_sided is not None else "     -"
        out.print(f"  {method:{wide}} {_row(own)} {p}")


def _row(trials: Sequence[SiteTrial]) -> str:
    def mean(figure: str) -> float:
        found = over_topics({(one.run.topic, one.run.seed): float(getattr(one.run, figure)) for one in trials})
        return found.mean if found is not None else 0.0

    found = sum(one.found for one in trials) / max(1, len(trials))
    return (
        f"{mean('precision'):5.2f} {mean('recall'):5.2f} {mean('f'):5.2f}  {mean('pages_per_site'):10.2f} "
        f"{mean('pprs'):6.1f}  {mean('one_page_share'):6.2f} {found:6.2f}"
    )
