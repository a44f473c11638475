"""Claims on lessons, so that no two processes work on the same one."""

import os
import socket
import time
from typing import Any, Final

import psutil
from msgspec import to_builtins
from msgspec.structs import replace

from thresher.errors import ErrorData, PortalBusy, ThresherError
from thresher.store.decisions import LessonRow, LessonState
from thresher.store.protocol import Store
from thresher.work_faults import LessonBusy

_KEY: Final = "process"
"""Key in the report of a lesson for the process working on it."""

_OWN: Final = frozenset({_KEY, *ErrorData.__struct_fields__})
"""What the report of a lesson says about the work on it, rather than about the lesson."""

_LOST: Final = 86_400.0
"""Seconds after which a process on another machine counts as gone."""

_SAME: Final = 2.0
"""Seconds by which two readings of a process's start time may differ."""


def claim(store: Store, lesson: LessonRow) -> LessonRow:
    """Record that this process works on a lesson, a new one if its number is 0, and return it as stored.

    Raises PortalBusy if another process is working on it or has changed it meanwhile.
    """
    now = time.time()
    process = {"host": socket.gethostname(), "born": psutil.Process().create_time(), "since": now}
    mine = replace(lesson, pid=os.getpid(), report={**lesson.report, _KEY: process})
    if not lesson.id:
        return store.lessons.put(mine)
    if is_claimed(lesson, now) or not store.lessons.swap(lesson, mine):
        raise PortalBusy("Another process is working on this lesson.", "Wait until it is done.", LessonBusy())
    return mine


def give_up(store: Store, mine: LessonRow, why: ThresherError) -> None:
    """Release a lesson that this process claimed; one that is done or belongs to another process is unchanged."""
    state = LessonState.FAILED if mine.state is LessonState.WANTED else mine.state
    report = {key: value for key, value in mine.report.items() if key not in _OWN}
    store.lessons.swap(mine, replace(mine, state=state, pid=0, report={**report, **to_builtins(why.told())}))


def is_claimed(lesson: LessonRow, now: float) -> bool:
    """Return whether a process works on a lesson; one that died does not count, nor a later one with its pid.

    A process on another machine cannot be checked: it counts for a day.
    """
    process: dict[str, Any] = lesson.report.get(_KEY, {})
    if not lesson.pid or not process:
        return False
    if process["host"] != socket.gethostname():
        return now - float(process["since"]) < _LOST
    try:
        found = psutil.Process(lesson.pid)
        same = abs(found.create_time() - float(process["born"])) < _SAME
        return same and found.status() != psutil.STATUS_ZOMBIE
    except psutil.Error:
        return False
