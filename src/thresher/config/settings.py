"""The settings: one typed model; the values of `defaults.toml` are its defaults.

Units are part of each description: times in seconds unless they say otherwise.
"""

import os
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

Seconds = Annotated[float, Field(ge=0, le=86_400, allow_inf_nan=False)]
MimeType = Annotated[str, Field(pattern=r"^[a-z0-9!#$&^_.+-]{1,60}/[a-z0-9!#$&^_.+-]{1,100}$")]
Count = Annotated[int, Field(ge=1, le=1_000_000_000)]


class _Section(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class CrawlSettings(_Section):
    """What to crawl, how far and how much."""

    strategy: str = Field(description="Strategy of `crawl`, with parameters as in `random(seed=7)`.")
    pages: int = Field(ge=0, description="Pages to store before the crawl stops; 0 means no limit.")
    hours: float = Field(ge=0, allow_inf_nan=False, description="Hours a run may take; 0 means no limit.")
    scope: Literal["web", "domains", "hosts"] = Field(
        description="Where links may lead: the whole web, the registered domains of the seeds, or their hosts."
    )
    max_depth: int = Field(ge=-1, description="Hops from the seeds; -1 means no limit.")
    exclude: tuple[str, ...] = Field(description="URL patterns with `*` and `?` that are never fetched.")
    max_url: int = Field(ge=20, le=100_000, description="Longest URL, in characters.")
    sitemaps: int = Field(
        ge=0, le=1_000_000, description="Addresses taken from the sitemaps and feeds of a host; 0 fetches none of them."
    )


class NetworkSettings(_Section):
    """How pages are fetched."""

    contact: str = Field(description="Address or page in the User-Agent under which webmasters can reach you.")
    connect_timeout: Seconds = Field(description="Seconds a connection may take to open.")
    read_timeout: Seconds = Field(description="Seconds a server may stay silent.")
    deadline: Seconds = Field(description="Seconds a whole fetch may take.")
    max_redirects: int = Field(ge=0, le=100, description="Redirects in a chain.")
    max_body: Count = Field(description="Largest body of any type, in bytes, received or decoded.")
    types: dict[MimeType, Count] = Field(
        description="MIME types that are read, each with its largest body in bytes; the table replaces the default's."
    )
    allow: tuple[str, ...] = Field(
        description="Private addresses, networks or host names that may be fetched all the same."
    )
    map: dict[str, str] = Field(description="Host patterns that are served by a fixed `address:port`.")


class MannersSettings(_Section):
    """How other people's servers are treated."""

    robots: bool = Field(description="Obey robots files.")
    nofollow: bool = Field(description="Obey `nofollow` of pages and links.")
    noindex: bool = Field(description="Do not keep pages that ask for `noindex`.")
    per_host: Count = Field(description="Fetches at once per host.")
    per_domain: Count = Field(description="Fetches at once per registered domain.")
    delay: Seconds = Field(description="Seconds between two fetches of a host.")
    max_delay: Seconds = Field(description="Longest wait for a host, in seconds, whatever it asks for.")
    backoff: Seconds = Field(description="Seconds a host rests after a failure; doubled for each more in a row.")
    retry: Seconds = Field(description="Seconds before a failed URL is tried again; doubled each time.")
    max_failures: Count = Field(description="Failures in a row after which a host is given up.")
    max_tries: Count = Field(description="Tries per URL.")
    quota: int = Field(ge=0, description="Pages per host; 0 means no limit.")
    fresh_days: float = Field(
        ge=0,
        le=36_500,
        allow_inf_nan=False,
        description="Days for which training, learning and harvests read a page from the portal and do not ask for it "
        "again; an older one is sent again only if it has changed.",
    )
    traps: bool = Field(
        description="Keep out of calendars, growing paths, session ids and other addresses without end."
    )


class TrapSettings(_Section):
    """How much of addresses without end is let through before it is left; `manners.traps` turns all of it off."""

    depth: Count = Field(description="Parts of a path.")
    repeats: Count = Field(description="Times one part may occur in a path, or one pair in a query.")
    orders: Count = Field(description="Paths of a host that may be made of the same words.")
    walked: Count = Field(description="Months of a calendar that may be found from one another, or twice as many days.")
    months: Count = Field(description="Months of a calendar in all, or ten times as many days.")
    strange: Count = Field(description="Months found from one another that lie over a year ahead or `years` back.")
    years: Count = Field(description="Years back from which on a month is strange.")
    subdomains: Count = Field(description="Host names of a registered domain.")
    labels: Count = Field(description="Labels of a host name before its registered domain.")
    sessions: Count = Field(description="Addresses that must come back with a third id to prove it a session's.")
    patience: Count = Field(description="Pages without anything new after which a host is left.")
    credit: Count = Field(description="Pages without anything new that one new page makes up for.")
    missing_after: Count = Field(
        description="Pages after which a host is asked for one that cannot exist, to know its error pages by."
    )


class FrontierSettings(_Section):
    """How many URLs wait."""

    bound: Count = Field(description="URLs that wait in one queue.")
    bucket: Count = Field(description="New URLs a queue collects beyond its bound before it cuts the worst.")


class FocusSettings(_Section):
    """What a budget is spent on while hosts must be waited for."""

    patience: float = Field(
        ge=1,
        le=1_000_000,
        allow_inf_nan=False,
        description="How many times as long as in a hurry a budget of pages may take for the sake of better pages; "
        "1 asks whatever host is open.",
    )
    record: float = Field(
        ge=0,
        le=10,
        allow_inf_nan=False,
        description="Weight of what a host gave so far beside the price of its next page, where prices are log-odds.",
    )
    variety: float = Field(
        ge=0,
        le=10,
        allow_inf_nan=False,
        description="Log-odds that a host loses, where prices are such, each time its pages are nearly tripled.",
    )
    balance: float = Field(
        ge=0,
        le=10,
        allow_inf_nan=False,
        description="Log-odds that a topic loses, where prices are such, when it has had nearly three times as many "
        "pages as topics have in the mean.",
    )
    worth: float = Field(
        ge=0,
        le=1,
        description="Share of accepted pages below which a price is left alone while a budget of time is spent.",
    )


class EngineSettings(_Section):
    """How much is done at once."""

    parallel: Count = Field(description="Fetches at once.")
    workers: int = Field(ge=-1, le=256, description="Worker processes; 0 is none, -1 one per core but one.")
    batch_pages: int = Field(ge=1, le=1024, description="Pages per transaction.")
    batch_seconds: Seconds = Field(description="Seconds after which a transaction is written, full or not.")
    reorder_every: Count = Field(description="Pages between two times that the strategy reorders what waits.")
    reading_deadline: Seconds = Field(description="Seconds a worker may take for one page.")

    @property
    def worker_number(self) -> int:
        """How many worker processes that is on this machine."""
        return self.workers if self.workers >= 0 else max(1, (os.cpu_count() or 2) - 1)


class ReadingSettings(_Section):
    """How pages are read."""

    text: bool = Field(description="Read the words of pages; without them only titles and links are read.")
    language: str = Field(
        pattern=r"^(auto|[a-z]{2,3})$",
        description="Language of stems and stop words, as in `en`; `auto` is that of each page.",
    )
    languages: tuple[Annotated[str, Field(pattern=r"^[a-z]{2,3}$")], ...] = Field(
        description="Languages pages must be in, as in `en`; none means that all are welcome."
    )
    d_stop: int = Field(
        ge=-1_000_000, le=1_000_000, description="Stop words of `languages` a page must have beyond those of others."
    )
    duplicates: bool = Field(description="Do not keep a page whose text is stored already, word for word.")
    near_duplicates: int = Field(
        ge=-1, le=3, description="Bits in which simhashes of near-duplicates may differ; -1 notes none."
    )
    max_words: Count = Field(description="Words read of a page.")
    max_links: Count = Field(description="Links read of a page.")
    main_text: bool = Field(description="Read only the main text of a page: no navigation, comments or notices.")
    preview: int = Field(ge=0, le=20, description="Sentences in the preview of a page; 0 makes none.")


class DocumentSettings(_Section):
    """What one file that is no HTML may make its reader do; `network.types` says which are fetched at all."""

    seconds: float = Field(
        gt=0,
        le=86_400,
        allow_inf_nan=False,
        description="Seconds of processor time for one document, by the clock twice as many for a whole file; "
        "never more than 0.4 x engine.reading_deadline.",
    )
    memory_mb: int = Field(ge=128, le=65_536, description="Memory of the process that reads files, in megabytes.")
    pages: Count = Field(description="Pages, slides, sheets or chapters of a document that are read.")
    unpacked_mb: int = Field(ge=1, le=4096, description="What a file may unpack to in all, in megabytes.")
    members: int = Field(ge=0, le=10_000, description="Documents that are read of one archive.")
    nesting: int = Field(ge=1, le=10, description="Levels of archives in archives that are opened, the first included.")


class TrainSettings(_Section):
    """How topics are learnt, and when they take a page."""

    features: int = Field(ge=10, le=50_000, description="Stems chosen for each topic.")
    candidates: int = Field(
        ge=10, le=1_000_000, description="Stems that these are chosen from: those in most training pages."
    )
    measure: Literal["mi", "ig", "chi2", "cmi"] = Field(
        description="What stems are chosen by: (conditional) mutual information, information gain or chi-square."
    )
    weighting: Literal["tfidf", "rtf"] = Field(description="How stems of a page weigh: TF·IDF or relative frequency.")
    threshold: float = Field(
        ge=-100, le=100, allow_inf_nan=False, description="Confidence a page must exceed; more is stricter."
    )
    min_features: int = Field(ge=0, le=1000, description="Stems of the feature space a page must have.")
    min_indicators: int = Field(ge=0, le=1000, description="Indicator words a page must have, where a topic has any.")


class LearnSettings(_Section):
    """The learning crawl: near the training pages, for pages that can teach the topics."""

    strategy: str = Field(description="Strategy of `learn`.")
    pages: int = Field(ge=0, description="Pages to store before it stops; 0 means no limit.")
    hours: float = Field(ge=0, allow_inf_nan=False, description="Hours a run may take; 0 means no limit.")
    scope: Literal["web", "domains", "hosts"] = Field(
        description="Where links may lead: the whole web, the registered domains of the training pages, or their hosts."
    )
    max_depth: int = Field(ge=-1, description="Hops from the training pages; -1 means no limit.")
    share: float = Field(
        ge=0,
        le=1,
        allow_inf_nan=False,
        description="Share of what is left of the budget of a `run` that it takes at most; 0 leaves it out.",
    )


class ArchetypeSettings(_Section):
    """Which pages that were found teach the topics."""

    enabled: bool = Field(
        description="Let crawls teach the topics with pages they found, as `thresher archetypes` does."
    )
    authorities: int = Field(ge=0, le=10_000, description="Best authorities proposed for each topic.")
    confident: int = Field(ge=0, le=10_000, description="Most confident pages proposed for each topic.")
    admit_all: bool = Field(
        description="Propose every page a topic takes, the most confident first: for topics of a page or two."
    )
    review: bool = Field(description="Let only pages teach that a person has accepted.")


class HarvestSettings(_Section):
    """The harvest: everywhere the topics lead, retraining on the way."""

    strategy: str = Field(description="Strategy of `harvest`.")
    pages: int = Field(ge=0, description="Pages to store before it stops; 0 means no limit.")
    hours: float = Field(ge=0, allow_inf_nan=False, description="Hours a run may take; 0 means no limit.")
    until: str = Field(description="Condition under which it stops, as in `harvest<0.1`; empty for none.")
    window: int = Field(ge=1, le=1_000_000, description="Last pages that the harvest rate is taken from.")
    retrain_every: int = Field(ge=0, description="Pages after which the topics are learnt anew; 0 means never.")
    retrain_first: int = Field(
        ge=0,
        description="Pages after which they are learnt anew for the first time; from then on the pages between two "
        "rounds double until they are as many as retrain_every. 0 begins with retrain_every.",
    )
    retrain_below: float = Field(
        ge=0,
        le=100,
        allow_inf_nan=False,
        description="Mean confidence of the last pages below which the topics are learnt anew; 0 means never.",
    )
    hubs: int = Field(ge=0, le=1000, description="Best hubs of each topic whose links come first.")
    hub_links: int = Field(ge=0, le=10_000, description="Links of each of these hubs that come first.")


class StoreSettings(_Section):
    """How the repository is kept."""

    min_free_mb: int = Field(ge=0, description="Room that must stay free on the disk, in megabytes.")
    shared: bool = Field(
        description="Let the group of the portal's directory use the portal too, from the next crawl on."
    )


class ArchiveSettings(_Section):
    """How answers are kept, byte for byte."""

    enabled: bool = Field(description="Keep every answer in WARC files.")
    max_file_mb: Count = Field(description="Size at which a new WARC file is begun, in megabytes.")


class SearchSettings(_Section):
    """Searching the portal."""

    index_seconds: float = Field(
        ge=0,
        description="A crawl makes its new pages findable every so many seconds; 0 leaves that to the next search.",
    )


class PortalSettings(_Section):
    """The web portal."""

    title: str = Field(max_length=200, description="Name of the portal; empty for the name of its directory.")
    about: str = Field(max_length=1000, description="What the portal is about, in a sentence or two.")
    keeper: str = Field(max_length=200, description="Who keeps the portal; stands at the foot of every page.")
    language: Literal["en", "de"] = Field(
        description="Language of the pages for readers whose browser asks for none that the portal speaks."
    )
    private: bool = Field(description="Show nothing to readers who have not signed in.")
    hosts: tuple[str, ...] = Field(
        description="Host names under which browsers may reach the portal, beside those of this machine."
    )


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
    strategy: dict[str, dict[str, Any]] = Field(description="Parameters of strategies, one table per name.")
