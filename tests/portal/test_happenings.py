"""What the log of a crawl tells, in the reader's language."""

from typing import Any

import pytest

from tests.portal.made import Made
from thresher.crawl.budget import Stop
from thresher.portal.happenings import details, happenings, named
from thresher.portal.messages import LANGUAGES, messages_in
from thresher.store.event_kinds import EventKind
from thresher.store.portal_records import Role
from thresher.store.records import Batch, EventRow, LogEntry
from thresher.store.request_records import AddUrl, ContinueCrawl, PauseCrawl, StopCrawl, pack_command
from thresher.store.work_records import WorkKind, WorkRow

DETAILS: list[tuple[EventKind, dict[str, Any]]] = [
    (EventKind.RECLASSIFIED, {"pages": 593, "moved": 0}),
    (EventKind.RECLASSIFIED, {"pages": 593, "moved": 1}),
    (EventKind.RECLASSIFIED, {"pages": 593, "moved": 1500}),
    (EventKind.RETRAINED, {"change": {"before": 0.8444, "after": 0.9}, "moves": [{"pages": 3}, {"pages": 4}]}),
    (EventKind.RETRAINED, {"error": "Odd.", "fault": {"kind": "no-page-teaches"}}),
    (EventKind.RETRAINED, {"error": "Odd."}),
    (EventKind.RETRAINED, {}),
    (EventKind.ADOPTED, {"changed": {"crawl.<b>": {"from": 1, "to": 2}}}),
    (EventKind.INHERITED, {"urls": 1}),
    (EventKind.REORDERED, {"repriced": 900}),
    (EventKind.HUBS_RAISED, {"links": 5}),
    (EventKind.BROKEN_OFF, {"pages": 400}),
    *((EventKind.STOPPED, {"because": stop.value}) for stop in Stop),
    (EventKind.STOPPED, {"because": "cold tea"}),
]


def entry(kind: str, detail: dict[str, Any]) -> LogEntry:
    return LogEntry(seq=1, crawl=1, at=5.0, kind=kind, detail=detail)


def told(language: str, kind: str, detail: dict[str, Any]) -> str:
    messages = messages_in(language)
    return " ".join(messages.say(part.message, **part.places) for part in details(entry(kind, detail)))


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_event_has_a_name_and_its_details_are_said(language: str) -> None:
    for kind in EventKind:
        assert messages_in(language).has(named(kind)), kind
        assert details(entry(kind, {})) is not None, "an entry of another version may say less"
    for kind, detail in DETAILS:
        assert "<b>" not in told(language, kind, detail)


def test_requests_are_logged_as_events_of_the_list() -> None:
    commands = (StopCrawl(), PauseCrawl(), ContinueCrawl(), AddUrl(url="http://a.test/"))
    assert {pack_command(command)[0] for command in commands} <= set(EventKind)


def test_numbers_become_sentences() -> None:
    assert told("de", EventKind.RECLASSIFIED, DETAILS[0][1]) == "593 Seiten; keine wechselte das Thema."
    assert told("de", EventKind.RECLASSIFIED, DETAILS[1][1]) == "593 Seiten, davon wechselte 1 das Thema."
    assert told("de", EventKind.RECLASSIFIED, DETAILS[2][1]) == "593 Seiten, davon wechselten 1.500 das Thema."
    assert told("en", EventKind.RETRAINED, DETAILS[3][1]).endswith("7 pages changed topic.")
    assert "good enough" in told("en", EventKind.RETRAINED, DETAILS[4][1])
    assert named("cold-tea") == ""


def test_the_page_of_work_tells_what_happened_meanwhile(made: Made) -> None:
    row = made.store.works.add(WorkRow(kind=WorkKind.RECLASSIFY, asked=1000.0, user="anna"), [])
    assert row is not None
    for at, moved in ((900.0, 1), (1010.0, 2), (1100.0, 3)):
        event = EventRow(at=at, kind=EventKind.RECLASSIFIED, detail={"pages": 8, "moved": moved})
        made.store.commit(Batch(crawl=1, at=at, events=[event]))
    made.store.works.end(row.id, 1020.0, 0)
    assert [found.detail["moved"] for found in happenings(made.store, 1000.0, 1020.0)] == [2]
    client = made.signed_in(Role.ADMIN)
    page = client.get(f"/crawl/work/{row.id}", headers={"accept-language": "de"}).text
    assert "davon wechselten 2 das Thema" in page
    assert "wechselten 3" not in page
    assert "Begonnen um" in page
    assert '<details class="gap"><summary>' in page, "the technical log is folded away"
    assert "wechselten 3" in client.get("/crawl/log", headers={"accept-language": "de"}).text
