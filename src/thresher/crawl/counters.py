"""The counters of a crawl: what the live display shows and the store keeps."""

from collections.abc import Mapping

from thresher.crawl.phases.harvest_rate import HarvestRate
from thresher.reasons import Reason
from thresher.store.records import CrawlState, Progress
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
        self.errors = dict(earlier.errors)
        self.unchanged = earlier.unchanged
        self.changed = earlier.changed
        self.gone = earlier.gone
        self._refused = dict(earlier.refused)
        self._cut = earlier.cut
        self._seconds = earlier.seconds
        self._start = now

    def page(self, judgement: Judgement | None) -> None:
        """Count a stored page; the judgement is None where there is no classifier."""
        self.pages += 1
        self.rate.count(judgement)
        if judgement is not None:
            self.accepted = (self.accepted or 0) + (judgement.topic is not None)

    def checked(self, changed: bool) -> None:
        """Count a page that the portal had before and that is still there, beside counting it as a page."""
        self.changed += changed
        self.unchanged += not changed

    def duplicate(self) -> None:
        """Count a page that was not stored because another has the same text."""
        self.duplicates += 1

    def error(self, reason: Reason) -> None:
        """Count a URL that was given up."""
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
        """Return everything counted so far; `refused` and `cut` are those of this run."""
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
            stopped_because=because,
        )
