"""Review: what is asked, what a decision does, undo and redo, and lessons that others work out."""

import os
import time
from typing import Any

import pytest
from msgspec.structs import replace
from starlette.testclient import TestClient

from tests.portal.made import Made, page, token_for
from thresher.errors import InputError, PortalBusy
from thresher.portal.ids import page_name
from thresher.portal.lesson_work import AFTER, LessonAction, LessonWork
from thresher.portal.review_card import marked
from thresher.portal.review_figures import precisions
from thresher.portal.work import Workbench
from thresher.reasons import Unmet
from thresher.store.decisions import DecisionKind, DecisionRow, LessonRow, LessonState
from thresher.store.page_records import ReviewState
from thresher.store.portal_records import Role
from thresher.store.records import Batch
from thresher.store.work_records import WorkKind, WorkRow
from thresher.train.lesson_claims import claim, give_up, is_claimed
from thresher.types import Rejection


@pytest.fixture
def reviewer(made: Made) -> TestClient:
    return made.signed_in(Role.REVIEWER, "Rita")


def post(browser: TestClient, path: str, **fields: Any) -> Any:
    return browser.post(path, data={**fields, "token": token_for(browser)})


def decide(browser: TestClient, row: Any, kind: str, **more: Any) -> Any:
    return post(browser, "/review/decide", page=page_name(row.url_id), kind=kind, **more)


def test_the_most_doubtful_page_is_asked_about_with_its_evidence(made: Made, reviewer: TestClient) -> None:
    text = reviewer.get("/review").text
    assert "Sailing" in text
    assert "Is this about" in text
    assert "kettle" in text
    assert "forum" in text
    assert "5 pages where your decision helps most" in text
    assert "Secret" not in text, "pages that ask not to be indexed are nobody's business"
    assert "Round pots" in reviewer.get("/review?topic=Tea&order=top").text
    header = reviewer.get("/topics").text
    assert '<span class="count">5</span>' in header
    assert 'href="/review"' not in made.client.get("/topics").text


def test_a_decision_settles_the_page_and_leads_to_the_next(made: Made, reviewer: TestClient) -> None:
    sailing, rowing = made.rows[2], made.rows[3]
    answer = decide(reviewer, sailing, "right", asked="Boats")
    assert answer.status_code == 303
    after = reviewer.get(answer.headers["location"]).text
    assert "is right" in after
    assert "Rowing" in after
    decide(reviewer, rowing, "moved", to="Tea/Green")
    decide(reviewer, made.rows[1], "irrelevant")
    settled = made.store.decisions.settled()
    assert {id_: found.state for id_, found in settled.items()} == {
        sailing.url_id: ReviewState.RIGHT,
        rowing.url_id: ReviewState.MOVED,
        made.rows[1].url_id: ReviewState.IRRELEVANT,
    }
    assert "Rowing" in made.client.get("/t/Tea/Green").text
    assert "Rowing" not in made.client.get("/t/Boats").text
    assert "Tea houses" not in made.client.get("/new").text
    log = reviewer.get("/review/log").text
    assert "moved to Green" in log
    assert "Rita" in log
    data = reviewer.get("/review/log.json").json()
    assert data["total"] == 3
    assert data["decisions"][0]["kind"] == "irrelevant"
    assert "moved" in reviewer.get("/review/log.csv").text


def test_right_agrees_with_an_earlier_move(made: Made, reviewer: TestClient) -> None:
    rowing = made.rows[3]
    decide(reviewer, rowing, "moved", to="Tea/Green")
    card = reviewer.get(f"/review?page={page_name(rowing.url_id)}").text
    assert 'name="asked" value="Tea/Green"' in card
    decide(reviewer, rowing, "right", asked="Tea/Green")
    newest = made.store.decisions.all()[0]
    assert (newest.kind, newest.shown, newest.topic) == (DecisionKind.MOVED, "Boats", "Tea/Green")
    decide(reviewer, rowing, "right", asked="No such topic")
    newest = made.store.decisions.all()[0]
    assert (newest.kind, newest.topic) == (DecisionKind.RIGHT, "Boats")


def test_later_comes_to_the_end_and_settles_nothing(made: Made, reviewer: TestClient) -> None:
    decide(reviewer, made.rows[2], "later")
    assert made.store.decisions.settled() == {}
    queue = made.app.state.review_queue.open()
    assert queue[-1].id == made.rows[2].url_id


