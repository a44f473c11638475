"""`thresher bench orders`, `bench sessions` and `bench speed growth`: strategies that use words, links and paths."""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from thresher.bench import link_orders, session_crawls
from thresher.bench.assignment import Job
from thresher.bench.growth import GrowthRow, growing_web
from thresher.bench.growth import growth as measure_growth
from thresher.bench.kept_runs import KeptRuns
from thresher.bench.link_orders import OrderRun, OrderTask, corpus_of, order_runs
from thresher.bench.order_tests import compared, worse
from thresher.bench.protocol import Draw
from thresher.bench.quick import some_topics
from thresher.bench.running import prepare
from thresher.bench.session_crawls import SessionRun, session_runs, summary
from thresher.bench.statistics import PairedTest, estimate
from thresher.bench.webs import wikispeedia
from thresher.bench.webs.catalogue import expanded, find, parsed
from thresher.cli.bench_reading import folder_of
from thresher.cli.bench_shapes import GrowthBench, Orders, SessionRuns
from thresher.cli.options import Data, Json, Quick, size_of, words_of
from thresher.cli.output import console, print_json
from thresher.cli.screen import dim

Topics = Annotated[
    str, typer.Option("--topics", help="Topics or sets of topics, separated by commas; the web's own by default.")
]
Strategies = Annotated[
    str, typer.Option("--strategies", help="Strategies, separated by commas; parameters in brackets, as in a crawl.")
]

ORDERS = ",".join(link_orders.STRATEGIES)
SESSIONS = ",".join(session_crawls.STRATEGIES)
GROWING = "breadth-first,backlinks,pagerank,shark-1,shark-2,hcla,phits,context-graph,hmm,default"


def orders(
    web: Annotated[
        str, typer.Argument(metavar="WEB", help="The web; webkb stands for each of its universities.")
    ] = "webkb",
    topics: Topics = "",
    strategies: Strategies = ORDERS,
    orders: Annotated[
        int | None, typer.Option("--orders", min=1, help="Random orders of links with equal scores; 5 by default.")
    ] = None,
    corpus: Annotated[int | None, typer.Option("--corpus", min=10, help="Unlabelled texts; 1,000 by default.")] = None,
    out: Annotated[
        Path | None,
        typer.Option("--out", metavar="FILE", help="Save runs to FILE; runs already there are not repeated."),
    ] = None,
    data: Data = None,
    quick: Quick = False,
    json: Json = False,
) -> None:
    """Crawl a whole web, given an unlabelled corpus and a few query words; only `default` learns from examples."""
    tasks: list[OrderTask] = []
    for name in expanded(web)[: 1 if quick else None]:
        own, pages = find(name, data), prepare(name, data)
        usual = parsed(name).kind.usual
        texts = corpus_of(own, pages, size_of(corpus, quick, 300, 1000))
        for topic in some_topics(own, words_of(topics))[:1] if quick else own.named(words_of(topics)):
            draw = Draw(usual.examples, usual.negatives, usual.start)
            job = Job(web=name, topic=topic, strategy="", seed=0, budget=0, mode="normal", draw=draw)
            tasks.append(OrderTask(job, own, pages, texts))
    told, found = console(stderr=True), list[OrderRun]()
    for run in order_runs(tasks, words_of(strategies), size_of(orders, quick, 1, 5), KeptRuns(out, OrderRun)):
        told.print(dim(f"{run.order} {run.web} {run.topic} {run.strategy}: area {run.area:.3f}"))
        found.append(run)
    tests = compared(found)
    if json:
        shown: Orders = {"runs": found, "tests": tests}
        print_json(shown)
        return
    by_tasks = {test.strategy: test.test for test in tests if not test.web}
    console().print(
        "strategy                        tasks  area under recall  p      harvest  "
        "precision at recall .1 .5 1  F1 at recall .1 .5 1  ms/page"
    )
    for strategy in words_of(strategies):
        _print_orders(strategy, [run for run in found if run.strategy == strategy], by_tasks.get(strategy))
    for one in worse(tests):
        if one.web:
            told_p = f"p {one.test.two_sided:.3f}" if one.test.two_sided is not None else "in every order"
            console().print(
                f"{one.strategy} is below {one.baseline} on {one.web} {one.topic}: {one.test.difference:+.3f}, {told_p}"
            )


