"""The report: one self-contained HTML page, and the curves as CSV."""

import base64
import hashlib
import re
from collections.abc import Sequence
from itertools import groupby
from pathlib import Path
from typing import Any

import msgspec
from jinja2 import Environment, PackageLoader
from markupsafe import Markup

from thresher import __version__
from thresher.bench.accuracy import Accuracy
from thresher.bench.comparison import (
    Experiment,
    Measure,
    choose_baseline,
    compare,
    compared_measures,
    experiments,
    further_measures,
    is_oracle,
    main_measures,
    table,
)
from thresher.bench.curves import as_csv, harvest_rate_curve, mean_curves, target_recall_curve
from thresher.bench.doubts import doubts
from thresher.bench.families import is_family, together
from thresher.bench.findings import findings
from thresher.bench.records import Record
from thresher.bench.report_chapter import chapter, parts
from thresher.errors import InputError

CURVES = "curves.csv"


def write_report(
    records: list[Record], out: Path, baseline: str | None = None, accuracies: Sequence[Accuracy] = ()
) -> list[dict[str, Any]]:
    """Write the page and the curves next to it; return the figures of every experiment as data.

    An experiment without a run of the `baseline` uses the default baseline; raises InputError if no experiment has one.
    """
    found = experiments([*records, *together(records)])
    _check(found, baseline)
    names = [
        baseline if baseline in experiment.strategies else choose_baseline(experiment.strategies)
        for experiment in found
    ]
    out.parent.mkdir(parents=True, exist_ok=True)
    out.write_text(page(found, names, accuracies), "utf-8")
    out.with_name(CURVES).write_text(curves(found), "utf-8")
    return [figures_of(experiment, name, accuracies) for experiment, name in zip(found, names, strict=True)]


def page(found: list[Experiment], baselines: list[str], accuracies: Sequence[Accuracy] = ()) -> str:
    """Return the HTML page of some experiments, each with its baseline; every name is escaped."""
    environment = Environment(loader=PackageLoader("thresher.bench"), autoescape=True, trim_blocks=False)
    environment.filters.update(
        number=number,
        signed=signed,
        p=p_value,
        thousands=lambda value: f"{value:,}",
        by_title=_by_title,
    )
    style = environment.get_template("report.css").render()
    places = {name: place for place, name in enumerate(sorted({s for one in found for s in one.strategies}))}
    return environment.get_template("report.html").render(
        title="Thresher bench",
        style=Markup(style),  # noqa: S704 - our own file
        # The content security policy allows only this style sheet, by its digest.
        style_digest=base64.b64encode(hashlib.sha256(style.encode()).digest()).decode(),
        runs=sum(len(experiment.records) for experiment in found if not is_family(experiment.web)),
        chapters=[
            chapter(experiment, baseline, place, places, accuracies)
            for place, (experiment, baseline) in enumerate(zip(found, baselines, strict=True))
        ],
        version=__version__,
        curves_name=CURVES,
    )


def curves(found: list[Experiment]) -> str:
    """Return the mean curves of all experiments as CSV."""
    rows = []
    for experiment in found:
        for measure, of in (("target_recall", target_recall_curve), ("harvest_rate", harvest_rate_curve)):
            rows += [(experiment, measure, curve) for curve in mean_curves(experiment, of)]
    return as_csv(rows)


def number(value: float, digits: int = 3) -> str:
    """Return a number for a table, without the zero before the point.

    >>> number(0.12345), number(-2.0, 1), number(-0.5)
    ('.123', '−2.0', '−.500')
    """
    return re.sub(r"^([-+]?)0\.", r"\1.", f"{value:.{digits}f}").replace("-", "−")


def signed(value: float) -> str:
    """Return a signed difference for a table.

    >>> signed(0.02), signed(-0.02)
    ('+.020', '−.020')
    """
    return number(value) if value < 0 else f"+{number(value)}"


def p_value(value: float | None) -> str:
    """Return a p value in the usual format.

    >>> p_value(0.0123), p_value(0.00001), p_value(None)
    ('.012', '<.001', '–')
    """
    if value is None:
        return "–"
    if value > 0.999:
        return ">.999"
    return "<.001" if value < 0.001 else f"{value:.3f}".removeprefix("0")


def _check(found: list[Experiment], baseline: str | None) -> None:
    strategies = sorted({strategy for experiment in found for strategy in experiment.strategies})
    if baseline is not None and (baseline not in strategies or is_oracle(baseline)):
        why = "knows the labels: nobody is tested against it" if is_oracle(baseline) else "is the strategy of no run"
        others = [strategy for strategy in strategies if not is_oracle(strategy)]
        raise InputError(f"The baseline '{baseline}' {why}.", f"Choose one of: {', '.join(others)}.")


def _by_title(measures: list[Measure]) -> list[dict[str, Any]]:
    return [{"grouper": title, "list": list(group)} for title, group in groupby(measures, key=lambda one: one.title)]


def figures_of(experiment: Experiment, baseline: str, accuracies: Sequence[Accuracy] = ()) -> dict[str, Any]:
    """Return the content of an experiment's page as data: flat lists of figures, tests and findings."""
    measures = [*main_measures(experiment.length), *further_measures(experiment.length)]
    return {
        "web": experiment.web,
        "mode": experiment.mode,
        "budget": experiment.budget,
        "conditions": experiment.conditions,
        "baseline": baseline,
        "doubts": doubts(experiment),
        "figures": [
            {"topics": title, "strategy": row.strategy, "measure": measure.key, "pages": measure.pages}
            | {"mean": found.mean if found else None, "error": found.error if found else None}
            for title, part in parts(experiment)
            for row in table(part, measures)
            for measure, found in zip(measures, row.figures, strict=True)
        ],
        "tests": [
            {"topics": title, **msgspec.to_builtins(one)}
            for title, part in parts(experiment)
            for one in compare(part, baseline, compared_measures(experiment.length))
        ],
        "findings": msgspec.to_builtins(findings(experiment, accuracies)),
    }
