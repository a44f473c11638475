"""The settings: one typed model; the values of `defaults.toml` are its defaults.

Each description gives the unit; times are in seconds unless stated otherwise.
"""

import os
from ipaddress import ip_network
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from thresher.web.urls import canonical

Seconds = Annotated[float, Field(ge=0, le=86_400, allow_inf_nan=False)]
MimeType = Annotated[str, Field(pattern=r"^[a-z0-9!#$&^_.+-]{1,60}/[a-z0-9!#$&^_.+-]{1,100}$")]
Count = Annotated[int, Field(ge=1, le=1_000_000_000)]


def _network(text: str) -> str:
    """Parse a network such as `10.0.0.0/8`; raises ValueError if it is invalid."""
    return str(ip_network(text, strict=False))


Network = Annotated[str, AfterValidator(_network)]


def _web_address(text: str) -> str:
    """Return a web address, or the empty string; raises ValueError for anything else."""
    if text and canonical(text) is None:
        raise ValueError("it should start with https:// or http://, as in https://portal.example/")
    return text


WebAddress = Annotated[str, AfterValidator(_web_address)]


class _Section(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class CrawlSettings(_Section):
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


class NetworkSettings(_Section):
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


class MannersSettings(_Section):
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


class TrapSettings(_Section):
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


class FrontierSettings(_Section):
    """Size of the queues."""

    bound: Count = Field(description="Maximum number of URLs in a queue.")
    bucket: Count = Field(description="New URLs a queue collects beyond its bound before it drops the worst.")


class FocusSettings(_Section):
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
        description="Log-odds the first page of a host gains, if scores are log-odds, because it may lead to more.",
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


class EngineSettings(_Section):
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


class ReadingSettings(_Section):
    """How pages are read."""

    text: bool = Field(description="Read the text of pages; otherwise only titles and links.")
    language: str = Field(
        pattern=r"^(auto|[a-z]{2,3})$",
        description="Language for stemming and stop words, as in `en`; `auto` uses each page's own.",
    )
    languages: tuple[Annotated[str, Field(pattern=r"^[a-z]{2,3}$")], ...] = Field(
        description="Accepted languages, as in `en`; empty accepts all."
    )
    d_stop: int = Field(
        ge=-1_000_000,
        le=1_000_000,
        description="How many more stop words of `languages` than of other languages a page must have.",
    )
    duplicates: bool = Field(description="Do not store a page with exactly the same text as a stored one.")
    near_duplicates: int = Field(
        ge=-1, le=3, description="Maximum number of differing simhash bits of near-duplicates; -1 turns detection off."
    )
    max_words: Count = Field(description="Maximum number of words read per page.")
    max_links: Count = Field(description="Maximum number of links read per page.")
    main_text: bool = Field(description="Read only the main text of a page, without navigation, comments or notices.")
    preview: int = Field(ge=0, le=20, description="Sentences in the preview of a page; 0 for none.")


class DocumentSettings(_Section):
    """Limits on reading files other than HTML; `network.types` says which are fetched at all."""

    seconds: float = Field(
        gt=0,
        le=86_400,
        allow_inf_nan=False,
        description="CPU seconds per document, and twice as many seconds of wall time per file; "
        "never more than 0.4 x engine.reading_deadline.",
    )
    memory_mb: int = Field(ge=128, le=65_536, description="Memory limit of the process that reads files, in megabytes.")
    pages: Count = Field(description="Maximum number of pages, slides, sheets or chapters read per document.")
    unpacked_mb: int = Field(ge=1, le=4096, description="Maximum total unpacked size of a file, in megabytes.")
    members: int = Field(ge=0, le=10_000, description="Maximum number of documents read from an archive.")
    nesting: int = Field(ge=1, le=10, description="Maximum nesting depth of archives, including the first.")


class TrainSettings(_Section):
    """How topics are trained, and when they accept a page."""

    features: int = Field(ge=10, le=50_000, description="Stems chosen for each topic.")
    candidates: int = Field(
        ge=10, le=1_000_000, description="Stems these are chosen from: the ones in the most training pages."
    )
    measure: Literal["mi", "ig", "chi2", "cmi"] = Field(
        description="Measure for choosing stems: (conditional) mutual information, information gain or chi-square."
    )
    weighting: Literal["tfidf", "rtf", "rsj"] = Field(
        description="Weighting of stems: TF·IDF, relative frequency, or Robertson–Spärck Jones weights."
    )
    vote: bool = Field(
        description="Give a second classifier a vote in each topic: fewer wrong pages, but also fewer right ones."
    )
    pairs: bool = Field(description="Also use pairs of neighbouring words as features.")
    anchors: bool = Field(description="Add the texts of links from other hosts to the words of a stored page.")
    neighbours: bool = Field(description="Add words that most of the pages around a stored page have to its own.")
    threshold: float = Field(
        ge=-100, le=100, allow_inf_nan=False, description="Confidence a page must exceed; higher is stricter."
    )
    min_features: int = Field(ge=0, le=1000, description="Minimum number of features a page must have.")
    min_indicators: int = Field(
        ge=0, le=1000, description="Minimum number of indicator words a page must have, if the topic has any."
    )


class LearnSettings(_Section):
    """The learning crawl, near the training pages, for more training material."""

    strategy: str = Field(description="Strategy of `learn`.")
    pages: int = Field(ge=0, description="Pages to store before it stops; 0 means no limit.")
    hours: float = Field(ge=0, allow_inf_nan=False, description="Time limit in hours; 0 means no limit.")
    scope: Literal["web", "domains", "hosts"] = Field(
        description="Scope of the crawl: the whole web, the registered domains of the training pages, or their hosts."
    )
    max_depth: int = Field(ge=-1, description="Hops from the training pages; -1 means no limit.")
    per_site: int = Field(
        ge=0,
        description="Average number of pages that the learning crawl of a `run` fetches from each site of the training "
        "pages, because many pages from few sites take long; 0 means no limit.",
    )
    share: float = Field(
        ge=0,
        le=1,
        allow_inf_nan=False,
        description="Maximum share of the remaining budget of a `run` for the learning crawl; 0 skips it.",
    )


class ArchetypeSettings(_Section):
    """Which crawled pages become training pages."""

    enabled: bool = Field(
        description="Let crawls add pages they found to the training pages, as `thresher archetypes` does."
    )
    authorities: int = Field(ge=0, le=10_000, description="Best authorities proposed for each topic.")
    confident: int = Field(ge=0, le=10_000, description="Most confident pages proposed for each topic.")
    admit_all: bool = Field(
        description="Propose every accepted page, most confident first; for topics with only a page or two."
    )
    review: bool = Field(description="Use only archetypes that you have accepted.")


class HarvestSettings(_Section):
    """The harvest: crawls wherever the topics lead, and retrains on the way."""

    strategy: str = Field(description="Strategy of `harvest`.")
    pages: int = Field(ge=0, description="Pages to store before it stops; 0 means no limit.")
    hours: float = Field(ge=0, allow_inf_nan=False, description="Time limit in hours; 0 means no limit.")
    until: str = Field(description="Stop condition, as in `harvest<0.1`; empty for none.")
    window: int = Field(ge=1, le=1_000_000, description="Number of most recent pages used for the harvest rate.")
    retrain_every: int = Field(ge=0, description="Pages between two rounds of retraining; 0 means never.")
    retrain_first: int = Field(
        ge=0,
        description="Pages before the first round of retraining; the interval then doubles up to retrain_every. "
        "0 starts with retrain_every.",
    )
    retrain_below: float = Field(
        ge=0,
        le=100,
        allow_inf_nan=False,
        description="Retrain when the mean confidence of recent pages falls below this; 0 means never.",
    )
    hubs: int = Field(ge=0, le=1000, description="Number of top hubs per topic whose links are fetched first.")
    hub_links: int = Field(ge=0, le=10_000, description="Number of links of each such hub that are fetched first.")


class StoreSettings(_Section):
    """The repository."""

    min_free_mb: int = Field(ge=0, description="Disk space to keep free, in megabytes.")
    shared: bool = Field(
        description="Give the group of the portal's directory access to the portal, starting with the next crawl."
    )


class ArchiveSettings(_Section):
    """The archive of responses, byte for byte."""

    enabled: bool = Field(description="Store every response in WARC files.")
    max_file_mb: Count = Field(description="Size at which a new WARC file is started, in megabytes.")


class SearchSettings(_Section):
    """Searching the portal."""

    index_seconds: float = Field(
        ge=0,
        description="Seconds between two updates of the search index during a crawl; 0 leaves it to the next search.",
    )


class PortalSettings(_Section):
    """The web portal."""

    title: str = Field(max_length=200, description="Title of the portal; empty for the name of its directory.")
    about: str = Field(max_length=1000, description="What the portal is about, in a sentence or two.")
    keeper: str = Field(max_length=200, description="Who runs the portal; shown at the bottom of every page.")
    language: Literal["en", "de"] = Field(
        description="Language for readers whose browser asks for none of the portal's languages."
    )
    private: bool = Field(description="Show nothing to visitors who have not signed in.")
    hosts: tuple[str, ...] = Field(
        description="Host names under which browsers may reach the portal, besides this machine's own."
    )
    proxies: tuple[Network, ...] = Field(
        description="IP addresses or networks of proxies in front of the portal. "
        "Only their X-Forwarded-Proto and X-Forwarded-For headers are trusted."
    )
    clicks: bool = Field(
        description="Record which results readers open and when they return. "
        "For signed-in readers, further results are ordered by what they opened."
    )


class PeersSettings(_Section):
    """Other portals that this one exchanges models with; pages are never exchanged."""

    enabled: bool = Field(description="Answer the messages of peers, and exchange lists of neighbours with them.")
    name: str = Field(max_length=60, description="Name by which peers know this portal; empty for its title.")
    address: WebAddress = Field(
        max_length=500, description="URL at which peers reach this portal, as in `https://portal.example/`."
    )
    topics: tuple[str, ...] = Field(description="Topics whose models are shared; empty shares all.")
    min_pages: int = Field(
        ge=1,
        le=1000,
        description="Training pages that must contain a stem before it leaves the portal in a model; "
        "higher values give less away.",
    )
    page_ids: bool = Field(
        description="Send hashes of the training pages' URLs with a model, so that peers do not test it on them."
    )
    interval: Seconds = Field(description="Seconds between two exchanges of neighbour lists.")
    neighbours: int = Field(ge=1, le=64, description="Maximum number of neighbours remembered.")
    messages: Count = Field(description="Maximum number of messages per hour from one peer.")


class Settings(_Section):
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
