"""Compares strategies: the mean result of each, and whether it beats the baseline."""

from collections.abc import Callable, Collection, Iterable, Sequence
from functools import partial

from msgspec import Struct
from msgspec.structs import replace

from thresher.bench.conditions import conditions_of
from thresher.bench.measures import (
    LEVELS,
    average_similarity,
    harvest_rate,
    precision_at_recall,
    relevant_hosts,
    target_recall,
)
from thresher.bench.records import Mode, Record
from thresher.bench.statistics import Estimate, Figures, PairedTest, holm, over_topics, paired_test, quartiles
from thresher.errors import InputError

ORACLE = "oracle"
"""The upper reference: it knows the labels, so it takes no part in tests."""

MARKS = (0.1, 0.25, 0.5, 1.0)
"""Fractions of their length at which crawls are compared."""


class Measure(Struct, frozen=True):
    """A figure of a run, at `pages` fetched if it depends on that.

    `of` returns None if the figure does not apply; `digits` is the number of digits to print.
    """

    key: str
    title: str
    pages: int | None
    of: Callable[[Record], float | None]
    digits: int = 3


class Experiment(Struct, frozen=True):
    """Comparable runs: one web, one mode, one budget, and the same conditions (`bench/conditions.py`).

    A budget of 0 means everything reachable.
    """

    web: str
    mode: Mode
    budget: int
    records: list[Record]
    conditions: str = ""

    @property
    def strategies(self) -> list[str]:
        """The strategies that ran, sorted, each with what is unusual about its classifier."""
        return sorted({record.run.crawler for record in self.records})

    @property
    def length(self) -> int:
        """The number of pages that curves extend to: the budget, or the longest crawl if there is none."""
        return self.budget or max(1, *(len(record.log) for record in self.records))

    def only(self, topics: Collection[str]) -> "Experiment":
        """Return the part of the experiment with these topics."""
        kept = [record for record in self.records if record.run.topic in topics]
        return replace(self, records=kept)


class Row(Struct, frozen=True):
    """A strategy with its mean figures, one per measure."""

    strategy: str
    topics: int
    runs: int
    figures: list[Estimate | None]


class Comparison(Struct, frozen=True):
    """A strategy against the baseline in one measure; `adjusted` is the one-tailed p value after Holm's correction."""

    strategy: str
    measure: str
    pages: int | None
    test: PairedTest | None
    adjusted: float | None


class Difficulty(Struct, frozen=True):
    """A group of topics by the baseline's recall, with each strategy's mean recall on it."""

    topics: list[str]
    rows: list[Row]


def experiments(records: Iterable[Record]) -> list[Experiment]:
    """Group records into experiments; raises InputError if a run occurs twice."""
    groups: dict[tuple[str, Mode, int, str], dict[tuple[str, str, int], Record]] = {}
    for record in records:
        run = record.run
        group = groups.setdefault((run.web, run.mode, run.budget, conditions_of(record)), {})
        if group.setdefault((run.topic, run.crawler, run.seed), record) is not record:
            raise InputError(
                f"The same run is there twice: {run.crawler} on {run.web} for {run.topic}, seed set {run.seed}.",
                "Keep one of the two records.",
            )
    ordered = sorted(groups, key=lambda key: (key[0], key[1] != "normal", *key[2:]))
    return [
        Experiment(web, mode, budget, list(groups[web, mode, budget, told].values()), told)
        for web, mode, budget, told in ordered
    ]


def marks(length: int) -> list[int]:
    """Return the numbers of pages at which crawls of a given length are compared.

    >>> marks(1000), marks(3)
    ([100, 250, 500, 1000], [1, 2, 3])
    """
    return sorted({max(1, round(length * part)) for part in MARKS})


def share() -> Measure:
    """Return the measure that strategies are primarily judged by."""
    return Measure("oracle_share", "oracle share", None, lambda record: record.run.oracle_share)


def recall(t: int) -> Measure:
    """Return the measure of target recall after `t` pages."""
    return Measure("target_recall", "target recall", t, lambda record: target_recall(record.log, record.run.targets, t))


def harvest(t: int) -> Measure:
    """Return the measure of harvest rate after `t` pages."""
    return Measure("harvest_rate", "harvest rate", t, lambda record: harvest_rate(record.log, t))


