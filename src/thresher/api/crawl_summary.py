"""The summary of a crawl, as `--json` prints it."""

from typing import TypedDict

from thresher.store.records import CrawlRow, Progress


class CrawlSummary(TypedDict):
    """A crawl and its counters.

    `crawl`, `kind` and `strategy` are null before the first crawl; `kind` is `crawl`, `learn`, `harvest`, `ask`,
    `refresh` or `train`. `harvest_rate` is the share of accepted pages, null if the portal is not trained. `errors`
    counts failed URLs and `refused` URLs that were not fetched, both by reason; `cut` counts URLs dropped from full
    queues. `duplicates` counts pages not stored because another has the same text, `reused` pages read from the portal
    instead of being fetched again. `unchanged`, `changed` and `gone` belong to a refresh. `withheld` counts hosts put
    on hold in favour of better pages, and `slower` estimates by what factor that slows the crawl down.
    `stopped_because` is `pages`, `time`, `empty`, `harvest-rate`, `interrupted`, `requested` or, in `status`, `killed`.
    """

    portal: str
    crawl: int | None
    kind: str | None
    strategy: str | None
    state: str
    pages: int
    queued: int
    in_flight: int
    seconds: float
    pages_per_second: float
    harvest_rate: float | None
    errors: dict[str, int]
    refused: dict[str, int]
    cut: int
    duplicates: int
    reused: int
    unchanged: int
    changed: int
    gone: int
    withheld: int
    slower: float
    stopped_because: str | None


def crawl_summary(portal: str, crawl: CrawlRow | None, progress: Progress) -> CrawlSummary:
    """Return the summary of a crawl, or that of a portal without one."""
    rate = progress.pages / progress.seconds if progress.seconds > 0 else 0.0
    harvest = None if progress.accepted is None else progress.accepted / max(1, progress.pages)
    return {
        "portal": portal,
        "crawl": crawl.id if crawl else None,
        "kind": crawl.kind.value if crawl else None,
        "strategy": crawl.strategy if crawl else None,
        "state": progress.state.value,
        "pages": progress.pages,
        "queued": progress.queued,
        "in_flight": progress.in_flight,
        "seconds": round(progress.seconds, 3),
        "pages_per_second": round(rate, 3),
        "harvest_rate": harvest,
        "errors": progress.errors,
        "refused": progress.refused,
        "cut": progress.cut,
        "duplicates": progress.duplicates,
        "reused": progress.reused,
        "unchanged": progress.unchanged,
        "changed": progress.changed,
        "gone": progress.gone,
        "withheld": progress.withheld,
        "slower": progress.slower,
        "stopped_because": progress.stopped_because or None,
    }
