"""The portal's work: starting, pausing and stopping it, schedules and logs."""

import math
import time
from typing import Annotated, Final

from fastapi import Form
from starlette.responses import Response

from thresher.portal.doors import Doors, Refused
from thresher.portal.happenings import details, happenings, named
from thresher.portal.routes.crawl import Number, crawl_page, live_of, times_of
from thresher.portal.schedules import DAYS, SCHEDULED
from thresher.portal.view import RequestContext, Seen
from thresher.portal.work import InTheWay, Workbench
from thresher.portal.work_faults import WorkFault, fault_of
from thresher.store.crawl_history import all_crawls
from thresher.store.portal_records import Role
from thresher.store.protocol import Store
from thresher.store.records import LogEntry
from thresher.store.request_records import Command, ContinueCrawl, PauseCrawl, StopCrawl
from thresher.store.work_records import WITH_RESULT, ScheduleRow, WorkKind, WorkRow

doors = Doors()

STOPPED: Final = 130
"""Exit code of work that was stopped by a person."""

WAIT: Final = 2.0
"""Seconds that a form waits for a crawl to act on a request."""

STARTED: Final = frozenset(WorkKind) - WITH_RESULT - {WorkKind.ANSWERS, WorkKind.SITES}
"""Work that the crawl page can start; other work has its own pages."""

_LOGGED: Final = 200
_FARTHEST: Final = 200_000
_WORKS: Final = 50
_MOST_PAGES: Final = 10_000_000
_MOST_HOURS: Final = 1000.0

Kind = Annotated[str, Form(max_length=20)]
Pages = Annotated[int, Form(ge=0, le=_MOST_PAGES)]
Hours = Annotated[float, Form(ge=0, le=_MOST_HOURS, allow_inf_nan=False)]


@doors.page("/crawl/log", needs=Role.REVIEWER)
def crawl_log(view: Seen) -> Response:
    """Show all work with its outcome, and the newest entries of the crawl log."""
    store = view.library.store
    bench = bench_of(view)
    bench.running(view.library.clock())
    works = store.works.newest(_WORKS)
    return view.page(
        "crawl_log.html",
        works=works,
        faults={row.id: fault for row in works if (fault := why_failed(bench, row)) is not None},
        entries=_newest_entries(store),
        named=named,
        details=details,
        times=times_of(view),
    )


@doors.page("/crawl/work/{number}", needs=Role.REVIEWER)
def work_log(view: Seen, number: int) -> Response:
    """Show the output of one piece of work."""
    bench = bench_of(view)
    bench.running(view.library.clock())
    row = view.library.store.works.get(number) if 0 < number < 1 << 62 else None
    if row is None:
        raise Refused(404, "error.missing", "error.missing_then")
    log = bench.log(row.id)
    end = math.inf if row.ended is None else row.ended
    return view.page(
        "work_log.html",
        row=row,
        log=log,
        fault=why_failed(bench, row),
        step=bench.step(row.id) if row.ended is None else None,
        events=happenings(view.library.store, row.asked, end) if row.ended is not None else [],
        named=named,
        details=details,
        crawls=[crawl for crawl in all_crawls(view.library.store) if row.asked <= crawl.started <= end],
        times=times_of(view),
    )


@doors.form("/crawl/start", needs=Role.ADMIN)
def start_work(view: Seen, kind: Kind = "", pages: Pages = 0, hours: Hours = 0.0) -> Response:
    """Start work in a separate process."""
    if kind not in STARTED:
        raise Refused(400, "error.request", "error.request_then")
    row = WorkRow(
        kind=WorkKind(kind),
        asked=view.library.clock(),
        pages=pages,
        hours=hours,
        user=view.user.name if view.user else "",
    )
    if row.kind in (WorkKind.RUN, WorkKind.TRAIN) and (fault := not_ready(view)):
        return crawl_page(view, 409, fault=fault)
    found = bench_of(view).start(row)
    live_of(view).look_again()
    if isinstance(found, InTheWay):
        return crawl_page(view, 409, in_the_way=found)
    return view.go("/crawl")


@doors.form("/crawl/pause", needs=Role.ADMIN)
def pause(view: Seen) -> Response:
    """Pause the running crawl."""
    return _ask(view, PauseCrawl())