def main_measures(length: int) -> list[Measure]:
    """Return the measures of the summary: oracle share, recall and harvest rate at several points, cost."""
    at = marks(length)
    cost = Measure("cpu_ms_per_page", "CPU ms/page", None, lambda record: record.run.cpu_ms_per_page, 2)
    return [share(), *map(recall, at), *map(harvest, at), cost]


def compared_measures(length: int) -> list[Measure]:
    """Return the measures in which strategies are tested against the baseline."""
    return [measure for measure in main_measures(length) if measure.key != "cpu_ms_per_page"]


def further_measures(length: int) -> list[Measure]:
    """Return precision and F1 at recall levels (0 if never reached), similarity, and relevant hosts."""
    found = [
        Measure(f"{name}_at_recall_{level}", f"{title} at recall {level}", None, partial(_effort, level, name))
        for name, title in (("precision", "precision"), ("f1", "F1"))
        for level in LEVELS
    ]
    return [
        *found,
        Measure("similarity", "similarity", length, lambda record: average_similarity(record.log, length)),
        Measure("hosts", "relevant hosts", length, lambda record: float(relevant_hosts(record.log, length)), 1),
    ]


def figures(records: Iterable[Record], strategy: str, measure: Measure) -> Figures:
    """Return a strategy's figures by topic and seed set, without those that do not apply."""
    values = {
        (record.run.topic, record.run.seed): measure.of(record) for record in records if record.run.crawler == strategy
    }
    return {key: value for key, value in values.items() if value is not None}


def table(experiment: Experiment, measures: Sequence[Measure]) -> list[Row]:
    """Return one row per strategy, the best by the first measure on top."""
    rows = []
    for strategy in experiment.strategies:
        runs = [record.run for record in experiment.records if record.run.crawler == strategy]
        found = [over_topics(figures(experiment.records, strategy, measure)) for measure in measures]
        rows.append(Row(strategy, len({run.topic for run in runs}), len(runs), found))
    return sorted(rows, key=_by_first)


def compare(experiment: Experiment, baseline: str, measures: Sequence[Measure]) -> list[Comparison]:
    """Test every other strategy except the oracle against the baseline in every measure."""
    others = [strategy for strategy in experiment.strategies if strategy != baseline and not is_oracle(strategy)]
    found = []
    for measure in measures:
        base = figures(experiment.records, baseline, measure)
        tests = [paired_test(figures(experiment.records, strategy, measure), base) for strategy in others]
        adjusted = holm([test.greater if test else None for test in tests])
        found += [
            Comparison(strategy, measure.key, measure.pages, test, p)
            for strategy, test, p in zip(others, tests, adjusted, strict=True)
        ]
    return found


def by_difficulty(experiment: Experiment, baseline: str) -> list[Difficulty]:
    """Return each strategy's final recall on each quarter of the topics, hardest first."""
    measure = recall(experiment.length)
    groups = quartiles(figures(experiment.records, baseline, measure))
    return [Difficulty(topics, table(experiment.only(topics), [measure])) for topics in groups]


def choose_baseline(strategies: Collection[str]) -> str:
    """Return the default baseline: the whole page as context, else breadth-first, else the first by name.

    The oracle is chosen only if there is nothing else.

    >>> choose_baseline(["page", "tag-tree"]), choose_baseline(["random", "oracle"])
    ('page', 'random')
    """
    usual = next((name for name in ("page", "breadth-first") if name in strategies), None)
    return usual or min(strategies, key=lambda name: (is_oracle(name), name))


def is_oracle(crawler: str) -> bool:
    """Return whether a crawler is the oracle, with any classifier.

    >>> is_oracle("oracle, svm"), is_oracle("oracles")
    (True, False)
    """
    return crawler.partition(",")[0] == ORACLE


def _by_first(row: Row) -> tuple[float, str]:
    first = row.figures[0]
    return (-first.mean if first else float("inf"), row.strategy)


def _effort(level: float, name: str, record: Record) -> float | None:
    if not record.run.targets:
        return None
    effort = precision_at_recall(record.log, record.run.targets, (level,))[level]
    return float(getattr(effort, name)) if effort else 0.0
