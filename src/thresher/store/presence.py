"""What a visit means for a stored page: still there, gone, or unknown."""

from typing import Final

from thresher.reasons import Reason
from thresher.store.page_records import VisitRow

_GONE: Final = frozenset({Reason.NOT_FOUND, Reason.GONE, Reason.SOFT_404, Reason.NOINDEX})
_MOVED: Final = frozenset({301, 308})


def is_good(outcome: str, reason: Reason | None) -> bool:
    """Return whether a visit confirmed a page: the validators it noted are those of the copy at hand."""
    return outcome == "unchanged" or (outcome == "fetched" and reason is None)


def presence(visit: VisitRow) -> bool | None:
    """Return whether a page is there, None if the visit does not tell.

    A page that has moved for good, or that asks not to be kept any more, is gone like one that is missing; a failure
    that may pass says nothing.

    >>> presence(VisitRow(url_id=1, url="http://a.test/", at=0.0, outcome="failed", reason=Reason.GONE))
    False
    """
    if is_good(visit.outcome, visit.reason):
        return True
    moved = visit.outcome == "redirected" and visit.status in _MOVED
    return False if moved or visit.reason in _GONE else None
