"""Splits a topic: clusters its pages, leaves pages undecided if the methods disagree, and labels the clusters.

(Sizov, section 3.1.) Nothing is changed here; `organise/split_steps.py` creates the topics.
"""

from collections.abc import Callable, Sequence
from typing import Final, Literal

import numpy as np
from msgspec import Struct

from thresher.errors import InputError, UsageError
from thresher.learn.cluster_number import NumberTried, Proposal, propose_number
from thresher.learn.clusterers import Clusterer, SelectingKMeans, SvdKMeans
from thresher.learn.error_curve import ErrorEstimate, estimate
from thresher.learn.k_means import NONE, Floats, KMeans, Labels
from thresher.learn.label_mapping import Mapping
from thresher.learn.meta_functions import SHARE, MetaFunction
from thresher.learn.restrictive import most_certain
from thresher.learn.spreading import spread, told_apart
from thresher.organise.cluster_labels import ClusterLabel, label_of, names_for, telling_stems
from thresher.organise.shared_clusters import clustered_together
from thresher.organise.topic_pages import Rows, TopicPage, bags_of, pages_of, rows_of
from thresher.store.protocol import Store
from thresher.web.urls import site_of
from thresher.work_faults import FewToSplit, NotToldApart, SplitNumber
from thresher.work_steps import OnStep, StepProgress, WorkStep, nobody

Method = Literal["meta", "k-means", "selecting", "svd"]
Rest = Literal["parent", "svm", "transductive"]

Received = Callable[[int, Sequence[str]], Sequence[Clusterer]]
"""Returns clusterings of other portals for a number of clusters, given the terms of the columns."""

LEAST: Final = 20
"""Minimum number of pages of a topic to be split."""

MOST_CLUSTERS: Final = 50

UNCLEAR: Final = 0.4
"""Stability below which a topic has no clear groups."""


class SplitOptions(Struct, frozen=True, kw_only=True):
    """How a topic is split.

    `into` is the number of sub-topics, or None to propose one. `loss` is the share of the least certain pages to leave
    undecided; None leaves pages undecided if the methods disagree, and none if there is only one method. `mapping`,
    `function` and `share` are those of meta clustering. `rest` says what happens to undecided pages: they stay with the
    parent, or a support vector machine (transductive or not) trained on the others assigns them.
    """

    into: int | None = None
    loss: float | None = None
    method: Method = "meta"
    mapping: Mapping = "assignment"
    function: MetaFunction = "threshold"
    share: float = SHARE
    rest: Rest = "parent"
    seed: int = 0


class SubTopic(Struct, frozen=True):
    """A proposed sub-topic: its name, its core pages, most certain first, and undecided pages assigned to it."""

    name: str
    label: ClusterLabel
    core: list[TopicPage]
    spread: list[TopicPage]


class Split(Struct, frozen=True, kw_only=True):
    """A proposed split; `left` are the pages that stay with the parent.

    `loss` is the share of undecided pages before any were assigned. `error` is how often classifiers not trained on a
    core page put it into another sub-topic. `number` explains the number of sub-topics; None if the user chose it.
    """

    topic: str
    clusters: list[SubTopic]
    left: list[TopicPage]
    loss: float
    error: ErrorEstimate
    number: Proposal | None


def split_topic(
    store: Store,
    topic: str,
    options: SplitOptions,
    taken: Sequence[str] = (),
    received: Received | None = None,
    on_step: OnStep = nobody,
) -> Split:
    """Propose sub-topics for the pages directly in a topic; `taken` are the names of existing ones.

    With `received`, clusterings of other portals also vote; the method must be meta.
    """
    pages = [page for page in pages_of(store, topic) if page.topic == topic]
    sites = [site_of(page.url) for page in pages]
    rows = rows_of(bags_of(store, [page.id for page in pages]), sites)
    readable = int((np.diff(rows.weights.indptr) > 0).sum())
    if readable < LEAST:
        raise InputError(
            f"{topic} has {readable} pages of its own with words to compare, too few to split.",
            f"A topic needs at least {LEAST}; crawl for more.",
            FewToSplit(topic=topic, n=readable, needed=LEAST),
        )
    number = None
    if options.into is None:
        number = propose_number(
            rows.weights,
            seed=options.seed,
            on_try=lambda done, of: on_step(StepProgress(WorkStep.COUNTING, done, of)),
        )
    k = number.k if number is not None else options.into or 0
    check_number(k, readable)
    on_step(StepProgress(WorkStep.GROUPING))
    labels, confidences = clustered(rows, k, options, received(k, rows.terms) if received else ())
    labels = _without_gaps(labels)
    k = int(labels.max(initial=-1)) + 1
    if k < 2:
        raise InputError(
            f"The pages of {topic} cannot be separated into groups.",
            "Try another number with --into.",
            NotToldApart(topic=topic),
        )
    all_labels = labels
    if options.rest != "parent":
        all_labels = spread(rows.weights, labels, transductive=options.rest == "transductive")
    on_step(StepProgress(WorkStep.NAMING))
    right = told_apart(rows.weights, labels)
    return Split(
        topic=topic,
        clusters=_sub_topics(store, pages, rows, sites, labels, all_labels, confidences, taken),
        left=[page for page, label in zip(pages, all_labels.tolist(), strict=True) if label < 0],
        loss=float((labels < 0).mean()),
        error=estimate(len(right) - sum(right), len(right)),
        number=number,
    )


