"""Asking the crawl's page classifier, for the strategies that do."""

from thresher.errors import PluginError
from thresher.protocols import TermScorer
from thresher.types import Judgement, Page


def page_relevance(page: Page, judgement: Judgement | None, classifier: TermScorer) -> float:
    """Return the probability that a page is on topic, from its judgement where there is one.

    >>> page_relevance(Page(url="", title="", words=[], links=[]), Judgement(topic=None, confidence=0, probability=0.3),
    ...     classifier=None)
    0.3
    """
    return judgement.probability if judgement is not None else classifier.relevance([page.terms])[0]


def no_classifier(name: str) -> PluginError:
    """Return the error of a strategy that has nobody to ask.

    >>> no_classifier("window-40").sentence
    "The strategy 'window-40' asks a page classifier, and this crawl has none."
    """
    return PluginError(
        f"The strategy '{name}' asks a page classifier, and this crawl has none.",
        "Give the portal topics and train it, or name a strategy that needs none, such as breadth-first.",
    )


def no_examples(name: str) -> PluginError:
    """Return the error of a strategy that was given nothing to learn from."""
    return PluginError(
        f"The strategy '{name}' learns from pages of a topic, and this crawl has none.",
        "Give the portal topics and train it, or name a strategy that needs none, such as breadth-first.",
    )
