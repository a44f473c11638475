"""Reports the progress of work: as a line overwritten on a terminal, and in a file for the web portal."""

import os
import sys
import time
from pathlib import Path
from typing import Final

import msgspec

from thresher.work_steps import StepProgress, WorkStep

FILE: Final = "THRESHER_STEPS"
"""The environment variable with the path of the file in which the web portal looks for progress."""

_EVERY: Final = 0.5
_WIDTH: Final = 60
_SAID: Final = {
    WorkStep.ESTIMATING: "Estimating what the answers change",
    WorkStep.LEARNING: "Learning from the answers",
    WorkStep.JUDGING: "Judging pages",
    WorkStep.COUNTING: "Trying numbers of sub-topics",
    WorkStep.GROUPING: "Grouping pages",
    WorkStep.NAMING: "Naming the groups",
    WorkStep.FILTERING: "Filtering topics",
    WorkStep.COMPARING: "Comparing pages",
    WorkStep.INDEXING: "Indexing pages",
}


class Steps:
    """Reports steps of work, at most twice a second apart from the first report of each; ends its line when closed."""

    def __init__(self) -> None:
        name = os.environ.get(FILE)
        self._file = Path(name) if name else None
        self._out = sys.stderr if sys.stderr.isatty() else None
        self._step: WorkStep | None = None
        self._due = 0.0
        self._open = False

    def __call__(self, progress: StepProgress) -> None:
        """Report a step if it is new or due."""
        now = time.monotonic()
        if progress.step is self._step and now < self._due and progress.done < max(progress.total, 1):
            return
        self._step, self._due = progress.step, now + _EVERY
        if self._file is not None:
            _write(self._file, progress)
        if self._out is not None:
            self._open = True
            self._out.write(f"\r{sentence(progress).ljust(_WIDTH)}")
            self._out.flush()

    def close(self) -> None:
        """Remove the line from the terminal."""
        if self._open and self._out is not None:
            self._out.write(f"\r{' ' * _WIDTH}\r")
            self._out.flush()
            self._open = False


def sentence(progress: StepProgress) -> str:
    """Return a step in words.

    >>> sentence(StepProgress(WorkStep.COMPARING, 120, 1000)), sentence(StepProgress(WorkStep.NAMING))
    ('Comparing pages: 120 of 1,000', 'Naming the groups')
    """
    said = _SAID[progress.step]
    return f"{said}: {progress.done:,} of {progress.total:,}" if progress.total else said


def _write(file: Path, progress: StepProgress) -> None:
    """Replace the file atomically, so nobody reads half of it; failing to report does not fail the work."""
    fresh = file.with_suffix(".new")
    try:
        fresh.write_bytes(msgspec.json.encode(progress))
        fresh.replace(file)
    except OSError:
        return
