"""What is needed to repeat an experiment: the command, the digests, the versions and the settings."""

import shlex

import msgspec

from thresher.bench.comparison import Experiment
from thresher.bench.records import CLASSIFIER, PAGES, Training, unusual


def repeat_command(experiment: Experiment) -> str:
    """Return the commands that make the same runs again, one for each classifier and training."""
    kinds = sorted({(record.run.classifier, record.run.training) for record in experiment.records}, key=_usual_first)
    return "\n".join(_command(experiment, classifier, training) for classifier, training in kinds)


def _usual_first(kind: tuple[str, Training]) -> tuple[int, str, str]:
    return (len(unusual(*kind)), *kind)


def _command(experiment: Experiment, classifier: str, training: Training) -> str:
    own = [one for one in experiment.records if (one.run.classifier, one.run.training) == (classifier, training)]
    runs, first = [record.run for record in own], own[0]
    words = [
        f"thresher bench run {shlex.quote(experiment.web)}",
        f"--topics {shlex.quote(','.join(sorted({run.topic for run in runs})))}",
        f"--strategies {shlex.quote(','.join(sorted({run.strategy for run in runs})))}",
        f"--seeds {max(run.seed for run in runs) + 1} --budget {experiment.budget}",
        f"--examples {len(first.examples)} --negatives {len(first.negatives)} --start {len(first.starts)}",
    ]
    asked = [f"--classifier {classifier}"] if classifier != CLASSIFIER else []
    asked += [f"--train {training}"] if training != PAGES else []
    return " \\\n  ".join([*words, *asked, *(["--hard"] if experiment.mode == "hard" else [])])


def provenance(experiment: Experiment) -> list[tuple[str, str]]:
    """Return the digests of data and settings, the versions, and the time it took; several values where they differ."""
    pairs = [("data", record.data) for record in experiment.records]
    pairs += [("settings", record.settings_digest) for record in experiment.records]
    pairs += [(name, version) for record in experiment.records for name, version in record.versions.items()]
    names = dict.fromkeys(name for name, _ in pairs)
    joined = [(name, ", ".join(sorted({value for key, value in pairs if key == name}))) for name in names]
    return [*joined, ("time", f"{sum(record.seconds for record in experiment.records):,.0f} s in all")]


def settings(experiment: Experiment) -> list[tuple[str, str]]:
    """Return the settings of all runs as JSON text, by their digest."""
    found = {record.settings_digest: record.settings for record in experiment.records}
    return [(name, msgspec.json.format(msgspec.json.encode(found[name])).decode()) for name in sorted(found)]
