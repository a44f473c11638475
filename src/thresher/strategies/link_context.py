"""Applies the page classifier to the words around a link (Pant and Srinivasan).

score = β · page + (1 − β) · context, where both are probabilities by the crawl's page classifier. With the context
alone, β is 0; with the whole page as context, it is 1.
"""

from collections.abc import Iterable
from typing import Literal, get_args

from thresher.protocols import TermScorer, View
from thresher.strategies.asking import no_classifier, page_relevance
from thresher.strategies.children import children
from thresher.strategies.contexts import PageStems, Span, tag_tree, text_window
from thresher.types import Candidate, Judgement, Link, ParsedPage, Reading

Context = Literal["page", "window", "tag-tree"]


class LinkContext:
    """Scores a link by the probability that its context is on topic.

    `context` is the whole parent page, a text window of `size` words or the tag tree cut to `size` words. `combined`
    adds the parent page with the share `beta`. The tag tree climbs until it has more than `least` words (MIN); with
    `plain`, it skips elements that only change how text looks.
    """

    def __init__(
        self,
        context: str = "window",
        size: int = 40,
        combined: bool = False,
        beta: float = 0.25,
        least: int = 2,
        plain: bool = False,
    ) -> None:
        if context not in get_args(Context):
            raise ValueError(f"context must be one of {', '.join(get_args(Context))}")
        if size < 1 or least < 0 or not 0 <= beta <= 1:
            raise ValueError("size must be at least 1, least at least 0 and beta between 0 and 1")
        self.context = context
        self.size = size
        self.combined = combined
        self.beta = beta
        self.least = least
        self.plain = plain
        self._classifier: TermScorer | None = None

    def consult(self, classifier: TermScorer) -> None:
        """Set the classifier to use."""
        self._classifier = classifier

    def read(self, page: ParsedPage, judgement: Judgement | None) -> list[float]:
        """Return the score of each link."""
        if self._classifier is None:
            raise no_classifier(self.context)
        if not page.links:
            return []
        whole = 0.0
        if self.combined or self.context == "page":
            whole = page_relevance(page, judgement, self._classifier)
        if self.context == "page":
            return [whole] * len(page.links)
        stems = PageStems(page.words, page.language)
        scores = self._classifier.relevance([stems.bag(self._span(link, len(page.words))) for link in page.links])
        beta = self.beta if self.combined else 0.0
        return [beta * whole + (1.0 - beta) * score for score in scores]

    def rank(self, reading: Reading[list[float]], view: View) -> Iterable[Candidate]:
        """Use the scores of the links; start pages come first."""
        scores = reading.features or [1.0] * len(reading.links)
        return children(reading, zip(reading.links, scores, strict=True))

    def _span(self, link: Link, words: int) -> Span:
        if self.context == "window":
            return text_window(link, words, self.size)
        return tag_tree(link, words, self.least, self.size, self.plain)
