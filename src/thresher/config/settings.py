"""The settings: one typed model; the values of `defaults.toml` are its defaults.

Each description gives the unit; times are in seconds unless stated otherwise.
"""

import os
from typing import Any, Literal

from pydantic import Field

from thresher.config.learning_settings import (
    ArchetypeSettings,
    DocumentSettings,
    HarvestSettings,
    LearnSettings,
    ReadingSettings,
    TrainSettings,
)
from thresher.config.portal_settings import (
    ArchiveSettings,
    PeersSettings,
    PortalSettings,
    SearchSettings,
    StoreSettings,
)
from thresher.config.setting_types import Count, MimeType, Seconds, Section


class CrawlSettings(Section):
    """What to crawl, how far and how much."""

    strategy: str = Field(description="Strategy of `crawl`, with parameters as in `random(seed=7)`.")
    pages: int = Field(ge=0, description="Pages to store before the crawl stops; 0 means no limit.")
    hours: float = Field(ge=0, allow_inf_nan=False, description="Time limit in hours; 0 means no limit.")
    scope: Literal["web", "domains", "hosts"] = Field(
        description="Scope of the crawl: the whole web, the registered domains of the seeds, or their hosts."
    )
    max_depth: int = Field(ge=-1, description="Hops from the seeds; -1 means no limit.")
    exclude: tuple[str, ...] = Field(description="URL patterns, with `*` and `?`, that are never fetched.")
    max_url: int = Field(ge=20, le=100_000, description="Longest URL, in characters.")
    sitemaps: int = Field(
        ge=0, le=1_000_000, description="Maximum number of URLs from the sitemaps and feeds of a host; 0 fetches none."
    )


class NetworkSettings(Section):
    """How pages are fetched."""

    contact: str = Field(description="Email address or web page in the User-Agent where webmasters can reach you.")
    connect_timeout: Seconds = Field(description="Time limit for opening a connection, in seconds.")
    read_timeout: Seconds = Field(description="Time limit for a server to send more data, in seconds.")
    deadline: Seconds = Field(description="Time limit for a whole fetch, in seconds.")
    max_redirects: int = Field(ge=0, le=100, description="Maximum number of redirects in a row.")
    max_body: Count = Field(description="Maximum body size of any type in bytes, as received or decoded.")
    types: dict[MimeType, Count] = Field(
        description="MIME types to read, each with its maximum body size in bytes; replaces the whole default table."
    )
    allow: tuple[str, ...] = Field(description="Private addresses, networks or host names that may be fetched anyway.")
    map: dict[str, str] = Field(description="Host patterns to fetch from a fixed `address:port`.")


class MannersSettings(Section):
    """How servers are treated."""

    robots: bool = Field(description="Obey robots.txt.")
    nofollow: bool = Field(description="Obey `nofollow` on pages and links.")
    noindex: bool = Field(description="Do not store pages marked `noindex`.")
    per_host: Count = Field(description="Maximum number of parallel fetches per host.")
    per_domain: Count = Field(description="Maximum number of parallel fetches per registered domain.")
    delay: Seconds = Field(description="Seconds between two fetches from a host.")
    max_delay: Seconds = Field(description="Maximum delay for a host in seconds, even if it asks for more.")
    backoff: Seconds = Field(
        description="Pause for a host after a failure, in seconds; doubled for each further failure in a row."
    )
    retry: Seconds = Field(description="Seconds before a failed URL is retried; doubled each time.")
    max_failures: Count = Field(description="Failures in a row after which a host is dropped.")
    max_tries: Count = Field(description="Maximum number of tries per URL.")
    quota: int = Field(ge=0, description="Maximum number of pages per host; 0 means no limit.")
    fresh_days: float = Field(
        ge=0,
        le=36_500,
        allow_inf_nan=False,
        description="Days for which training, learning and harvests reuse a stored page instead of fetching it again; "
        "older pages are requested conditionally.",
    )
    traps: bool = Field(
        description="Detect and avoid crawler traps: calendars, growing paths, session ids and the like."
    )


