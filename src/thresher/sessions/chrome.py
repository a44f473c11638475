"""Reads the `History` database of Chrome, Chromium, Edge, Brave and Vivaldi: visits and their referrers.

Bookmarks are in a separate file, `Bookmarks`.
"""

from typing import Any, Final

from thresher.errors import InputError
from thresher.sessions.firefox import LONGEST, MOST, TITLE
from thresher.sessions.history_file import HistoryFile
from thresher.sessions.visits import History, Visit
from thresher.web.urls import canonical

EPOCH: Final = 11_644_473_600
"""Seconds from 1601, the start of Chrome's clock, to 1970."""

_MICRO: Final = 1_000_000
_KIND: Final = 0xFF
_LINK, _SUBFRAME, _MANUAL_SUBFRAME, _RELOAD = 0, 3, 4, 8
_NO_PAGES: Final = (_SUBFRAME, _MANUAL_SUBFRAME)
_BACK: Final = 0x0100_0000
_REDIRECT: Final = 0x4000_0000 | 0x8000_0000
"""Bits of a transition number: its kind in the lowest byte, and flags."""

# A link opened in a new tab has no preceding visit there; newer versions record the visit that opened it.
_VISITS: Final = """
SELECT v.id, {source}, v.visit_time, v.transition, u.url, substr(coalesce(u.title, ''), 1, ?)
FROM visits AS v JOIN urls AS u ON u.id = v.url
WHERE v.visit_time >= ? AND v.visit_time < ? AND length(u.url) <= ? AND coalesce(u.hidden, 0) = 0
ORDER BY v.visit_time DESC, v.id DESC LIMIT ?
"""


def is_chrome(file: HistoryFile) -> bool:
    """Return whether a database belongs to Chrome or a related browser."""
    visits = {"id", "url", "visit_time", "from_visit", "transition"}
    return file.columns("visits") >= visits and file.columns("urls") >= {"id", "url", "title", "hidden"}


def read_chrome(file: HistoryFile, since: float, until: float) -> History:
    """Return the visits between two times; raise InputError if there are too many."""
    source, opener = "coalesce(v.from_visit, 0)", "0"
    if "opener_visit" in file.columns("visits"):
        opener = "coalesce(v.opener_visit, 0)"
    sql = _VISITS.format(source=f"{source}, {opener}")
    bounds = (int((since + EPOCH) * _MICRO), int((until + EPOCH) * _MICRO))
    rows = file.rows(sql, (TITLE, *bounds, LONGEST, MOST + 1))
    if len(rows) > MOST:
        raise InputError(f"'{file.path}' has more than {MOST:,} visits.", "Choose a shorter period with --since.")
    return History([found for row in reversed(rows) if (found := _visit(*row)) is not None])


def _visit(id_: Any, source: Any, opener: Any, at: Any, transition: Any, url: Any, title: Any) -> Visit | None:
    numbers = all(isinstance(number, int) for number in (id_, source, opener, at, transition))
    address = canonical(url) if numbers and isinstance(url, str) and isinstance(title, str) else None
    if address is None or transition & _KIND in _NO_PAGES:
        return None
    return Visit(
        id=id_,
        url=address,
        at=at / _MICRO - EPOCH,
        title=title,
        source=source or opener,
        followed=transition & _KIND == _LINK and not transition & _BACK,
        redirected=bool(transition & _REDIRECT),
        again=transition & _KIND == _RELOAD,
    )
