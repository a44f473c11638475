"""Rows for tasks started from the web portal, and for schedules."""

from enum import StrEnum
from pathlib import Path
from typing import Final

from msgspec import Struct


class WorkKind(StrEnum):
    """What can be started from the portal; the values are command names."""

    TRAIN = "train"
    RUN = "run"
    HARVEST = "harvest"
    RESUME = "resume"
    REFRESH = "refresh"
    RECLASSIFY = "reclassify"
    INDEX = "index"
    RANK = "rank"
    ANSWERS = "answers"
    SPLIT = "split"
    FILTER = "filter"
    DEDUPE = "dedupe"
    SITES = "sites"
    PEERS = "peers"


ALONE: Final = frozenset(WorkKind) - {WorkKind.INDEX, WorkKind.RANK, WorkKind.ANSWERS, WorkKind.PEERS}
"""Work that holds the crawl lock: a portal does only one of these at a time."""

ORGANISING: Final = frozenset({WorkKind.SPLIT, WorkKind.FILTER, WorkKind.DEDUPE})
"""Work that moves pages between topics."""

WITH_RESULT: Final = ORGANISING | {WorkKind.PEERS}
"""Work whose result is stored as a file next to its log."""


FOLDER: Final = "work"
"""Folder of a portal with the logs and results of its work."""


def result_file(portal: Path, number: int) -> Path:
    """Return the file for the result of work, as JSON."""
    return portal / FOLDER / f"{number}.json"


def step_file(portal: Path, number: int) -> Path:
    """Return the file with the progress of work, as JSON."""
    return portal / FOLDER / f"{number}.step"


def error_file(portal: Path, number: int) -> Path:
    """Return the file with the reason why work failed: an `ErrorData` as JSON."""
    return portal / FOLDER / f"{number}.error"


class WorkRow(Struct, frozen=True, kw_only=True):
    """A command started as a separate process; `pages` and `hours` limit it, 0 means as in the settings.

    `arguments` are further arguments of the command. `user` is the name of whoever started it, empty if a `schedule`
    did. `born` is when the process started according to the system; with `pid` and `host` it identifies the process.
    `ended` is None while it runs; `code` is None if the process was killed before it could report one.
    """

    kind: WorkKind
    asked: float
    pages: int = 0
    hours: float = 0.0
    user: str = ""
    schedule: int | None = None
    arguments: tuple[str, ...] = ()
    id: int = 0
    pid: int = 0
    host: str = ""
    born: float = 0.0
    stopped_by: str | None = None
    ended: float | None = None
    code: int | None = None


EVERY_DAY: Final = 0b1111111


class ScheduleRow(Struct, frozen=True, kw_only=True):
    """A schedule that starts work: at a `minute` of the local day, on `days` (bit 0 is Monday, bit 6 Sunday).

    `pages` and `hours` limit it, 0 means as in the settings. `fired` is the latest due time that was handled, `removed`
    when the schedule was removed.
    """

    kind: WorkKind
    minute: int
    made: float
    days: int = EVERY_DAY
    pages: int = 0
    hours: float = 0.0
    user: str = ""
    fired: float = 0.0
    id: int = 0
    removed: float | None = None
