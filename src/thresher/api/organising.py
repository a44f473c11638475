"""Organising a portal's pages after a crawl: splitting and filtering topics, hiding duplicates, and undoing that."""

import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, get_args

from thresher.errors import InputError, UsageError, command
from thresher.faults import RequestUnfit
from thresher.portals import load_topics
from thresher.store.locks import CrawlLock
from thresher.store.organise_records import DUPLICATES, MISCELLANEOUS, StepKind
from thresher.store.protocol import Store
from thresher.store.repository import open_store, require_portal
from thresher.taxonomy.topic_tree import found, parsed, written
from thresher.work_faults import OwnTopic
from thresher.work_steps import OnStep, nobody

if TYPE_CHECKING:
    from thresher.api.organised import DedupeResult, FilterResult, SplitResult, UndoneStep
    from thresher.organise.splitting import Received

USUAL_LOSS = 0.2
"""Share of pages that a filter moves by default."""

MOST_LOSS = 0.95
"""Highest share of pages that may be left out."""


class Organising:
    """Moves pages between topics. Everything is a proposal unless `apply` is given, and can be undone.

    `on_step` is called with the progress of the work.
    """

    _path: Path

    def split(
        self,
        topic: str,
        *,
        into: int | None = None,
        loss: float | None = None,
        method: str = "meta",
        mapping: str = "assignment",
        function: str = "threshold",
        share: float = 0.8,
        rest: str = "parent",
        seed: int = 0,
        peers: bool = False,
        apply: bool = False,
        on_step: OnStep | None = None,
    ) -> "SplitResult":
        """Divide a topic into sub-topics by the words of its pages; `apply` creates them and moves the pages.

        `into` is how many, by default the number that fits best. `loss` is the share of pages to leave undecided, by
        default those that the methods disagree on. `method` is `meta` (several methods together), `k-means`,
        `selecting` or `svd`. `mapping` (`assignment`, `purity`) and `function` (`threshold`, `unanimous`, `majority`,
        `weighted`) determine how `meta` combines them; a threshold requires a `share` of the votes, from 0.5 to 1.
        `rest` is what happens to undecided pages: they stay with the `parent`, or an `svm` or `transductive` SVM
        assigns them. With `peers`, clusters of peers that have the topic also vote.
        """
        from thresher.api.organised import SplitResult
        from thresher.learn.label_mapping import Mapping
        from thresher.learn.meta_functions import MetaFunction
        from thresher.organise.split_steps import apply_split
        from thresher.organise.splitting import Method, Rest, SplitOptions, split_topic

        if peers and method != "meta":
            raise UsageError("Clusters of peers need the method meta.", "Choose that method.", RequestUnfit())
        if not 0.5 <= share <= 1:
            raise UsageError(f"The share cannot be {share:g}.", "Give a number from 0.5 to 1.", RequestUnfit())
        options = SplitOptions(
            into=into,
            loss=_share("loss", loss, MOST_LOSS),
            method=_one_of(Method, "method", method),
            mapping=_one_of(Mapping, "mapping", mapping),
            function=_one_of(MetaFunction, "function", function),
            share=share,
            rest=_one_of(Rest, "rest", rest),
            seed=seed,
        )
        with opened(self._path, apply) as store:
            path = parsed(topic)
            children = [child.name for child in found(load_topics(self._path), path).children]
            received = self._clusters_of_peers(store, written(path)) if peers else None
            proposed = split_topic(store, written(path), options, [*children, "others"], received, on_step or nobody)
            step = apply_split(self._path, store, proposed, at=time.time()) if apply else None
        return SplitResult(portal=self._path, split=proposed, step=step)

    def filter(
        self,
        topic: str | None = None,
        *,
        loss: float | None = None,
        factor: float | None = None,
        error: float | None = None,
        together: bool = False,
        apply: bool = False,
        on_step: OnStep | None = None,
    ) -> "FilterResult":
        """Find the least certain pages of one topic or all topics; `apply` moves them to the parent topic.

        From topics at the top they go to *Miscellaneous*, which lists and searches leave out. Give one of `loss` (the
        share of pages that move, 0.2 by default), `factor` (the lowest confidence, as a multiple of that of the
        training pages) and `error` (the highest estimated share of wrong pages). `together` lets several classifiers
        vote instead of the portal's own alone. Raises InputError if the portal was never trained.
        """
        from thresher.api.organised import FilterResult
        from thresher.organise.filtering import FilterOptions, apply_filter, filter_topics
        from thresher.organise.topic_judges import portal_judges

        if sum(value is not None for value in (loss, factor, error)) > 1:
            raise UsageError(
                "The loss, the factor and the error exclude each other.", "Give one of them.", RequestUnfit()
            )
        usual = USUAL_LOSS if factor is None and error is None else None
        options = FilterOptions(
            loss=usual if loss is None else _share("loss", loss, MOST_LOSS),
            factor=factor,
            error=_share("error", error, 1.0),
        )
        with opened(self._path, apply) as store:
            self._refuse_own_topic(MISCELLANEOUS)
            name = written(parsed(topic)) if topic is not None else None
            if name is not None:
                found(load_topics(self._path), parsed(name))
            proposed = filter_topics(
                store, name, portal_judges(self._path, store, together=together), options, on_step or nobody
            )
            step = apply_filter(store, proposed, name, at=time.time()) if apply else None
        return FilterResult(portal=self._path, topic=name, filtering=proposed, step=step)

    def dedupe(
        self, *, similar: float | None = None, apply: bool = False, on_step: OnStep | None = None
    ) -> "DedupeResult":
        """Find near-duplicate pages and mirrored hosts; `apply` hides all but the best page of each group.

        `similar` is the share of word sequences that duplicates have in common, from 0.5 to 1; 0.8 by default.
        """
        from thresher.api.organised import DedupeResult
        from thresher.organise.duplicate_groups import SIMILAR, apply_dedupe, find_duplicates

        least = SIMILAR if similar is None else similar
        if not 0.5 <= least <= 1:
            raise UsageError(
                f"A similarity of {least:g} is out of range.", "Give a number from 0.5 to 1.", RequestUnfit()
            )
        with opened(self._path, apply) as store:
            self._refuse_own_topic(DUPLICATES)
            groups = find_duplicates(store, least, on_step or nobody)
            step = apply_dedupe(store, groups, at=time.time()) if apply else None
        return DedupeResult(portal=self._path, duplicates=groups, step=step)

    def undo(self, kind: Literal["split", "filter", "dedupe"]) -> "UndoneStep":
        """Undo the latest split, filter or dedupe; raise InputError if there is none.

        Pages that were classified or moved again since stay where they are.
        """
        from thresher.api.organised import UndoneStep
        from thresher.organise.moving import undo
        from thresher.organise.split_steps import undo_split

        what = StepKind(_one_of(tuple(StepKind), "kind", kind))
        with opened(self._path, True) as store:
            if what is StepKind.SPLIT:
                undone, kept = undo_split(self._path, store, at=time.time())
                return UndoneStep(portal=self._path, undone=undone, topics_kept=kept)
            return UndoneStep(portal=self._path, undone=undo(store, what, self._path, at=time.time()))

    def _clusters_of_peers(self, store: Store, topic: str) -> "Received":
        from thresher.runs.peer_clusters import peer_clusters

        return peer_clusters(self._path, store, topic)

    def _refuse_own_topic(self, name: str) -> None:
        """Raise InputError if one of the user's topics has the name reserved for hidden pages."""
        if load_topics(self._path).get((name,)) is not None:
            raise InputError(
                f"The portal has a topic of its own called {name}.",
                f"Rename it first: {command('topics', self._path, 'rename', name, 'NAME')}",
                OwnTopic(name=name),
            )


@contextmanager
def opened(portal: Path, changing: bool) -> Iterator[Store]:
    """Open a portal's repository; if it will be changed, no crawl may be running."""
    require_portal(portal)
    if not changing:
        with closing(open_store(portal)) as store:
            yield store
        return
    with CrawlLock(portal), closing(open_store(portal)) as store:
        yield store


def _one_of(kind: Any, name: str, word: str) -> Any:
    """Return the word if the literal type or tuple contains it; else raise UsageError."""
    words = kind if isinstance(kind, tuple) else get_args(kind)
    if word not in words:
        raise UsageError(f"There is no {name} '{word}'.", f"Choose one of: {', '.join(words)}.", RequestUnfit())
    return word


def _share(name: str, value: float | None, most: float) -> float | None:
    if value is not None and not 0 <= value <= most:
        raise UsageError(f"The {name} cannot be {value:g}.", f"Give a number from 0 to {most:g}.", RequestUnfit())
    return value
