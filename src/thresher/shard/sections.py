"""Sections of sites whose links are mostly broken; links to them wait behind other links.

A missing page still costs its host a request, and hosts are asked for one page at a time. Whole sections of a site may
be gone or never existed: lists of images, an old version of a manual. A section is a host with the first directory of
the path. Once a few of its URLs were missing, the score of the others falls by the share that exists; they are still
fetched when their turn comes.
"""

from collections import OrderedDict
from math import log
from typing import Final
from urllib.parse import urlsplit

from thresher.reasons import Reason
from thresher.store.url_records import UrlRow, UrlState
from thresher.types import PriceMeaning, Priority

FEW: Final = 3
"""Number of missing URLs in a section that say nothing yet."""

MOST: Final = 100_000
"""Maximum number of sections to remember, most recent first, and of lowered URLs."""

MISSING: Final = frozenset({Reason.NOT_FOUND, Reason.GONE, Reason.SOFT_404})


class Sections:
    """Counts what exists in each section and lowers scores accordingly.

    `prices` says what scores mean. Log-odds fall by the logarithm of the share. Other scores are left alone: the order
    of such a strategy is followed exactly.

    >>> sections = Sections("log-odds")
    >>> for number in range(9):
    ...     sections.note(f"http://a.test/images/{number}", UrlState.FAILED, Reason.NOT_FOUND)
    >>> round(sections.share("http://a.test/images/new"), 2), sections.share("http://a.test/wiki/new")
    (0.1, 1.0)
    """

    def __init__(self, prices: PriceMeaning | None = None) -> None:
        self._prices = prices
        self._found: OrderedDict[tuple[str, str], tuple[int, int]] = OrderedDict()
        self._lowered: dict[int, Priority] = {}

    def note(self, url: str, state: UrlState, reason: Reason | None) -> None:
        """Record whether a URL exists; other failures say nothing."""
        missing = reason in MISSING
        if state is not UrlState.DONE and not missing:
            return
        section = section_of(url)
        there, gone = self._found.pop(section, (0, 0))
        self._found[section] = (there + (not missing), gone + missing)
        if len(self._found) > MOST:
            self._found.popitem(last=False)

    def share(self, url: str) -> float:
        """Return the share of URLs that exist in the section of a URL, 1 while only a few are missing."""
        there, gone = self._found.get(section_of(url), (0, 0))
        return (there + 1) / (there + gone + 1) if gone >= FEW else 1.0

    def lowered(self, row: UrlRow) -> Priority | None:
        """Return the lower score at which a taken URL is queued again; None if it is to be fetched now.

        A URL is lowered once, and again only after the strategy has rescored it.
        """
        priority = row.candidate.priority
        before = self._lowered.pop(row.id, None)
        if not priority or self._prices != "log-odds" or before == priority:
            return None
        share = self.share(row.candidate.url)
        if share == 1.0:
            return None
        if len(self._lowered) >= MOST:
            # They are lowered once more, which costs little.
            self._lowered.clear()
        self._lowered[row.id] = priority
        return (priority[0] + log(share), *priority[1:])


def section_of(url: str) -> tuple[str, str]:
    """Return the host of a URL and the first directory of its path, empty if it has none.

    >>> section_of("http://a.test/images/4/416.png"), section_of("http://a.test/index.html")
    (('a.test', 'images'), ('a.test', ''))
    """
    parts = urlsplit(url)
    first, slash, _ = parts.path.lstrip("/").partition("/")
    return parts.netloc, first if slash else ""
