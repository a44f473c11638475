"""The tables `visits` and `events`: what happened, in order."""

from collections.abc import Sequence
from typing import Any

import apsw

from thresher.reasons import Reason
from thresher.store.page_records import VisitRow
from thresher.store.records import EventRow
from thresher.store.sqlite.jsontext import encode

COLUMNS = (
    "url_id, url, at, outcome, reason, status, detail, seconds, ip, mime, size, redirect, digest, etag, last_modified,"
    " archive_file, archive_offset"
)
"""The columns of `visits` that `visit_row` reads, in its order."""

_INSERT = f"INSERT INTO visits (seq, crawl, {COLUMNS}) VALUES (?, ?{', ?' * (COLUMNS.count(',') + 1)})"  # noqa: S608


def visit_row(values: Sequence[Any]) -> VisitRow:
    """Return the visit in a row of `COLUMNS`."""
    url_id, url, at, outcome, reason, status, detail, seconds, ip, mime, size, to, *rest = values
    digest, etag, last_modified, archive, offset = rest
    return VisitRow(
        url_id=url_id,
        url=url,
        at=at,
        outcome=outcome,
        reason=None if reason is None else Reason(reason),
        status=status,
        detail=detail,
        seconds=seconds,
        ip=ip,
        mime=mime,
        size=size,
        to=to,
        digest=digest,
        etag=etag,
        last_modified=last_modified,
        archive=archive,
        offset=offset,
    )


def write_visits(connection: apsw.Connection, crawl: int, visits: Sequence[VisitRow], first: int) -> None:
    """Write visits under the sequence numbers from `first` on."""
    connection.executemany(
        _INSERT,
        (
            (
                seq,
                crawl,
                visit.url_id,
                visit.url,
                visit.at,
                visit.outcome,
                visit.reason,
                visit.status,
                visit.detail,
                visit.seconds,
                visit.ip,
                visit.mime,
                visit.size,
                visit.to,
                visit.digest,
                visit.etag,
                visit.last_modified,
                visit.archive,
                visit.offset,
            )
            for seq, visit in enumerate(visits, first)
        ),
    )


def write_events(connection: apsw.Connection, crawl: int, events: Sequence[EventRow], first: int) -> None:
    """Write events under the sequence numbers from `first` on."""
    connection.executemany(
        "INSERT INTO events (seq, crawl, at, kind, detail) VALUES (?, ?, ?, ?, ?)",
        ((seq, crawl, event.at, event.kind, encode(event.detail)) for seq, event in enumerate(events, first)),
    )
