"""One trial of the promise: a whole run from a bookmark file, its baselines, and all figures."""

import tempfile
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from thresher.bench.page_cache import PageCache
from thresher.bench.promise.calibration import calibration
from thresher.bench.promise.cells import Cell, described
from thresher.bench.promise.figures import by_topic, macro, reached, share_of_oracle, wrong_share
from thresher.bench.promise.judged_sample import JudgedSample, judge
from thresher.bench.promise.records import Promise, PromiseRecord
from thresher.bench.promise.scenario import Scenario, scenario_of
from thresher.bench.promise.truth import Truth, truth
from thresher.bench.promise.whole_run import BaselineCrawl, Harvested, plain_run, whole_run
from thresher.bench.versions import product_versions
from thresher.bench.webs.web import BenchWeb
from thresher.runs.run_budget import RunBudget
from thresher.web.urls import host_of

HARM: Final = 0.005
"""Change in macro-F1 from which a round counts as harmful or helpful."""


SHARED: Final = ("manners.", "engine.", "reading.", "traps.", "network.")
"""Settings of a run that also apply to its baselines."""


class Trial(Struct, frozen=True, kw_only=True):
    """A trial to run: a cell with a seed; `settings` are `key=value` strings.

    Without `baselines` the run is not compared.
    """

    cell: Cell
    seed: int = 0
    settings: tuple[str, ...] = ()
    baselines: bool = True


def hold(
    trial: Trial, web: BenchWeb, pages: PageCache, on_stage: Callable[[str], None] = lambda _: None
) -> PromiseRecord:
    """Run a trial and return its record; `on_stage` is called with its progress."""
    began, cell = time.monotonic(), trial.cell
    scenario = scenario_of(cell, web, pages, trial.seed)
    allowed = RunBudget(cell.pages or None, cell.hours or None)
    with tempfile.TemporaryDirectory(prefix="thresher-promise-") as folder:
        done = whole_run(scenario, Path(folder) / "portal", allowed, trial.settings, on_stage)
        breadth = home = None
        if trial.baselines:
            on_stage("Baselines: breadth-first, and staying on the hosts of the bookmarks.")
            same = [one for one in trial.settings if one.startswith(SHARED)]
            breadth = plain_run(scenario, Path(folder) / "breadth", allowed, same)
            home = plain_run(scenario, Path(folder) / "home", allowed, [*same, "crawl.scope=hosts"])
        # With only a time budget, shares refer to what breadth-first fetches in that time, or more.
        budget = cell.pages or max(len(done.fetches), len(breadth.fetches) if breadth else 0)
        known = truth(scenario, budget)
        on_stage("Judging a sample of the web's pages.")
        run = _figures(trial, scenario, known, done, JudgedSample(scenario, known, trial.settings), budget)
        run = replace(run, **_baseline("breadth_first", breadth, known, done, budget))
        run = replace(run, **_baseline("stay_home", home, known, done, budget))
    return PromiseRecord(
        run=run,
        cell=described(cell),
        bookmarks=scenario.bookmarks.decode(),
        log=[replace(fetch, topic=done.accepted.get(fetch.url)) for fetch in done.fetches],
        changed=list(trial.settings),
        data=web.collection.digest,
        versions=product_versions(),
        seconds=round(time.monotonic() - began, 1),
        note=web.note,
    )


def _figures(
    trial: Trial, scenario: Scenario, known: Truth, done: Harvested, sample: JudgedSample, budget: int
) -> Promise:
    fetched = [fetch.url for fetch in done.fetches[:budget]]
    came = reached(fetched, done.accepted, known, budget)
    topics, away = (by_topic(fetched, done.accepted, known, new_hosts=new) for new in (False, True))
    home = by_topic([url for url in fetched if host_of(url) in known.home_hosts()], done.accepted, known)
    overall, far, judged = macro(topics), macro(away), macro(sample.judged(done.used.path, new_hosts=True))
    rounds = _rounds(done, sample)
    return Promise(
        web=scenario.web.name,
        cell=trial.cell.name,
        split=trial.cell.split,
        seed=trial.seed,
        budget=budget,
        pages=len(fetched),
        hosts=len(scenario.hosts),
        examples=len(known.examples),
        on_topic=came.on_topic,
        on_topic_new_hosts=came.on_topic_new_hosts,
        hosts_found=came.hosts_found,
        right_pages=came.right_pages,
        oracle_share=share_of_oracle(fetched, known, budget),
        precision=overall.precision,
        recall_of_fetched=overall.recall,
        precision_new_hosts=far.precision,
        recall_new_hosts=far.recall,
        f_new_hosts=far.f,
        f_home_hosts=macro(home).f,
        judged_f_new_hosts=judged.f,
        judged_precision_new_hosts=judged.precision,
        topics=topics,
        topics_new_hosts=away,
        negatives_wrong=wrong_share(done.negatives(), known),
        archetypes_wrong=wrong_share(done.archetypes(), known),
        rounds_kept=sum(kept for kept, _ in rounds),
        rounds_rolled_back=sum(not kept for kept, _ in rounds),
        rounds_kept_harmful=sum(kept and gain < -HARM for kept, gain in rounds),
        rounds_rolled_back_helpful=sum(not kept and gain > HARM for kept, gain in rounds),
        fetched_again=len(fetched) - len(set(fetched)),
        stages=dict(Counter(fetch.kind for fetch in done.fetches[:budget])),
        virtual_seconds=done.seconds,
        calibration=calibration(fetched, done.accepted, done.probabilities, known),
    )


def _baseline(
    name: str, crawled: BaselineCrawl | None, known: Truth, done: Harvested, budget: int
) -> dict[str, float | None]:
    """Return the figures of a baseline under their field names; its pages are judged by the model of the run."""
    if crawled is None:
        return {}
    accepted = judge(done.used.path, crawled.pages)
    came = reached([fetch.url for fetch in crawled.fetches], accepted, known, budget)
    in_time = reached([fetch.url for fetch in crawled.fetches if fetch.at <= done.seconds], accepted, known, budget)
    return {
        name: came.on_topic,
        f"{name}_right_pages": came.right_pages,
        f"{name}_right_pages_in_time": in_time.right_pages,
        f"{name}_hosts_found": came.hosts_found,
        f"{name}_seconds": crawled.seconds,
    }


def _rounds(done: Harvested, sample: JudgedSample) -> list[tuple[bool, float]]:
    """Return for each retraining round whether it was kept, and the change in macro-F1 by its model."""
    found: list[tuple[bool, float]] = []
    before = macro(sample.judged(done.models[0].path)).f or 0.0
    for model in done.models[1:]:
        after = macro(sample.judged(model.path)).f or 0.0
        kept = not model.row.rolled_back
        found.append((kept, after - before))
        before = after if kept else before
    return found
