"""Checks each finding of the study against the records: tests at several points of the crawl, and a verdict.

The unit is the topic: its seed sets are averaged first, as they are not independent topics. There are verdicts at every
point; that of the finding is the one at the end of the crawl, so no point can be chosen afterwards.
"""

from collections.abc import Sequence

import numpy as np
from msgspec import Struct

from thresher.bench.accuracy import DRAWS, EXAMPLES, Accuracy
from thresher.bench.claims import ACCURACY, ACCURACY_CLAIM, ACCURACY_KEY, CLAIMS, Claim, Contrast, Kind, Side
from thresher.bench.comparison import Experiment, figures, harvest, marks, recall
from thresher.bench.families import stands_for
from thresher.bench.records import Run
from thresher.bench.repeating import accuracy_command, run_command
from thresher.bench.statistics import ALPHAS, Figures, by_topic, quartiles
from thresher.bench.verdicts import Evidence, Verdict, verdict, weigh, weigh_groups

MEASURES = {"harvest_rate": harvest, "target_recall": recall}


class Moment(Struct, frozen=True):
    """A contrast after `pages` pages (None if it is not about a crawl): the mean of each side, and the evidence."""

    pages: int | None
    first: float
    second: float
    evidence: Evidence


class Contrasted(Struct, frozen=True):
    """A contrast of a finding at each point; none if runs are missing or there are fewer than two topics."""

    kind: Kind
    first: str
    second: str
    measure: str
    moments: list[Moment]


class Judged(Struct, frozen=True):
    """The verdicts on a claim after `pages` pages, at α .05 and .10."""

    pages: int | None
    at_05: Verdict
    at_10: Verdict


class ClaimResult(Struct, frozen=True, kw_only=True):
    """A claim with its verdicts at the end and at every point, and what was tested.

    `missing` lists commands that make the missing runs, `notes` caveats.
    """

    key: str
    claim: str
    verdict_05: Verdict
    verdict_10: Verdict
    moments: list[Judged]
    tested: list[Contrasted]
    missing: list[str]
    notes: list[str]


def findings(experiment: Experiment, accuracies: Sequence[Accuracy] = ()) -> list[ClaimResult]:
    """Return all findings for an experiment; `accuracies` may be from any web."""
    own = [one for one in accuracies if one.web == experiment.web]
    return [*(_finding(experiment, claim) for claim in CLAIMS), _accuracy(experiment, own)]


def _finding(experiment: Experiment, claim: Claim) -> ClaimResult:
    tested, notes = [], []
    for contrast in claim.contrasts:
        moments = [one for pages in marks(experiment.length) if (one := _moment(experiment, contrast, pages))]
        tested.append(Contrasted(contrast.kind, *_names(contrast), contrast.measure, moments))
    if any(contrast.hardest and len(_seeds(experiment, contrast)) == 1 for contrast in claim.contrasts):
        notes.append(
            "With one seed set the hardest topics are chosen by the very runs they are compared on, which favours the "
            "claim: topics on which the full page did badly by chance are among them."
        )
    return _judged(claim.key, claim.sentence, tested, _missing(experiment, claim), notes)


def _judged(key: str, claim: str, tested: list[Contrasted], missing: list[str], notes: list[str]) -> ClaimResult:
    if not missing and any(not one.moments for one in tested):
        notes = [*notes, "There are too few topics for a test."]
    moments = [_verdicts(tested, place) for place in range(max(len(one.moments) for one in tested))]
    last = moments[-1] if moments else Judged(None, "not decided", "not decided")
    return ClaimResult(
        key=key,
        claim=claim,
        verdict_05=last.at_05,
        verdict_10=last.at_10,
        moments=moments,
        tested=tested,
        missing=missing,
        notes=notes,
    )


def _verdicts(tested: list[Contrasted], place: int) -> Judged:
    """Return the verdicts at one point; an untested part prevents support, but not refutation by another part."""
    there = [one.moments[place] for one in tested if one.moments]
    parts = [*(one.evidence for one in there), *([None] * (len(tested) - len(there)))]
    strict, lenient = (verdict(parts, alpha) for alpha in ALPHAS)
    return Judged(there[0].pages, strict, lenient)


