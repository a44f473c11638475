"""What one run of the bench leaves: all that its figures are computed from, and what is needed to repeat it."""

from typing import Any, Literal

from msgspec import Struct

Mode = Literal["normal", "hard"]


class Visit(Struct, frozen=True):
    """A page of a crawl, in the order of fetching: `relevant` by the labels (or the committee), `target` if held out.

    `similarity` is the cosine with the description of the topic, None where it was not measured.
    """

    url: str
    relevant: bool
    target: bool
    similarity: float | None = None


class Run(Struct, frozen=True, kw_only=True):
    """The figures of one run, as `thresher bench run --json` lists them; shares and rates are between 0 and 1."""

    web: str
    topic: str
    strategy: str
    seed: int
    budget: int
    mode: Mode
    targets: int
    pages: int
    harvest_rate: float
    target_recall: float
    oracle_share: float | None
    cpu_ms_per_page: float


class Record(Struct, frozen=True, kw_only=True):
    """A run with all that stands behind its figures.

    `log` is the crawl in order and `oracle` the targets found by the oracle after each page; `examples`, `negatives`
    and `starts` are URLs; `data` is the digest of the web, `settings_digest` that of `settings`; `versions` name the
    program and the libraries that matter. `topic_set` names the set of topics that this one is apart in (`tune`,
    `report`), and `note` is what must be said wherever figures of this web are printed; both may be empty.
    """

    run: Run
    log: list[Visit]
    oracle: list[bool]
    examples: list[str]
    negatives: list[str]
    starts: list[str]
    data: str
    settings: dict[str, Any]
    settings_digest: str
    versions: dict[str, str]
    seconds: float
    topic_set: str = ""
    note: str = ""
