"""Settings of reading pages, training topics, and the crawls that learn."""

from typing import Annotated, Literal

from pydantic import Field

from thresher.config.setting_types import Count, Section


class ReadingSettings(Section):
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


class DocumentSettings(Section):
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


class TrainSettings(Section):
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
        description="Let five classifiers vote in each topic instead of one; training takes longer, crawls do not."
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


class LearnSettings(Section):
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


class ArchetypeSettings(Section):
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


class HarvestSettings(Section):
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
