"""The inbox: proposals and feedback from readers, to accept or decline."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Annotated, Any

from fastapi import Form, Query
from msgspec.structs import replace
from starlette.responses import Response

from thresher.portal.changes import change_training, noted
from thresher.portal.doors import Doors, Refused
from thresher.portal.view import RequestContext, Seen
from thresher.portals import editing_topics
from thresher.store.decisions import DecisionKind, DecisionRow
from thresher.store.portal_records import FeedbackRow, ProposalRow, Role, Verdict
from thresher.taxonomy.topic_tree import TrainingPage, distinct, parsed, put

doors = Doors()

Number = Annotated[int, Form(ge=0, lt=1 << 62)]
OPEN, ACCEPTED, DECLINED = "open", "accepted", "declined"
_SHOWN = 300


@doors.page("/manage/inbox", needs=Role.REVIEWER)
def manage_inbox(view: Seen, done: Annotated[int, Query(ge=0, lt=1 << 62)] = 0) -> Response:
    """Show what readers sent in, open items first."""
    store = view.library.store
    proposals, feedback = store.inbox.proposals(), store.inbox.feedback()
    answers = {row.about: row.after for row in store.deeds.all(["inbox"], 1000) if row.undone is None}
    heads = store.search_feed.heads([row.page for row in feedback])
    return view.page(
        "manage_inbox.html",
        here="inbox",
        told=view.library.overview(),
        proposals=sorted(proposals, key=lambda row: (row.state != OPEN, -row.id))[:_SHOWN],
        feedback=sorted(feedback, key=lambda row: (row.state != OPEN, -row.id))[:_SHOWN],
        titles={row.page: heads[row.page].title or row.url if row.page in heads else row.url for row in feedback},
        answered=answers,
        last=store.deeds.get(done) if done else None,
    )


@doors.form("/manage/inbox/proposal", needs=Role.REVIEWER)
def answer_proposal(
    view: Seen,
    number: Number = 0,
    answer: Annotated[str, Form(max_length=20)] = "",
    topic: Annotated[str, Form(max_length=2000)] = "",
    note: Annotated[str, Form(max_length=2000)] = "",
) -> Response:
    """Accept a proposal, as a training page of a topic or as a start page, or decline it."""
    row = next((one for one in view.library.store.inbox.proposals() if one.id == number), None)
    if row is None or answer not in (ACCEPTED, DECLINED):
        raise Refused(404, "error.missing", "error.missing_then")
    if answer == ACCEPTED and topic and view.library.topics().get(parsed(topic)) is None:
        raise Refused(404, "error.topic", "error.topic_then")
    told: dict[str, Any] = {"state": answer, "note": note.strip()}
    with _answered(view.library.store.inbox.mark_proposal, number, answer):
        if answer == ACCEPTED:
            told["deed"] = _add(view, row, topic)
    deed = noted(view, "inbox", f"proposal {number}", {"state": OPEN}, told)
    return view.go(f"/manage/inbox?done={deed}")


@doors.form("/manage/inbox/feedback", needs=Role.REVIEWER)
def answer_feedback(
    view: Seen,
    number: Number = 0,
    answer: Annotated[str, Form(max_length=20)] = "",
    note: Annotated[str, Form(max_length=2000)] = "",
) -> Response:
    """Accept feedback, which decides about its page, or decline it."""
    row = next((one for one in view.library.store.inbox.feedback() if one.id == number), None)
    if row is None or answer not in (ACCEPTED, DECLINED):
        raise Refused(404, "error.missing", "error.missing_then")
    told: dict[str, Any] = {"state": answer, "note": note.strip()}
    with _answered(view.library.store.inbox.mark_feedback, number, answer):
        if answer == ACCEPTED:
            told["decision"] = _decide(view, row)
    deed = noted(view, "inbox", f"feedback {number}", {"state": OPEN}, told)
    return view.go(f"/manage/inbox?done={deed}")


@contextmanager
def _answered(mark: Callable[[int, str, str | None], bool], number: int, answer: str) -> Iterator[None]:
    """Mark an open item as answered while the answer is carried out; reopen it if that fails."""
    if not mark(number, answer, OPEN):
        raise Refused(409, "manage.changed_since", "manage.changed_since_then")
    try:
        yield
    except Exception:
        mark(number, OPEN, answer)
        raise


def _add(view: RequestContext, row: ProposalRow, topic: str) -> int:
    page = TrainingPage(row.url, note=row.note[:500])
    with editing_topics(view.library.portal) as tree:
        one = tree.get(parsed(topic)) if topic else None
        if one is None:
            return change_training(view, "training ", replace(tree, seeds=distinct((*tree.seeds, page))))
        made = put(tree, parsed(topic), replace(one, pages=distinct((*one.pages, page))))
        return change_training(view, f"training {topic}", made)


def _decide(view: RequestContext, row: FeedbackRow) -> int:
    kind = {Verdict.RIGHT: DecisionKind.RIGHT, Verdict.WRONG: DecisionKind.IRRELEVANT}.get(
        row.verdict, DecisionKind.MOVED
    )
    topic = row.topic if row.verdict is Verdict.RIGHT else row.better if row.verdict is Verdict.BETTER else None
    if kind is not DecisionKind.IRRELEVANT and view.node(topic) is None:
        raise Refused(409, "review.no_topic", "review.no_topic_then")
    decision = DecisionRow(
        page=row.page,
        url=row.url,
        kind=kind,
        at=view.library.clock(),
        shown=row.topic,
        topic=topic,
        user=view.user.id if view.user else None,
    )
    return view.library.store.decisions.add(decision)
