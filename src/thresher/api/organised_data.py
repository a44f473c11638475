"""The objects that `split`, `filter` and `dedupe` print with `--json`."""

from pathlib import Path
from typing import TYPE_CHECKING, NotRequired, TypedDict

from thresher.errors import command

if TYPE_CHECKING:
    # These import numpy, which simply reading a portal does not need.
    from thresher.learn.cluster_number import Proposal
    from thresher.learn.error_curve import ErrorEstimate
    from thresher.organise.duplicate_groups import Duplicated, DuplicateGroup
    from thresher.organise.filtering import Filtering, TopicFiltered
    from thresher.organise.splitting import Split, SubTopic

BEST = 3
"""Number of pages listed for each sub-topic."""


class NamedPage(TypedDict):
    """A page: its address and its title, which may be empty."""

    url: str
    title: str


class ClusterData(TypedDict):
    """A proposed sub-topic; `core` counts the pages that all methods agree on, `best` are a few of them."""

    name: str
    pages: int
    core: int
    words: list[str]
    sentences: list[str]
    best: list[NamedPage]


class StepData(TypedDict):
    """A step, proposed or `applied`: how many pages stay and how many move; `undo` is the command that undoes it."""

    portal: str
    kept: int
    moved: int
    applied: bool
    undo: str | None


class ProposedNumber(TypedDict):
    """The number of sub-topics that fits best.

    `stability` is how similar clusterings of different samples of the pages are, 1 for identical; `clear` is false if
    it is too low for clear groups.
    """

    number: int
    stability: float
    silhouette: float
    clear: bool


class SplitData(StepData):
    """A topic divided into sub-topics.

    `kept` pages stay with the topic, `moved` go to the sub-topics. `loss` is the share of pages left undecided, `error`
    the estimated share of core pages that belong elsewhere, with its 95 % interval; null if unknown. `number` explains
    how the number of sub-topics was chosen, `proposal` has the figures; both are null if you chose it. `undo` is null
    until the split is `applied`.
    """

    topic: str
    clusters: list[ClusterData]
    number: str | None
    proposal: ProposedNumber | None
    loss: float
    error: float | None
    error_interval: list[float] | None


class FilteredTopic(TypedDict):
    """What the filter does to one topic.

    `factor` is the lowest confidence that stays, as a multiple of the training pages'. `error_before` is the
    estimated error of keeping all pages. `reached` is false if no threshold reaches the requested error.
    """

    topic: str
    kept: int
    moved: int
    loss: float
    factor: float | None
    error: float | None
    error_interval: list[float] | None
    error_before: float | None
    reached: bool


class FilterData(StepData):
    """Doubtful pages taken out of their topics.

    `topic` is null for all topics. `loss` is the share of pages that move, `error` the estimated share of wrong pages
    among those kept, with its 95 % interval; null if unknown. `untrained` topics are left alone. `undo` is null until
    the filter is `applied`.
    """

    topic: str | None
    loss: float
    error: float | None
    error_interval: list[float] | None
    topics: list[FilteredTopic]
    untrained: list[str]


class BestPage(NamedPage):
    """The page that stays; `authority` is its link score, null if links are not scored."""

    authority: float | None


class NearDuplicateData(NamedPage):
    """A near-duplicate; `similarity` is the share of word sequences in common."""

    similarity: float


class GroupData(TypedDict):
    """A group of near-duplicate pages."""

    best: BestPage
    duplicates: list[NearDuplicateData]


class MirrorData(TypedDict):
    """A host that mirrors another, and how many of its pages do."""

    host: str
    of: str
    pages: int


class DedupeData(StepData):
    """Near-duplicate pages; `undo` is null until they are hidden (`applied`)."""

    groups: list[GroupData]
    mirrors: list[MirrorData]


