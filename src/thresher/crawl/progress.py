"""The counters of a crawl, for the store and for progress displays."""

from collections.abc import Callable, Mapping

from msgspec.structs import replace

from thresher.crawl.focus import Focus
from thresher.crawl.in_flight import InFlight
from thresher.crawl.journal import Journal
from thresher.crawl.outage import Outage
from thresher.crawl.phases.harvest_rate import HarvestRate
from thresher.protocols import Clock
from thresher.reasons import Reason
from thresher.shard.protocol import Shard
from thresher.store.event_kinds import EventKind
from thresher.store.records import CrawlState, EventRow, Progress
from thresher.types import Judgement


class Counters:
    """Counts pages, errors and crawling time; starts from the progress of an earlier run.

    `rate` is the harvest rate of the last `window` pages of this run.
    """

    def __init__(self, earlier: Progress, now: float, window: int = 200) -> None:
        self.rate = HarvestRate(window)
        self.pages = earlier.pages
        self.accepted = earlier.accepted
        self.duplicates = earlier.duplicates
        self.reused = earlier.reused
        self.sites = earlier.sites
        self.errors = dict(earlier.errors)
        self.unchanged = earlier.unchanged
        self.changed = earlier.changed
        self.gone = earlier.gone
        self._refused = dict(earlier.refused)
        self._cut = earlier.cut
        self._seconds = earlier.seconds
        self._start = now

    def page(self, judgement: Judgement | None) -> None:
        """Count a stored page; the judgement is None if there is no classifier."""
        self.pages += 1
        self.rate.count(judgement)
        if judgement is not None:
            self.accepted = (self.accepted or 0) + (judgement.topic is not None)

    def checked(self, changed: bool) -> None:
        """Count a page that the portal already had and that still exists, in addition to counting it as a page."""
        self.changed += changed
        self.unchanged += not changed

    def duplicate(self) -> None:
        """Count a page that was not stored because another has the same text."""
        self.duplicates += 1

    def error(self, reason: Reason) -> None:
        """Count a URL that was abandoned."""
        self.errors[reason.value] = self.errors.get(reason.value, 0) + 1

    def run_seconds(self, now: float) -> float:
        """Return the time of this run."""
        return now - self._start

    def progress(
        self,
        now: float,
        *,
        queued: int,
        in_flight: int,
        refused: Mapping[str, int],
        cut: int,
        state: CrawlState = CrawlState.RUNNING,
        because: str = "",
    ) -> Progress:
        """Return everything counted so far; `refused` and `cut` are counts of this run."""
        total = dict(self._refused)
        for reason, number in refused.items():
            total[reason] = total.get(reason, 0) + number
        return Progress(
            state=state,
            pages=self.pages,
            queued=queued,
            in_flight=in_flight,
            seconds=self._seconds + self.run_seconds(now),
            errors=dict(self.errors),
            refused=total,
            cut=self._cut + cut,
            accepted=self.accepted,
            unchanged=self.unchanged,
            changed=self.changed,
            gone=self.gone,
            duplicates=self.duplicates,
            reused=self.reused,
            sites=self.sites,
            stopped_because=because,
        )


OFFLINE = "No host can be reached: is the network down? The crawl continues when it is back."


class ProgressReporter:
    """Reports the progress of a crawl by calling `on_progress`, if given, at most once every `every` seconds."""

    def __init__(
        self,
        clock: Clock,
        counters: Counters,
        shard: Shard,
        flight: InFlight,
        journal: Journal,
        outage: Outage,
        focus: Focus | None,
        on_progress: Callable[[Progress], None] | None,
        every: float,
    ) -> None:
        self._clock = clock
        self._counters = counters
        self._shard = shard
        self._flight = flight
        self._journal = journal
        self._outage = outage
        self._focus = focus
        self._on_progress = on_progress
        self._every = every
        self._due = clock.now()
        self._offline = False

    def progress(self, state: CrawlState = CrawlState.RUNNING, because: str = "") -> Progress:
        """Return the progress of the crawl."""
        seen = self._shard.look()
        progress = self._counters.progress(
            self._clock.now(),
            queued=seen.waiting + len(self._flight),
            in_flight=len(self._flight) + self._journal.uncommitted() if state is CrawlState.RUNNING else 0,
            refused=seen.refused,
            cut=seen.cut,
            state=state,
            because=because,
        )
        focus = self._focus
        if focus is None:
            return progress
        return replace(progress, withheld=focus.withheld, slower=round(focus.slower, 2))

    def show(self, message: str = "", *, held: bool = False, news: EventRow | None = None) -> None:
        """Report progress if it is due or there is news; a crawl that is `held` is paused."""
        if self._outage.certain is not self._offline:
            self._offline = self._outage.certain
            self._journal.event(EventKind.OFFLINE if self._offline else EventKind.ONLINE, {})
        if self._on_progress is None or not (message or news or self._clock.now() >= self._due):
            return
        self._due = self._clock.now() + self._every
        message = message or (OFFLINE if self._outage.certain else "")
        progress = self.progress(CrawlState.PAUSED if held or message else CrawlState.RUNNING, message)
        self._on_progress(replace(progress, news=news))
