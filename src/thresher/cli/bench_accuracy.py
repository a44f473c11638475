"""`thresher bench accuracy`: how often page classifiers are right on pages they have not seen."""

from pathlib import Path
from typing import Annotated, get_args

import typer

from thresher.bench.accuracy import DRAWS, EXAMPLES, five_fold, write_accuracies
from thresher.bench.quick import some_topics
from thresher.bench.running import prepare
from thresher.bench.statistics import estimate
from thresher.bench.webs.catalogue import expanded, find
from thresher.classify.flat import Model
from thresher.cli.bench_shapes import Accuracies
from thresher.cli.options import Data, Json, Quick, one_of, size_of, words_of
from thresher.cli.output import console, print_json


def accuracy(
    web: Annotated[str, typer.Argument(metavar="WEB", help="The web; webkb stands for each of its universities.")],
    topics: Annotated[
        str, typer.Option("--topics", help="Topics or sets of topics, separated by commas; the web's own by default.")
    ] = "",
    classifiers: Annotated[
        str, typer.Option("--classifiers", help=f"Kinds, separated by commas: {', '.join(get_args(Model))}.")
    ] = "svm,network,naive-bayes,logistic",
    examples: Annotated[
        int, typer.Option("--examples", min=5, help="Pages of a topic; twice as many others.")
    ] = EXAMPLES,
    draws: Annotated[
        int | None, typer.Option("--draws", min=1, help=f"Draws of each topic; {DRAWS} by default.")
    ] = None,
    out: Annotated[
        Path | None, typer.Option("--out", help="Directory to save the result in, for `bench findings`.")
    ] = None,
    data: Data = None,
    quick: Quick = False,
    json: Json = False,
) -> None:
    """Measure the five-fold accuracy of page classifiers, averaged over topics."""
    kinds: list[Model] = [one_of(Model, "--classifiers", word) for word in words_of(classifiers)]
    found = []
    for name in expanded(web):
        pages, own = prepare(name, data), find(name, data)
        for topic in some_topics(own, words_of(topics)) if quick else own.named(words_of(topics)):
            number = size_of(draws, quick, 2, DRAWS)
            found += [five_fold(own, pages, topic, kind, examples, number) for kind in kinds]
    if out is not None:
        write_accuracies(out, found)
    if json:
        shown: Accuracies = {"accuracy": found}
        print_json(shown)
        return
    console().print("classifier     topics  accuracy")
    for kind in kinds:
        mean = estimate(one.accuracy for one in found if one.classifier == kind)
        if mean is not None:
            error = f" ± {mean.error:.3f}" if mean.error is not None else ""
            console().print(f"{kind:<15}{mean.n:>6}  {mean.mean:.3f}{error}")
