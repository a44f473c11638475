"""One trial of the promise: the whole run from a file of bookmarks, its baselines, and all figures."""

import tempfile
from collections import Counter
from collections.abc import Callable
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from thresher.bench.promise.figures import (
    Reached,
    TopicFigures,
    by_topic,
    macro,
    reached,
    share_of_oracle,
    wrong_share,
)
from thresher.bench.promise.judged_sample import JudgedSample, judge
from thresher.bench.promise.survey import Survey
from thresher.bench.promise.truth import Truth, truth
from thresher.bench.promise.web import PoliteWeb
from thresher.bench.promise.whole_run import Harvested, Spending, plain_run, whole_run
from thresher.web.urls import host_of

HARMED = 0.005
"""Macro-F that a round must lose, or gain, to count as one that harmed, or helped."""


class Promise(Struct, frozen=True, kw_only=True):
    """The figures of one trial, as `thresher bench promise --json` lists them; shares are between 0 and 1.

    `hosts` is how many hosts there are, `examples` how many bookmarks. `on_topic` and what follows it are of the whole
    budget; `breadth_first` and `stay_home` are the shares on topic of the baselines, whose pages the run's last model
    judged for the other figures of theirs. None where a share is of nothing.
    """

    web: str
    cell: str
    seed: int
    budget: int
    pages: int
    hosts: int
    examples: int
    on_topic: float
    on_topic_new_hosts: float
    hosts_found: float | None
    right_pages: float
    oracle_share: float | None
    precision: float | None
    recall_of_fetched: float | None
    precision_new_hosts: float | None
    recall_new_hosts: float | None
    f_new_hosts: float | None
    f_home_hosts: float | None
    judged_f_new_hosts: float | None
    judged_precision_new_hosts: float | None
    breadth_first: float | None = None
    breadth_first_right_pages: float | None = None
    breadth_first_hosts_found: float | None = None
    stay_home: float | None = None
    stay_home_right_pages: float | None = None
    stay_home_hosts_found: float | None = None
    topics: list[TopicFigures] = []
    topics_new_hosts: list[TopicFigures] = []
    negatives_wrong: float | None = None
    archetypes_wrong: float | None = None
    rounds_kept: int = 0
    rounds_rolled_back: int = 0
    rounds_kept_harmful: int = 0
    rounds_rolled_back_helpful: int = 0
    fetched_again: int = 0
    stages: dict[str, int] = {}
    virtual_seconds: float = 0.0
    breadth_first_seconds: float | None = None


class Trial(Struct, frozen=True, kw_only=True):
    """A trial to be made: bookmarks on a web, and what the whole command may spend; `settings` are `key=value`.

    Without `baselines` the run is not compared.
    """

    cell: str
    bookmarks: bytes
    spending: Spending
    seed: int = 0
    settings: tuple[str, ...] = ()
    baselines: bool = True


def hold(trial: Trial, web: PoliteWeb, survey: Survey, on_stage: Callable[[str], None] = lambda _: None) -> Promise:
    """Hold a trial and return its figures; `on_stage` is told how it gets on."""
    budget = trial.spending.pages or len(survey.urls)
    known = truth(web, survey, trial.bookmarks, budget)
    with tempfile.TemporaryDirectory(prefix="thresher-promise-") as folder:
        portal = Path(folder) / "portal"
        done = whole_run(web, trial.bookmarks, portal, trial.spending, trial.settings, on_stage)
        on_stage("Judging a sample of the web's pages.")
        sample = JudgedSample(web, known, trial.settings)
        found = _figures(trial, web, known, done, sample, budget)
        if not trial.baselines:
            return found
        on_stage("Baselines: breadth-first, and staying on the hosts of the bookmarks.")
        breadth, seconds = _baseline(trial, web, known, done, Path(folder) / "breadth", budget)
        home, _ = _baseline(trial, web, known, done, Path(folder) / "home", budget, "crawl.scope=hosts")
    return replace(
        found,
        breadth_first=breadth.on_topic,
        breadth_first_right_pages=breadth.right_pages,
        breadth_first_hosts_found=breadth.hosts_found,
        breadth_first_seconds=seconds,
        stay_home=home.on_topic,
        stay_home_right_pages=home.right_pages,
        stay_home_hosts_found=home.hosts_found,
    )


