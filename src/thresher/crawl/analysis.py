"""Analysis: all that is computed from a fetched page alone, in one pure step that can run in any process.

Steps three to six of a page's way: read, classify, and let the strategy read its links.
"""

from typing import Protocol

from msgspec import Struct

from thresher.errors import PluginError
from thresher.protocols import PageClassifier, Strategy
from thresher.types import Failed, Fetched, Judgement, Link, Page, Rows
from thresher.web.sitemaps import LIST


class Analysis(Struct, frozen=True, kw_only=True, tag=True):
    """What comes back from an analysis: the page without its words, its judgement, one row per link."""

    title: str
    text: str
    terms: dict[str, int]
    links: list[Link]
    language: str = ""
    encoding: str = ""
    digest: bytes = b""
    simhash: int = 0
    robots: tuple[str, ...] = ()
    opt_outs: tuple[str, ...] = ()
    judgement: Judgement | None = None
    rows: Rows = []


class PageReader(Protocol):
    """Turns an answer into a page."""

    def read(self, fetched: Fetched) -> Page | Failed:
        """Return the page, or why it cannot be read; never raise."""


class Analyser(Protocol):
    """Analyses pages, here or in another process."""

    async def analyse(self, fetched: Fetched) -> Analysis | Failed:
        """Return the analysis, or why there is none; never raise."""

    async def close(self) -> None:
        """Give back processes; the analyser cannot be used afterwards."""


class PageAnalyser:
    """Reads, classifies and lets the strategy look at the links; without topics there is no classifier."""

    def __init__(self, reader: PageReader, strategy: Strategy, classifier: PageClassifier | None = None) -> None:
        self._reader = reader
        self._strategy = strategy
        self._classifier = classifier

    def run(self, fetched: Fetched) -> Analysis | Failed:
        """Analyse one page; raises PluginError where the strategy fails."""
        page = self._reader.read(fetched)
        if isinstance(page, Failed):
            return page
        # A list of addresses is no page: there is nothing to judge, and nothing that its links stand in.
        listed = fetched.mime == LIST
        judgement = self._classifier.classify(page) if self._classifier and not listed else None
        try:
            rows = self._strategy.read(page, judgement) if not listed else []
        except PluginError:
            raise
        except Exception as error:
            name = type(self._strategy).__name__
            raise PluginError(
                f"The strategy {name} failed to read {page.url}: {error!r}.", "Correct its read method."
            ) from error
        return Analysis(
            title=page.title,
            text=" ".join(page.words),
            terms=page.terms,
            links=[
                Link(link.url, link.anchor, link.position, link.length, (), link.rel, link.tag) for link in page.links
            ],
            language=page.language,
            encoding=page.encoding,
            digest=page.digest,
            simhash=page.simhash,
            robots=page.robots,
            opt_outs=page.opt_outs,
            judgement=judgement,
            rows=rows,
        )

    async def analyse(self, fetched: Fetched) -> Analysis | Failed:
        """Analyse one page in this process, at once."""
        return self.run(fetched)

    async def close(self) -> None:
        """Nothing to give back."""
