"""The pages that organise a portal: previews, steps and their undo, each as work of its own."""

import time
from contextlib import redirect_stderr
from random import Random
from typing import Any

import pytest
from starlette.testclient import TestClient

from tests.portal.made import Made, page, token_for
from thresher.portal.work import Workbench
from thresher.portal.work_commands import commands_of
from thresher.portal_work import do_work
from thresher.portals import load_topics
from thresher.store.organise_records import StepKind, StepRow
from thresher.store.portal_records import Role
from thresher.store.records import Batch
from thresher.store.work_records import WorkKind, WorkRow, result_file

GREEN = "sencha gyokuro steamed leaves japan harvest matcha bowl whisk powder shade spring"
BLACK = "assam ceylon kenya malty breakfast strong milk sugar morning plantation orange pekoe"


class Inside(Workbench):
    """Work that is done at once, inside of this process."""

    def _spawn(self, row: WorkRow) -> None:
        self._log_file(row.id).parent.mkdir(exist_ok=True)
        with open(self._log_file(row.id), "w") as log, redirect_stderr(log):
            do_work(self._portal, row.id)


class Noted(Workbench):
    """Work that is noted and not started."""

    def _spawn(self, row: WorkRow) -> None:
        pass


def post(browser: TestClient, path: str, **fields: Any) -> Any:
    return browser.post(path, data={**fields, "token": token_for(browser)})


@pytest.fixture
def full(made: Made) -> Made:
    """A portal whose topic Tea has two kinds of pages."""
    rows = []
    for number in range(40):
        words = (GREEN if number % 2 else BLACK).split()
        own = Random(number).sample(words, 9)
        text = " ".join(own * 4 + ["tea"])
        rows.append(
            page(
                f"http://p{number}.test/",
                "Tea",
                title=f"Page {number}",
                preview=text,
                text=text,
                terms=dict.fromkeys(own, 4) | {"tea": 1},
            )
        )
    crawl = made.store.crawls.get()
    assert crawl is not None
    made.store.commit(Batch(crawl=crawl.id, at=1.0, documents=rows))
    made.app.state.bench = Inside(made.folder, made.store)
    made.app.state.library.forget()
    return made


def test_a_split_is_previewed_applied_and_undone(full: Made) -> None:
    admin = full.signed_in(Role.ADMIN, "Ada")
    asked = post(admin, "/manage/organise/split", topic="Tea", into="2", rest="parent")
    shown = admin.get(asked.headers["location"]).text
    assert "A preview. Nothing has been changed." in shown
    assert any(f"<bdi>{word}</bdi>" in shown for word in GREEN.split())
    assert "Create these topics" in shown
    assert full.store.organising.steps() == []
    done = post(admin, "/manage/organise/apply", number=asked.headers["location"].rpartition("/")[2])
    text = admin.get(done.headers["location"]).text
    assert "The topics were created" in text
    children = {path for path, _ in load_topics(full.folder).walk() if path[0] == "Tea"}
    assert len(children) >= 4, "Tea, Green, and at least two more"
    assert "Split a topic" in admin.get("/manage/organise").text
    (step,) = full.store.organising.steps()
    assert f'name="step" value="{step.id}"' in text
    undone = post(admin, "/manage/organise/undo", step=str(step.id))
    assert "moved back" in admin.get(undone.headers["location"]).text
    assert 'name="step"' not in admin.get(done.headers["location"]).text, "what is undone is not offered again"
    assert post(admin, "/manage/organise/undo", step=str(step.id)).status_code == 409
    assert len(list(load_topics(full.folder).walk())) == 3
    again = post(admin, "/manage/organise/apply", number=done.headers["location"].rpartition("/")[2])
    assert again.status_code == 400, "only a preview can be applied"


def test_duplicates_are_shown_and_hidden(full: Made) -> None:
    admin = full.signed_in(Role.ADMIN)
    text = " ".join(f"word{number}" for number in range(60))
    twins = [page(f"http://twin.test/{number}", "Boats", title=f"Twin {number}", text=text) for number in range(2)]
    crawl = full.store.crawls.get()
    assert crawl is not None
    full.store.commit(Batch(crawl=crawl.id, at=1.0, documents=twins))
    asked = post(admin, "/manage/organise/dedupe", similar="0.8")
    shown = admin.get(asked.headers["location"]).text
    assert "1 page would be hidden." in shown
    assert "1 group of near-duplicate pages" in shown
    assert full.store.organising.steps() == []
    post(admin, "/manage/organise/apply", number=asked.headers["location"].rpartition("/")[2])
    assert [step.pages for step in full.store.organising.steps()] == [1]


def test_what_cannot_be_done_is_said_in_a_sentence(full: Made) -> None:
    admin = full.signed_in(Role.ADMIN)
    asked = post(admin, "/manage/organise/split", topic="Boats")
    shown = admin.get(asked.headers["location"]).text
    assert "“Boats” itself has" in shown
    assert "a split needs" in shown
    assert "--" not in shown.partition("<main")[2].partition("a split needs")[0]