def check_number(k: int, pages: int) -> None:
    """Raise UsageError if the pages cannot be divided into that many clusters."""
    most = min(MOST_CLUSTERS, pages // 2)
    if not 2 <= k <= most:
        raise UsageError(
            f"{pages:,} pages cannot be split into {k}.",
            f"Choose a number from 2 to {most}.",
            SplitNumber(pages=pages, number=k, most=most),
        )


def clustered(rows: Rows, k: int, options: SplitOptions, received: Sequence[Clusterer] = ()) -> tuple[Labels, Floats]:
    """Return the cluster of each row, -1 if undecided, and the certainty of each."""
    if options.method == "meta":
        meta = clustered_together(
            rows.weights,
            k,
            received,
            mapping=options.mapping,
            function=options.function,
            share=options.share,
            seed=options.seed,
        )
        labels = meta.labels_ if options.loss is None else meta.at_loss(options.loss)
        return labels, meta.confidences_
    kinds: dict[str, Clusterer] = {
        "k-means": KMeans(k, seed=options.seed),
        "selecting": SelectingKMeans(k, seed=options.seed),
        "svd": SvdKMeans(k, seed=options.seed),
    }
    found = kinds[options.method].fit(rows.weights)
    kept = most_certain(found.confidences_, options.loss or 0.0)
    return np.where(kept, found.labels_, NONE), found.confidences_


def has_clear_groups(tried: NumberTried) -> bool:
    """Return whether the best number of sub-topics is meaningful."""
    return tried.stability >= UNCLEAR


def number_sentence(tried: NumberTried) -> str:
    """Return, in words, why a number of sub-topics is proposed.

    >>> number_sentence(NumberTried(3, 0.94, 0.21))
    '3 sub-topics fit best: with a different four fifths of the pages, they agree 94% (silhouette 0.21).'
    >>> number_sentence(NumberTried(2, 0.11, 0.02))
    'There are no clear groups: with a different four fifths of the pages, even 2 sub-topics agree only 11%.'
    """
    if not has_clear_groups(tried):
        return (
            "There are no clear groups: with a different four fifths of the pages,"
            f" even {tried.k} sub-topics agree only {max(0.0, tried.stability):.0%}."
        )
    return (
        f"{tried.k} sub-topics fit best: with a different four fifths of the pages, they agree"
        f" {max(0.0, tried.stability):.0%} (silhouette {tried.silhouette:.2f})."
    )


def _without_gaps(labels: Labels) -> Labels:
    """Return labels numbered from 0 without gaps, largest cluster first; clusters of one page are dissolved."""
    kinds, sizes = np.unique(labels[labels >= 0], return_counts=True)
    order = [kind for _, kind in sorted(zip(-sizes, kinds, strict=True)) if (labels == kind).sum() > 1]
    found = np.full(len(labels), NONE, np.int64)
    for number, kind in enumerate(order):
        found[labels == kind] = number
    return found


def _sub_topics(
    store: Store,
    pages: Sequence[TopicPage],
    rows: Rows,
    sites: Sequence[str],
    labels: Labels,
    all_labels: Labels,
    confidences: Floats,
    taken: Sequence[str],
) -> list[SubTopic]:
    k = int(labels.max()) + 1
    order = np.argsort(-confidences, kind="stable")
    cores = [[pages[place] for place in order if labels[place] == number] for number in range(k)]
    others = [
        [pages[place] for place in order if labels[place] < 0 and all_labels[place] == number] for number in range(k)
    ]
    telling = telling_stems(rows, labels, k, sites)
    shown = [label_of(store, [page.id for page in core], stems) for core, stems in zip(cores, telling, strict=True)]
    return [SubTopic(*parts) for parts in zip(names_for(shown, taken), shown, cores, others, strict=True)]