def _print_orders(strategy: str, runs: Sequence[OrderRun], test: PairedTest | None) -> None:
    tasks = dict.fromkeys((run.web, run.topic) for run in runs)
    areas = [_mean([run.area for run in runs if (run.web, run.topic) == task]) for task in tasks]
    mean = estimate(areas)
    if mean is None:
        return
    error = f"± {mean.error:.3f}" if mean.error is not None else ""
    p = f"{test.two_sided:.3f}" if test is not None and test.two_sided is not None else ""
    precision, f1 = (
        " ".join(f"{_mean([figures[place] for figures in column]):.2f}" for place in range(3))
        for column in ([run.precision for run in runs], [run.f1 for run in runs])
    )
    harvest, cpu = _mean([run.harvest_rate for run in runs]), _mean([run.cpu_ms_per_page for run in runs])
    console().print(
        f"{strategy:<32}{mean.n:>5}  {mean.mean:.3f} {error:<10}  {p:<5}  {harvest:>7.3f}  "
        f"{precision:<27}  {f1:<20}  {cpu:.1f}"
    )


def sessions(
    topics: Topics = "open",
    strategies: Strategies = SESSIONS,
    seeds: Annotated[int | None, typer.Option("--seeds", min=1, help="Seed sets; 5 by default.")] = None,
    budget: Annotated[int | None, typer.Option("--budget", min=1, help="Pages per crawl; 1,000 by default.")] = None,
    number: Annotated[int, typer.Option("--sessions", min=1, help="Maximum number of sessions to learn from.")] = 60,
    data: Data = None,
    quick: Quick = False,
    json: Json = False,
) -> None:
    """Crawl wikispeedia from outside a topic, after learning from people's paths to its examples."""
    folder = folder_of(data)
    web, pages = find(wikispeedia.NAME, folder), prepare(wikispeedia.NAME, folder)
    found: list[SessionRun] = []
    for topic in web.named(words_of(topics))[: 1 if quick else None]:
        for seed in range(size_of(seeds, quick, 1, 5)):
            pages_each = size_of(budget, quick, 150, 1000)
            draw = Draw(10, 30, 5)
            job = Job(web=web.name, topic=topic, strategy="", seed=seed, budget=pages_each, mode="hard", draw=draw)
            found += session_runs(job, web, pages, folder, words_of(strategies), number)
    if json:
        shown: SessionRuns = {"runs": found}
        print_json(shown)
        return
    console().print("strategy                     relevant   γ .5   .6   .7   .8   sigma  recall")
    for strategy, (relevant, *near, sigma, recall) in summary(found).items():
        numbers = " ".join(f"{value:>4.0f}" for value in near)
        console().print(f"{strategy:<28} {relevant:>8.1f}   {numbers}   {sigma:.3f}   {recall:.3f}")


def growth(
    strategies: Strategies = GROWING,
    pages: Annotated[int | None, typer.Option("--pages", min=100, help="Pages per crawl; 20,000 by default.")] = None,
    json: Json = False,
    quick: Quick = False,
) -> None:
    """Measure how the CPU time per page grows with a crawl, compared with breadth-first."""
    most = size_of(pages, quick, 1000, 20_000)
    web, examples = growing_web(most)
    rows: list[GrowthRow] = []
    for strategy in words_of(strategies):
        rows += measure_growth(strategy, most, max(50, most // 20), web, examples)
    if json:
        shown: GrowthBench = {"rows": rows}
        print_json(shown)
        return
    console().print("strategy             first tenth   last tenth   ms of CPU per page, reading included")
    for strategy in words_of(strategies):
        own = [row.cpu_ms_per_page for row in rows if row.strategy == strategy]
        if own:
            console().print(f"{strategy:<20} {_mean(own[:2]):>11.2f}  {_mean(own[-2:]):>11.2f}")


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values) if values else 0.0
