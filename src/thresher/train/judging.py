"""The classifier that judges pages: the one that scores links, adapted to the answers of lessons in effect."""

from thresher.classify.adaptation import MOST, adapted
from thresher.classify.hierarchical import HierarchicalClassifier
from thresher.classify.sibling_space import SpaceParameters
from thresher.store.decisions import LessonState
from thresher.store.protocol import Store
from thresher.train.agreement import Labelled
from thresher.train.surroundings import seen_page
from thresher.web.urls import url_id

YES = "yes"
"""Key in the report of a lesson for the pages that belong to a topic, as [URL, topic]."""

REFUSED = "refused"
"""Key in the report of a lesson for the URLs of pages that belong to none."""


def judging(store: Store, pricing: HierarchicalClassifier) -> HierarchicalClassifier | None:
    """Return the classifier that judges pages, given one that scores links; None if no lesson is in effect."""
    taught = taught_pages(store, pricing.parameters)
    return adapted(pricing, taught) if taught else None


def taught_pages(store: Store, parameters: SpaceParameters | None = None) -> Labelled:
    """Return the pages of answers in lessons in effect, with the topics that people say they have now."""
    named: list[str] = []
    for lesson in reversed(store.lessons.all()):
        if lesson.state is LessonState.APPLIED:
            named += [*(url for url, _ in lesson.report.get(YES, [])), *lesson.report.get(REFUSED, [])]
    ids = list(dict.fromkeys(url_id(url) for url in named))[-MOST:]
    settled = store.decisions.settled(ids)
    found: Labelled = []
    for id_ in ids:
        document = store.documents.document(id_) if id_ in settled else None
        if document is not None and document.terms:
            found.append((seen_page(store, document, parameters), settled[id_].topic))
    return found
