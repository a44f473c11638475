"""The environment of a run: the web it fetches from, its clock, and whether it may use other processes."""

from collections.abc import Callable
from typing import Final, TypeAlias

from msgspec import Struct

from thresher.analysers import AnalysisRecipe, analyser_from, reader_of
from thresher.build import make_analyser, make_fetcher, recipe_of
from thresher.classify.acceptance import Wishes
from thresher.config.settings import Settings
from thresher.crawl.clock import RealClock
from thresher.protocols import Clock, Fetcher
from thresher.reading.analysis import Analyser, PageReader

ReaderMaker: TypeAlias = Callable[[AnalysisRecipe, Wishes | None], PageReader]


class World(Struct, frozen=True, kw_only=True):
    """The environment of a run; by default the web, in real time.

    `fetcher` creates the fetcher. In a world that is `alone`, no thread or process runs next to the crawl: pages are
    read in this process, by what `reader` creates, and training holds up everything else. Virtual time, which passes
    only while nothing is done, requires that.
    """

    clock: Clock = RealClock()
    fetcher: Callable[[Settings, Clock], Fetcher] = make_fetcher
    alone: bool = False
    reader: ReaderMaker = reader_of

    async def analyser(self, settings: Settings, strategy: str, model: str) -> Analyser:
        """Return the page analyser for a strategy; `model` is the file of the classifier, empty for none."""
        if self.alone:
            return analyser_from(recipe_of(settings, strategy, model), reader=self.reader)
        return await make_analyser(settings, strategy, self.clock, model)


REAL: Final = World()
"""The real web."""
