"""Caveats that a reader should know before trusting a comparison."""

from collections.abc import Iterator

import msgspec

from thresher.bench.comparison import Experiment
from thresher.bench.records import Record, Run

SEEDS = 5
TOPICS = 5


def doubts(experiment: Experiment) -> list[str]:
    """Return a sentence for everything that weakens the figures of an experiment."""
    return [*_notes(experiment), *_sample(experiment), *_mixtures(experiment), *_pairs(experiment)]


def _notes(experiment: Experiment) -> Iterator[str]:
    yield from sorted({record.note for record in experiment.records} - {""})


def _sample(experiment: Experiment) -> Iterator[str]:
    seeds = {topic: len({run.seed for run in _runs(experiment) if run.topic == topic}) for topic in _topics(experiment)}
    if len(seeds) == 1:
        yield "There is one topic: errors and tests are over its seed sets and say nothing about other topics."
    elif len(seeds) < TOPICS:
        yield f"There are {len(seeds)} topics: too few for the sign-flip test to reach .05, whatever the difference."
    if min(seeds.values()) < SEEDS:
        yield f"Some topics have only {min(seeds.values())} of the {SEEDS} seed sets that a claim needs."


def _mixtures(experiment: Experiment) -> Iterator[str]:
    if len({record.data for record in experiment.records}) > 1:
        yield "The runs were not made on the same data."
    if len({str(sorted(record.versions.items())) for record in experiment.records}) > 1:
        yield "The runs were not made by the same versions of the program and its libraries."
    for strategy in experiment.strategies:
        digests = {record.settings_digest for record in experiment.records if record.run.crawler == strategy}
        if len(digests) > 1:
            yield f"The runs of {strategy} were made with {len(digests)} different settings."
    settings = {record.settings_digest: record.settings for record in experiment.records}
    # Settings of single strategies may differ.
    shared = {msgspec.json.encode(values | {"strategy": {}}, order="sorted") for values in settings.values()}
    if len(shared) > 1:
        yield "The strategies were not run with the same settings."


def _pairs(experiment: Experiment) -> Iterator[str]:
    """Check that paired runs had the same task."""
    tasks: dict[tuple[str, int], set[tuple[str, ...]]] = {}
    made: dict[str, set[tuple[str, int]]] = {}
    for record in experiment.records:
        key = (record.run.topic, record.run.seed)
        tasks.setdefault(key, set()).add(_task(record))
        made.setdefault(record.run.crawler, set()).add(key)
    unlike = sum(len(found) > 1 for found in tasks.values())
    if unlike:
        yield f"In {unlike} of {len(tasks)} pairs the strategies were not given the same examples, starts and targets."
    short = sorted(strategy for strategy, keys in made.items() if len(keys) < len(tasks))
    if short:
        yield f"Not every strategy ran on every topic and seed set; runs are missing of: {', '.join(short)}."


def _task(record: Record) -> tuple[str, ...]:
    return (str(record.run.targets), *record.examples, "", *record.negatives, "", *record.starts)


def _topics(experiment: Experiment) -> set[str]:
    return {run.topic for run in _runs(experiment)}


def _runs(experiment: Experiment) -> list[Run]:
    return [record.run for record in experiment.records]
