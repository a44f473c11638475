"""A chapter of the report: one experiment, ready for the template."""

from collections.abc import Sequence
from typing import Any

from markupsafe import Markup

from thresher.bench.accuracy import Accuracy
from thresher.bench.comparison import (
    Comparison,
    Difficulty,
    Experiment,
    Measure,
    by_difficulty,
    compare,
    compared_measures,
    further_measures,
    harvest,
    is_oracle,
    main_measures,
    recall,
    share,
    table,
)
from thresher.bench.curves import harvest_rate_curve, mean_curves, target_recall_curve
from thresher.bench.doubts import doubts
from thresher.bench.findings import ClaimResult, findings
from thresher.bench.repeating import provenance, repeat_command, settings
from thresher.bench.statistics import ALPHAS
from thresher.bench.svg_curves import svg_curves

SETS = {"report": "Report topics", "tune": "Topics used for tuning", "": "Other topics"}
GROUPS = {
    2: ["harder half", "easier half"],
    3: ["hardest third", "middle", "easiest third"],
    4: ["hardest quarter", "second", "third", "easiest quarter"],
}


def chapter(
    experiment: Experiment, baseline: str, place: int, places: dict[str, int], accuracies: Sequence[Accuracy] = ()
) -> dict[str, Any]:
    """Return the chapter of an experiment, number `place` on the page; `places` are the strategies' colours."""
    topics = sorted({record.run.topic for record in experiment.records})
    further, length = further_measures(experiment.length), experiment.length
    topic_measures = [share(), recall(length), harvest(length)]
    pages = f"{experiment.budget:,} pages" if experiment.budget else "to the end"
    difficulty = by_difficulty(experiment, baseline)
    return {
        "anchor": f"experiment-{place}",
        "title": ", ".join(filter(None, (experiment.web, f"{experiment.mode} mode", pages, experiment.conditions))),
        "length": length,
        "baseline": baseline,
        "topics": len(topics),
        "seeds": len({record.run.seed for record in experiment.records}),
        "strategies": len(experiment.strategies),
        "doubts": doubts(experiment),
        "parts": [_part(title, part, baseline, places) for title, part in parts(experiment)],
        "difficulty": _named(difficulty),
        "difficulty_rows": _across(difficulty, [row.strategy for row in table(experiment, topic_measures)]),
        "findings": _findings(findings(experiment, accuracies)),
        "further": further,
        "further_rows": table(experiment, further),
        "topic_measures": topic_measures,
        "by_topic": [_topic(experiment, topic, topic_measures) for topic in topics],
        "command": repeat_command(experiment),
        "provenance": provenance(experiment),
        "settings": settings(experiment),
    }


def parts(experiment: Experiment) -> list[tuple[str, Experiment]]:
    """Return the sets of topics that are reported separately, with their titles."""
    sets: dict[str, set[str]] = {}
    for record in experiment.records:
        sets.setdefault(record.topic_set, set()).add(record.run.topic)
    if len(sets) == 1 and "" in sets:
        return [("All topics", experiment)]
    order = sorted(sets, key=lambda name: (list(SETS).index(name) if name in SETS else len(SETS), name))
    return [(SETS.get(name, name), experiment.only(sets[name])) for name in order]


def _findings(found: list[ClaimResult]) -> list[ClaimResult]:
    """Return the findings to show: none if no run concerns any of them."""
    return found if any(contrast.moments for one in found for contrast in one.tested) else []


def _part(title: str, part: Experiment, baseline: str, places: dict[str, int]) -> dict[str, Any]:
    measures = main_measures(part.length)
    tested = compared_measures(part.length)
    comparisons = compare(part, baseline, tested)
    strategies = [
        row.strategy for row in table(part, [share()]) if row.strategy != baseline and not is_oracle(row.strategy)
    ]
    units = next((one.test.units for one in comparisons if one.test), None)
    return {
        "title": title,
        "topics": sorted({record.run.topic for record in part.records}),
        "measures": measures,
        "rows": table(part, measures),
        "pictures": [
            {"svg": Markup(svg), "caption": caption}  # noqa: S704 - escapes every name itself
            for svg, caption in _pictures(part, places)
        ],
        "tested": tested,
        "comparisons": comparisons,
        "compared": [_compared(strategy, comparisons) for strategy in strategies] if units else [],
        "units": f"Pairs are {units}." if units else "",
        "holm": _holm(len(strategies), comparisons),
    }


def _pictures(part: Experiment, places: dict[str, int]) -> list[tuple[str, str]]:
    kinds = (("Target recall", target_recall_curve), ("Harvest rate", harvest_rate_curve))
    return [
        (
            svg_curves(mean_curves(part, of), title=f"{name} of each strategy", y_title=name.lower(), places=places),
            f"{name}; the band is one standard error to both sides.",
        )
        for name, of in kinds
    ]


def _compared(strategy: str, comparisons: list[Comparison]) -> dict[str, Any]:
    cells = []
    for one in (one for one in comparisons if one.strategy == strategy):
        sign, kind = significance(one.test.greater if one.test else None)
        cells.append({"test": one.test, "sign": sign, "kind": kind})
    return {"strategy": strategy, "cells": cells}


def significance(greater: float | None) -> tuple[str, str]:
    """Return the marker and kind of a one-tailed p value: better, worse, or neither.

    >>> significance(0.01), significance(0.93), significance(0.5)
    (('▲▲', 'better'), ('▼', 'worse'), ('', ''))
    """
    strict, lenient = ALPHAS
    if greater is None or lenient <= greater <= 1 - lenient:
        return "", ""
    p, sign, kind = (greater, "▲", "better") if greater < lenient else (1 - greater, "▼", "worse")
    return sign * (2 if p < strict else 1), kind


def _holm(strategies: int, comparisons: list[Comparison]) -> str:
    if strategies < 2:
        return ""
    kept = [one for one in comparisons if one.measure == "oracle_share" and _below(one.adjusted, ALPHAS[0])]
    stay = "stays" if len(kept) == 1 else "stay"
    named = ", ".join(one.strategy for one in kept)
    better = f"in oracle share, {named} {stay} better" if kept else "none stays better"
    return f"With {strategies} comparisons a chance result is likely; after Holm's adjustment at α .05, {better}."


def _below(p: float | None, alpha: float) -> bool:
    return p is not None and p < alpha


def _named(difficulty: list[Difficulty]) -> list[dict[str, Any]]:
    names = GROUPS.get(len(difficulty), ["all"])
    return [{"name": name, "topics": group.topics} for name, group in zip(names, difficulty, strict=False)]


def _across(difficulty: list[Difficulty], strategies: list[str]) -> list[dict[str, Any]]:
    found = [{row.strategy: row.figures[0] for row in group.rows} for group in difficulty]
    return [{"strategy": name, "figures": [group.get(name) for group in found]} for name in strategies]


def _topic(experiment: Experiment, topic: str, measures: list[Measure]) -> dict[str, Any]:
    part = experiment.only({topic})
    numbers = sorted({record.run.targets for record in part.records})
    shown = str(numbers[0]) if len(numbers) == 1 else f"{numbers[0]}–{numbers[-1]}"
    rows = table(part, measures)
    best = next((row.strategy for row in rows if not is_oracle(row.strategy)), rows[0].strategy)
    return {"name": topic, "targets": shown, "rows": rows, "best": best}
