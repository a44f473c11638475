"""Choosing archetypes for all topics of a portal: its link analysis and its classifier, put together."""

from collections.abc import Iterable, Sequence

import numpy as np
from msgspec import Struct

from thresher.classify.examples_file import TrainingSet
from thresher.classify.hierarchical import HierarchicalClassifier
from thresher.link_analysis import LinkAnalysis, best
from thresher.linkscores.scoring import TopicScores
from thresher.train.archetypes import Archetype, Graded, border_of, propose
from thresher.web.urls import canonical, url_id


class ArchetypeRules(Struct, frozen=True, kw_only=True):
    """How archetypes are chosen and when a round is rolled back.

    `authorities` is N_auth and `confident` N_conf for each topic; with `admit_all` every positive page is admitted;
    `alpha` is the level of significance at which the original pages must not have become worse.
    """

    authorities: int = 20
    confident: int = 20
    admit_all: bool = False
    alpha: float = 0.05


def choose(
    analysis: LinkAnalysis,
    classifier: HierarchicalClassifier,
    training_set: TrainingSet,
    rules: ArchetypeRules,
    without: Iterable[int] = (),
) -> list[Archetype]:
    """Return the archetypes that the pages of a portal offer, topic by topic; no training pages, none of `without`."""
    out = {*without, *training_ids(training_set, None)}
    found: list[Archetype] = []
    for scores in analysis.topics:
        child = classifier.child(scores.topic) if scores.topic else None
        if scores.topic is None or child is None:
            continue
        own = training_ids(training_set, scores.topic)
        border = border_of(child.mean_confidence, _authorities(analysis, scores, own))
        found += propose(
            scores.topic,
            (page for page in graded(analysis, scores) if page.page not in out),
            border,
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


def graded(analysis: LinkAnalysis, scores: TopicScores) -> list[Graded]:
    """Return the pages of a topic with confidence and authority; a page that others repeat stands for all of them."""
    graph, facts = analysis.links.graph, analysis.links.facts
    nodes = scores.nodes[scores.members]
    columns = (graph.ids[nodes], facts.confidences[nodes], scores.authorities[scores.members])
    rows = zip(*(column.tolist() for column in columns), strict=True)
    return [
        Graded(int(page), confidence, authority) for page, confidence, authority in rows if confidence == confidence
    ]


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


def _authorities(analysis: LinkAnalysis, scores: TopicScores, ids: Iterable[int]) -> Sequence[float]:
    """Return the authority of each page with an id; 0 where the base set of the topic does not have it."""
    links = analysis.links
    known = dict(zip(links.graph.ids[scores.nodes].tolist(), scores.authorities.tolist(), strict=True))
    found: list[float] = []
    for ident in ids:
        place = int(np.searchsorted(links.folding.addresses, ident))
        stands = place < len(links.folding.addresses) and int(links.folding.addresses[place]) == ident
        found.append(known.get(int(links.folding.pages[place]), 0.0) if stands else 0.0)
    return found
