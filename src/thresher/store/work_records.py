"""Rows for tasks started from the web portal, and for schedules."""

from enum import StrEnum
from pathlib import Path
from typing import Final

from msgspec import Struct


class WorkKind(StrEnum):
    """What can be started from the portal; the values are the names of the commands."""

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
"""Work that holds the crawl lock: a portal does one of these at a time."""

ORGANISING: Final = frozenset({WorkKind.SPLIT, WorkKind.FILTER, WorkKind.DEDUPE})
"""Work that moves pages between topics."""

WITH_RESULT: Final = ORGANISING | {WorkKind.PEERS}
"""Work whose result is kept as a file beside its log."""


FOLDER: Final = "work"
"""Where a portal keeps the logs and results of its work."""


def result_file(portal: Path, number: int) -> Path:
    """Return the file for the result of work, as JSON."""
    return portal / FOLDER / f"{number}.json"


def step_file(portal: Path, number: int) -> Path:
    """Return the file that tells how far work has got, as JSON."""
    return portal / FOLDER / f"{number}.step"


def error_file(portal: Path, number: int) -> Path:
    """Return the file that tells why work has failed: a `ToldError` as JSON."""
    return portal / FOLDER / f"{number}.error"


class WorkRow(Struct, frozen=True, kw_only=True):
    """A command that was started as a process of its own; `pages` and `hours` limit it, 0 for what the settings say.

    `arguments` are what else the command is given. `user` is the name of whoever started it, empty if a `schedule` did.
    `born` is when the process began according to the system; with `pid` and `host` it identifies the process. `ended`
    is None while it runs; `code` is None if the process was killed before it could tell.
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
    """When work is started by itself: at a `minute` of the local day, on `days` (bit 0 is Monday, bit 6 Sunday).

    `pages` and `hours` limit it, 0 for what the settings say. `fired` is the newest time it was due that has been
    dealt with, `removed` when it was taken away.
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
