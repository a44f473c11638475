"""Relevance verdicts from clicks: pages a reader opened and stayed on, and pages they skipped."""

from collections.abc import Sequence
from typing import Final

from thresher.store.clicks import ClickRow

STAYED: Final = 20.0
"""Seconds away from the results after which a page counts as worth reading."""

LEFT: Final = 5.0
"""A page left within this many seconds counts as irrelevant."""


def verdicts(clicks: Sequence[ClickRow], shown: Sequence[int]) -> dict[int, bool]:
    """Return the verdict of a reader on the pages shown: True if relevant, False if not, by page id.

    `shown` holds the ids of the results in order. A page is relevant if the reader stayed on it or never came back. It
    is irrelevant if the reader left it at once, or skipped it on the way down to the last click. Other pages get no
    verdict.

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
