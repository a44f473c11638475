"""Previews of pages: what they say of the topic they are judged to be of."""

from collections.abc import Mapping

from thresher.protocols import PageClassifier, Tells
from thresher.text.preview import preview
from thresher.types import Judgement, Page


def preview_of(
    page: Page, judgement: Judgement | None, classifier: PageClassifier | Tells | None, sentences: int
) -> str:
    """Return the `sentences` of a page that tell most of its topic; of a page without one, those it begins with.

    Empty where none are wanted or the page has no text.
    """
    if not sentences or not page.text:
        return ""
    weights: Mapping[str, float] = {}
    if judgement is not None and judgement.topic is not None and isinstance(classifier, Tells):
        weights = classifier.telling(judgement.topic)
    return preview(page.text, weights, page.language, sentences)
