"""Shows the progress of a long call: a line for each stage, and one with the counters that updates in place."""

import sys
import time
from typing import Final, TextIO

from thresher.counting import counted
from thresher.store.records import CrawlState, Progress

_EVERY: Final = 0.5
_WIDTH: Final = 79


class ProgressLine:
    """Writes the counters at most twice a second, each time over the last ones, and ends the line when closed.

    Writes to stderr, or to stdout in a notebook, where stderr looks like an error.
    """

    def __init__(self, out: TextIO | None = None, every: float = _EVERY) -> None:
        usual = sys.stdout if "ipykernel" in sys.modules else sys.stderr
        self._out = out if out is not None else usual
        self._every = every
        self._next = 0.0
        self._written = ""
        self._newest: Progress | None = None

    def __call__(self, progress: Progress) -> None:
        """Write the line if it is due."""
        self._newest = progress
        if time.monotonic() >= self._next:
            self._next = time.monotonic() + self._every
            self._write(progress)

    def stage(self, headline: str) -> None:
        """Write the headline of a stage on a line of its own; its counters come below."""
        self.close()
        self._out.write(f"{headline}\n")
        self._out.flush()

    def close(self) -> None:
        """Write the last counters, and end the line."""
        if self._newest is not None:
            self._write(self._newest)
            self._out.write("\n")
            self._out.flush()
        self._newest, self._written, self._next = None, "", 0.0

    def _write(self, progress: Progress) -> None:
        line = sentence(progress)[:_WIDTH].ljust(_WIDTH)
        if line != self._written:
            self._written = line
            self._out.write(f"\r{line}")
            self._out.flush()


def sentence(progress: Progress) -> str:
    """Return progress as a short text.

    >>> sentence(Progress(pages=156, page_limit=400, accepted=95, queued=1157, seconds=12.0))
    '156 of 400 pages, 61% accepted, 1,157 queued, 12 s'
    >>> sentence(Progress(pages=1, seconds=3.0, state=CrawlState.PAUSED, stopped_because="No host can be reached."))
    'Paused: No host can be reached.'
    """
    if progress.state is CrawlState.PAUSED and progress.stopped_because:
        return f"Paused: {progress.stopped_because}"
    of = f"{progress.pages:,} of " if progress.page_limit else ""
    parts = [f"{of}{counted(progress.page_limit or progress.pages, 'page')}"]
    if progress.accepted is not None and progress.pages:
        parts.append(f"{progress.accepted / progress.pages:.0%} accepted")
    return ", ".join([*parts, f"{progress.queued:,} queued", f"{progress.seconds:,.0f} s"])
