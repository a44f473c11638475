"""Sorts more lines than fit in memory."""

import heapq
from collections.abc import Iterator
from contextlib import ExitStack
from tempfile import TemporaryFile
from typing import BinaryIO


class SortedLines:
    """Takes lines of bytes, each with its line end, and yields them sorted; at most `at_once` are in memory.

    >>> with SortedLines(at_once=1) as lines:
    ...     lines.add(b"b\\n"); lines.add(b"a\\n")
    ...     list(lines)
    [b'a\\n', b'b\\n']
    """

    def __init__(self, at_once: int = 100_000) -> None:
        self._at_once = at_once
        self._lines: list[bytes] = []
        self._runs: list[BinaryIO] = []
        self._stack = ExitStack()

    def __enter__(self) -> "SortedLines":
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    def add(self, line: bytes) -> None:
        """Add a line."""
        self._lines.append(line)
        if len(self._lines) >= self._at_once:
            run = self._stack.enter_context(TemporaryFile())  # noqa: SIM115 - the stack is what closes it
            run.writelines(sorted(self._lines))
            self._runs.append(run)
            self._lines.clear()

    def __iter__(self) -> Iterator[bytes]:
        for run in self._runs:
            run.seek(0)
        return heapq.merge(*self._runs, sorted(self._lines))
