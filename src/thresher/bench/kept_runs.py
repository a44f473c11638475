"""Runs in a file of JSON lines, so that an interrupted bench can be continued.

A run is found again by its conditions: whatever its figures depend on, as texts and numbers.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Final, Generic, TypeVar

from msgspec import DecodeError, Struct, json

from thresher.errors import InputError

Run = TypeVar("Run")

Conditions = Mapping[str, str | int]

_BEGINS: Final = b'{"conditions":'


class _Line(Struct, Generic[Run], frozen=True):
    conditions: dict[str, str | int]
    run: Run


class KeptRuns(Generic[Run]):
    """The runs of type `kind` in a file; without a file, they are kept in memory only."""

    def __init__(self, path: Path | None, kind: type[Run]) -> None:
        self._path = path
        lines = path.read_bytes().splitlines(keepends=True) if path is not None and path.exists() else []
        # A line without its end was being written when the bench was killed.
        whole = [line for line in lines if line.endswith(b"\n")]
        try:
            found = [json.decode(line, type=_Line[kind]) for line in whole]  # type: ignore[valid-type]
        except (DecodeError, UnicodeDecodeError):
            found = None
        if found is None or not all(line.startswith(_BEGINS[: len(line)]) for line in lines):
            raise InputError(f"{path} has something other than runs of this bench.", "Name another file.")
        self._runs: dict[frozenset[tuple[str, str | int]], Run] = {_key(line.conditions): line.run for line in found}
        if path is not None and len(whole) < len(lines):
            path.write_bytes(b"".join(whole))

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