class TrapSettings(Section):
    """Limits for the detection of crawler traps; `manners.traps` turns all of it off."""

    depth: Count = Field(description="Maximum number of segments in a path.")
    repeats: Count = Field(description="How often a segment may occur in a path, or a pair in a query.")
    orders: Count = Field(description="How many paths of a host may consist of the same words.")
    walked: Count = Field(
        description="Months of a calendar that may be found through each other, or twice as many days."
    )
    months: Count = Field(description="Total months of a calendar, or ten times as many days.")
    strange: Count = Field(description="Months found through each other that are over a year ahead or `years` back.")
    years: Count = Field(description="How many years back a month counts as strange.")
    subdomains: Count = Field(description="Maximum number of host names in a registered domain.")
    labels: Count = Field(description="Maximum number of labels in a host name before its registered domain.")
    sessions: Count = Field(description="URLs that must reappear with a third id before it counts as a session id.")
    patience: Count = Field(description="Pages without anything new after which a host is dropped.")
    credit: Count = Field(description="Pages without anything new that one new page offsets.")
    missing_after: Count = Field(
        description="Pages after which a nonexistent URL is requested from a host, to recognise its error pages."
    )


class FrontierSettings(Section):
    """Size of the queues."""

    bound: Count = Field(description="Maximum number of URLs in a queue.")
    bucket: Count = Field(description="New URLs a queue collects beyond its bound before it drops the worst.")


class FocusSettings(Section):
    """Trade-off between speed and better pages."""

    patience: float = Field(
        ge=1,
        le=1_000_000,
        allow_inf_nan=False,
        description="How much longer than the fastest possible crawl a page budget may take to get better pages; "
        "1 fetches from whatever host is free.",
    )
    record: float = Field(
        ge=0,
        le=10,
        allow_inf_nan=False,
        description="Weight of a host's track record relative to the score of its next page, if scores are log-odds.",
    )
    variety: float = Field(
        ge=0,
        le=10,
        allow_inf_nan=False,
        description="Log-odds a host loses, if scores are log-odds, each time its pages nearly triple.",
    )
    discovery: float = Field(
        ge=0,
        le=10,
        allow_inf_nan=False,
        description="Log-odds the first page of a host gains, if scores are log-odds, because it may lead to more; "
        "in a search with `ask`, a tenth of this.",
    )
    balance: float = Field(
        ge=0,
        le=10,
        allow_inf_nan=False,
        description="Log-odds a topic loses, if scores are log-odds, when it has nearly three times as many pages as "
        "the average topic.",
    )
    worth: float = Field(
        ge=0,
        le=1,
        description="Expected share of accepted pages below which a link is left in the queue under a time budget.",
    )


class EngineSettings(Section):
    """Parallelism and batching."""

    parallel: Count = Field(description="Maximum number of parallel fetches.")
    workers: int = Field(
        ge=-1,
        le=256,
        description=(
            "Worker processes that read pages; -1 for one per core minus one. With 0, the crawl process reads them "
            "itself, without a time limit, so that a slow page holds up all others."
        ),
    )
    batch_pages: int = Field(ge=1, le=1024, description="Pages per transaction.")
    batch_seconds: Seconds = Field(description="Seconds after which a transaction is written even if it is not full.")
    reorder_every: Count = Field(description="Pages between two times the strategy reorders the queue.")
    reading_deadline: Seconds = Field(description="Time limit for a worker to read one page, in seconds.")

    @property
    def worker_number(self) -> int:
        """The number of worker processes on this machine."""
        return self.workers if self.workers >= 0 else max(1, (os.cpu_count() or 2) - 1)


class Settings(Section):
    """All settings of a portal."""

    crawl: CrawlSettings
    network: NetworkSettings
    manners: MannersSettings
    traps: TrapSettings
    frontier: FrontierSettings
    focus: FocusSettings
    engine: EngineSettings
    reading: ReadingSettings
    documents: DocumentSettings
    train: TrainSettings
    learn: LearnSettings
    archetypes: ArchetypeSettings
    harvest: HarvestSettings
    store: StoreSettings
    archive: ArchiveSettings
    search: SearchSettings
    portal: PortalSettings
    peers: PeersSettings
    strategy: dict[str, dict[str, Any]] = Field(description="Parameters of strategies, one table per name.")
