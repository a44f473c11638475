"""The classifier that judges pages, also trained on pages rejected in review.

Links are scored by a classifier without these: a page that does not belong may well lead to pages that do.
"""

from msgspec.structs import replace

from thresher.classify.examples_file import TrainingSet
from thresher.classify.hierarchical import HierarchicalClassifier
from thresher.classify.sibling_space import SpaceParameters
from thresher.store.decisions import LessonState
from thresher.store.protocol import Store
from thresher.train.agreement import Labelled
from thresher.train.met_pages import met_pages
from thresher.train.surroundings import seen_page
from thresher.types import Page
from thresher.web.urls import url_id

REFUSED = "refused"
"""Key in the report of a lesson for the URLs of pages that teach what does not belong."""


def judging(store: Store, pricing: HierarchicalClassifier, training_set: TrainingSet) -> HierarchicalClassifier | None:
    """Return the classifier that judges pages, given one that scores links; None if no refused page teaches."""
    refused = refused_pages(store, pricing.parameters)
    if not refused:
        return None
    taken = {page.url for page, _ in [*training_set.all(), *refused]}
    return fit_judge(pricing, training_set, refused, met_pages(store, taken, pricing.parameters))


def fit_judge(
    pricing: HierarchicalClassifier, training_set: TrainingSet, refused: Labelled, met: list[Page]
) -> HierarchicalClassifier:
    """Return a classifier like another that also learned from pages that do not belong, as examples of no topic."""
    given = {page.url for page, _ in training_set.all()}
    more = [(page, label) for page, label in refused if page.url not in given]
    return pricing.unfitted().fit([*training_set.examples, *more], pricing.wishes_, training_set.archetypes, met)


def refused_pages(store: Store, parameters: SpaceParameters | None = None) -> Labelled:
    """Return the pages that taught in lessons in effect, and that are still irrelevant."""
    named = [
        str(url)
        for lesson in store.lessons.all()
        if lesson.state is LessonState.APPLIED
        for url in lesson.report.get(REFUSED, [])
    ]
    ids = {url_id(url): url for url in named}
    settled = store.decisions.settled(list(ids))
    found: Labelled = []
    for id_ in ids:
        if id_ in settled and settled[id_].topic is None:
            document = store.documents.document(id_)
            if document is not None and document.terms:
                found.append((replace(seen_page(store, document, parameters), links=[], words=[]), None))
    return found
