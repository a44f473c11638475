"""`thresher bench phases`: crawls with retraining, without it, and without focus."""

from typing import Annotated

import typer

from thresher.bench.phase_crawls import PhasePlan, Variant
from thresher.bench.phases import PhaseTable, compare
from thresher.bench.quick import some_topics
from thresher.bench.running import prepare
from thresher.bench.webs.catalogue import find
from thresher.cli.bench_shapes import PhaseComparison
from thresher.cli.options import Data, Json, Manners, Quick, Set, size_of, words_of
from thresher.cli.output import console, print_json
from thresher.cli.screen import Screen, dim


def phases(
    web: Annotated[str, typer.Argument(metavar="WEB", help="The web.")],
    topics: Annotated[
        str, typer.Option("--topics", help="Topics or sets of topics, separated by commas; the web's own by default.")
    ] = "",
    repeats: Annotated[
        int | None, typer.Option("--repeats", min=1, help="Repetitions, each with different start pages; 5 by default.")
    ] = None,
    examples: Annotated[int, typer.Option("--examples", min=1, help="Training and start pages of each topic.")] = 2,
    negatives: Annotated[int, typer.Option("--negatives", min=1, help="Training pages without a topic.")] = 50,
    budget: Annotated[int | None, typer.Option("--budget", min=10, help="Pages per crawl; 1,000 by default.")] = None,
    learn: Annotated[
        int | None, typer.Option("--learn", min=1, help="Pages of the learning crawl; 200 by default.")
    ] = None,
    every: Annotated[
        int | None, typer.Option("--every", min=1, help="Pages between retrainings; 200 by default.")
    ] = None,
    strategy: Annotated[str, typer.Option("--strategy", help="Strategy of the harvest.")] = "classifier-breadth",
    manners: Manners = False,
    settings: Set = None,
    data: Data = None,
    quick: Quick = False,
    json: Json = False,
) -> None:
    """Compare crawls for several topics with retraining, without, and unfocused, from a few start pages."""
    out = console(stderr=json)
    pages = prepare(web, data)
    found = find(web, data)
    chosen = some_topics(found, words_of(topics)) if quick else found.named(words_of(topics))
    rounds = size_of(repeats, quick, 1, 5)
    length = size_of(budget, quick, 200, 1000)

    def begun(variant: Variant, repeat: int) -> None:
        out.print(dim(f"repetition {repeat + 1} of {rounds}: {variant}"))

    table = compare(
        found,
        pages,
        chosen,
        repeats=rounds,
        examples=examples,
        negatives=negatives,
        plan=PhasePlan(
            pages=length,
            learn=min(size_of(learn, quick, 60, 200), length - 1),
            every=size_of(every, quick, 60, 200),
            strategy=strategy,
        ),
        at=(length // 2, length),
        overrides=settings or (),
        manners=manners,
        on_run=begun,
    )
    if json:
        print_json(_data(web, table))
        return
    _show(out, table)
    if found.note:
        out.print(found.note)


def _data(web: str, table: PhaseTable) -> PhaseComparison:
    return {
        "web": web,
        "topics": list(table.topics),
        "rows": table.rows(),
        "tests": table.tests(),
        "rounds": table.rounds,
    }


def _show(out: Screen, table: PhaseTable) -> None:
    for row in table.rows():
        out.print(
            f"{row['variant']:<15} {row['pages']:6,} pages  recall {_mean(row['recall'], row['recall_error'])}"
            f"  harvest {_mean(row['harvest_rate'], row['harvest_error'])}"
        )
    for test in table.tests():
        if test["difference"] is None:
            out.print(f"retraining against {test['against']}, {test['pages']:,} pages: no test with a single run")
            continue
        p_value = "-" if test["p_value"] is None else f"{test['p_value']:.4f}"
        out.print(
            f"retraining against {test['against']}, {test['pages']:,} pages: {test['difference']:+.3f} "
            f"± {test['error']:.3f}, p = {p_value} over {test['n']} {test['units']}"
        )
    for repeat, rounds in enumerate(table.rounds, 1):
        told = [f"{r['archetypes']}{'' if r['kept'] else ' (rolled back)'}" for r in rounds]
        out.print(f"archetypes of the rounds of repetition {repeat}: {', '.join(told) or 'none'}")


def _mean(value: float, error: float | None) -> str:
    """Return a mean with its standard error, if there is one.

    >>> _mean(0.5, 0.01), _mean(0.5, None)
    ('0.500 ± 0.010', '0.500')
    """
    return f"{value:.3f}" if error is None else f"{value:.3f} ± {error:.3f}"
