"""What a portal shares with its peers: models of its topics. Also selects its test pages for peers' models.

The pages themselves are never shared.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from msgspec import Struct

from thresher.classify.examples_file import TrainingSet, load_training_set
from thresher.classify.hierarchical import HierarchicalClassifier
from thresher.learn.k_means import KMeans
from thresher.learn.tfidf import TfIdf
from thresher.models import newest_model
from thresher.peers.matching import LabelledPages, labelled_pages
from thresher.peers.models import MOST_IDS, ClusterModel, TopicModel, cluster_model, linear_model, version_of
from thresher.store.protocol import Store
from thresher.web.urls import url_id

MOST_TOPICS: Final = 100
"""Maximum number of topics shared, or accepted from one peer."""

MOST_CLUSTERED: Final = 5_000
"""Maximum number of pages of a topic clustered for a peer."""

_AT_ONCE: Final = 500


class Shared(Struct, frozen=True, eq=False):
    """The models of a portal's topics by path, their versions, and the pages for testing other models."""

    models: dict[str, TopicModel]
    versions: dict[str, str]
    pages: list[LabelledPages]


NOTHING: Final = Shared({}, {}, [])


class SharingRules(Struct, frozen=True):
    """What may be shared: the named `topics`, or all, and stems on at least `min_pages` training pages.

    With `page_ids`, a model lists hashes of its training pages' addresses.
    """

    topics: tuple[str, ...] = ()
    min_pages: int = 2
    page_ids: bool = True


def shared_of(classifier: HierarchicalClassifier, training: TrainingSet, rules: SharingRules) -> Shared:
    """Return what a portal shares, given its classifier and training pages."""
    given = training.all()
    bags = [page.terms for page, _ in given]
    pages = labelled_pages(training)
    wanted = set(rules.topics) or {one.topic for one in pages}
    models: dict[str, TopicModel] = {}
    for one in pages:
        if one.topic not in wanted or len(models) >= MOST_TOPICS:
            continue
        model = linear_model(classifier, one.topic, bags, min_pages=rules.min_pages)
        if model is not None:
            ids = sorted({url_id(page.url) for page, _ in given})[:MOST_IDS] if rules.page_ids else []
            models[one.topic] = TopicModel(one.topic, model, int(one.members.sum()), ids)
    return Shared(models, {topic: version_of(model) for topic, model in models.items()}, pages)


class PortalSharing:
    """What a portal shares, computed on demand and again after each new model."""

    def __init__(self, portal: Path, store: Store, rules: SharingRules) -> None:
        self._portal = portal
        self._store = store
        self._rules = rules
        self._known: tuple[str, Shared] = ("", NOTHING)

    def shared(self) -> Shared:
        """Return what is shared; empty if the portal was never trained."""
        name, path = newest_model(self._portal, self._store)
        if name != self._known[0]:
            file = Path(path)
            made = (
                shared_of(HierarchicalClassifier.load(file), load_training_set(file), self._rules) if name else NOTHING
            )
            self._known = name, made
        return self._known[1]

    def clusters(self, topic: str, k: int) -> ClusterModel | None:
        """Return the centroids of a topic's pages in `k` clusters, or None if it is not shared or has too few pages."""
        if topic not in self.shared().models:
            return None
        return clustered(self._store, topic, k, min_pages=max(2, self._rules.min_pages))


def clustered(store: Store, topic: str, k: int, *, min_pages: int = 2, seed: int = 0) -> ClusterModel | None:
    """Return the centroids of k clusters of a topic's pages, or None if there are too few pages.

    Stems that occur on fewer than `min_pages` of the pages are left out.
    """
    ids = [page.url_id for page in store.documents.accepted(topic, limit=MOST_CLUSTERED)]
    bags = [bag for part in _parts(ids) for bag in store.documents.terms(part).values()]
    if len(bags) < 2 * k:
        return None
    weighing = TfIdf(min_bags=min_pages).fit(bags)
    try:
        means = KMeans(k, seed=seed).fit(weighing.transform(bags))
    except ValueError:
        return None
    return cluster_model(topic, weighing.terms_, means.centroids_)


def _parts(ids: Sequence[int]) -> list[Sequence[int]]:
    return [ids[start : start + _AT_ONCE] for start in range(0, len(ids), _AT_ONCE)]
