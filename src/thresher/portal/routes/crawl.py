"""The live view of the crawl: its state, the stream of updates, and pages judged while it runs."""

import asyncio
import time
from collections.abc import AsyncIterator
from typing import Annotated, Any, Final

import anyio.to_thread
import msgspec
from fastapi import Form, Header, Query
from starlette.responses import Response, StreamingResponse

from thresher.portal.doors import Doors, Refused
from thresher.portal.ids import page_id, page_name
from thresher.portal.live import Activity, CrawlNow, Live
from thresher.portal.schedules import DAYS, SCHEDULED
from thresher.portal.share_curve import on_one_axis
from thresher.portal.times import Times
from thresher.portal.view import RequestContext, Seen
from thresher.portal.work import InTheWay
from thresher.reasons import Reason
from thresher.store.decisions import DecisionKind, DecisionRow
from thresher.store.portal_records import Role
from thresher.store.schedule_times import following
from thresher.store.work_records import WorkRow

doors = Doors()

HEARTBEAT: Final = 15.0
STREAM: Final = 300
"""Seconds that a stream lasts; browsers then reconnect on their own."""

_LOOK: Final = 1.0

Number = Annotated[int, Form(ge=0, lt=1 << 62)]

REMEDIES: Final = {
    "trap": (
        Reason.TRAP_CALENDAR,
        Reason.TRAP_GROWING_PATH,
        Reason.TRAP_REPEATED_PATH,
        Reason.TRAP_SESSION,
        Reason.TRAP_SUBDOMAINS,
        Reason.HOST_YIELD,
        Reason.SOFT_404,
    ),
    "wish": (Reason.ROBOTS_DISALLOWED, Reason.NOFOLLOW, Reason.NOINDEX, Reason.FORBIDDEN),
    "again": (
        Reason.ROBOTS_UNREACHABLE,
        Reason.HOST_BAD,
        Reason.DNS_FAILED,
        Reason.CONNECT_FAILED,
        Reason.TIMEOUT,
        Reason.CONNECTION_LOST,
        Reason.RATE_LIMITED,
        Reason.UNAVAILABLE,
        Reason.SERVER_ERROR,
        Reason.NO_ROOM,
    ),
    "language": (Reason.WRONG_LANGUAGE,),
    "allow": (Reason.ADDRESS_FORBIDDEN,),
    "limits": (
        Reason.URL_TOO_LONG,
        Reason.OUT_OF_SCOPE,
        Reason.TOO_DEEP,
        Reason.HOST_QUOTA,
        Reason.TYPE_REFUSED,
        Reason.BODY_TOO_LARGE,
        Reason.OVER_LIMITS,
        Reason.TOO_MANY_REDIRECTS,
    ),
    "better": (Reason.QUEUE_FULL, Reason.QUEUE_CLOSED, Reason.BUDGET_SPENT, Reason.DUPLICATE),
    "links": (Reason.NOT_FOUND, Reason.GONE),
}
"""Message names of what can be done about a reason; nothing for reasons not listed."""

REMEDY: Final = {reason: name for name, reasons in REMEDIES.items() for reason in reasons}


@doors.page("/crawl", needs=Role.REVIEWER)
def crawl(
    view: Seen,
    removed: Annotated[int, Query(ge=0, lt=1 << 62)] = 0,
    judged: Annotated[int, Query(ge=0, lt=1 << 60)] = 0,
) -> Response:
    """Show what the crawl is doing; a `removed` schedule or a `judged` page can be restored."""
    return crawl_page(view, removed=removed, judged=judged)


@doors.page("/crawl.json", needs=Role.REVIEWER)
def crawl_data(view: Seen) -> Response:
    """Return the live view as data."""
    now = live_of(view).now()
    progress = now.crawl.progress if now.crawl else None
    told = {
        "state": now.state,
        "seq": now.seq,
        "at": now.at,
        "crawl": now.crawl.id if now.crawl else None,
        "pages": progress.pages if progress else 0,
        "accepted": progress.accepted if progress else None,
        "queued": progress.queued if progress else 0,
        "page_limit": now.limit,
        "pages_per_second": round(now.rate, 3),
        "ends": now.ends,
        "waiting": [{"topic": topic, "links": links} for topic, links in now.waiting.topics],
        "held": now.held,
        "ready_hosts": now.ready,
        "refused": {reason.value: number for reason, number in now.refused},
        "read": [{**msgspec.structs.asdict(page), "page": page_name(page.id)} for page in now.read],
        "share": [[point.at, None if point.gap else round(point.share, 4)] for point in now.points],
        "share_before": [[point.at, round(point.share, 4)] for point in now.before],
        "work": [_work_data(row) for row in now.works],
    }
    return Response(msgspec.json.encode(told), media_type="application/json")


