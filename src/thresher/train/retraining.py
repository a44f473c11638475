"""Retraining a portal on what it has found: link analysis, archetypes, a round, and the model it leaves."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from thresher.classify.examples_file import TrainingSet, load_training_set
from thresher.classify.hierarchical import HierarchicalClassifier
from thresher.config.settings import Settings
from thresher.link_analysis import LinkAnalysis, analyse_links
from thresher.models import load_classifier, save_model, used_model
from thresher.store.model_files import model_path
from thresher.store.protocol import Store
from thresher.store.records import ArchetypeRow, ArchetypeState
from thresher.store.stored_page import page_of
from thresher.train.archetype_choice import ArchetypeRules, best_hubs, choose
from thresher.train.changed_topics import learnt_topics
from thresher.train.met_pages import met_pages
from thresher.train.round import Retrained, retrain
from thresher.types import Page
from thresher.web.urls import url_id


class RoundOutcome(Struct, frozen=True):
    """What a portal's pages taught: the round, None where no page is good enough, and the best hubs by id."""

    retrained: Retrained | None
    hubs: list[int]


class RetrainingReport(Struct, frozen=True):
    """What a retraining tells whoever asked for it.

    `file` is the new model where it is `kept`; `hubs` are ids of pages; `detail` is the round as data, or an `error`.
    """

    kept: bool = False
    file: str = ""
    hubs: list[int] = []
    detail: dict[str, Any] = {}


def propose(
    store: Store,
    analysis: LinkAnalysis,
    classifier: HierarchicalClassifier,
    training_set: TrainingSet,
    rules: ArchetypeRules,
    at: float,
) -> list[ArchetypeRow]:
    """Propose archetypes anew and return all that there are now; what a person said of a page holds on.

    Proposals of earlier that nobody looked at are forgotten; `at` is wall time.
    """
    decided = {(row.topic, row.url): row for row in store.archetypes.all() if row.state is not ArchetypeState.PROPOSED}
    rejected = [url_id(row.url) for row in decided.values() if row.state is ArchetypeState.REJECTED]
    rows: list[ArchetypeRow] = []
    for found in choose(analysis, classifier, training_set, rules, rejected):
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
    store.archetypes.drop_proposed()
    store.archetypes.put(rows)
    return store.archetypes.all()


def teaching_pages(
    store: Store, rows: Sequence[ArchetypeRow], *, review: bool = False
) -> list[tuple[Page, str | None]]:
    """Return the pages of archetypes with their topics; with `review` only of those that a person has accepted."""
    wanted = {ArchetypeState.ACCEPTED} if review else {ArchetypeState.ACCEPTED, ArchetypeState.PROPOSED}
    found: list[tuple[Page, str | None]] = []
    for row in rows:
        document = store.documents.document(url_id(row.url)) if row.state in wanted else None
        if document is not None:
            found.append((replace(page_of(document), links=[]), row.topic))
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
    """Propose archetypes from what a store holds now and hold a round of retraining with them.

    Without archetypes a round still learns from all pages met where topics end.
    `hubs` is how many hubs of each topic are wanted; with `review` only archetypes that a person accepted teach.
    """
    analysis = analyse_links(store)
    rows = propose(store, analysis, classifier, training_set, rules, at)
    pages = teaching_pages(store, rows, review=review)
    taken = {page.url for page, _ in [*training_set.examples, *pages]}
    met = met_pages(store, taken)
    retrained = retrain(classifier, training_set, pages, rules.alpha, met) if pages or met else None
    return RoundOutcome(retrained, best_hubs(analysis, hubs) if hubs else [])


def retrain_portal(portal: Path, store: Store, settings: Settings, at: float) -> RetrainingReport:
    """Hold a round in a portal and keep its model, also where it is rolled back; raises InputError where untrained."""
    classifier, before = load_classifier(portal, store), used_model(portal, store)
    training_set = load_training_set(Path(model_path(portal, before.file)))
    chosen = settings.archetypes
    taught = hold_round(
        store, classifier, training_set, rules_of(settings), at, hubs=settings.harvest.hubs, review=chosen.review
    )
    if taught.retrained is None:
        return RetrainingReport(detail={"error": "no page is good enough to teach a topic"})
    done = taught.retrained
    report = {**done.round.as_data(), "before": before.file}
    row = save_model(
        portal,
        store,
        done.classifier,
        done.training_set,
        report,
        at=at,
        topics=learnt_topics(portal, before.file),
        rolled_back=not done.round.kept,
    )
    detail = {**report, "model": done.classifier.version_, "step": row.step}
    return RetrainingReport(done.round.kept, row.file, taught.hubs, detail)


def settle_portal(portal: Path, store: Store, at: float) -> HierarchicalClassifier:
    """Have a portal's classifier learn anew where topics end, from the same training pages and all pages met since.

    Words are weighed anew, too, but no page becomes an example. Keeps the model and returns the classifier; raises
    InputError where the portal is untrained.
    """
    before, row = load_classifier(portal, store), used_model(portal, store)
    training_set = load_training_set(Path(model_path(portal, row.file)))
    met = met_pages(store, {page.url for page, _ in training_set.all()})
    after = HierarchicalClassifier(before.parameters, before.rules)
    after.fit(training_set.examples, before.wishes_, training_set.archetypes, met)
    held = TrainingSet(training_set.examples, training_set.archetypes, after.right_)
    report = {"archetypes": len(held.archetypes), "pages": len(held.examples), "met": len(met), "before": row.file}
    save_model(portal, store, after, held, report, at=at, topics=learnt_topics(portal, row.file))
    return after


def rules_of(settings: Settings) -> ArchetypeRules:
    """Return how archetypes are chosen by the settings."""
    chosen = settings.archetypes
    return ArchetypeRules(
        authorities=chosen.authorities, confident=chosen.confident, admit_all=chosen.admit_all, alpha=chosen.alpha
    )
