"""How visits and events appear in the crawl log, for every implementation of the store."""

from typing import Any

from thresher.store.page_records import VisitRow
from thresher.store.records import EventRow, LogEntry

_SHOWN = ("reason", "status", "detail", "seconds", "ip", "mime", "size", "to")


def visit_entry(seq: int, crawl: int, visit: VisitRow) -> LogEntry:
    """Return the log entry of a visit: its outcome, and in `detail` the fields that are not empty.

    >>> visit = VisitRow(url_id=1, url="http://a.test/", at=5.0, outcome="fetched", status=200)
    >>> visit_entry(7, 1, visit).detail
    {'status': 200}
    """
    shown = ((name, getattr(visit, name)) for name in _SHOWN)
    detail: dict[str, Any] = {name: value for name, value in shown if value}
    return LogEntry(seq=seq, crawl=crawl, at=visit.at, kind=visit.outcome, url=visit.url, detail=detail)


def event_entry(seq: int, crawl: int, event: EventRow) -> LogEntry:
    """Return the log entry of an event, with the URL that its detail names, if any.

    >>> event_entry(8, 1, EventRow(at=6.0, kind="paused")).kind
    'paused'
    """
    url = event.detail.get("url")
    named = url if isinstance(url, str) else None
    return LogEntry(seq=seq, crawl=crawl, at=event.at, kind=event.kind, url=named, detail=event.detail)
