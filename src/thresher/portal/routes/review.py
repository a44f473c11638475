"""Review: one page at a time, one key per decision, and the effect of decisions on other pages."""

import csv
import io
from typing import Annotated, Any
from urllib.parse import urlencode

import msgspec
from fastapi import Form, Query
from starlette.responses import Response

from thresher.portal.doors import Doors, Refused
from thresher.portal.ids import page_id, page_name
from thresher.portal.lesson_work import AFTER, LessonAction, LessonWork
from thresher.portal.review_card import Card, make_card
from thresher.portal.review_figures import SECONDS, precisions
from thresher.portal.review_queue import ReviewOrder, ReviewQueue, by_branch
from thresher.portal.routes.crawl import times_of
from thresher.portal.routes.work import bench_of
from thresher.portal.twins import data
from thresher.portal.view import RequestContext, Seen
from thresher.portal.work import InTheWay
from thresher.portal.work_faults import fault_in
from thresher.store.decisions import DecisionKind, DecisionRow, DoubtfulPage
from thresher.store.page_records import DocumentRow
from thresher.store.portal_records import Role

doors = Doors()

Name = Annotated[str, Query(max_length=40)]
Topic = Annotated[str, Query(max_length=2000)]
Field = Annotated[str, Form(max_length=2000)]
Number = Annotated[int, Form(ge=0, le=1 << 60)]

_RECENT = 5
_ON_PAGE = 50
_REMOVALS = 1000


@doors.page("/review", needs=Role.REVIEWER)
def review(
    view: Seen,
    topic: Topic = "",
    order: ReviewOrder = ReviewOrder.DOUBTFUL,
    page: Name = "",
    done: Annotated[int, Query(ge=0, lt=1 << 62)] = 0,
) -> Response:
    """Show the next page to judge."""
    return _page(view, topic, order, page, done)


def _page(
    view: RequestContext,
    topic: str = "",
    order: ReviewOrder = ReviewOrder.DOUBTFUL,
    page: str = "",
    done: int = 0,
    *,
    status: int = 200,
    in_the_way: InTheWay | None = None,
) -> Response:
    """Return the review page, with the work that is `in_the_way` of a request."""
    topic = topic if view.node(topic) else ""
    found = queue_of(view).open(topic, order)
    card = _named(view, page) if page else None
    card = card or _next(view, found, [])
    skip = [card.name] if card else []
    following = _next(view, found, skip)
    return view.page(
        "review.html",
        status,
        topic=topic,
        order=order,
        card=card,
        following=following,
        branches=by_branch(queue_of(view).open() if topic else found),
        in_the_way=in_the_way,
        times=times_of(view),
        **_around(view, found, done),
    )


@doors.form("/review/decide", needs=Role.REVIEWER)
def decide(
    view: Seen,
    page: Annotated[str, Form(max_length=40)] = "",
    kind: Annotated[str, Form(max_length=20)] = "",
    asked: Field = "",
    to: Field = "",
    other: Field = "",
    topic: Field = "",
    order: Annotated[str, Form(max_length=20)] = "",
    ahead: Annotated[str, Form(max_length=40)] = "",
    part: Annotated[bool, Form()] = False,
) -> Response:
    """Record a decision and go on to the next page; with `part`, return only the parts of the page that change."""
    number = _decided(view, page, kind, asked, to or other)
    _estimate_in_time(view)
    chosen = ReviewOrder(order) if order in list(ReviewOrder) else ReviewOrder.DOUBTFUL
    topic = topic if view.node(topic) else ""
    if not part:
        return view.go(_address(topic, chosen, done=number))
    found = queue_of(view).open(topic, chosen)
    following = _next(view, found, [page, ahead])
    return view.page(
        "review_parts.html", topic=topic, order=chosen, following=following, **_around(view, found, number)
    )


@doors.form("/review/undo", needs=Role.REVIEWER)
def undo(view: Seen, number: Number = 0, back: Field = "", redo: Annotated[bool, Form()] = False) -> Response:
    """Undo a decision, by default the reader's latest; with `redo`, restore the one undone last."""
    store, now = view.library.store, view.library.clock()
    if not number:
        number = _last(view, redo=redo)
    row = store.decisions.redo(number) if redo else store.decisions.undo(number, now)
    view.library.forget()
    if row is None:
        return view.go("/review")
    if back == "log":
        return view.go("/review/log")
    return view.go(f"/review?done={row.id}" if redo else f"/review?page={page_name(row.page)}&done={row.id}")


