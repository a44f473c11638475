"""The live view of a crawl: its states, its parts, its stream and its forms."""

import json
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.portal.made import Made, token_for
from tests.store.rows import url_row
from thresher.portal.ids import page_name
from thresher.portal.live import Activity
from thresher.portal.messages import LANGUAGES, messages_in
from thresher.portal.routes.crawl import REMEDIES
from thresher.portal.schedules import DAYS, SCHEDULED
from thresher.portal.share_curve import POINTS, ShareCurve, drawn, on_one_axis
from thresher.portal.work import InTheWay
from thresher.reasons import Reason
from thresher.store.locks import CrawlLock
from thresher.store.page_records import VisitRow
from thresher.store.portal_records import Role
from thresher.store.records import Batch, CrawlKind, CrawlState, EventRow, Progress
from thresher.store.request_records import PauseCrawl
from thresher.store.url_records import HostRow
from thresher.store.watch_records import KeptMark
from thresher.store.work_records import WorkKind, WorkRow
from thresher.web.urls import url_id


def progress(made: Made, state: CrawlState = CrawlState.RUNNING, because: str = "", **more: object) -> None:
    """Write how far the portal's crawl is."""
    row = Progress(state=state, pages=70, accepted=30, queued=4, seconds=60.0, stopped_because=because, **more)  # type: ignore[arg-type]
    made.store.commit(Batch(crawl=1, at=time.time(), progress=row))
    made.app.state.live.look_again()


def test_the_state_of_a_crawl_follows_what_is_known_of_it(made: Made) -> None:
    live = made.app.state.live
    progress(made)
    assert live.now().state is Activity.KILLED
    with CrawlLock(made.folder):
        live.look_again()
        assert live.now().state is Activity.RUNNING
        made.store.commit(Batch(crawl=1, at=1.0, events=[EventRow(at=1.0, kind="pause")]))
        live.look_again()
        assert live.now().state is Activity.PAUSED
        progress(made, CrawlState.STOPPED, "interrupted")
        assert live.now().state is Activity.WORKING
    live.look_again()
    assert live.now().state is Activity.STOPPED
    progress(made, CrawlState.FINISHED, "empty")
    assert live.now().state is Activity.FINISHED


def test_a_crawl_that_lost_the_network_says_so_until_it_is_back(made: Made) -> None:
    live, client = made.app.state.live, made.signed_in(Role.ADMIN)
    with CrawlLock(made.folder):
        progress(made)
        made.store.commit(Batch(crawl=1, at=1.0, events=[EventRow(at=1.0, kind="offline")]))
        live.look_again()
        assert live.now().state is Activity.OFFLINE
        page = client.get("/crawl").text
        assert "The crawl is waiting for the network" in page
        assert "Nothing can be fetched until the network is back." in page
        assert 'action="/crawl/stop"' in page
        made.store.commit(Batch(crawl=1, at=2.0, events=[EventRow(at=2.0, kind="online")]))
        live.look_again()
        assert live.now().state is Activity.RUNNING


def test_the_crawls_of_a_run_share_its_budget(made: Made) -> None:
    marked = {"run": {"number": 1, "pages": 900}}
    for kind, pages in ((CrawlKind.TRAIN, 20), (CrawlKind.LEARN, 170)):
        row = made.store.crawls.start(kind, "default", marked, at=3.0)
        made.store.commit(
            Batch(crawl=row.id, at=time.time() + 9, progress=Progress(state=CrawlState.RUNNING, pages=pages))
        )
    with CrawlLock(made.folder):
        made.app.state.live.look_again()
        now = made.app.state.live.now()
        assert (now.pages, now.limit) == (190, 900)
        page = made.signed_in(Role.ADMIN).get("/crawl").text
    assert "Looking around near your examples. 190 of 900 pages" in page


