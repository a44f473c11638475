"""What is needed to repeat an experiment: the command, the digests, the versions and the settings."""

import shlex

import msgspec

from thresher.bench.comparison import Experiment


def repeat_command(experiment: Experiment) -> str:
    """Return the command that makes the same runs again."""
    runs = [record.run for record in experiment.records]
    first = experiment.records[0]
    words = [
        f"thresher bench run {shlex.quote(experiment.web)}",
        f"--topics {shlex.quote(','.join(sorted({run.topic for run in runs})))}",
        f"--strategies {shlex.quote(','.join(experiment.strategies))}",
        f"--seeds {max(run.seed for run in runs) + 1} --budget {experiment.budget}",
        f"--examples {len(first.examples)} --negatives {len(first.negatives)} --start {len(first.starts)}",
    ]
    return " \\\n  ".join([*words, *(["--hard"] if experiment.mode == "hard" else [])])


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