def test_forms_become_the_commands_of_the_terminal(made: Made) -> None:
    made.app.state.bench = Noted(made.folder, made.store)
    admin = made.signed_in(Role.ADMIN)
    strict = {"topic": "Tea/Green", "value": "1", "together": "true"}
    for path, fields, command in (
        ("split", {"topic": "Tea", "into": "3", "rest": "svm"}, ["--into", "3", "--rest", "svm", "--", "Tea"]),
        ("filter", {"topic": "", "by": "error", "value": "0.05"}, ["--error", "0.05", "--"]),
        ("filter", strict, ["--loss", "0.95", "--together", "--", "Tea/Green"]),
        ("dedupe", {"similar": "0.9"}, ["--similar", "0.9"]),
    ):
        assert post(admin, f"/manage/organise/{path}", **fields).status_code == 303
        (row,) = made.store.works.open()
        assert commands_of(row, made.folder, made.store) == [[path, str(made.folder), "--json", *command]]
        waiting = admin.get(f"/manage/organise/{row.id}").text
        assert 'http-equiv="refresh"' in waiting
        assert 'action="/crawl/stop"' in waiting
        assert post(admin, "/manage/organise/dedupe").status_code == 409, "one step at a time"
        made.store.works.end(row.id, time.time(), 130)
        assert "stopped" in admin.get(f"/manage/organise/{row.id}").text
    assert admin.get("/manage/organise/filter").headers["location"] == "/manage/organise"


def test_other_values_start_nothing(made: Made) -> None:
    made.app.state.bench = Noted(made.folder, made.store)
    admin = made.signed_in(Role.ADMIN)
    for path, fields in (
        ("split", {"topic": "Nothing"}),
        ("split", {"topic": "Tea", "into": "51"}),
        ("split", {"topic": "Tea", "rest": "--apply"}),
        ("filter", {"topic": "Tea", "by": "apply"}),
        ("filter", {"value": "nan"}),
        ("dedupe", {"similar": "0.1"}),
        ("undo", {"step": "1"}),
        ("apply", {"number": "1"}),
    ):
        assert post(admin, f"/manage/organise/{path}", **fields).status_code in (400, 404), path
    assert made.store.works.open() == []


def test_only_the_newest_step_of_a_kind_is_undone(made: Made) -> None:
    made.app.state.bench = Noted(made.folder, made.store)
    admin = made.signed_in(Role.ADMIN)
    work = made.store.works.add(WorkRow(kind=WorkKind.FILTER, asked=1.0, arguments=("--apply", "--")))
    assert work is not None
    made.store.works.end(work.id, 3.0, 0)
    file = result_file(made.folder, work.id)
    file.parent.mkdir(exist_ok=True)
    file.write_text('{"topic":null,"kept":8,"moved":2,"topics":[],"untrained":[],"applied":true}')
    mine = made.store.organising.take(StepRow(kind=StepKind.FILTER, at=2.0), {})
    assert f'name="step" value="{mine.id}"' in admin.get(f"/manage/organise/{work.id}").text
    newer = made.store.organising.take(StepRow(kind=StepKind.FILTER, at=9.0), {})
    other = made.store.organising.take(StepRow(kind=StepKind.DEDUPE, at=10.0), {})
    assert 'name="step"' not in admin.get(f"/manage/organise/{work.id}").text
    refused = post(admin, "/manage/organise/undo", step=str(mine.id))
    assert refused.status_code == 409
    assert "It has been changed again since" in refused.text
    assert made.store.works.open() == []
    listed = admin.get("/manage/organise").text
    assert all(f'name="step" value="{step.id}"' in listed for step in (newer, other))
    assert post(admin, "/manage/organise/undo", step=str(newer.id)).status_code == 303
    assert [(row.kind, row.arguments) for row in made.store.works.open()] == [(WorkKind.FILTER, ("--undo",))]


def test_topics_without_clear_groups_are_called_so(made: Made) -> None:
    row = made.store.works.add(WorkRow(kind=WorkKind.SPLIT, asked=1.0, arguments=("--", "Tea")))
    assert row is not None
    made.store.works.end(row.id, 2.0, 0)
    file = result_file(made.folder, row.id)
    file.parent.mkdir(exist_ok=True)
    proposal = '{"number":2,"stability":0.1,"silhouette":0.01,"clear":false}'
    file.write_text(
        f'{{"topic":"Tea","clusters":[],"proposal":{proposal},"kept":5,"moved":0,"loss":0,"error":null,"applied":false}}'
    )
    text = made.signed_in(Role.ADMIN).get(f"/manage/organise/{row.id}").text
    assert "No clear groups." in text
    assert "only 10 % agreement" in text
    file.write_text(file.read_text().replace("false}", "true}", 1).replace("0.1,", "0.9,"))
    assert "2 sub-topics fit best" in made.signed_in(Role.ADMIN).get(f"/manage/organise/{row.id}").text
    file.write_text("{ damaged")
    assert made.signed_in(Role.ADMIN).get(f"/manage/organise/{row.id}").status_code == 200


def test_a_filter_says_what_each_topic_keeps(made: Made) -> None:
    row = made.store.works.add(WorkRow(kind=WorkKind.FILTER, asked=1.0, arguments=("--loss", "0.2", "--")))
    assert row is not None
    made.store.works.end(row.id, 2.0, 0)
    file = result_file(made.folder, row.id)
    file.parent.mkdir(exist_ok=True)
    errors = '"error":0.06,"error_interval":[0.04,0.09],"error_before":0.2'
    topic = f'{{"topic":"Tea/Green","kept":8,"moved":2,{errors},"reached":true}}'
    file.write_text(
        f'{{"topic":null,"kept":8,"moved":2,"loss":0.2,"topics":[{topic}],"untrained":["Boats"],"applied":false}}'
    )
    text = made.signed_in(Role.ADMIN).get(f"/manage/organise/{row.id}").text
    assert "2 pages would leave their topics. 8 pages would stay where they are." in text
    assert "95 % interval: 4 to 9 %" in text
    assert "Not trained, so left unchanged: Boats." in text
