"""The result of training, as `thresher train --json` prints it."""

from typing import TYPE_CHECKING, TypedDict, cast

if TYPE_CHECKING:
    from thresher.train.report import Trained


class TopicQuality(TypedDict):
    """A topic that was trained: its pages, negatives and features, and its quality on held-out pages.

    `f_before` is the F of the previous model. Measures are null with a single page, which cannot be held out; intervals
    are 95 % intervals.
    """

    name: str
    path: str
    pages: int
    sites: int
    negatives: int
    features: int
    f_before: float | None
    words: list[str]
    warnings: list[str]
    precision: float | None
    precision_interval: tuple[float, float] | None
    recall: float | None
    recall_interval: tuple[float, float] | None
    f: float | None
    f_interval: tuple[float, float] | None


class FailedPage(TypedDict):
    """A training page that could not be used, and why."""

    url: str
    topic: str
    reason: str
    detail: str


class TrainingData(TypedDict):
    """The result of training: `fetched` counts the pages that had to be fetched.

    `negatives` counts the negative examples by source (`others`, `siblings`, `met`, `background`), and
    `negatives_sample` names some. `archetypes` counts the crawled pages that each topic was trained on besides yours.
    """

    portal: str
    model: str
    pages: int
    fetched: int
    negatives: dict[str, int]
    negatives_sample: dict[str, list[str]]
    archetypes: dict[str, int]
    topics: list[TopicQuality]
    failed: list[FailedPage]
    notices: list[str]


def training_data(portal: str, trained: "Trained") -> TrainingData:
    """Return the object of a training."""
    return {
        "portal": portal,
        "model": trained.version,
        "pages": trained.pages,
        "fetched": trained.fetched,
        "negatives": trained.negatives.counts(),
        "negatives_sample": trained.negatives.samples(),
        "archetypes": dict(trained.archetypes),
        "topics": [cast(TopicQuality, topic.as_data()) for topic in trained.topics],
        "failed": [
            {"url": page.url, "topic": page.topic, "reason": page.reason.value, "detail": page.detail}
            for page in trained.unused
        ],
        "notices": trained.notices,
    }
