"""Retrains a portal on its crawled pages: link analysis, archetypes, a round, a new model."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from msgspec import Struct, to_builtins
from msgspec.structs import replace

from thresher.classify.examples_file import TrainingSet, load_training_set
from thresher.classify.hierarchical import HierarchicalClassifier
from thresher.classify.sibling_space import SpaceParameters
from thresher.config.settings import Settings
from thresher.link_analysis import LinkAnalysis, analyse_links
from thresher.models import Told, load_classifier, save_model, used_model
from thresher.store.crawl_history import latest_crawl
from thresher.store.model_files import model_path
from thresher.store.protocol import Store
from thresher.store.records import RETRAINED, ArchetypeRow, ArchetypeState
from thresher.train.agreement import Labelled
from thresher.train.archetype_choice import ArchetypeRules, Grounds, best_hubs, choose
from thresher.train.changed_topics import learnt_topics
from thresher.train.judging import judging
from thresher.train.met_pages import met_pages
from thresher.train.round import Retrained, Teaching, retrain, taught_by_topic
from thresher.train.surroundings import seen_page
from thresher.web.urls import url_id
from thresher.work_faults import NoPageTeaches


class RoundOutcome(Struct, frozen=True):
    """The result of a round: the retrained classifier, None if no page is good enough, and the ids of the best hubs."""

    retrained: Retrained | None
    hubs: list[int]


class RetrainingReport(Struct, frozen=True):
    """The report of a retraining.

    `file` is the new model, empty if there is none; `hubs` are ids of pages; `detail` is the round as data, or an
    `error`. `logged` says whether it is in the log.
    """

    file: str = ""
    hubs: list[int] = []
    detail: dict[str, Any] = {}
    logged: bool = False


def propose(
    store: Store, analysis: LinkAnalysis, grounds: Grounds, rules: ArchetypeRules, at: float
) -> list[ArchetypeRow]:
    """Propose archetypes again and return all that there are now; people's decisions are kept.

    Earlier proposals that nobody decided about are forgotten; `at` is wall time.
    """
    decided = {(row.topic, row.url): row for row in store.archetypes.all() if row.state is not ArchetypeState.PROPOSED}
    rejected = [url_id(row.url) for row in decided.values() if row.state is ArchetypeState.REJECTED]
    rows: list[ArchetypeRow] = []
    for found in choose(store, analysis, grounds, rules, rejected):
        document = store.documents.document(found.page)
        if document is not None and (found.topic, document.url) not in decided:
            rows.append(
                ArchetypeRow(
                    topic=found.topic,
                    url=document.url,
                    rule=found.rule.value,
                    confidence=found.confidence,
                    authority=found.authority,
                    at=at,
                )
            )
    store.archetypes.propose(rows)
    return store.archetypes.all()


def grounds_of(store: Store, before: HierarchicalClassifier, training_set: TrainingSet) -> Grounds:
    """Return the basis for choosing archetypes, from the classifier in use and its training set."""
    examples = training_set.examples
    met = met_pages(store, {page.url for page, _ in examples}, before.parameters)
    alone = before.unfitted().fit(examples, before.wishes_, met=met)
    return Grounds(alone, training_set, met)


def teaching_pages(
    store: Store, rows: Sequence[ArchetypeRow], state: ArchetypeState, parameters: SpaceParameters | None = None
) -> Labelled:
    """Return the pages of archetypes in a state with their topics, without pages that the portal does not have."""
    found: Labelled = []
    for row in rows:
        document = store.documents.document(url_id(row.url)) if row.state is state else None
        if document is not None:
            found.append((replace(seen_page(store, document, parameters), links=[], words=[]), row.topic))
    return found


def hold_round(
    store: Store,
    classifier: HierarchicalClassifier,
    training_set: TrainingSet,
    rules: ArchetypeRules,
    at: float,
    *,
    hubs: int = 0,
    review: bool = False,
) -> RoundOutcome:
    """Propose archetypes from the current pages of a store and run a round of retraining with them.

    Even without archetypes, a round learns where topics end from all unlabelled pages. `hubs` is how many hubs of each
    topic are wanted; with `review`, only archetypes that a person accepted teach.
    """
    analysis = analyse_links(store)
    grounds = grounds_of(store, classifier, training_set)
    rows = propose(store, analysis, grounds, rules, at)
    rejected = {(row.topic, row.url) for row in rows if row.state is ArchetypeState.REJECTED}
    teaching = Teaching(
        proposed=[] if review else teaching_pages(store, rows, ArchetypeState.PROPOSED, classifier.parameters),
        accepted=teaching_pages(store, rows, ArchetypeState.ACCEPTED, classifier.parameters),
        earlier=[]
        if review
        else [(page, label) for page, label in training_set.archetypes if (label, page.url) not in rejected],
    )
    taught = grounds.met or teaching.proposed or teaching.accepted
    found = retrain(classifier, grounds.classifier, training_set.examples, teaching, grounds.met) if taught else None
    return RoundOutcome(found, best_hubs(analysis, hubs) if hubs else [])


def retrain_portal(
    portal: Path, store: Store, settings: Settings, at: float, pages: int | None = None, *, asked: bool = False
) -> RetrainingReport:
    """Run a round in a portal and use its model from then on; raise InputError if the portal is untrained.

    It is logged in the most recently active crawl in the same transaction as the model. `pages` is the current number
    of pages of that crawl, if it is running. Archetypes teach if the settings allow it, or if a person `asked` for the
    round.
    """
    classifier, before = load_classifier(portal, store), used_model(portal, store)
    training_set = load_training_set(Path(model_path(portal, before.file)))
    chosen = settings.archetypes
    taught = hold_round(
        store,
        classifier,
        training_set,
        rules_of(settings, asked=asked),
        at,
        hubs=settings.harvest.hubs,
        review=chosen.review,
    )
    if taught.retrained is None:
        fault = to_builtins(NoPageTeaches())
        return RetrainingReport(detail={"error": "no page is good enough to train on", "fault": fault})
    done = taught.retrained
    report = {
        **done.round.as_data(),
        "by_topic": taught_by_topic(done.training_set.archetypes),
        "before": before.file,
    }
    crawl = latest_crawl(store)
    reached = {"pages": crawl.progress.pages if pages is None else pages} if crawl is not None else {}
    judge = judging(store, done.classifier)
    row = save_model(
        portal,
        store,
        judge or done.classifier,
        done.training_set,
        report,
        at=at,
        topics=learnt_topics(portal, before.file),
        told=None if crawl is None else Told(crawl.id, RETRAINED, reached),
        pricing=done.classifier if judge else None,
    )
    detail = {**report, "model": (judge or done.classifier).version_, "step": row.step}
    return RetrainingReport(row.file, taught.hubs, detail, crawl is not None)


def rules_of(settings: Settings, *, asked: bool = False) -> ArchetypeRules:
    """Return the rules for archetypes in the settings: none unless they are enabled, reviewed or `asked` for."""
    chosen = settings.archetypes
    if not (chosen.enabled or chosen.review or asked):
        return ArchetypeRules(authorities=0, confident=0)
    return ArchetypeRules(
        authorities=chosen.authorities,
        confident=chosen.confident,
        admit_all=chosen.admit_all,
        confirm=not chosen.review,
    )
