"""The share of pages kept over the course of a crawl: collected as pages arrive, and drawn as a chart."""

import threading
from collections.abc import Sequence
from itertools import pairwise
from typing import Any, Final

import numpy as np
from msgspec import Struct

from thresher.store.protocol import Store
from thresher.store.records import CrawlKind, CrawlRow
from thresher.store.watch_records import KeptMark

WINDOW: Final = 200
"""Pages over which the share is computed."""

POINTS: Final = 200
GAP: Final = 300.0
"""Seconds without a page that make a gap in the curve."""

_LEAST: Final = 20
_WORTH: Final = 50
_MOMENT: Final = 0.001
_RECENT: Final = 60.0
WIDTH, HEIGHT = 680, 290
_LEFT, _RIGHT, _TOP, _BOTTOM = 44.0, 600.0, 16.0, 258.0


class SharePoint(Struct, frozen=True):
    """The share of recent pages that were kept, at a wall time; `gap` if nothing was read just before it."""

    at: float
    share: float
    gap: bool = False


class Mark(Struct, frozen=True):
    """A grid line or axis label: its position and its value."""

    place: float
    value: float


class Drawing(Struct, frozen=True):
    """The curve as SVG paths in a picture of 680 by 290; `before` is the crawl it is compared with."""

    path: str
    area: str
    before: str
    end: tuple[float, float]
    before_end: tuple[float, float] | None
    shares: list[Mark]
    times: list[Mark]
    gaps: list[float]


class ShareCurve:
    """The share of pages kept in one crawl; `add` new pages, and ask for `points` at any time."""

    def __init__(self) -> None:
        self._at: list[float] = []
        self._kept: list[bool] = []
        self.seq = 0

    def add(self, marks: Sequence[KeptMark]) -> None:
        """Add pages in the order of their sequence numbers."""
        for mark in marks:
            self._at.append(mark.at)
            self._kept.append(mark.kept)
            self.seq = mark.seq

    def rate(self, now: float) -> float:
        """Return the pages per second over the last minute, or since the first page."""
        recent = sum(1 for at in reversed(self._at[-100_000:]) if at >= now - _RECENT)
        began = min(_RECENT, max(1.0, now - self._at[0])) if self._at else _RECENT
        return recent / began

    def since(self, at: float) -> int:
        """Return how many pages came after a wall time."""
        return sum(1 for found in self._at if found >= at)

    def points(self) -> list[SharePoint]:
        """Return at most 200 points of the curve; none for a crawl with too few pages."""
        if len(self._at) < _LEAST:
            return []
        at, kept = np.asarray(self._at), np.cumsum([0, *self._kept])
        ends = np.unique(np.linspace(_LEAST, len(at), POINTS).astype(int))
        starts = np.maximum(ends - WINDOW, 0)
        shares = (kept[ends] - kept[starts]) / (ends - starts)
        times = at[ends - 1]
        # Gaps occur between two pages, not between two points.
        jumps = np.flatnonzero(np.diff(at) > GAP) + 1
        broken = np.searchsorted(jumps, ends - 1, side="right")
        gaps = np.diff(broken, prepend=broken[0]) > 0
        return [SharePoint(float(t), float(s), bool(g)) for t, s, g in zip(times, shares, gaps, strict=True)]


