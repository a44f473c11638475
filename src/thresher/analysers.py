"""Making analysers: a module of its own, so that a worker process loads what reading needs and nothing of the network.

It starts in less than half the time that all of `build.py` takes, and with two thirds of the memory.
"""

import msgspec

from thresher.crawl.analysis import PageAnalyser
from thresher.documents.analyse import Reader
from thresher.plugins import make_strategy
from thresher.protocols import PageClassifier
from thresher.text.gate import D_STOP, LanguageGate

FACTORY = "thresher.analysers:analyser_from"


class AnalysisRecipe(msgspec.Struct, frozen=True):
    """What a worker process needs to build its analyser."""

    strategy: str
    strategies: dict[str, dict[str, object]]
    language: str
    max_words: int
    max_links: int
    text: bool = True
    languages: tuple[str, ...] = ()
    d_stop: int = D_STOP
    main_text: bool = False


def reader_of(recipe: AnalysisRecipe) -> Reader:
    """Return the reader of pages."""
    gate = LanguageGate(recipe.languages, recipe.d_stop) if recipe.languages else None
    return Reader(
        recipe.language,
        recipe.max_words,
        recipe.max_links,
        text=recipe.text,
        gate=gate,
        main_text=recipe.main_text,
    )


def analyser_from(recipe: AnalysisRecipe | bytes, classifier: PageClassifier | None = None) -> PageAnalyser:
    """Return an analyser for this process; workers call it with the recipe as JSON."""
    if isinstance(recipe, bytes):
        recipe = msgspec.json.decode(recipe, type=AnalysisRecipe)
    return PageAnalyser(reader_of(recipe), make_strategy(recipe.strategy, recipe.strategies), classifier)
