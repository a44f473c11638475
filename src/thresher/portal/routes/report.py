"""The morning report as a page and as a feed."""

import re
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Final
from uuid import NAMESPACE_URL, uuid5
from xml.sax.saxutils import escape

from starlette.responses import Response

from thresher.api.morning_report import MorningReport, report_of
from thresher.api.report_days import bounds, day_of, days_with_news
from thresher.portal.doors import Doors, Refused
from thresher.portal.report_text import report_lines, summary
from thresher.portal.routes.crawl import REMEDY
from thresher.portal.times import Times
from thresher.portal.view import RequestContext, Seen
from thresher.store.portal_records import Role
from thresher.tokens import digest

doors = Doors()

SINCE: Final = "thresher_since"
"""Prefix of the cookie with the start of a reader's report, so the report stays the same for a morning."""

_MORNING: Final = 12 * 3600
_DAYS: Final = 14
_NOT_XML: Final = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_TIME: Final = re.compile(r"\d{1,11}(\.\d{1,6})?", re.ASCII)


@doors.page("/report", needs=Role.REVIEWER)
def report(view: Seen) -> Response:
    """Show what is new since the reader's last visit."""
    now, name = view.library.clock(), view.user.name if view.user else ""
    store = view.library.store
    cookie = cookie_of(view.library.portal, name)
    kept = _seconds(view.request.cookies.get(cookie, ""))
    last = kept if kept is not None and kept < now else store.looks.get(name)
    first = store.crawls.get(1)
    since = last if last is not None else first.started if first else now
    response = _page(view, _report(view, since, now), new_reader=last is None)
    if kept is None:
        store.looks.put(name, now)
        view.set_cookie(response, cookie, f"{since:.6f}", _MORNING)
    return response


@doors.page("/report.atom", needs=Role.REVIEWER)
def report_feed(view: Seen) -> Response:
    """Return the reports of the last days as a feed."""
    base = str(view.request.base_url).rstrip("/")
    entries = []
    for day, _ in _days(view):
        begin, end = bounds(day)
        found = _report(view, begin, min(end, view.library.clock()))
        address = f"{base}/report/{day.isoformat()}"
        entries.append(
            f"<entry><id>{uuid5(NAMESPACE_URL, address).urn}</id>"
            f"<title>{escape(Times(view.messages, end).full_day(begin))}</title>"
            f'<link href="{escape(address)}"/><updated>{_stamp(found.until)}</updated>'
            f"<summary>{escape(summary(found, view.messages))}</summary>"
            f'<content type="text">{escape(_xml(chr(10).join(report_lines(found, view.messages))))}</content></entry>\n'
        )
    title = escape(_xml(f"{view.say('report.title').striptags()} · {view.library.title}"))
    body = (
        '<?xml version="1.0" encoding="utf-8"?>\n<feed xmlns="http://www.w3.org/2005/Atom">\n'
        f"<id>{uuid5(NAMESPACE_URL, base + '/report').urn}</id><title>{title}</title>"
        f"<updated>{_stamp(view.library.clock())}</updated><author><name>Thresher</name></author>\n"
        f'<link rel="self" href="{escape(base)}/report.atom"/>\n{"".join(entries)}</feed>\n'
    )
    return Response(body.encode("utf-8", "replace"), media_type="application/atom+xml")


@doors.page("/report/{day}", needs=Role.REVIEWER)
def report_of_day(view: Seen, day: str) -> Response:
    """Show what was new on a day."""
    found = day_of(day)
    if found is None:
        raise Refused(404, "error.missing", "error.missing_then")
    begin, end = bounds(found)
    return _page(view, _report(view, begin, end), day=True)


def _report(view: RequestContext, since: float, until: float) -> MorningReport:
    library = view.library
    return report_of(library.portal, library.store, since, until, library.clock())


def _days(view: RequestContext) -> list[tuple[date, int]]:
    return days_with_news(view.library.store, view.library.clock(), _DAYS)


def _page(view: RequestContext, found: MorningReport, *, new_reader: bool = False, day: bool = False) -> Response:
    hour = datetime.fromtimestamp(view.library.clock()).hour
    greeting = "morning" if hour < 12 else "day" if hour < 18 else "evening"
    return view.page(
        "report.html",
        report=found,
        summary=summary(found, view.messages),
        times=Times(view.messages, view.library.clock()),
        greeting=greeting,
        new_reader=new_reader,
        day=day,
        days=_days(view),
        remedies=REMEDY,
        reviewable="/review" in getattr(view.request.app.state, "paths", ()),
    )


def cookie_of(portal: Path, user: str) -> str:
    """Return the cookie name for a person and portal; people, and portals of a folder, may share a browser."""
    return f"{SINCE}_{digest(f'{portal.resolve()} {user}').hex()[:16]}"


def _seconds(text: str) -> float | None:
    return float(text) if _TIME.fullmatch(text) else None


def _stamp(at: float) -> str:
    return datetime.fromtimestamp(at, UTC).isoformat(timespec="seconds")


def _xml(text: str) -> str:
    """Return a text without characters that XML does not allow."""
    return _NOT_XML.sub("?", text)
