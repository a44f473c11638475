"""What is needed to repeat an experiment: the command, the digests, the versions and the settings."""

import shlex
from collections.abc import Sequence

import msgspec
from msgspec.structs import replace

from thresher.bench.comparison import Experiment
from thresher.bench.families import own_topic
from thresher.bench.records import CLASSIFIER, PAGES, Record, Training, unusual


def repeat_command(experiment: Experiment) -> str:
    """Return the commands that repeat the runs, one for each classifier and training."""
    kinds: dict[tuple[str, Training], list[Record]] = {}
    for record in experiment.records:
        kinds.setdefault((record.run.classifier, record.run.training), []).append(record)
    return "\n".join(
        run_command(replace(experiment, records=own), sorted({record.run.strategy for record in own}), *kind)
        for kind, own in sorted(kinds.items(), key=lambda item: (len(unusual(*item[0])), item[0]))
    )


def run_command(experiment: Experiment, strategies: Sequence[str], classifier: str, training: Training) -> str:
    """Return the command that runs strategies on the topics and seed sets of an experiment."""
    first = experiment.records[0]
    words = [
        f"thresher bench run {shlex.quote(experiment.web)}",
        f"--topics {_topics(experiment)}",
        f"--strategies {shlex.quote(','.join(strategies))}",
        f"--seeds {max(record.run.seed for record in experiment.records) + 1} --budget {experiment.budget}",
        f"--examples {len(first.examples)} --negatives {len(first.negatives)} --start {len(first.starts)}",
    ]
    words += [f"--wrong {first.wrong}"] if first.wrong else []
    words += [f"--set {shlex.quote(one)}" for one in first.changed]
    words += [f"--classifier {classifier}"] if classifier != CLASSIFIER else []
    words += [f"--train {training}"] if training != PAGES else []
    return " \\\n  ".join([*words, *(["--hard"] if experiment.mode == "hard" else [])])


def accuracy_command(experiment: Experiment) -> str:
    """Return the command that measures five-fold accuracy on the topics of an experiment."""
    return f"thresher bench accuracy {shlex.quote(experiment.web)} \\\n  --topics {_topics(experiment)}"


def _topics(experiment: Experiment) -> str:
    named = {own_topic(experiment.web, record.run.topic) for record in experiment.records}
    return shlex.quote(",".join(sorted(named)))


def provenance(experiment: Experiment) -> list[tuple[str, str]]:
    """Return the digests of data and settings, the versions, and the duration; several values if they differ."""
    pairs = [("data", record.data) for record in experiment.records]
    pairs += [("settings", record.settings_digest) for record in experiment.records]
    pairs += [(name, version) for record in experiment.records for name, version in record.versions.items()]
    names = dict.fromkeys(name for name, _ in pairs)
    joined = [(name, ", ".join(sorted({value for key, value in pairs if key == name}))) for name in names]
    return [*joined, ("time", f"{sum(record.seconds for record in experiment.records):,.0f} s in all")]


def settings(experiment: Experiment) -> list[tuple[str, str]]:
    """Return the settings of all runs as JSON text, by digest."""
    found = {record.settings_digest: record.settings for record in experiment.records}
    return [(name, msgspec.json.format(msgspec.json.encode(found[name])).decode()) for name in sorted(found)]
