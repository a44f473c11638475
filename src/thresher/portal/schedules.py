"""Schedules: the server thread that starts work when it is due."""

import logging
import threading
from collections.abc import Callable
from typing import Final

from thresher.portal.work import InTheWay, Workbench
from thresher.store.protocol import Store
from thresher.store.schedule_times import previous
from thresher.store.work_records import EVERY_DAY, WorkKind, WorkRow

SCHEDULED: Final = (WorkKind.RUN, WorkKind.REFRESH)
"""Work that can be scheduled."""

DAYS: Final = {"every": EVERY_DAY, "weekdays": 0b0011111, "weekend": 0b1100000} | {
    f"day{number}": 1 << number for number in range(7)
}
"""The choices of days, by message name."""

LATE: Final = 2 * 3600.0
"""Seconds after which a missed start is skipped."""

_LOOK: Final = 20.0


def carry_out(store: Store, bench: Workbench, now: float) -> list[WorkRow]:
    """Start all work that is due and return it; a schedule is skipped if other work is in the way."""
    started = []
    for row in store.schedules.all():
        due = previous(row, now)
        if due is None or due <= max(row.fired, row.made) or not store.schedules.fire(row.id, due):
            continue
        if now - due > LATE:
            continue
        work = bench.start(WorkRow(kind=row.kind, asked=now, pages=row.pages, hours=row.hours, schedule=row.id))
        if not isinstance(work, InTheWay):
            started.append(work)
    return started


class Timekeeper:
    """Runs schedules while the server is up."""

    def __init__(self, store: Store, bench: Workbench, clock: Callable[[], float], every: float = _LOOK) -> None:
        self._store = store
        self._bench = bench
        self._clock = clock
        self._every = every
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._run, name="schedules", daemon=True)

    def start(self) -> None:
        """Start the thread."""
        self._thread.start()

    def stop(self) -> None:
        """Stop; returns when the thread has ended."""
        self._over.set()
        if self._thread.is_alive():
            self._thread.join(timeout=5)

    def _run(self) -> None:
        while not self._over.wait(self._every):
            try:
                carry_out(self._store, self._bench, self._clock())
            except Exception:  # A failure may pass; without this thread nothing would start.
                logging.getLogger("thresher.portal").exception("schedules")