@doors.page("/review/log", needs=Role.REVIEWER)
def review_log(view: Seen, page: Annotated[int, Query(ge=1, le=100_000)] = 1) -> Response:
    """Show all decisions, newest first; each can be undone."""
    store = view.library.store
    total = store.decisions.count()
    last = max(1, -(-total // _ON_PAGE))
    number = min(page, last)
    rows = store.decisions.all(_ON_PAGE, (number - 1) * _ON_PAGE)
    return view.page(
        "review_log.html",
        rows=rows,
        titles=_titles(view, rows),
        total=total,
        number=number,
        last=last,
        names={user.id: user.name for user in view.accounts.users.all()},
    )


@doors.page("/review/log.{kind}", needs=Role.REVIEWER)
def review_log_data(view: Seen, kind: str) -> Response:
    """Return all decisions as data."""
    rows = [_row(row) for row in view.library.store.decisions.all()]
    if kind == "json":
        return data(kind, msgspec.json.encode({"decisions": rows, "total": len(rows)}), "decisions")
    if kind != "csv":
        raise Refused(404, "error.missing", "error.missing_then")
    out = io.StringIO()
    writer = csv.DictWriter(out, ["url", "kind", "shown", "topic", "at", "undone"])
    writer.writeheader()
    writer.writerows({key: _harmless(value) for key, value in row.items()} for row in rows)
    return data(kind, out.getvalue(), "decisions")


@doors.form("/review/lesson", needs=Role.REVIEWER)
def lesson(view: Seen, action: Annotated[str, Form(max_length=20)] = "") -> Response:
    """Estimate, apply or undo the effect of the decisions, in a separate process."""
    if action not in list(LessonAction):
        raise Refused(400, "error.request", "error.request_then")
    found = work_of(view).begin(LessonAction(action), view.user, view.library.clock())
    queue_of(view).forget()
    if isinstance(found, InTheWay):
        return _page(view, status=409, in_the_way=found)
    return view.go("/review")


@doors.page("/review/moved", needs=Role.REVIEWER)
def moved(view: Seen) -> Response:
    """Show which pages the newest lesson moves or would move."""
    found = work_of(view).newest(view.library.clock())
    return view.page("review_moved.html", lesson=found, report=found.report if found else {})


def queue_of(view: RequestContext) -> ReviewQueue:
    """Return the review queue of the portal."""
    found: ReviewQueue = view.request.app.state.review_queue
    return found


def work_of(view: RequestContext) -> LessonWork:
    """Return the lesson work of the portal."""
    found: LessonWork = view.request.app.state.lesson_work
    return found


def _around(view: RequestContext, found: list[DoubtfulPage], done: int) -> dict[str, Any]:
    """Return the data around the card: figures, the latest decisions, the lesson."""
    store, work, now = view.library.store, work_of(view), view.library.clock()
    rows = store.decisions.all()
    single = _single(view, rows)
    mine = [row for row in single if row.user == (view.user.id if view.user else None)]
    newest, running = work.newest(now), work.running(now)
    since = work.since_last()
    recent = [row for row in single if row.undone is None][:_RECENT]
    last = store.decisions.get(done) if done else None
    return {
        "open": len(found),
        "since": since,
        "goal": AFTER,
        "minutes": max(1, round(max(0, AFTER - since) * SECONDS / 60)),
        "figures": precisions(rows),
        "recent": recent,
        "total": len(rows),
        "titles": _titles(view, [*recent, *([last] if last else [])]),
        "last": last,
        "can_redo": _redoable(mine) is not None,
        "lesson": newest,
        "working": newest is not None and work.is_working(newest, now),
        "work": running,
        "how_far": bench_of(view).step(running.id) if running is not None else None,
        "why": fault_in(newest.report) if newest is not None else None,
        "stoppable": work.stoppable(now) is not None,
    }


def _next(view: RequestContext, found: list[DoubtfulPage], skip: list[str]) -> Card | None:
    for doubt in found:
        if page_name(doubt.id) not in skip:
            card = make_card(view.library, doubt)
            if card is not None:
                return card
    return None


def _named(view: RequestContext, name: str) -> Card | None:
    """Return the card of a page requested by name, under its topic or the one it came closest to."""
    id_ = page_id(name)
    found = view.library.store.documents.document(id_) if id_ is not None else None
    judged = found.judgement if found else None
    if found is None or judged is None:
        return None
    nearest = judged.rejection.topic if judged.rejection else next(iter(view.library.overview().nodes), None)
    asked = judged.topic or nearest
    if asked is None:
        return None
    accepted = judged.topic is not None
    doubt = DoubtfulPage(found.url_id, found.url, found.host, asked, judged.confidence, judged.probability, accepted)
    return make_card(view.library, doubt)


def _decided(view: RequestContext, name: str, kind: str, asked: str, to: str) -> int:
    id_ = page_id(name)
    found = view.library.store.documents.document(id_) if id_ is not None else None
    if found is None or "noindex" in found.robots:
        raise Refused(404, "error.document", "error.document_then")
    if kind not in list(DecisionKind) or kind == DecisionKind.REMOVED:
        raise Refused(400, "error.request", "error.request_then")
    shown = _shown(view, found)
    chosen = DecisionKind(kind)
    # The right topic is the one the card asked about; after a move it differs from the classifier's.
    right = asked if asked and view.node(asked) else shown
    topic = {DecisionKind.RIGHT: right or asked, DecisionKind.MOVED: to}.get(chosen)
    if topic is not None and view.node(topic) is None:
        raise Refused(400, "review.no_topic", "review.no_topic_then")
    if topic is not None and shown is not None:
        chosen = DecisionKind.RIGHT if topic == shown else DecisionKind.MOVED
    row = DecisionRow(
        page=found.url_id,
        url=found.url,
        kind=chosen,
        at=view.library.clock(),
        shown=shown,
        topic=topic,
        user=view.user.id if view.user else None,
    )
    number = view.library.store.decisions.add(row)
    view.library.forget()
    return number


def _shown(view: RequestContext, found: DocumentRow) -> str | None:
    """Return the topic that a page had before anybody decided about it, or None."""
    rows = view.library.store.decisions.of_page(found.url_id)
    earlier = [row for row in rows if row.undone is None and row.kind is not DecisionKind.LATER]
    if earlier:
        return earlier[-1].shown
    return found.judgement.topic if found.judgement else None


def _estimate_in_time(view: RequestContext) -> None:
    """Start an estimate once there are enough new decisions."""
    work, now = work_of(view), view.library.clock()
    if work.since_last() >= AFTER and view.library.classifier() is not None:
        newest = work.newest(now)
        if newest is None or not work.is_working(newest, now):
            work.begin(LessonAction.ESTIMATE, view.user, now)


def _last(view: RequestContext, *, redo: bool) -> int:
    """Return the decision to undo or redo: the reader's latest valid one, or the one undone last."""
    rows = _single(view, view.library.store.decisions.all(1000))
    mine = [row for row in rows if view.user and row.user == view.user.id]
    if redo:
        return _redoable(mine) or 0
    return next((row.id for row in mine if row.undone is None), 0)


def _single(view: RequestContext, rows: list[DecisionRow]) -> list[DecisionRow]:
    """Return decisions other than removals, which are undone and redone as a whole."""
    removals = view.library.store.deeds.all(("remove",), _REMOVALS)
    removed = {number for deed in removals for number in msgspec.json.decode(deed.after, type=list[int])}
    return [row for row in rows if row.id not in removed and row.kind is not DecisionKind.REMOVED]


def _redoable(mine: list[DecisionRow]) -> int | None:
    """Return the decision that can be redone: the oldest undone one after all valid ones."""
    newest = next((row.id for row in mine if row.undone is None), 0)
    return min((row.id for row in mine if row.undone is not None and row.id > newest), default=None)


def _titles(view: RequestContext, rows: list[DecisionRow]) -> dict[int, str]:
    heads = view.library.store.search_feed.heads([row.page for row in rows])
    return {row.page: (heads[row.page].title if row.page in heads else "") or row.url for row in rows}


def _row(row: DecisionRow) -> dict[str, Any]:
    keys = ("url", "kind", "shown", "topic", "at", "undone")
    return {key: getattr(row, key) for key in keys} | {"kind": row.kind.value}


def _harmless(value: Any) -> Any:
    """Return a cell value that no spreadsheet evaluates as a formula."""
    return f"'{value}" if isinstance(value, str) and value.startswith(("=", "+", "-", "@", "\t", "\r")) else value


def _address(topic: str, order: ReviewOrder, done: int) -> str:
    kept = {"topic": topic, "order": order.value if order is not ReviewOrder.DOUBTFUL else "", "done": str(done)}
    return "/review?" + urlencode({key: value for key, value in kept.items() if value})
