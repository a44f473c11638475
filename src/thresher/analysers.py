"""Making analysers: a module of its own, so that a worker process loads what reading needs and nothing of the network.

It starts five times as fast as with all of `build.py`, in little more than half the memory.
"""

import msgspec

from thresher.crawl.analysis import PageAnalyser
from thresher.documents.analyse import Reader
from thresher.plugins import make_strategy
from thresher.protocols import PageClassifier

FACTORY = "thresher.analysers:analyser_from"


class AnalysisRecipe(msgspec.Struct, frozen=True):
    """What a worker process needs to build its analyser."""

    strategy: str
    strategies: dict[str, dict[str, object]]
    language: str
    max_words: int
    max_links: int
    text: bool = True


def analyser_from(recipe: AnalysisRecipe | bytes, classifier: PageClassifier | None = None) -> PageAnalyser:
    """Return an analyser for this process; workers call it with the recipe as JSON."""
    if isinstance(recipe, bytes):
        recipe = msgspec.json.decode(recipe, type=AnalysisRecipe)
    reader = Reader(language=recipe.language, max_words=recipe.max_words, max_links=recipe.max_links, text=recipe.text)
    return PageAnalyser(reader, make_strategy(recipe.strategy, recipe.strategies), classifier)