@pytest.mark.slow
def test_undo_and_redo_without_limit(made: Made, reviewer: TestClient) -> None:
    for row in made.rows[:4]:
        decide(reviewer, row, "irrelevant")
    for number in (4, 3, 2, 1):
        answer = post(reviewer, "/review/undo")
        assert f"page={page_name(made.rows[number - 1].url_id)}" in answer.headers["location"]
        assert "is as it was before" in reviewer.get(answer.headers["location"]).text
    assert made.store.decisions.settled() == {}
    post(reviewer, "/review/undo")
    for number in range(1, 5):
        post(reviewer, "/review/undo", redo="true")
        assert len(made.store.decisions.settled()) == number
    assert post(reviewer, "/review/undo", redo="true").status_code == 303
    post(reviewer, "/review/undo", number="2", back="log")
    assert len(made.store.decisions.settled()) == 3
    decide(reviewer, made.rows[5 - 1 - 3], "right")
    post(reviewer, "/review/undo", redo="true")
    assert made.store.decisions.get(2).undone is not None, "what lies before a newer decision is not redone"


def test_undo_and_redo_pass_over_removals(made: Made, reviewer: TestClient) -> None:
    decide(reviewer, made.rows[0], "right")
    post(reviewer, "/remove", page=page_name(made.rows[1].url_id), alone="true")
    post(reviewer, "/review/undo")
    assert list(made.store.decisions.settled()) == [made.rows[1].url_id], "the removal holds"
    post(reviewer, "/review/undo", redo="true")
    (deed,) = made.store.deeds.all(("remove",))
    post(reviewer, "/manage/undo", number=str(deed.id))
    assert list(made.store.decisions.settled()) == [made.rows[0].url_id]
    post(reviewer, "/review/undo", redo="true")
    assert list(made.store.decisions.settled()) == [made.rows[0].url_id], "nor is one that was undone done again"


def test_ones_own_decisions_are_undone_first(made: Made, reviewer: TestClient) -> None:
    decide(reviewer, made.rows[0], "right")
    other = made.signed_in(Role.ADMIN)
    decide(other, made.rows[1], "irrelevant")
    post(reviewer, "/review/undo")
    assert list(made.store.decisions.settled()) == [made.rows[1].url_id]


@pytest.mark.slow
def test_parts_of_the_page_are_there_for_the_script(made: Made, reviewer: TestClient) -> None:
    ahead = page_name(made.rows[3].url_id)
    parts = decide(reviewer, made.rows[2], "right", part="true", ahead=ahead).text
    for name in ("head", "status", "aside", "next"):
        assert f'data-part="{name}"' in parts
    assert f'data-name="{ahead}"' not in parts, "the page that is shown already is not sent again"
    assert f'data-name="{page_name(made.rows[2].url_id)}"' not in parts


@pytest.mark.parametrize(
    ("fields", "status"),
    [
        ({"page": "x", "kind": "right"}, 404),
        ({"kind": "nonsense"}, 400),
        ({"kind": "moved", "to": "Nowhere"}, 400),
        ({"kind": "moved"}, 400),
    ],
)
def test_a_decision_that_makes_no_sense_is_refused(
    made: Made, reviewer: TestClient, fields: dict[str, str], status: int
) -> None:
    answer = post(reviewer, "/review/decide", **{"page": page_name(made.rows[2].url_id), **fields})
    assert answer.status_code == status
    assert made.store.decisions.count() == 0


def test_readers_do_not_review(made: Made) -> None:
    reader = made.signed_in(Role.READER)
    assert reader.get("/review").status_code == 403
    assert decide(reader, made.rows[2], "right").status_code == 403


def test_rejected_pages_near_a_topic_are_asked_about(made: Made, reviewer: TestClient) -> None:
    near = page("http://near.test/", None, title="Nearly tea", confidence=-0.2, probability=0.45)
    judged = near.judgement
    assert judged is not None
    judged = replace(judged, rejection=Rejection(rule=Unmet.BELOW_THRESHOLD, topic="Tea"))
    crawl = made.store.crawls.get()
    assert crawl is not None
    made.store.commit(Batch(crawl=crawl.id, at=1.0, documents=[replace(near, judgement=judged)]))
    made.app.state.review_queue.forget()
    text = reviewer.get("/review?topic=Tea").text
    assert "Nearly tea" in text
    assert "not in the topic yet" in text
    decide(reviewer, near, "right", asked="Tea")
    assert made.store.decisions.settled()[near.url_id].topic == "Tea"
    assert "Nearly tea" in made.client.get("/t/Tea").text


class Noted(Workbench):
    """Work that is noted and not started."""

    def _spawn(self, row: WorkRow) -> None:
        pass


