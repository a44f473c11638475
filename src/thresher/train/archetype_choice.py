"""Chooses archetypes for all topics of a portal by link analysis and classification."""

from collections.abc import Iterable, Sequence
from functools import cache

from msgspec import Struct
from msgspec.structs import replace

from thresher.classify.examples_file import TrainingSet
from thresher.classify.hierarchical import HierarchicalClassifier
from thresher.link_analysis import LinkAnalysis, best
from thresher.linkscores.scoring import TopicScores
from thresher.store.protocol import Store
from thresher.store.stored_page import page_of
from thresher.train.archetypes import Archetype, Graded, propose
from thresher.train.second_view import is_confirmed
from thresher.train.witnesses import Witnesses
from thresher.types import ParsedPage
from thresher.web.urls import canonical, url_id


class ArchetypeRules(Struct, frozen=True, kw_only=True):
    """How archetypes are chosen.

    `authorities` is N_auth and `confident` N_conf for each topic; with `admit_all`, every positive page is admitted.
    Without `confirm`, pages need neither witnesses nor a second view: a person reviews them.
    """

    authorities: int = 5
    confident: int = 20
    admit_all: bool = False
    confirm: bool = True

    @property
    def wanted(self) -> bool:
        """Whether any archetypes are to be chosen."""
        return self.authorities + self.confident > 0


class Grounds(Struct, frozen=True):
    """The basis for choosing archetypes: a person's pages, a classifier taught only by these, and unlabelled pages.

    Earlier archetypes have no influence, so a wrong one cannot bring in more of its kind.
    """

    classifier: HierarchicalClassifier
    training_set: TrainingSet
    met: Sequence[ParsedPage]


def choose(
    store: Store, analysis: LinkAnalysis, grounds: Grounds, rules: ArchetypeRules, without: Iterable[int] = ()
) -> list[Archetype]:
    """Return the archetypes among the pages of a portal, topic by topic; no training pages, none of `without`.

    Each has witnesses that agree and a second view that confirms it, unless the rules do without.
    """
    if not rules.wanted:
        return []
    classifier = grounds.classifier
    out = {*without, *training_ids(grounds.training_set, None)}
    offers = {
        scores.topic: [page for page in graded(store, analysis, scores, classifier) if page.page not in out]
        for scores in analysis.topics
        if scores.topic is not None and classifier.child(scores.topic) is not None
    }
    witnesses = Witnesses(classifier.parameters, classifier.rules)
    if any(offers.values()) and rules.confirm and not rules.admit_all:
        witnesses.fit(grounds.training_set.examples, classifier.wishes_, grounds.met)
    found: list[Archetype] = []
    for topic, pages in offers.items():

        def confirmed(page: Graded, topic: str = topic) -> bool:
            document = store.documents.document(page.page)
            return (
                document is not None
                and is_confirmed(store, document, topic, classifier)
                and witnesses.agree(replace(page_of(document), url=""), topic)
            )

        child = classifier.child(topic)
        found += propose(
            topic,
            pages,
            child.mean_confidence if child else 0.0,
            cache(confirmed) if rules.confirm else lambda _: True,
            authorities=rules.authorities,
            confident=rules.confident,
            admit_all=rules.admit_all,
        )
    return found


def training_ids(training_set: TrainingSet, topic: str | None) -> set[int]:
    """Return the ids of a person's training pages: of a topic and those below it, or of all for None."""
    found: set[int] = set()
    for page, label in training_set.examples:
        own = topic is None or (label is not None and f"{label}/".startswith(f"{topic}/"))
        address = canonical(page.url) if own else None
        if address is not None:
            found.add(url_id(address))
    return found


def graded(
    store: Store, analysis: LinkAnalysis, scores: TopicScores, classifier: HierarchicalClassifier
) -> list[Graded]:
    """Return the pages of a topic with confidence and authority; a page that others repeat represents all of them.

    Pages that the classifier no longer assigns to the topic are left out, and so are pages whose sites opted out of
    text mining.
    """
    graph, facts = analysis.links.graph, analysis.links.facts
    nodes = scores.nodes[scores.members]
    columns = (graph.ids[nodes], scores.authorities[scores.members], facts.hosts[nodes])
    found: list[Graded] = []
    for page, authority, host in zip(*(column.tolist() for column in columns), strict=True):
        document = store.documents.document(page)
        alone = replace(page_of(document), url="") if document is not None and not document.opt_outs else None
        judged = classifier.classify(alone) if alone is not None else None
        if judged is not None and judged.topic == scores.topic:
            found.append(Graded(page, judged.confidence, authority, host))
    return found


def best_hubs(analysis: LinkAnalysis, number: int) -> list[int]:
    """Return the ids of the best hubs of each topic, at most `number` of each: first the best of every topic."""
    ids = analysis.links.graph.ids
    each = [
        [int(ids[scores.nodes[scores.members][place]]) for place in best(scores.hubs[scores.members], number)]
        for scores in analysis.topics
        if scores.topic is not None
    ]
    ordered = [hubs[rank] for rank in range(number) for hubs in each if rank < len(hubs)]
    return list(dict.fromkeys(ordered))
