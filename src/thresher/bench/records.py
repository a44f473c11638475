"""The record of a run: everything its figures are computed from, and what is needed to repeat it."""

from typing import Any, Final, Literal

from msgspec import Struct

Mode = Literal["normal", "hard"]
Training = Literal["pages", "back-links"]
"""What the page classifier learns from: whole pages, or the words around links to them."""

CLASSIFIER: Final = "logistic"
"""The page classifier of all strategies, unless an experiment is about it."""
PAGES: Final[Training] = "pages"


class FetchedPage(Struct, frozen=True):
    """A page of a crawl: `relevant` by its label (or the committee), `target` if held out.

    `similarity` is the cosine with the topic's description, None if it was not measured.
    """

    url: str
    relevant: bool
    target: bool
    similarity: float | None = None


class Run(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The figures of one run, as listed by `thresher bench run --json`; shares and rates are between 0 and 1.

    `classifier` and `training` are written only if they are unusual, `virtual_seconds` only for polite crawls.
    """

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
    classifier: str = CLASSIFIER
    training: Training = PAGES
    virtual_seconds: float | None = None

    @property
    def crawler(self) -> str:
        """The name in comparisons: the strategy, and what is unusual about its classifier.

        >>> run = Run(web="w", topic="t", strategy="page", seed=0, budget=9, mode="normal", targets=1, pages=9,
        ...           harvest_rate=0.0, target_recall=0.0, oracle_share=None, cpu_ms_per_page=1.0, classifier="svm")
        >>> run.crawler
        'page, svm'
        """
        return ", ".join([self.strategy, *unusual(self.classifier, self.training)])


class Record(Struct, frozen=True, kw_only=True):
    """A run with everything behind its figures.

    `log` is the crawl in order, and `oracle` says for each page of the oracle whether it is a target; `examples`,
    `negatives` and `starts` are URLs; `data` is the digest of the web, `settings_digest` that of `settings`; `versions`
    lists those of the program and relevant libraries. `topic_set` names the set of topics that this one belongs to
    (`tune`, `report`), and `note` must accompany all figures of this web; both may be empty. `wrong` of the examples
    are from another topic; `changed` holds the requested settings as `key=value`; `manners` says that the crawl was
    polite.
    """

    run: Run
    log: list[FetchedPage]
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
    wrong: int = 0
    changed: list[str] = []
    manners: bool = False


def unusual(classifier: str, training: Training) -> list[str]:
    """Return what differs from the usual classifier and training.

    >>> unusual("logistic", "pages"), unusual("svm", "back-links")
    ([], ['svm', 'back-links'])
    """
    return [name for name, usual in ((classifier, CLASSIFIER), (training, PAGES)) if name != usual]