def _figures(trial: Trial, web: PoliteWeb, known: Truth, done: Harvested, sample: JudgedSample, budget: int) -> Promise:
    fetched = [fetch.url for fetch in done.fetches[:budget]]
    came = reached(fetched, done.accepted, known, budget)
    topics = by_topic(fetched, done.accepted, known)
    away = by_topic(fetched, done.accepted, known, new_hosts=True)
    home = by_topic([url for url in fetched if host_of(url) in known.home_hosts()], done.accepted, known)
    judged = sample.judged(done.used.path, new_hosts=True)
    (precision, recall, _), (far_precision, far_recall, far_f) = macro(topics), macro(away)
    judged_precision, _, judged_f = macro(judged)
    rounds = _rounds(done, sample)
    return Promise(
        web=web.name,
        cell=trial.cell,
        seed=trial.seed,
        budget=budget,
        pages=len(fetched),
        hosts=len(web.hosts),
        examples=len(known.examples),
        on_topic=came.on_topic,
        on_topic_new_hosts=came.on_topic_new_hosts,
        hosts_found=came.hosts_found,
        right_pages=came.right_pages,
        oracle_share=share_of_oracle(fetched, known, budget),
        precision=precision,
        recall_of_fetched=recall,
        precision_new_hosts=far_precision,
        recall_new_hosts=far_recall,
        f_new_hosts=far_f,
        f_home_hosts=macro(home)[2],
        judged_f_new_hosts=judged_f,
        judged_precision_new_hosts=judged_precision,
        topics=topics,
        topics_new_hosts=away,
        negatives_wrong=_negatives_wrong(done, known),
        archetypes_wrong=_archetypes_wrong(done, known),
        rounds_kept=sum(kept for kept, _ in rounds),
        rounds_rolled_back=sum(not kept for kept, _ in rounds),
        rounds_kept_harmful=sum(kept and gain < -HARMED for kept, gain in rounds),
        rounds_rolled_back_helpful=sum(not kept and gain > HARMED for kept, gain in rounds),
        fetched_again=len(fetched) - len(set(fetched)),
        stages=dict(Counter(fetch.kind for fetch in done.fetches[:budget])),
        virtual_seconds=round(done.seconds, 1),
    )


def _baseline(
    trial: Trial, web: PoliteWeb, known: Truth, done: Harvested, portal: Path, budget: int, *overrides: str
) -> tuple[Reached, float]:
    fetches, pages = plain_run(web, trial.bookmarks, portal, trial.spending, overrides)
    accepted = judge(done.used.path, pages)
    return reached([fetch.url for fetch in fetches], accepted, known, budget), round(fetches[-1].at, 1)


def _rounds(done: Harvested, sample: JudgedSample) -> list[tuple[bool, float]]:
    """Return for each round of retraining whether it was kept, and the macro-F that its model gained."""
    found: list[tuple[bool, float]] = []
    used = done.models[0]
    for model in done.models[1:]:
        gain = (macro(sample.judged(model.path))[2] or 0.0) - (macro(sample.judged(used.path))[2] or 0.0)
        kept = not model.row.rolled_back
        found.append((kept, gain))
        used = model if kept else used
    return found


def _negatives_wrong(done: Harvested, known: Truth) -> float | None:
    return wrong_share([(page.url, None) for page, label in done.used.lessons.examples if label is None], known)


def _archetypes_wrong(done: Harvested, known: Truth) -> float | None:
    """Return the share of wrong ones among the archetypes of all rounds that were kept."""
    taught = [
        (page.url, label)
        for model in done.models
        if not model.row.rolled_back
        for page, label in model.lessons.archetypes
    ]
    return wrong_share(taught, known)