class Curves:
    """The curves of a portal's crawls, kept up to date."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._lock = threading.Lock()
        self._known: dict[int, ShareCurve] = {}

    def of(self, crawl: CrawlRow) -> ShareCurve:
        """Return the curve of a crawl with everything it has read so far."""
        with self._lock:
            curve = self._known.get(crawl.id)
            if curve is None:
                self._known = dict(list(self._known.items())[-3:])
                curve = self._known[crawl.id] = ShareCurve()
            curve.add(self._store.watch.kept(crawl.id, curve.seq))
            return curve

    def before(self, crawl: CrawlRow) -> CrawlRow | None:
        """Return the crawl to compare with: the latest earlier one of the same kind that has enough pages."""
        for number in range(crawl.id - 1, 0, -1):
            found = self._store.crawls.get(number)
            if found is not None and found.kind is crawl.kind and found.progress.pages >= _WORTH:
                return found
            if crawl.kind not in (CrawlKind.HARVEST, CrawlKind.CRAWL, CrawlKind.LEARN):
                return None
        return None


def on_one_axis(now: Sequence[SharePoint], before: Sequence[SharePoint]) -> dict[str, list[float | None]]:
    """Return both curves at the same times for a chart; None where a curve has a gap or no value.

    >>> before = [SharePoint(100.0, 0.2), SharePoint(105.0, 0.4)]
    >>> told = on_one_axis([SharePoint(0.0, 0.5), SharePoint(10.0, 0.7)], before)
    >>> told["at"], told["now"], told["before"]
    ([0.0, 5.0, 10.0], [0.5, 0.6, 0.7], [0.2, 0.4, None])
    """
    if not now:
        return {"at": [], "now": [], "before": []}
    shift = now[0].at - before[0].at if before else 0.0
    gaps = [(left.at, right.at) for left, right in pairwise(now) if right.gap]
    kept = {point.at for point in now} | {left + _MOMENT for left, _ in gaps}
    at = np.array(sorted(kept | {point.at + shift for point in before if point.at + shift <= now[-1].at}))
    current = np.interp(at, [point.at for point in now], [point.share for point in now])
    for left, right in gaps:
        current[(at > left) & (at < right)] = np.nan
    earlier = np.full_like(at, np.nan)
    if before:
        times = [point.at + shift for point in before]
        earlier = np.interp(at, times, [point.share for point in before], right=np.nan)
    return {"at": _plain(at, 3), "now": _plain(current, 4), "before": _plain(earlier, 4)}


def _plain(values: "np.ndarray[Any, np.dtype[np.float64]]", digits: int) -> list[float | None]:
    return [None if np.isnan(value) else round(float(value), digits) for value in values]


def drawn(now: Sequence[SharePoint], before: Sequence[SharePoint]) -> Drawing | None:
    """Return the picture of a curve and the previous one, shifted to the same start; None without points."""
    if not now:
        return None
    began, span = now[0].at, max(60.0, now[-1].at - now[0].at)
    top = _ceiling(max(point.share for point in (*now, *before)))

    def place(at: float, share: float) -> tuple[float, float]:
        return _LEFT + (_RIGHT - _LEFT) * at / span, _BOTTOM - (_BOTTOM - _TOP) * share / top

    places = [place(point.at - began, point.share) for point in now]
    moved = [point for point in before if point.at - before[0].at <= span]
    others = [place(point.at - before[0].at, point.share) for point in moved]
    line = _path(places, [point.gap for point in now])
    parts = [part for part in line.split("M") if part]
    closed = "".join(
        f"M{part}L{part.rpartition('L')[2].split(' ')[0]} {_BOTTOM:g}L{part.split(' ')[0]} {_BOTTOM:g}Z"
        for part in parts
    )
    steps = [top * number / 4 for number in range(5)]
    return Drawing(
        path=line,
        area=closed,
        before=_path(others, [False] * len(others)),
        end=places[-1],
        before_end=others[-1] if others else None,
        shares=[Mark(place(0.0, share)[1], share) for share in steps],
        times=[Mark(place(span * number / 4, 0.0)[0], began + span * number / 4) for number in range(5)],
        gaps=[found[0] for found, point in zip(places, now, strict=True) if point.gap],
    )


def _ceiling(share: float) -> float:
    """Return the top of the axis: the next round share.

    >>> _ceiling(0.41), _ceiling(0.05), _ceiling(1.0)
    (0.6, 0.2, 1.0)
    """
    return next(top for top in (0.2, 0.4, 0.6, 0.8, 1.0) if share <= top + 1e-9)


def _path(places: Sequence[tuple[float, float]], gaps: Sequence[bool]) -> str:
    return "".join(
        f"{'M' if number == 0 or gaps[number] else 'L'}{x:.1f} {y:.1f}" for number, (x, y) in enumerate(places)
    )
