"""Mean curves over topics, with a band of one standard error, as data."""

import csv
from collections.abc import Callable, Mapping, Sequence
from io import StringIO

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from thresher.bench.comparison import Experiment
from thresher.bench.measures import Curve, harvest_curve, recall_curve
from thresher.bench.records import Record

POINTS = 1000
"""Maximum number of points of a curve; longer crawls are sampled evenly."""

COLUMNS = ("web", "mode", "budget", "measure", "strategy", "topics", "pages", "mean", "standard_error", "conditions")


class MeanCurve(Struct, frozen=True):
    """A strategy's mean at each of `pages`, over `topics`; `error` is None if there is only one crawl."""

    strategy: str
    topics: int
    pages: NDArray[np.int64]
    mean: Curve
    error: Curve | None


def target_recall_curve(record: Record, length: int) -> Curve:
    """Return the target recall of a run after each of `length` pages."""
    return recall_curve([visit.target for visit in record.log], record.run.targets, length)


def harvest_rate_curve(record: Record, length: int) -> Curve:
    """Return the harvest rate of a run after each of `length` pages."""
    return harvest_curve(record.log, length)


def mean_curves(experiment: Experiment, of: Callable[[Record, int], Curve]) -> list[MeanCurve]:
    """Return each strategy's mean curve, highest end first; seed sets are averaged within a topic, then topics."""
    length = experiment.length
    pages = np.unique(np.linspace(1, length, min(POINTS, length)).round().astype(np.int64))
    found = []
    for strategy in experiment.strategies:
        by_topic: dict[str, list[Curve]] = {}
        for record in experiment.records:
            if record.run.crawler == strategy:
                by_topic.setdefault(record.run.topic, []).append(of(record, length)[pages - 1])
        mean, error = _mean(by_topic)
        found.append(MeanCurve(strategy, len(by_topic), pages, mean, error))
    return sorted(found, key=lambda curve: (-curve.mean[-1], curve.strategy))


def as_csv(rows: Sequence[tuple[Experiment, str, MeanCurve]]) -> str:
    """Return curves as CSV, one line per point; `rows` name the experiment and the measure of each curve."""
    text = StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(COLUMNS)
    for experiment, measure, curve in rows:
        head = [harmless(experiment.web), experiment.mode, experiment.budget, measure, harmless(curve.strategy)]
        for place, page in enumerate(curve.pages.tolist()):
            error = "" if curve.error is None else f"{curve.error[place]:.6g}"
            writer.writerow(
                [*head, curve.topics, page, f"{curve.mean[place]:.6g}", error, harmless(experiment.conditions)]
            )
    return text.getvalue()


def harmless(text: str) -> str:
    """Return text that a spreadsheet does not evaluate as a formula.

    >>> harmless("=1+1"), harmless("page")
    ("'=1+1", 'page')
    """
    return f"'{text}" if text[:1] in set("=+-@\t\r\n") else text


def _mean(by_topic: Mapping[str, Sequence[Curve]]) -> tuple[Curve, Curve | None]:
    if len(by_topic) == 1:
        units = np.asarray(next(iter(by_topic.values())))
    else:
        units = np.asarray([np.mean(curves, axis=0) for _, curves in sorted(by_topic.items())])
    error = units.std(axis=0, ddof=1) / np.sqrt(len(units)) if len(units) > 1 else None
    return units.mean(axis=0), error
