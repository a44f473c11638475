"""Runs in a file of JSON lines, so that an interrupted bench can be continued.

A run is found again by its conditions: whatever its figures depend on, as texts and numbers.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Generic, TypeVar

from msgspec import Struct, json

Run = TypeVar("Run")

Conditions = Mapping[str, str | int]


class _Line(Struct, Generic[Run], frozen=True):
    conditions: dict[str, str | int]
    run: Run


class KeptRuns(Generic[Run]):
    """The runs of type `kind` in a file; without a file, they are kept in memory only."""

    def __init__(self, path: Path | None, kind: type[Run]) -> None:
        self._path = path
        lines = path.read_bytes().splitlines(keepends=True) if path is not None and path.exists() else []
        # A line without its end was being written when the bench was killed.
        whole = [json.decode(line, type=_Line[kind]) for line in lines if line.endswith(b"\n")]  # type: ignore[valid-type]
        self._runs: dict[frozenset[tuple[str, str | int]], Run] = {_key(line.conditions): line.run for line in whole}
        if path is not None and lines and not lines[-1].endswith(b"\n"):
            path.write_bytes(b"".join(lines[:-1]))

    def find(self, conditions: Conditions) -> Run | None:
        """Return the run that was made under these conditions, if there is one."""
        return self._runs.get(_key(conditions))

    def keep(self, conditions: Conditions, run: Run) -> None:
        """Append a run to the file."""
        self._runs[_key(conditions)] = run
        if self._path is not None:
            with self._path.open("ab") as file:
                file.write(json.encode(_Line(dict(conditions), run)) + b"\n")


def _key(conditions: Conditions) -> frozenset[tuple[str, str | int]]:
    return frozenset(conditions.items())
