"""When a crawl retrains: every so many pages, or when its harvest rate has fallen (Sizov, section 2.2.4)."""

from msgspec import Struct

from thresher.crawl.phases.harvest_rate import HarvestRate


class Timetable(Struct, frozen=True, kw_only=True):
    """Retraining after `every` pages, or as soon as the mean confidence of the last pages is below `below`.

    0 turns a rule off. The harvest rate counts only once as many pages have come since the last retraining as its
    window holds.

    >>> Timetable(every=500).due(499, HarvestRate()), Timetable(every=500).due(500, HarvestRate())
    (False, True)
    """

    every: int = 0
    below: float = 0.0

    def due(self, pages: int, rate: HarvestRate) -> bool:
        """Tell whether it is time; `pages` is the number since the last retraining."""
        if self.every and pages >= self.every:
            return True
        confidence = rate.confidence()
        return bool(self.below) and pages >= rate.window and confidence is not None and confidence < self.below
