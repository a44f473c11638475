"""Access to the crawl's page classifier, for strategies that use it."""

from thresher.errors import PluginError
from thresher.protocols import TermScorer
from thresher.types import Judgement, ParsedPage
from thresher.work_faults import Untrained


def certainty(judgement: Judgement) -> float:
    """Return the mean certainty of a judgement's decisions, from the top of the tree to the page's topic.

    The probability of a judgement is the product of these decisions and falls with each: by itself it would make a page
    deep in the tree seem worth less than one that stayed at the top.

    >>> certainty(Judgement(topic="Science/Physics", confidence=1, probability=0.81, path=("Science", "Physics")))
    0.9
    """
    steps = len(judgement.path)
    # The root of a negative number would be NaN.
    return max(judgement.probability, 0.0) ** (1.0 / steps) if steps > 1 else judgement.probability


def page_relevance(page: ParsedPage, judgement: Judgement | None, classifier: TermScorer) -> float:
    """Return the probability that a page is on topic, from its judgement if there is one.

    >>> page = ParsedPage(url="", title="", words=[], links=[])
    >>> page_relevance(page, Judgement(topic=None, confidence=0, probability=0.3), classifier=None)
    0.3
    """
    return certainty(judgement) if judgement is not None else classifier.relevance([page.terms])[0]


def no_classifier(name: str) -> PluginError:
    """Return the error for a strategy that needs a classifier but has none.

    >>> no_classifier("window-40").sentence
    "The strategy 'window-40' needs a page classifier, but this crawl has none."
    """
    return PluginError(
        f"The strategy '{name}' needs a page classifier, but this crawl has none.",
        "Add topics and train the portal, or choose a strategy that needs none, such as breadth-first.",
        Untrained(),
    )


def no_examples(name: str) -> PluginError:
    """Return the error for a strategy without anything to learn from."""
    return PluginError(
        f"The strategy '{name}' learns from a topic's pages, but this crawl has none.",
        "Add topics and train the portal, or choose a strategy that needs none, such as breadth-first.",
        Untrained(),
    )
