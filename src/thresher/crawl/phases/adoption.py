"""Applies the result of a retraining to the crawl that requested it."""

from thresher.crawl.journal import Journal
from thresher.crawl.phases.hubs import HUBS_RAISED
from thresher.crawl.phases.retraining import RetrainingResult
from thresher.crawl.pricing import Reordering
from thresher.crawl.start import Start
from thresher.protocols import Clock
from thresher.store.records import RETRAINED, EventRow


async def adopt(
    found: RetrainingResult, pages: int, reordering: Reordering, start: Start, journal: Journal, clock: Clock
) -> EventRow:
    """Use a new classifier, if there is one, put the links of its hubs first, and log the round; return its event.

    `pages` is the number of pages of the crawl.
    """
    raised = 0
    if found.classifier is not None:
        reordering.use(found.classifier, pages)
        # Hubs are raised above the new scores.
        raised = await start.raise_hubs(found.hubs, found.links)
    detail = {**found.detail, "pages": pages}
    if found.logged:
        event = EventRow(at=clock.wall(), kind=RETRAINED, detail=detail)
    else:
        event = journal.event(RETRAINED, detail)
    if raised:
        journal.event(HUBS_RAISED, {"links": raised})
    return event