def test_a_refresh_is_done_when_all_known_pages_are_checked(made: Made) -> None:
    row = made.store.crawls.start(CrawlKind.REFRESH, "refresh", {}, at=3.0)
    told = Progress(state=CrawlState.RUNNING, pages=30, queued=70, changed=4, gone=1)
    made.store.commit(Batch(crawl=row.id, at=time.time() + 9, progress=told))
    with CrawlLock(made.folder):
        made.app.state.live.look_again()
        page = made.signed_in(Role.ADMIN).get("/crawl").text
    assert "Checking known pages. 30 of 100 pages" in page
    assert "4 have changed, 1 are gone." in page


@pytest.mark.parametrize(
    ("kind", "doing"),
    [
        (CrawlKind.TRAIN, "The topics are being learned from your examples."),
        (CrawlKind.LEARN, "The topics are being adjusted to the pages read so far."),
        (CrawlKind.HARVEST, "The links are being scored."),
    ],
)
def test_between_two_crawls_of_a_run_it_is_said_what_is_done(made: Made, kind: CrawlKind, doing: str) -> None:
    clock = made.app.state.library.clock()
    row = made.store.crawls.start(kind, "default", {}, at=clock + 1)
    made.store.commit(Batch(crawl=row.id, at=time.time() + 9, progress=Progress(state=CrawlState.FINISHED, pages=3)))
    assert made.store.works.add(WorkRow(kind=WorkKind.RUN, asked=clock), []) is not None
    made.app.state.live.look_again()
    assert doing in made.signed_in(Role.ADMIN).get("/crawl").text


def test_a_portal_without_a_crawl_says_how_to_begin(tmp_path_factory: pytest.TempPathFactory) -> None:
    made = Made(tmp_path_factory.mktemp("empty") / "portal", pages=False)
    text = made.signed_in(Role.ADMIN).get("/crawl").text
    assert "Nothing has been crawled yet" in text
    assert 'action="/crawl/start"' in text
    made.close()


def test_a_running_crawl_shows_figures_waiting_reasons_and_remedies(made: Made) -> None:
    now = time.time()
    waiting = [
        url_row("http://a.test/x", queue="Tea/Green"),
        url_row("http://slow.test/", queue="Boats"),
        url_row("http://odd.test/", queue=""),
    ]
    hosts = [
        HostRow(host="slow.test", free_at=now + 600, failures=1),
        HostRow(host="polite.test", delay=30.0),
        HostRow(host="dead.test", closed=Reason.HOST_BAD, failures=3),
    ]
    failed = VisitRow(
        url_id=url_id("http://slow.test/1"),
        url="http://slow.test/1",
        at=now,
        outcome="failed",
        reason=Reason.RATE_LIMITED,
        status=429,
    )
    made.store.commit(Batch(crawl=1, at=now, urls=waiting, hosts=hosts, visits=[failed]))
    with CrawlLock(made.folder):
        progress(made, errors={"not-found": 5}, refused={"trap-calendar": 1204})
        text = made.signed_in(Role.REVIEWER).get("/crawl").text
        data = made.signed_in(Role.REVIEWER).get("/crawl.json").json()
    assert "The crawl is running" in text
    assert "43 %" in text
    assert "Asked us to slow down (429)" in text
    assert "asks for 30 seconds between pages" in text
    assert "given up" in text
    assert "1,204" in text
    assert "this was a trap" in text
    assert 'href="/t/Tea/Green"' in text
    assert "Round pots" in text
    assert "Secret" not in text
    assert "/crawl/pause" not in text
    assert data["state"] == "running"
    assert {found["topic"]: found["links"] for found in data["waiting"]} == {"Tea/Green": 1, "Boats": 1, None: 1}
    assert {found["host"]: found["why"] for found in data["held"]} == {
        "slow.test": "rate-limited",
        "polite.test": "polite",
        "dead.test": "host-bad",
    }


