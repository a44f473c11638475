"""What clicks say about results: pages a reader opened and stayed on, and pages they skipped."""

from collections.abc import Sequence
from typing import Final

from thresher.store.clicks import ClickRow

STAYED: Final = 20.0
"""Seconds away from the results after which a page was worth reading."""

LEFT: Final = 5.0
"""Seconds within which a page was left as beside the point."""


def verdicts(clicks: Sequence[ClickRow], shown: Sequence[int]) -> dict[int, bool]:
    """Return which of the pages shown, given by their ids in order, a reader found relevant, by id.

    A page that the reader stayed with, or did not come back from, is relevant. One that was left at once is not, and
    neither is one above the last click that was not opened: it was seen and passed over. The others say nothing.

    >>> click = ClickRow(at=0.0, query="", page=3, place=3, seconds=40.0)
    >>> verdicts([click], [1, 2, 3, 4])
    {1: False, 2: False, 3: True}
    """
    opened = {click.page: click.seconds for click in clicks if click.page in shown}
    if not opened:
        return {}
    last = max(shown.index(page) for page in opened)
    found: dict[int, bool] = {}
    for page in shown[: last + 1]:
        if page not in opened:
            found[page] = False
            continue
        seconds = opened[page]
        if seconds is None or seconds >= STAYED:
            found[page] = True
        elif seconds < LEFT:
            found[page] = False
    return found
