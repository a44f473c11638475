"""Notes that commands print about topics: that they have changed, and advice on better examples."""

from collections.abc import Mapping
from pathlib import Path

from thresher.cli.output import hint
from thresher.cli.screen import Screen, yellow
from thresher.train.changed_topics import CHANGED


def warn_of_changed_topics(out: Screen, portal: Path) -> None:
    """Print that the topics have changed since training, and what to do."""
    out.print(yellow("Note:"), f" {CHANGED} Train again: {hint('train', portal)}")


def show_advice(out: Screen, advice: Mapping[str, str]) -> None:
    """Print advice on topics, one line for each."""
    for topic, sentence in advice.items():
        out.print(yellow("Note:"), f" {topic}: {sentence}")