def _moment(experiment: Experiment, contrast: Contrast, pages: int) -> Moment | None:
    measure = MEASURES[contrast.measure](pages)
    first, second = (figures(experiment.records, side.name, measure) for side in (contrast.first, contrast.second))
    pairs = sorted(first.keys() & second.keys())
    if contrast.hardest:
        return _hardest(experiment, contrast, {key: first[key] - second[key] for key in pairs}, pages)
    means = [by_topic({key: side[key] for key in pairs}) for side in (first, second)]
    if len(means[0]) < 2:
        return None
    values = [[float(np.mean(found)) for found in side.values()] for side in means]
    differences = [one - other for one, other in zip(*values, strict=True)]
    return Moment(pages, float(np.mean(values[0])), float(np.mean(values[1])), weigh(contrast.kind, differences))


def _hardest(experiment: Experiment, contrast: Contrast, differences: Figures, pages: int) -> Moment | None:
    """Compare the gain on the hardest quarter of topics with that on the others.

    Every other seed set determines which topics are hard; the gain is measured on the remaining ones. If the same runs
    were used for both, topics on which the second side was unlucky would count as hard, and the first side would seem
    to gain there.
    """
    baseline = figures(experiment.records, contrast.second.name, recall(experiment.length))
    seeds = _seeds(experiment, contrast)
    telling, measured = (seeds[::2], seeds[1::2]) if len(seeds) > 1 else (seeds, seeds)
    gains = {
        topic: float(np.mean(found))
        for topic, found in by_topic({key: gain for key, gain in differences.items() if key[1] in measured}).items()
    }
    groups = quartiles({key: value for key, value in baseline.items() if key[1] in telling and key[0] in gains})
    inside = [gains[topic] for topic in groups[0]] if groups else []
    outside = [gains[topic] for group in groups[1:] for topic in group]
    if len(groups) < 4 or len(inside) < 2:
        return None
    evidence = weigh_groups(contrast.kind, inside, outside)
    return Moment(pages, float(np.mean(inside)), float(np.mean(outside)), evidence)


def _names(contrast: Contrast) -> tuple[str, str]:
    if not contrast.hardest:
        return contrast.first.name, contrast.second.name
    gain = f"{contrast.first.name} − {contrast.second.name}"
    return f"{gain}, hardest quarter", f"{gain}, other topics"


def _missing(experiment: Experiment, claim: Claim) -> list[str]:
    sides = dict.fromkeys(side for contrast in claim.contrasts for side in (contrast.first, contrast.second))
    topics = {name: {run.topic for run in _runs(experiment) if run.crawler == name} for name in experiment.strategies}
    least = min(2, len({run.topic for run in _runs(experiment)}))
    left: dict[tuple[str, str], list[Side]] = {}
    for side in sides:
        if len(topics.get(side.name, ())) < least:
            left.setdefault((side.classifier, side.training), []).append(side)
    return [
        run_command(experiment, [side.strategy for side in group], group[0].classifier, group[0].training)
        for group in left.values()
    ]


def _accuracy(experiment: Experiment, accuracies: Sequence[Accuracy]) -> ClaimResult:
    own = [one for one in accuracies if one.classifier == "svm" and stands_for(experiment.web, one.web)]
    usual = [one for one in own if (one.examples, one.draws) == (EXAMPLES, DRAWS)]
    notes = [] if len(usual) == len(own) else [f"Accuracies by other than {DRAWS} draws of {EXAMPLES} are left out."]
    # If two directories have the same accuracy, the first counts.
    found = {(one.web, one.topic): one.accuracy for one in reversed(usual)}
    moments = []
    if len(found) > 1:
        # "No lower than the study's" means that the study's is not greater than this one.
        evidence = weigh("no-greater", [ACCURACY - value for value in found.values()])
        moments = [Moment(None, ACCURACY, float(np.mean(list(found.values()))), evidence)]
    tested = [Contrasted("no-greater", "the study's svm", "svm", "five-fold accuracy", moments)]
    return _judged(ACCURACY_KEY, ACCURACY_CLAIM, tested, [] if moments else [accuracy_command(experiment)], notes)


def _seeds(experiment: Experiment, contrast: Contrast) -> list[int]:
    """Return the seed sets that both sides have run."""
    runs = _runs(experiment)
    first, second = (
        {run.seed for run in runs if run.crawler == side.name} for side in (contrast.first, contrast.second)
    )
    return sorted(first & second)


def _runs(experiment: Experiment) -> list[Run]:
    return [record.run for record in experiment.records]
