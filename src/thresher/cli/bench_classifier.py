"""`thresher bench classifier` and `thresher bench speed classify`: how well and how fast pages are judged."""

from pathlib import Path
from typing import Annotated, cast, get_args

import typer
from msgspec.structs import replace

from thresher.bench.classifier_methods import METHODS
from thresher.bench.classifier_quality import ClassifierRow, measure_method, measure_tree
from thresher.bench.kept_curve import CurvePoint, curve_csv, curve_svg
from thresher.bench.labelled_texts import Fold, ebola, newsgroups, tree_of, with_fewer
from thresher.bench.speed_classify import measure_classify
from thresher.classify.sibling_space import SpaceParameters, Weighting
from thresher.cli.bench_reading import folder_of
from thresher.cli.bench_shapes import ClassifierBench, ClassifyBench
from thresher.cli.options import Data, Json, Quick, size_of
from thresher.cli.output import console, print_json
from thresher.errors import InputError, UsageError
from thresher.learn.feature_selection import CANDIDATES, Measure

COLLECTIONS = {"newsgroups": newsgroups, "ebola": ebola}
MEASURES: tuple[Measure, ...] = ("ig", "chi2", "cmi")
MIDDLE = 2000
"""Number of features at which the measures are compared and the curves are drawn."""


def classifier(
    collection: Annotated[str, typer.Argument(metavar="COLLECTION", help=f"One of: {', '.join(COLLECTIONS)}.")],
    features: Annotated[
        str, typer.Option("--features", help="Features per topic, separated by commas; 500,2000,5000 by default.")
    ] = "",
    beside: Annotated[str, typer.Option("--beside", help="Other classifiers to measure, separated by commas.")] = (
        ",".join(METHODS)
    ),
    measures: Annotated[
        str | None,
        typer.Option("--measures", help="More measures, at 2,000 features: ig, chi2, cmi (slow); ig,chi2 by default."),
    ] = None,
    candidates: Annotated[
        int, typer.Option("--candidates", min=10, help="Stems to choose features from.")
    ] = CANDIDATES,
    weighting: Annotated[str, typer.Option("--weighting", help="Term weighting: tfidf, rtf or rsj.")] = "tfidf",
    vote: Annotated[bool, typer.Option("--vote", help="Let several classifiers vote, as `train.vote` does.")] = False,
    each: Annotated[int | None, typer.Option("--each", min=0, help="Training texts per topic; 0 for all.")] = None,
    out: Annotated[Path | None, typer.Option("--out", help="Folder for the curves as curve.csv and curve.svg.")] = None,
    data: Data = None,
    quick: Quick = False,
    json: Json = False,
) -> None:
    """Measure accuracy, macro-F and time of the topic classifier and others, and precision at each threshold."""
    if collection not in COLLECTIONS:
        raise InputError(f"There is no collection '{collection}'.", f"There are: {', '.join(COLLECTIONS)}.")
    others = _chosen(beside, tuple(METHODS), "classifier")
    chosen = _chosen(("ig" if quick else "ig,chi2") if measures is None else measures, MEASURES, "measure")
    if weighting not in get_args(Weighting):
        raise UsageError(f"There is no weighting '{weighting}'.", f"There are: {', '.join(get_args(Weighting))}.")
    kind = cast("Weighting", weighting)
    given = SpaceParameters(features=MIDDLE, candidates=candidates, weighting=kind, vote=vote)
    numbers = _numbers(features or (str(MIDDLE) if quick else "500,2000,5000"))
    folds = COLLECTIONS[collection](folder_of(data))
    most = size_of(each, quick, 50, 0)
    if most:
        folds = [with_fewer(fold, most) for fold in folds]
    rows = [measure_method(name, METHODS[name], folds) for name in others]
    curves: dict[str, list[CurvePoint]] = {}
    for name, paths in _trees(folds).items():
        for number in numbers:
            row, curve = measure_tree(name, folds, paths, replace(given, features=number))
            rows.append(row)
            if number == MIDDLE or name not in curves:
                curves[name] = curve
        for measure in MEASURES:
            if measure in chosen:
                rows.append(measure_tree(name, folds, paths, replace(given, measure=measure))[0])
    if out is not None:
        out.mkdir(parents=True, exist_ok=True)
        (out / "curve.csv").write_text(curve_csv(curves), "utf-8")
        (out / "curve.svg").write_text(curve_svg(curves, f"{collection}: precision over share kept"), "utf-8")
    if json:
        shown: ClassifierBench = {"collection": collection, "classifiers": rows, "curves": curves}
        print_json(shown)
        return
    _print(rows, curves)


