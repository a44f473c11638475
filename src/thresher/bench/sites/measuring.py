"""`bench sites`: compares methods on webs with labelled sites, and measures the page classifiers."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from msgspec import Struct, json

from thresher.bench.profile import bench_settings
from thresher.bench.sites.labelled_sites import GeneratedSites, LabelledSites, WebKbSites
from thresher.bench.sites.sampling import examples
from thresher.bench.sites.trial import BREADTH, HOME_PAGES, PAGE_CRAWLER, Examples, SiteTrial, run_trial
from thresher.bench.statistics import PairedTest, paired_test
from thresher.parameters import written
from thresher.strategies.websites.strategy import page_classifier

GENERATED: Final = "generated-sites"
WEBKB: Final = "webkb-sites"
WEBS: Final = (GENERATED, WEBKB)

DEFAULT: Final = "websites"
SOURCE: Final = "websites(order=variance;collect=false;smoothing=0)"
"""The order of sites and of their pages as Ester, Kriegel and Schubert describe them."""

_USUAL: Final = {"edges": "combined", "order": "learned", "threshold": "0.9"}


def _variant(edges: str, order: str, threshold: str) -> str:
    """Return the method with some parameters, written without those that are the default."""
    given = {"edges": edges, "order": order, "threshold": threshold}
    return written(DEFAULT, {name: value for name, value in given.items() if value != _USUAL[name]})


METHODS: Final = (
    *(
        _variant(edges, order, threshold)
        for order in ("learned", "variance", "breadth")
        for edges in ("combined", "local", "global")
        for threshold in ("0.9", "0.8", "0.7")
    ),
    *("websites(collect=false)", "websites(smoothing=0)", SOURCE),
    *(f"websites(model={model})" for model in ("svm", "calibrated", "centroids")),
    *(HOME_PAGES, PAGE_CRAWLER, BREADTH),
)
"""The orders within a site, each with three edge weights and thresholds; the page classifiers, and the baselines."""

CHOSEN_ON: Final = 6
"""The first topics of the generated web, on which parameters were tuned; figures are for the others."""

FEW: Final = (DEFAULT, SOURCE, HOME_PAGES, PAGE_CRAWLER)
MODELS: Final = ("centroids", "calibrated", "svm", "naive-bayes")


class PageQuality(Struct, frozen=True):
    """The accuracy of a classifier on pages of unseen sites, averaged over the classes."""

    web: str
    topic: str
    seed: int
    model: str
    accuracy: float


def open_web(name: str, data: Path | None, sites: int = 2400) -> LabelledSites:
    """Return a web by name; `webkb-sites` needs the data folder."""
    settings = bench_settings()
    if name == WEBKB and data is not None:
        return WebKbSites(data)
    return GeneratedSites(settings, sites=sites)


def report_topics(web: LabelledSites, number: int) -> list[str]:
    """Return `number` topics of a web that were not used for tuning, if there are any."""
    return (web.topics[CHOSEN_ON:] or web.topics)[:number]


def run_trials(
    web: LabelledSites,
    methods: Sequence[str],
    topics: Sequence[str],
    seeds: int,
    budget: int,
    kept: Path | None = None,
) -> Iterator[SiteTrial]:
    """Make the runs of some methods for topics and seed sets, one after the other.

    Each is appended to the file `kept` as JSON Lines; runs already in the file are not repeated.
    """
    known = {_cell(trial): trial for trial in _read(kept)}
    for topic in topics:
        for seed in range(seeds):
            taught: Examples | None = None
            for method in methods:
                trial = known.get((web.name, topic, method, seed, budget))
                if trial is None:
                    taught = taught if taught is not None else examples(web, topic, web.start(topic, seed))
                    trial = run_trial(web, topic, method, seed, budget, taught)
                    _keep(kept, trial)
                yield trial


def _cell(trial: SiteTrial) -> tuple[str, str, str, int, int]:
    run = trial.run
    return run.web, run.topic, run.method, run.seed, trial.budget


def _read(kept: Path | None) -> list[SiteTrial]:
    """Return the runs in a file, ignoring an incomplete last line."""
    lines = kept.read_bytes().splitlines(keepends=True) if kept is not None and kept.exists() else []
    return [json.decode(line, type=SiteTrial) for line in lines if line.endswith(b"\n")]


def _keep(kept: Path | None, trial: SiteTrial) -> None:
    if kept is not None:
        with kept.open("ab") as file:
            file.write(json.encode(trial) + b"\n")


def page_quality(web: LabelledSites, topics: Sequence[str], seeds: int) -> Iterator[PageQuality]:
    """Measure the page classifiers by ten-fold cross-validation over the training sites."""
    for topic in topics:
        for seed in range(seeds):
            taught = examples(web, topic, web.start(topic, seed))
            names = [web.site(page.url) or page.url for page, _ in taught]
            for model in MODELS:
                error = page_classifier(model).fit(taught, names).error_
                yield PageQuality(web.name, topic, seed, model, round(1 - error, 4))


def against(trials: Sequence[SiteTrial], figure: str, baseline: str = DEFAULT) -> dict[str, PairedTest | None]:
    """Return a paired test of every method's figure against that of the baseline."""
    found: dict[str, dict[tuple[str, int], float]] = {}
    for trial in trials:
        run = trial.run
        found.setdefault(run.method, {})[run.topic, run.seed] = float(getattr(run, figure))
    return {method: paired_test(figures, found[baseline]) for method, figures in found.items() if method != baseline}
