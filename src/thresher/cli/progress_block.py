"""The block of lines shown while a portal is trained or crawled."""

from collections import deque
from collections.abc import Sequence
from typing import Final

from rich.console import Group, RenderableType
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from thresher.cli.output import counted
from thresher.cli.screen import bold, dim, harmless, wrapped, yellow
from thresher.store.records import CrawlState, Progress

LOOK_BACK: Final = 30.0
"""Time window for the page rate, in seconds."""

_BAR: Final = 32
_GAP: Final = "  "


class RecentRate:
    """Recent pages per second; falls while nothing arrives."""

    def __init__(self) -> None:
        self._seen: deque[tuple[float, int]] = deque()

    def add(self, now: float, pages: int) -> None:
        """Record the number of pages at a time."""
        if not self._seen or now - self._seen[-1][0] >= 0.25:
            self._seen.append((now, pages))
        else:
            self._seen[-1] = (self._seen[-1][0], pages)
        while len(self._seen) > 2 and self._seen[1][0] < now - LOOK_BACK:
            self._seen.popleft()

    def at(self, now: float) -> float | None:
        """Return the rate at a time, or None in the first second.

        >>> rate = RecentRate()
        >>> rate.add(0.0, 0); rate.add(2.0, 10)
        >>> rate.at(2.0), rate.at(4.0), RecentRate().at(1.0)
        (5.0, 2.5, None)
        """
        if not self._seen or now - self._seen[0][0] < 1.0:
            return None
        (start, before), (_, pages) = self._seen[0], self._seen[-1]
        return max(0, pages - before) / (now - start)


class ProgressBlock:
    """One phase of the work in a few lines: headline, progress and the latest news.

    A new headline starts a new phase with fresh numbers.
    """

    def __init__(self, now: float, headline: str = "") -> None:
        self.begin(headline, now)

    def begin(self, headline: str, now: float) -> None:
        """Start a phase."""
        self._rate = RecentRate()
        self._since = now
        self.headline = headline
        self.news = ""
        self.progress: Progress | None = None

    def update(self, progress: Progress, now: float) -> None:
        """Record the progress of this phase's crawl."""
        self.progress = progress
        self._rate.add(now, progress.pages)

    def lines(self, now: float, width: int) -> RenderableType:
        """Return what to show at the time `now` on a terminal of the given width."""
        if not self.headline and self.progress is None:
            return Group()
        parts: list[RenderableType] = []
        if self.headline:
            title, colon, rest = self.headline.partition(":")
            line = Text.assemble(bold(title), harmless(colon + rest)) if colon else Text(harmless(self.headline))
            parts += wrapped(line, width)
        if self.progress is not None and self.progress.page_limit:
            parts.append(_bar(self.progress, width))
        parts += [Text(line, no_wrap=True, overflow="ellipsis") for line in packed(self.figures(now), width)]
        if self.progress is not None and _is_held(self.progress):
            why = f" {harmless(self.progress.stopped_because)}".rstrip()
            parts += wrapped(Text.assemble(yellow("Paused."), why), width)
        elif self.news:
            news = dim(self.news)
            news.no_wrap, news.overflow = True, "ellipsis"
            parts.append(news)
        return Group(*parts)

    def sentence(self, now: float) -> str:
        """Return the same as one line of plain text, without headline and news."""
        limit = self.progress.page_limit if self.progress is not None else 0
        of = [_pages_of(self.progress)] if self.progress is not None and limit else []
        return ", ".join([*of, *self.figures(now)])

    def figures(self, now: float) -> list[str]:
        """Return the numbers of the phase at the time `now`, each with its unit."""
        elapsed = f"{clock_time(now - self._since)} elapsed"
        progress = self.progress
        if progress is None:
            return [elapsed]
        rate = self._rate.at(now)
        figures = [] if progress.page_limit else [counted(progress.pages, "page")]
        figures += [f"{rate:,.1f} pages/s"] if rate is not None else []
        if progress.sites:
            decided, relevant, still_open = progress.sites
            figures.append(f"{decided:,} sites examined, {relevant:,} relevant, {still_open:,} open")
            figures += [f"{progress.pages / relevant:.1f} pages per relevant site"] if relevant else []
        elif progress.accepted is not None and progress.pages:
            figures.append(f"harvest {progress.accepted / progress.pages:.0%}")
        figures.append(f"{progress.queued:,} queued")
        if progress.withheld:
            figures.append(f"{counted(progress.withheld, 'host')} on hold for better pages")
        if progress.errors:
            figures.append(counted(sum(progress.errors.values()), "error"))
        figures.append(elapsed)
        left = _left(progress, rate, now - self._since)
        return figures if left is None or left < 1 else [*figures, f"{about(left)} left"]


def _is_held(progress: Progress) -> bool:
    return progress.state is CrawlState.PAUSED


def _pages_of(progress: Progress) -> str:
    return f"{progress.pages:,} of {counted(progress.page_limit, 'page')}"


def _bar(progress: Progress, width: int) -> Table:
    told = _pages_of(progress)
    row = Table.grid(padding=(0, 2))
    length = max(4, min(_BAR, width - len(told) - 2))
    bar = ProgressBar(progress.page_limit, min(progress.pages, progress.page_limit), width=length)
    row.add_row(bar, Text(told, no_wrap=True))
    return row


def _left(progress: Progress, rate: float | None, elapsed: float) -> float | None:
    """Return roughly how many seconds are left, or None if unknown."""
    ends = [progress.time_limit - elapsed] if progress.time_limit else []
    if progress.page_limit and rate:
        ends.append((progress.page_limit - progress.pages) / rate)
    return max(0.0, min(ends)) if ends else None


def packed(parts: Sequence[str], width: int) -> list[str]:
    """Pack parts into as few lines as possible without breaking any.

    >>> packed(["12 pages", "3 queued", "0:07 elapsed"], 20)
    ['12 pages  3 queued', '0:07 elapsed']
    """
    lines: list[str] = []
    for part in parts:
        if lines and len(lines[-1]) + len(_GAP) + len(part) <= width:
            lines[-1] += _GAP + part
        else:
            lines.append(part)
    return lines


def clock_time(seconds: float) -> str:
    """Format a time like a stopwatch.

    >>> clock_time(7), clock_time(754), clock_time(36000)
    ('0:07', '12:34', '10:00:00')
    """
    minutes, rest = divmod(int(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


def about(seconds: float) -> str:
    """Format a rough estimate of a time.

    >>> about(7), about(754), about(36000)
    ('~7 s', '~13 min', '~10 h')
    """
    if seconds < 90:
        return f"~{seconds:.0f} s"
    return f"~{seconds / 60:.0f} min" if seconds < 5400 else f"~{seconds / 3600:.0f} h"
