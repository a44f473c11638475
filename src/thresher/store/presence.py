"""What a visit says about a stored page: still there, gone, or unknown."""

from typing import Final

from thresher.reasons import Reason
from thresher.store.page_records import VisitRow

_GONE: Final = frozenset({Reason.NOT_FOUND, Reason.GONE, Reason.SOFT_404, Reason.NOINDEX})
_MOVED: Final = frozenset({301, 308})


def is_good(outcome: str, reason: Reason | None) -> bool:
    """Return whether a visit confirmed a page, so that its validators are those of the stored copy."""
    return outcome == "unchanged" or (outcome == "fetched" and reason is None)


def presence(visit: VisitRow) -> bool | None:
    """Return whether a page still exists, or None if the visit does not show it.

    A page that has moved permanently, or asks not to be kept any more, is gone like a missing one; a temporary failure
    says nothing.

    >>> presence(VisitRow(url_id=1, url="http://a.test/", at=0.0, outcome="failed", reason=Reason.GONE))
    False
    """
    if is_good(visit.outcome, visit.reason):
        return True
    moved = visit.outcome == "redirected" and visit.status in _MOVED
    return False if moved or visit.reason in _GONE else None
