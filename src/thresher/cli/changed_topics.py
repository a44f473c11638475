"""What commands say where the model knows other topics than the portal has."""

from pathlib import Path

from rich.console import Console

from thresher.cli.output import hint
from thresher.train.changed_topics import CHANGED


def warn_of_changed_topics(out: Console, portal: Path) -> None:
    """Say it in one sentence, and what to do about it."""
    out.print(f"[yellow]Note:[/] {CHANGED} Train again: {hint('train', portal)}")