class Recorded(LessonWork):
    """Lessons whose processes are noted and not started."""

    def __init__(self, made: Made) -> None:
        super().__init__(Noted(made.folder, made.store), made.store)
        self._made = made

    @property
    def run(self) -> list[tuple[LessonAction, int]]:
        rows = self._made.store.works.newest(100)[::-1]
        return [(LessonAction(row.arguments[0]), int(row.arguments[2])) for row in rows]

    def end(self, code: int | None = 0) -> None:
        """Let the work that runs come to its end."""
        for row in self._made.store.works.open():
            self._made.store.works.end(row.id, time.time(), code)


def report(**more: Any) -> dict[str, Any]:
    told = {"answers": 20, "last": 0, "before": 0.81, "after": 0.88, "interval": [0.7, 0.95], "topics": []}
    moves = {"moved": 37, "moves": [["Tea", None, 37]], "pages": [["http://x.test/", "<b>X", "Tea", None]]}
    return {**told, **moves, "file": "m.zip", "again": [], **more}


def test_the_effect_is_shown_before_it_is_applied_and_can_be_taken_back(made: Made, reviewer: TestClient) -> None:
    work = made.app.state.lesson_work = Recorded(made)
    lesson = made.store.lessons.put(LessonRow(at=1.0, state=LessonState.READY, report=report()))
    text = reviewer.get("/review").text
    assert "37 pages would move" in text
    assert "81 %" in text
    assert "88 %" in text
    assert "37" in reviewer.get("/review/moved").text
    assert "<b>X" not in reviewer.get("/review/moved").text
    assert post(reviewer, "/review/lesson", action="apply").status_code == 303
    assert work.run == [(LessonAction.APPLY, lesson.id)]
    running = reviewer.get("/review").text
    assert "/crawl/work/1" in running, "its log can be read while it runs"
    assert 'value="stop"' not in running
    post(reviewer, "/review/lesson", action="stop")
    assert [row.stopped_by for row in made.store.works.open()] == [None], "only an estimate is stopped half-way"
    work.end()
    made.store.lessons.put(LessonRow(id=lesson.id, at=1.0, state=LessonState.APPLIED, report=report()))
    assert "37 pages moved" in reviewer.get("/review").text
    post(reviewer, "/review/lesson", action="undo")
    assert work.run[-1] == (LessonAction.UNDO, lesson.id)
    work.end()
    post(reviewer, "/review/lesson", action="apply")
    assert len(work.run) == 2, "what is applied is not applied again"


def test_a_lesson_whose_process_is_gone_has_failed(made: Made, reviewer: TestClient) -> None:
    made.app.state.lesson_work = Recorded(made)
    made.store.lessons.put(LessonRow(at=made.app.state.library.clock(), state=LessonState.WANTED))
    assert "Estimating." in reviewer.get("/review").text
    row = made.store.lessons.all()[0]
    made.store.lessons.put(LessonRow(id=row.id, at=row.at, state=LessonState.WANTED, pid=2**22 + 1))
    assert "could not be estimated" in reviewer.get("/review").text


def test_a_lesson_whose_work_was_stopped_has_failed_at_once(made: Made, reviewer: TestClient) -> None:
    work = made.app.state.lesson_work = Recorded(made)
    post(reviewer, "/review/lesson", action="estimate")
    text = reviewer.get("/review").text
    assert "Estimating." in text
    assert 'value="stop"' in text
    assert [(row.kind, row.user) for row in made.store.works.open()] == [(WorkKind.ANSWERS, "Rita")]
    assert "Effect of the decisions" in reviewer.get("/crawl/log").text
    post(reviewer, "/review/lesson", action="stop")
    assert [row.stopped_by for row in made.store.works.open()] == ["Rita"], "whoever reviews may stop it"
    work.end(130)
    assert "could not be estimated" in reviewer.get("/review").text
    post(reviewer, "/review/lesson", action="estimate")
    assert len(work.run) == 2


