"""Shows the progress of a long call as one line that updates in place, in a terminal or a notebook."""

import sys
import time
from typing import Final, TextIO

from thresher.store.records import Progress

_EVERY: Final = 0.5
_WIDTH: Final = 79


class ProgressLine:
    """Writes a line at most twice a second, and ends it when closed.

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

    def close(self) -> None:
        """Write the last counters, and end the line."""
        if self._newest is not None:
            self._write(self._newest)
            self._out.write("\n")
            self._out.flush()

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
    """
    of = f" of {progress.page_limit:,}" if progress.page_limit else ""
    parts = [f"{progress.pages:,}{of} page{'' if (progress.page_limit or progress.pages) == 1 else 's'}"]
    if progress.accepted is not None and progress.pages:
        parts.append(f"{progress.accepted / progress.pages:.0%} accepted")
    return ", ".join([*parts, f"{progress.queued:,} queued", f"{progress.seconds:,.0f} s"])