@doors.form("/crawl/continue", needs=Role.ADMIN)
def go_on(view: Seen) -> Response:
    """Continue a paused crawl."""
    return _ask(view, ContinueCrawl())


@doors.form("/crawl/stop", needs=Role.ADMIN)
def stop(view: Seen, work: Number = 0) -> Response:
    """Stop work cleanly, or a crawl that was started elsewhere."""
    library, bench = view.library, bench_of(view)
    running = bench.running(library.clock())
    row = next((found for found in running if found.id == work), None) if work else None
    if work == 0 and not running and live_of(view).now().is_crawling:
        return _ask(view, StopCrawl())
    if row is not None:
        bench.stop(row, _name(view))
    live_of(view).look_again()
    return view.go("/crawl")


@doors.form("/crawl/schedules", needs=Role.ADMIN)
def add_schedule(
    view: Seen,
    kind: Kind = "",
    days: Annotated[str, Form(max_length=20)] = "",
    at: Annotated[str, Form(max_length=5)] = "",
    pages: Pages = 0,
    hours: Hours = 0.0,
) -> Response:
    """Add a schedule."""
    minute = minute_of(at)
    if kind not in SCHEDULED or days not in DAYS or minute is None:
        return crawl_page(view, 400, fault="schedule.bad")
    now = view.library.clock()
    row = ScheduleRow(
        kind=WorkKind(kind), minute=minute, made=now, days=DAYS[days], pages=pages, hours=hours, user=_name(view)
    )
    view.library.store.schedules.add(row)
    return view.go("/crawl#schedules")


@doors.form("/crawl/schedules/remove", needs=Role.ADMIN)
def remove_schedule(view: Seen, schedule: Number = 0) -> Response:
    """Remove a schedule; it can be restored."""
    gone = view.library.store.schedules.remove(schedule, view.library.clock())
    return view.go(f"/crawl?removed={schedule}#schedules" if gone else "/crawl#schedules")


@doors.form("/crawl/schedules/restore", needs=Role.ADMIN)
def restore_schedule(view: Seen, schedule: Number = 0) -> Response:
    """Restore a schedule."""
    view.library.store.schedules.restore(schedule, view.library.clock())
    return view.go("/crawl#schedules")


def _newest_entries(store: Store) -> list[LogEntry]:
    """Return the latest entries of the crawl log, newest first.

    Most sequence numbers belong to other changes, such as judgements, so this may have to look far back.
    """
    last, reach = store.log.last(), _LOGGED
    while True:
        since = max(0, last - reach)
        entries = list(store.log.entries(since))
        if len(entries) >= _LOGGED or since == 0 or reach >= _FARTHEST:
            return entries[::-1][:_LOGGED]
        reach *= 10


def minute_of(text: str) -> int | None:
    """Return the minute of the day for a time such as "23:05", or None if it is invalid.

    >>> minute_of("23:05"), minute_of("7:00"), minute_of("24:00"), minute_of("soon")
    (1385, 420, None, None)
    """
    hour, _, minute = text.partition(":")
    if not (text.isascii() and hour.isdigit() and minute.isdigit()):
        return None
    found = int(hour) * 60 + int(minute)
    return found if int(hour) < 24 and int(minute) < 60 else None


def why_failed(bench: Workbench, row: WorkRow) -> WorkFault | None:
    """Return how the failure of some work is shown; None for other work, or if the reason is unknown."""
    told = bench.error(row.id) if row.code not in (None, 0, STOPPED) else None
    return fault_of(told) if told is not None else None


def bench_of(view: RequestContext) -> Workbench:
    """Return the workbench of the portal."""
    found: Workbench = view.request.app.state.bench
    return found


def not_ready(view: RequestContext) -> str:
    """Return the message key of why topics cannot be trained yet, "" if they can."""
    if not view.library.topics().root.children:
        return "work.no_topics"
    return ""


def _ask(view: RequestContext, command: Command) -> Response:
    """Leave a request for the running crawl."""
    live = live_of(view)
    if live.now().is_crawling:
        view.library.store.requests.leave(command, view.library.clock())
        deadline = time.monotonic() + WAIT
        while view.library.store.requests.open() and time.monotonic() < deadline:
            time.sleep(0.1)
    live.look_again()
    return view.go("/crawl")


def _name(view: RequestContext) -> str:
    return view.user.name if view.user else ""