def test_the_stream_sends_the_view_under_its_sequence_number(made: Made) -> None:
    browser = made.signed_in(Role.REVIEWER)
    progress(made)
    text = browser.get("/crawl/events?seconds=0").text
    number = made.store.log.last()
    assert f"id: {number}\nevent: crawl\ndata: " in text
    sent = json.loads(text.partition("data: ")[2].partition("\n")[0])
    assert 'data-part="state"' in sent["html"]
    assert set(sent["share"]) == {"at", "now", "before"}
    again = browser.get("/crawl/events?seconds=0", headers={"last-event-id": str(number)}).text
    assert "event: crawl" not in again


def test_only_admins_act(made: Made) -> None:
    reviewer = made.signed_in(Role.REVIEWER)
    for path in ("/crawl/start", "/crawl/stop", "/crawl/pause", "/crawl/continue", "/crawl/schedules"):
        assert reviewer.post(path, data={"token": token_for(reviewer), "kind": "index"}).status_code == 403
    assert made.store.works.newest(9) == []
    assert made.signed_in(Role.READER).get("/crawl").status_code == 403


def test_pausing_leaves_a_request_only_for_a_crawl_that_runs(made: Made, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("thresher.portal.routes.work.WAIT", 0.0)
    admin = made.signed_in(Role.ADMIN)
    progress(made)
    assert admin.post("/crawl/pause", data={"token": token_for(admin)}).status_code == 303
    assert made.store.requests.open() == []
    with CrawlLock(made.folder):
        made.app.state.live.look_again()
        admin.post("/crawl/pause", data={"token": token_for(admin)})
    assert [request.command for request in made.store.requests.open()] == [PauseCrawl()]


def test_work_is_started_with_who_and_how_much_and_what_is_in_the_way_is_said(
    made: Made, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[WorkRow] = []

    def start(row: WorkRow) -> WorkRow | InTheWay:
        asked.append(row)
        return row if len(asked) == 1 else InTheWay(row, None)

    monkeypatch.setattr(made.app.state.bench, "start", start)
    admin = made.signed_in(Role.ADMIN, "ann")
    form = {"token": token_for(admin), "kind": "run", "pages": "50", "hours": "1.5"}
    assert admin.post("/crawl/start", data=form).headers["location"] == "/crawl"
    assert (asked[0].kind, asked[0].pages, asked[0].hours, asked[0].user) == (WorkKind.RUN, 50, 1.5, "ann")
    busy = admin.post("/crawl/start", data=form)
    assert busy.status_code == 409
    assert "This portal is busy: “Crawl”" in busy.text
    for wrong in ({"kind": "rm"}, {"pages": "-1"}, {"hours": "nan"}, {"pages": "many"}):
        assert admin.post("/crawl/start", data={**form, **wrong}).status_code == 400
    assert len(asked) == 2


def test_schedules_are_told_in_words_and_removed_with_an_undo(made: Made) -> None:
    admin = made.signed_in(Role.ADMIN, "ann")
    token = token_for(admin)
    form = {"token": token, "kind": "run", "days": "weekdays", "at": "23:00", "pages": "500"}
    assert admin.post("/crawl/schedules", data=form).status_code == 303
    text = admin.get("/crawl").text
    assert "Crawl on weekdays at 23:00" in text
    assert "At most 500 new pages." in text
    german = made.signed_in(Role.REVIEWER)
    german.cookies.set("thresher_language", "de", domain="127.0.0.1")
    assert "Crawl werktags um 23:00" in german.get("/crawl").text
    for wrong in ({"at": "25:00"}, {"days": "never"}, {"kind": "train"}, {"at": ""}):
        assert admin.post("/crawl/schedules", data={**form, **wrong}).status_code == 400
    led = admin.post("/crawl/schedules/remove", data={"token": token, "schedule": "1"}).headers["location"]
    assert made.store.schedules.all() == []
    assert "The schedule was removed." in admin.get(led).text
    admin.post("/crawl/schedules/restore", data={"token": token, "schedule": "1"})
    assert [row.user for row in made.store.schedules.all()] == ["ann"]


def test_a_page_that_was_just_read_is_kept_as_an_example_or_removed_with_an_undo(made: Made) -> None:
    reviewer = made.signed_in(Role.REVIEWER)
    token, name = token_for(reviewer), page_name(made.rows[0].url_id)
    led = reviewer.post("/crawl/judge", data={"token": token, "page": name, "kind": "irrelevant"}).headers["location"]
    assert made.store.decisions.settled([made.rows[0].url_id])[made.rows[0].url_id].topic is None
    assert "Removed, and never fetched again" in reviewer.get(led).text
    reviewer.post("/crawl/judge/undo", data={"token": token, "number": led.rpartition("=")[2]})
    assert made.store.decisions.settled([made.rows[0].url_id]) == {}
    assert "never fetched again:" not in reviewer.get(led).text
    led = reviewer.post("/crawl/judge", data={"token": token, "page": name, "kind": "right"}).headers["location"]
    assert "Kept as an example" in reviewer.get(led).text
    off = page_name(made.rows[4].url_id)
    assert reviewer.post("/crawl/judge", data={"token": token, "page": off, "kind": "right"}).status_code == 404


def test_the_log_tells_how_each_work_ended(made: Made) -> None:
    for code, stopped in ((0, None), (130, "bob"), (5, None), (None, None)):
        row = made.store.works.add(WorkRow(kind=WorkKind.TRAIN, asked=time.time() - 90, user="ann"))
        assert row is not None
        if stopped:
            made.store.works.stop(row.id, stopped)
        made.store.works.end(row.id, time.time(), code)
    reviewer = made.signed_in(Role.REVIEWER)
    text = reviewer.get("/crawl/log").text
    for told in ("done in", "stopped by bob", "failed (code 5)", "ended unexpectedly"):
        assert told in text
    assert "http://b.test/boats" in text
    assert "Nothing was printed." in reviewer.get("/crawl/work/1").text
    assert reviewer.get("/crawl/work/9").status_code == 404


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_reason_kind_and_day_has_its_words(language: str) -> None:
    messages = messages_in(language)
    wanted = [f"why.{reason.value}" for reason in Reason] + [f"remedy.{name}" for name in (*REMEDIES, "nothing")]
    wanted += [f"work.{kind.value}" for kind in WorkKind] + [f"work.doing_{kind.value}" for kind in WorkKind]
    wanted += [f"days.{name}" for name in DAYS] + [f"schedule.says_{kind.value}" for kind in SCHEDULED]
    wanted += [f"crawl.state_{state.value}" for state in Activity]
    assert [key for key in wanted if not messages.has(key)] == []


@given(st.lists(st.tuples(st.floats(0.0, 1000.0), st.booleans()), max_size=500))
def test_a_curve_has_shares_at_rising_times(pages: list[tuple[float, bool]]) -> None:
    curve = ShareCurve()
    at = 0.0
    for number, (wait, kept) in enumerate(pages, 1):
        at += wait
        curve.add([KeptMark(number, at, kept)])
    points = curve.points()
    assert len(points) <= POINTS
    assert all(0.0 <= point.share <= 1.0 for point in points)
    assert [point.at for point in points] == sorted(point.at for point in points)
    assert bool(points) == (len(pages) >= 20)
    picture = drawn(points, points)
    assert (picture is None) == (not points)
    if picture is not None:
        assert picture.path.count("M") == 1 + sum(point.gap for point in points)


def test_a_pause_is_a_gap_in_the_curve() -> None:
    curve = ShareCurve()
    curve.add([KeptMark(number, float(number), True) for number in range(1, 101)])
    curve.add([KeptMark(number, number + 5000.0, False) for number in range(101, 201)])
    points = curve.points()
    assert sum(point.gap for point in points) == 1
    assert points[-1].share == 0.5
    picture = drawn(points, [])
    assert picture is not None
    assert len(picture.gaps) == 1
    axis = on_one_axis(points, points)
    assert axis["now"].count(None) == 1
    assert curve.rate(5200.0) == pytest.approx(1.0, abs=0.05)