def classify(
    quick: Quick = False,
    runs: Annotated[
        int | None,
        typer.Option("--runs", min=1, help="Repetitions of classifying; the median is reported. 3 by default."),
    ] = None,
    json: Json = False,
) -> None:
    """Measure the CPU time of training on 50 generated pages per topic and of classifying a page; model size."""
    sizes = [(4, False), (8, True)] if quick else [(10, False), (10, True), (100, False), (100, True)]
    rows = [measure_classify(topics, tree=tree, runs=size_of(runs, quick, 1, 3)) for topics, tree in sizes]
    if json:
        shown: ClassifyBench = {"classify": rows}
        print_json(shown)
        return
    out = console()
    out.print("topics  tree   pages  training s   stems/page   ms/page   relevance ms/bag   model MB   memory MB")
    for row in rows:
        out.print(
            f"{row.topics:>6}  {'yes' if row.tree else 'no':<4}{row.pages:>8,}{row.training_seconds:>12.1f}"
            f"{row.stems_per_page:>13.0f}{row.ms_per_page:>10.3f}{row.relevance_ms:>19.4f}{row.model_mb:>11.1f}"
            f"{row.memory_mb:>12.0f}"
        )


def _trees(folds: list[Fold]) -> dict[str, dict[str, str]]:
    """Return the trees to measure by name: flat, and built from dotted names if there are any."""
    topics = sorted({text.topic for fold in folds for text in fold.train if text.topic is not None})
    flat = {topic: topic for topic in topics}
    tree = tree_of(topics)
    return {"flat": flat} | ({"tree": tree} if tree != flat else {})


def _chosen(words: str, known: tuple[str, ...], kind: str) -> list[str]:
    names = [word.strip() for word in words.split(",") if word.strip()]
    for name in names:
        if name not in known:
            raise UsageError(f"There is no {kind} '{name}'.", f"There are: {', '.join(known)}.")
    return names


def _numbers(words: str) -> list[int]:
    names = [word.strip().replace("_", "") for word in words.split(",") if word.strip()]
    if not names or not all(name.isascii() and name.isdigit() and int(name) > 0 for name in names):
        raise UsageError("The numbers of features cannot be read.", "Write them like 500,2000,5000.")
    return [int(name) for name in names]


def _print(rows: list[ClassifierRow], curves: dict[str, list[CurvePoint]]) -> None:
    out = console()
    out.print("classifier    features  accuracy  macro-F  rejected   forced: accuracy  macro-F   training s   ms/page")
    for row in rows:
        space = f"{row.measure} {row.features:,}" if row.features else "all"
        forced = [row.forced_accuracy, row.forced_macro_f]
        told = "".join(f"{'' if value is None else f'{value:.3f}':>9}" for value in forced)
        out.print(
            f"{row.classifier:<12}{space:>10}{row.accuracy:>10.3f}{row.macro_f:>9.3f}{row.rejected:>10.3f}"
            f"{'':>10}{told}{row.training_seconds:>13.1f}{row.ms_per_page:>10.3f}"
        )
    for name, points in curves.items():
        out.print(f"{name}: share kept above each threshold of confidence, and its precision")
        for point in points:
            precision = "-" if point.precision is None else f"{point.precision:.3f}"
            out.print(f"  {point.threshold:>5.2f}{point.kept:>8.3f}{precision:>8}")
