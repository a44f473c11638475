"""What happened to a crawl, from the entries of its log, in the reader's language."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from thresher.crawl.budget import Stop
from thresher.portal.work_faults import PortalMessage, fault_in
from thresher.store.event_kinds import EventKind
from thresher.store.protocol import Store
from thresher.store.records import LogEntry

SMALL: Final = frozenset({EventKind.REORDERED, EventKind.REUSED})
"""What happens all the time, and says little about a piece of work."""

_MOST: Final = 50
_NEAR: Final = 500
_FARTHEST: Final = 50_000
"""How far back events are looked for, in sequence numbers."""


def named(kind: str) -> str:
    """Return the name of the message about a log entry; empty for a kind that this version does not know.

    >>> named("retraining-broken-off"), named("fetched"), named("cold-tea")
    ('entry.retraining-broken-off', 'entry.fetched', '')
    """
    return f"entry.{kind}" if kind in _KINDS else ""


def details(entry: LogEntry) -> tuple[PortalMessage, ...]:
    """Return further details of an event: its numbers, or its cause.

    >>> details(LogEntry(seq=1, crawl=1, at=0.0, kind="reclassified", detail={"pages": 7, "moved": 2}))
    (PortalMessage(message='event.reclassified', places={'n': 2, 'pages': 7}),)
    """
    told = _DETAILS.get(entry.kind)
    return told(entry.detail) if told is not None else ()


def happenings(store: Store, since: float, until: float) -> list[LogEntry]:
    """Return what happened to crawls from one wall time until another, oldest first, without minor events."""
    last, reach = store.log.last(), _NEAR
    while True:
        entries = list(store.log.entries(max(0, last - reach)))
        if reach >= min(last, _FARTHEST) or (entries and entries[0].at < since):
            break
        reach *= 10
    return [entry for entry in entries if since <= entry.at <= until and entry.kind in _EVENTS][-_MOST:]


def _stopped(detail: Mapping[str, Any]) -> tuple[PortalMessage, ...]:
    because = detail.get("because")
    return (PortalMessage(f"crawl.ended_{because}", {}),) if because in set(Stop) else ()


def _retrained(detail: Mapping[str, Any]) -> tuple[PortalMessage, ...]:
    change = detail.get("change")
    if not isinstance(change, Mapping) or not {"before", "after"} <= change.keys():
        fault = fault_in(detail)
        return fault.parts if fault is not None else ()
    shares = {name: round(100 * float(change[name])) for name in ("before", "after")}
    moved = sum(int(move.get("pages", 0)) for move in detail.get("moves", []))
    return PortalMessage("event.retrained", shares), PortalMessage("event.moved", {"n": moved})


def _number(message: str, name: str) -> Callable[[Mapping[str, Any]], tuple[PortalMessage, ...]]:
    """Return a function that reads one number of an event."""
    return lambda detail: (PortalMessage(message, {"n": int(detail[name])}),) if name in detail else ()


def _reclassified(detail: Mapping[str, Any]) -> tuple[PortalMessage, ...]:
    return (
        PortalMessage("event.reclassified", {"n": int(detail.get("moved", 0)), "pages": int(detail.get("pages", 0))}),
    )


def _adopted(detail: Mapping[str, Any]) -> tuple[PortalMessage, ...]:
    changed = detail.get("changed") or {}
    return (PortalMessage("event.adopted", {"settings": ", ".join(sorted(changed))}),) if changed else ()


_DETAILS: Final[dict[str, Callable[[Mapping[str, Any]], tuple[PortalMessage, ...]]]] = {
    EventKind.STOPPED: _stopped,
    EventKind.RETRAINED: _retrained,
    EventKind.RECLASSIFIED: _reclassified,
    EventKind.ADOPTED: _adopted,
    EventKind.INHERITED: _number("event.links", "urls"),
    EventKind.REORDERED: _number("event.links", "repriced"),
    EventKind.HUBS_RAISED: _number("event.links", "links"),
    EventKind.BROKEN_OFF: _number("event.at_pages", "pages"),
}

_EVENTS: Final = frozenset(EventKind) - SMALL
_KINDS: Final = {*EventKind, "fetched", "unchanged", "redirected", "failed"}