def test_an_estimate_that_did_not_begin_hides_no_other(
    made: Made, reviewer: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    work = made.app.state.lesson_work = Recorded(made)
    post(reviewer, "/review/lesson", action="estimate")
    (first,) = made.store.lessons.all()
    with monkeypatch.context() as patch:
        # Somebody else asked in the same moment, and both found that nothing runs.
        patch.setattr(work, "is_working", lambda row, now: False)
        patch.setattr(work, "newest", lambda now: None)
        answer = post(reviewer, "/review/lesson", action="estimate")
    assert answer.status_code == 409
    assert "Effect of the decisions” has been running since" in answer.text
    assert len(made.store.lessons.all()) == 2
    found = work.newest(made.app.state.library.clock())
    assert found is not None
    assert found.id == first.id
    assert "Estimating." in reviewer.get("/review").text


def test_one_process_works_on_a_lesson_and_a_late_one_spoils_nothing(made: Made) -> None:
    lessons = made.store.lessons
    ready = lessons.put(LessonRow(at=1.0, state=LessonState.READY, report=report()))
    mine = claim(made.store, ready)
    assert mine.pid == os.getpid()
    assert LessonWork(Noted(made.folder, made.store), made.store).begin(LessonAction.APPLY, None, 2.0) is None
    for seen in (ready, mine):
        with pytest.raises(PortalBusy):
            claim(made.store, seen)
    applied = lessons.put(replace(ready, state=LessonState.APPLIED))
    give_up(made.store, mine, InputError("The index could not be written."))
    assert lessons.get(ready.id) == applied, "it was applied before the process failed"
    with pytest.raises(PortalBusy):
        claim(made.store, ready)
    give_up(made.store, claim(made.store, applied), InputError("Busy."))
    assert lessons.get(ready.id) == replace(applied, report=report(error="Busy.", reason="input"))


@pytest.mark.parametrize("change", [{"born": 1.0}, {"host": "elsewhere.test", "since": 1.0}])
def test_a_stale_process_does_not_block_lessons(made: Made, change: dict[str, Any]) -> None:
    mine = claim(made.store, LessonRow(at=1.0, state=LessonState.READY, report=report()))
    now = mine.report["process"]["since"]
    assert is_claimed(mine, now)
    stale = replace(mine, report={**mine.report, "process": {**mine.report["process"], **change}})
    made.store.lessons.put(stale)
    assert not is_claimed(stale, now)
    assert is_claimed(claim(made.store, stale), now)


@pytest.mark.slow
def test_contradictory_answers_are_asked_again_first(made: Made, reviewer: TestClient) -> None:
    decide(reviewer, made.rows[0], "irrelevant")
    again = report(again=[made.rows[0].url_id])
    made.store.lessons.put(LessonRow(at=1.0, state=LessonState.READY, report=again))
    text = reviewer.get("/review").text
    assert "asked again" in text
    assert "Round pots" in text
    decide(reviewer, made.rows[0], "right")
    assert made.store.decisions.settled()[made.rows[0].url_id].state is ReviewState.RIGHT
    assert '"tag acc">asked again' not in reviewer.get("/review").text


def test_enough_decisions_have_their_effect_estimated(made: Made, reviewer: TestClient) -> None:
    work = made.app.state.lesson_work = Recorded(made)
    made.app.state.library.classifier = object
    made.app.state.review_queue.open = lambda *_: []
    for number in range(AFTER - 1):
        row = DecisionRow(page=number, url=f"http://x.test/{number}", kind=DecisionKind.RIGHT, at=1.0, topic="Tea")
        made.store.decisions.add(row)
    assert work.run == []
    decide(reviewer, made.rows[2], "right")
    assert [action for action, _ in work.run] == [LessonAction.ESTIMATE]
    decide(reviewer, made.rows[3], "right")
    assert len(work.run) == 1, "one process at a time"


def test_precision_counts_the_newest_decision_of_each_page() -> None:
    def row(number: int, page: int, shown: str | None, topic: str | None, **more: Any) -> DecisionRow:
        kind = DecisionKind.RIGHT if topic == shown else DecisionKind.IRRELEVANT
        return DecisionRow(id=number, page=page, url="", kind=kind, at=0.0, shown=shown, topic=topic, **more)

    found = precisions(
        [
            row(1, 1, "Tea", None),
            row(2, 1, "Tea", "Tea"),
            row(3, 2, "Tea", None),
            row(4, 3, "Boats", "Boats"),
            row(5, 4, None, "Boats"),
            row(6, 5, "Boats", None, undone=1.0),
        ]
    )
    assert [(one.topic, one.checked, one.right) for one in found.topics] == [("Tea", 2, 1), ("Boats", 1, 1)]
    assert found.micro is not None
    assert (found.micro.right, found.micro.checked) == (2, 3)
    assert found.macro == 0.75
    assert found.topics[0].low < 0.5 < found.topics[0].high


def test_words_of_strangers_are_no_patterns() -> None:
    assert marked("a (b c", ["(b", ".*"]) == [("a (b c", False)]
