"""`thresher bench committee`: how reliable the committee is that judges unlabelled webs."""

from statistics import fmean
from typing import Annotated

import typer

from thresher.bench.committee import FOLDS, agreement
from thresher.bench.quick import some_topics
from thresher.bench.running import prepare
from thresher.bench.webs.catalogue import expanded, find
from thresher.cli.bench_shapes import CommitteeBench
from thresher.cli.options import Data, Json, Quick, words_of
from thresher.cli.output import console, print_json


def committee(
    web: Annotated[str, typer.Argument(metavar="WEB", help="A web with labels.")],
    topics: Annotated[
        str, typer.Option("--topics", help="Topics or sets of topics, separated by commas; the web's own by default.")
    ] = "",
    folds: Annotated[int, typer.Option("--folds", min=2, help="Number of folds.")] = FOLDS,
    data: Data = None,
    quick: Quick = False,
    json: Json = False,
) -> None:
    """Evaluate the committee of three classifiers on held-out pages of a labelled web."""
    rows = []
    for name in expanded(web):
        pages, own = prepare(name, data), find(name, data)
        chosen = some_topics(own, words_of(topics)) if quick else own.named(words_of(topics))
        rows += [agreement(own, pages, topic, folds) for topic in chosen]
    if json:
        shown: CommitteeBench = {"committee": rows}
        print_json(shown)
        return
    out = console()
    out.print("accuracy  balanced  precision   recall    kappa  unanimous  topic")
    for row in rows:
        figures = (row.accuracy, row.balanced, row.precision, row.recall, row.kappa, row.unanimous)
        out.print(
            "".join((f"{value:>{width}.3f}" for value, width in zip(figures, (8, 10, 11, 9, 9, 11), strict=True)))
            + f"  {(row.topic if row.web == web else f'{row.web}: {row.topic}')}"
        )
    out.print(f"The committee agrees with {fmean(row.accuracy for row in rows):.1%} of the labels.")