class UndoneData(TypedDict):
    """A step undone: `moved` pages are back, `stayed` were classified or moved again since.

    `topics_kept`, for a split, are sub-topics that were edited since and therefore stay.
    """

    portal: str
    undone: str
    topic: str | None
    moved: int
    stayed: int
    topics_kept: NotRequired[list[str]]


def split_data(portal: Path, split: "Split", applied: bool) -> SplitData:
    """Return a split as plain data."""
    from thresher.organise.splitting import number_sentence

    error, interval = _error(split.error)
    return {
        "portal": str(portal),
        "topic": split.topic,
        "clusters": [_cluster(cluster) for cluster in split.clusters],
        "number": number_sentence(split.number.best) if split.number else None,
        "proposal": _proposed(split.number) if split.number else None,
        "kept": len(split.left),
        "moved": sum(len(cluster.core) + len(cluster.spread) for cluster in split.clusters),
        "loss": round(split.loss, 4),
        "error": error,
        "error_interval": interval,
        "applied": applied,
        "undo": command("split", portal, "--undo") if applied else None,
    }


def _proposed(proposal: "Proposal") -> ProposedNumber:
    from thresher.organise.splitting import has_clear_groups

    best = proposal.best
    return {
        "number": best.k,
        "stability": round(best.stability, 4),
        "silhouette": round(best.silhouette, 4),
        "clear": has_clear_groups(best),
    }


def filter_data(portal: Path, topic: str | None, found: "Filtering", applied: bool) -> FilterData:
    """Return a filter as plain data; `topic` is None for all topics."""
    error, interval = _error(found.error)
    return {
        "portal": str(portal),
        "topic": topic,
        "kept": found.pages - len(found.moves),
        "moved": len(found.moves),
        "loss": round(found.loss, 4),
        "error": error,
        "error_interval": interval,
        "topics": [_filtered(one) for one in found.topics],
        "untrained": found.untrained,
        "applied": applied,
        "undo": command("filter", portal, "--undo") if applied else None,
    }


def dedupe_data(portal: Path, found: "Duplicated", applied: bool) -> DedupeData:
    """Return duplicates as plain data."""
    moved = sum(len(group.others) for group in found.groups)
    return {
        "portal": str(portal),
        "groups": [_group(group) for group in found.groups],
        "mirrors": [{"host": one.host, "of": one.of, "pages": one.pages} for one in found.mirrors],
        "kept": found.pages - moved,
        "moved": moved,
        "applied": applied,
        "undo": command("dedupe", portal, "--undo") if applied else None,
    }


def _error(estimate: "ErrorEstimate") -> tuple[float | None, list[float] | None]:
    """Return an estimated error and its interval, rounded; None for both if nothing is known."""
    if estimate.error is None:
        return None, None
    return round(estimate.error, 4), [round(bound, 4) for bound in estimate.interval]


def _cluster(cluster: "SubTopic") -> ClusterData:
    return {
        "name": cluster.name,
        "pages": len(cluster.core) + len(cluster.spread),
        "core": len(cluster.core),
        "words": list(cluster.label.words),
        "sentences": list(cluster.label.sentences),
        "best": [{"url": page.url, "title": page.title} for page in cluster.core[:BEST]],
    }


def _filtered(one: "TopicFiltered") -> FilteredTopic:
    error, interval = _error(one.error)
    return {
        "topic": one.topic,
        "kept": one.kept,
        "moved": one.moved,
        "loss": round(one.loss, 4),
        "factor": None if one.factor is None else round(one.factor, 4),
        "error": error,
        "error_interval": interval,
        "error_before": _error(one.error_before)[0],
        "reached": not one.unreached,
    }


def _group(group: "DuplicateGroup") -> GroupData:
    best = group.best
    return {
        "best": {"url": best.url, "title": best.title, "authority": group.authority},
        "duplicates": [
            {"url": other.page.url, "title": other.page.title, "similarity": round(other.similarity, 4)}
            for other in group.others
        ],
    }
