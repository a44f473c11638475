"""The morning report: what it counts, for whom it is new, and its other shapes."""

import json
import math
import time
from datetime import date, datetime
from pathlib import Path
from xml.etree import ElementTree

import pytest

from tests.cli.shapes import check_shape
from tests.portal.made import Made, page
from thresher.api.morning_report import report_of
from thresher.api.portal import Portal
from thresher.api.report_days import bounds
from thresher.cli.main import call
from thresher.errors import UsageError
from thresher.portal.messages import messages_in
from thresher.portal.report_text import report_lines
from thresher.portal.routes.report import cookie_of
from thresher.reasons import Reason
from thresher.store.page_records import VisitRow
from thresher.store.portal_records import Role
from thresher.store.records import Batch, Progress
from thresher.store.url_records import HostRow
from thresher.store.work_records import ScheduleRow, WorkKind


def later(made: Made, at: float) -> None:
    """Let the crawl of the portal find two pages and lose one at a time."""
    rows = [
        page("http://new.test/1", "Tea", title="Fresh leaves", probability=0.4, confidence=0.95, at=at),
        page("http://new.test/2", "Boats", title="Ferries", probability=0.99, confidence=0.8, at=at),
    ]
    visits = [VisitRow(url_id=row.url_id, url=row.url, at=at, outcome="fetched", digest=b"y") for row in rows]
    gone = made.rows[2]
    visits.append(VisitRow(url_id=gone.url_id, url=gone.url, at=at, outcome="failed", reason=Reason.GONE, status=410))
    progress = Progress(pages=9, accepted=7, queued=3, errors={"gone": 1})
    hosts = [HostRow(host="bad.test", closed=Reason.HOST_BAD, failures=3)]
    made.store.commit(Batch(crawl=1, at=at, documents=rows, visits=visits, progress=progress, hosts=hosts))


def test_a_report_counts_what_came_and_what_went_in_its_time(made: Made) -> None:
    now = time.time()
    later(made, now + 100)
    found = report_of(made.folder, made.store, now + 50, now + 200, now)
    assert (found.read, found.kept, found.new, found.gone, found.doubts) == (2, 2, 2, 1, 1)
    assert {news.topic: news.new for news in found.topics} == {"Tea": 1, "Boats": 1}
    tea = next(news for news in found.topics if news.topic == "Tea")
    assert tea.right == pytest.approx(0.4)
    assert tea.total >= 2
    assert [found.title for found in found.best] == ["Fresh leaves"]
    assert [found.title for found in found.doubtful] == ["Fresh leaves"]
    assert found.sites == [("new.test", 2)]
    assert found.failed == [(Reason.GONE, 1)]
    assert [host.host for host in found.held] == ["bad.test"]
    empty = report_of(made.folder, made.store, now + 300, now + 400, now)
    assert (empty.new, empty.read, empty.crawls) == (0, 0, [])
    assert "Nothing happened" in next(report_lines(empty, messages_in("en")))


def test_doubtful_pages_with_the_same_title_on_one_host_are_listed_once(made: Made) -> None:
    now = time.time()
    rows = [
        page(f"http://{host}/{number}", "Tea", title="Leaves", probability=0.3 + number / 100, at=now + 100)
        for number, host in enumerate(["a.test", "a.test", "b.test"])
    ]
    made.store.commit(Batch(crawl=1, at=now + 100, documents=rows))
    found = report_of(made.folder, made.store, now + 50, now + 200, now)
    assert [one.url for one in found.doubtful] == ["http://a.test/0", "http://b.test/2"]
    assert found.doubts == 3


def test_what_is_new_is_new_since_one_last_looked_and_stays_so_for_a_morning(made: Made) -> None:
    made.store.looks.put("anna", time.time() + 0.0)
    later(made, time.time() + 0.001)
    anna = made.signed_in(Role.REVIEWER, "anna")
    before = made.store.looks.get("anna")
    for _ in range(2):
        text = anna.get("/report").text
        assert "2 pages are new to the portal." in text
        assert "Fresh leaves" in text
    looked = made.store.looks.get("anna")
    assert before is not None
    assert looked is not None
    assert looked > before
    other = made.signed_in(Role.REVIEWER, "anna2")
    other.cookies.set(cookie_of(made.folder, "anna2"), "-1\n", domain="127.0.0.1")
    assert cookie_of(made.folder, "anna2") not in (cookie_of(made.folder, "anna"), cookie_of(Path("x"), "anna2"))
    assert cookie_of(made.folder, "anna") in anna.cookies
    assert other.get("/report").status_code == 200


def test_every_day_has_its_report_and_the_feed_leads_there(made: Made) -> None:
    reviewer = made.signed_in(Role.REVIEWER)
    today = date.today().isoformat()
    assert "5 pages are new to the portal." in reviewer.get(f"/report/{today}").text
    assert reviewer.get("/report/2026-02-30").status_code == 404
    feed = ElementTree.fromstring(reviewer.get("/report.atom").text)
    names = {"a": "http://www.w3.org/2005/Atom"}
    links = [link.get("href", "") for link in feed.findall("a:entry/a:link", names)]
    assert links == [f"http://127.0.0.1:8080/report/{today}"]
    assert made.signed_in(Role.READER).get("/report").status_code == 403


def test_a_report_of_a_hostile_portal_is_a_feed_all_the_same(hostile: Made) -> None:
    feed = hostile.signed_in(Role.REVIEWER).get("/report.atom").text
    assert ElementTree.fromstring(feed).tag.endswith("feed")


def test_the_report_says_what_comes_next(made: Made) -> None:
    reviewer = made.signed_in(Role.REVIEWER)
    assert "Nothing is scheduled." in reviewer.get("/report").text
    made.store.schedules.add(ScheduleRow(kind=WorkKind.REFRESH, minute=90, made=1.0, pages=20))
    text = reviewer.get("/report").text
    assert "Refresh known pages: " in text
    assert "At most 20 new pages." in text


def test_the_command_prints_the_same(made: Made, capsys: pytest.CaptureFixture[str]) -> None:
    assert call(["report", str(made.folder), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    check_shape(["report"], told)
    assert (told["new"], told["doubts"]) == (5, 1)
    with Portal.open(made.folder) as opened:
        assert opened.report(days=1).new == 5
        for days in (1_000_000.0, math.inf):
            assert opened.report(days=days).since == 0.0
            assert "5 new" in repr(opened.report(days=days))
        for days in (-1.0, math.nan):
            with pytest.raises(UsageError, match="There is no report of"):
                opened.report(days=days)
        assert ": 0 pages read, 0 new, 0 gone>" in repr(opened.report(date="2001-01-01"))
    assert call(["report", str(made.folder)]) == 0
    shown = capsys.readouterr().out
    assert "5 pages are new to the portal." in shown
    assert "Round pots" in shown
    assert call(["report", str(made.folder), "--date", "2001-01-01", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["new"] == 0
    assert call(["report", str(made.folder), "--date", "soon"]) == 7
    assert "is not a date" in capsys.readouterr().err


def test_a_day_begins_and_ends_at_midnight() -> None:
    begin, end = bounds(date(2026, 11, 17))
    assert datetime.fromtimestamp(begin) == datetime(2026, 11, 17)
    assert datetime.fromtimestamp(end) == datetime(2026, 11, 18)
    assert bounds(date.max)[1] > 1e11