@doors.page("/crawl/events", needs=Role.REVIEWER)
async def crawl_events(
    view: Seen,
    seconds: Annotated[int, Query(ge=0, le=STREAM)] = STREAM,
    last_event_id: Annotated[str, Header(max_length=40)] = "",
) -> Response:
    """Send the live view whenever something changes, for at most some seconds."""
    headers = {"x-accel-buffering": "no", "cache-control": "no-store"}
    return StreamingResponse(_stream(view, seconds, last_event_id), media_type="text/event-stream", headers=headers)


async def _stream(view: RequestContext, seconds: int, seen: str) -> AsyncIterator[bytes]:
    live, began = live_of(view), time.monotonic()
    sent = spoken = began
    before = ""
    yield b"retry: 2000\n\n"
    while True:
        now = await anyio.to_thread.run_sync(live.now)
        html = await anyio.to_thread.run_sync(_live_html, view, now)
        if html != before and not (not before and seen == str(now.seq) and now.state is not Activity.RUNNING):
            text = msgspec.json.encode({"html": html, "share": on_one_axis(now.points, now.before)}).decode()
            yield f"id: {now.seq}\nevent: crawl\ndata: {text}\n\n".encode()
            sent = spoken = time.monotonic()
        before = html
        if time.monotonic() - max(sent, spoken) >= HEARTBEAT:
            yield b": still here\n\n"
            spoken = time.monotonic()
        if time.monotonic() - began >= seconds:
            return
        await asyncio.sleep(_LOOK)


@doors.form("/crawl/judge", needs=Role.REVIEWER)
def judge(
    view: Seen, page: Annotated[str, Form(max_length=40)] = "", kind: Annotated[str, Form(max_length=20)] = ""
) -> Response:
    """Keep a page that was just read as an example of its topic, or remove it from the portal."""
    id_, store = page_id(page), view.library.store
    found = store.documents.document(id_) if id_ is not None else None
    topic = found.judgement.topic if found is not None and found.judgement is not None else None
    allowed = (DecisionKind.IRRELEVANT,) if topic is None else (DecisionKind.RIGHT, DecisionKind.IRRELEVANT)
    if found is None or kind not in allowed:
        raise Refused(404, "error.document", "error.document_then")
    row = DecisionRow(
        page=found.url_id,
        url=found.url,
        kind=DecisionKind(kind),
        at=view.library.clock(),
        shown=topic,
        topic=topic if kind == DecisionKind.RIGHT else None,
        user=view.user.id if view.user else None,
    )
    number = store.decisions.add(row)
    view.library.forget()
    live_of(view).look_again()
    return view.go(f"/crawl?judged={number}")


@doors.form("/crawl/judge/undo", needs=Role.REVIEWER)
def judge_undo(view: Seen, number: Number = 0) -> Response:
    """Undo the judgement of a page that was just read."""
    view.library.store.decisions.undo(number, view.library.clock())
    view.library.forget()
    live_of(view).look_again()
    return view.go("/crawl")


def live_of(view: RequestContext) -> Live:
    """Return the observer of the portal's work."""
    found: Live = view.request.app.state.live
    return found


def times_of(view: RequestContext) -> Times:
    """Return the formatter of times in the reader's language."""
    return Times(view.messages, view.library.clock())


def _live_data(view: RequestContext, now: CrawlNow) -> dict[str, Any]:
    remedies = {reason: REMEDY.get(reason, "nothing") for reason, _ in now.refused}
    return {"now": now, "times": times_of(view), "remedies": remedies, "admin": Role.ADMIN}


def _live_html(view: RequestContext, now: CrawlNow) -> str:
    return bytes(view.page("crawl_live.html", **_live_data(view, now)).body).decode()


def crawl_page(
    view: RequestContext,
    status: int = 200,
    *,
    fault: str = "",
    in_the_way: InTheWay | None = None,
    removed: int = 0,
    judged: int = 0,
) -> Response:
    """Return the crawl page, with a `fault` or the work that is `in_the_way` of the request."""
    now = live_of(view).now()
    clock = view.library.clock()
    schedules = [(row, following(row, clock), _days_name(row.days)) for row in view.library.store.schedules.all()]
    return view.page(
        "crawl.html",
        status,
        **_live_data(view, now),
        fault=fault,
        in_the_way=in_the_way,
        removed=removed,
        judged=_holding(view, judged),
        schedules=schedules,
        scheduled=SCHEDULED,
        day_choices=list(DAYS),
        budget=view.library.settings.harvest.pages,
    )


def _holding(view: RequestContext, number: int) -> DecisionRow | None:
    """Return a decision, or None if it was undone."""
    row = view.library.store.decisions.get(number) if number else None
    return row if row is not None and row.undone is None else None


def _days_name(days: int) -> str:
    return next((name for name, mask in DAYS.items() if mask == days), "every")


def _work_data(row: WorkRow) -> dict[str, Any]:
    return {"id": row.id, "kind": row.kind, "user": row.user, "asked": row.asked, "schedule": row.schedule}
