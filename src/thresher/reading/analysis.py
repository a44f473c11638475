"""Analyses a page: everything computed from the page alone, as a pure function that can run in any process.

This is step five of a page's path (docs/ARCHITECTURE.md): an answer is read; then every page, fetched or stored, is
judged and gets its preview, and the strategy reads its links.
"""

from collections.abc import Mapping
from enum import Enum
from typing import Protocol, runtime_checkable

from msgspec import Struct
from msgspec.structs import replace

from thresher.protocols import PageClassifier, Strategy, Tells
from thresher.reading.features import NONE, read_features
from thresher.reading.following import following
from thresher.store.stored_page import layout_of
from thresher.text.preview import preview
from thresher.types import Failed, Fetched, Judgement, Link, Opened, ParsedPage
from thresher.web.sitemaps import LIST


class ReadingLane(Enum):
    """Where a page is read: with all others, with them but only briefly, or separately at low priority."""

    COMMON = "common"
    BRIEF = "brief"
    SLOW = "slow"


class Analysis(Struct, frozen=True, kw_only=True, tag=True):
    """The result of an analysis: the page without its words, its judgement, and the strategy's features.

    Its links have no spans, which would be most of the data and are needed only by the strategy's `read`. `followed`,
    `lists` and `refused` are indexes into them, as in `Following`; `features` are packed (`reading/features.py`).
    """

    title: str
    text: str
    terms: dict[str, int]
    links: list[Link]
    layout: bytes = b""
    """The positions and surroundings of the links among the words, as stored."""
    language: str = ""
    encoding: str = ""
    digest: bytes = b""
    simhash: int = 0
    robots: tuple[str, ...] = ()
    opt_outs: tuple[str, ...] = ()
    about: dict[str, str] = {}
    judgement: Judgement | None = None
    preview: str = ""
    followed: list[int] = []
    lists: list[int] = []
    refused: list[int] = []
    features: bytes = NONE
    archive: "ArchiveAnalysis | None" = None
    """The contents of an archive; the rest of its own analysis is empty because it has no text."""
    seconds: float = 0.0
    """How long a worker took; 0 without a worker."""


class MemberAnalysis(Struct, frozen=True, kw_only=True):
    """The result for a document in an archive; `size` is in bytes."""

    url: str
    result: Analysis | Failed
    mime: str = ""
    size: int = 0


class ArchiveAnalysis(Struct, frozen=True, kw_only=True):
    """The documents of an archive in order, and a note about what was left out."""

    members: list[MemberAnalysis]
    note: str = ""


class PageReader(Protocol):
    """Turns an answer into a page."""

    def read(self, fetched: Fetched) -> ParsedPage | Failed:
        """Return the page, or why it cannot be read; never raise."""


@runtime_checkable
class Opens(Protocol):
    """A reader that can open archives too."""

    def open(self, fetched: Fetched) -> ParsedPage | Failed | Opened:
        """Return the page, the pages of an archive, or why it cannot be read; never raise."""


class Analyser(Protocol):
    """Analyses pages, here or in another process."""

    async def analyse(self, source: Fetched | ParsedPage, lane: ReadingLane = ReadingLane.COMMON) -> Analysis | Failed:
        """Return the analysis of an answer or of a page that was read before, or why there is none.

        A page that takes longer than a `BRIEF` reading allows fails with `READING_TIMEOUT`. Raises PluginError if the
        strategy fails, nothing else.
        """

    async def close(self) -> None:
        """Release processes; the analyser cannot be used afterwards."""


class PageAnalyser:
    """Reads and classifies pages and lets the strategy read their links; without topics there is no classifier.

    `preview` is the number of sentences in the preview of a page; 0 makes none. With `obey_nofollow`, the strategy only
    sees links that may be followed.
    """

    def __init__(
        self,
        reader: PageReader,
        strategy: Strategy,
        classifier: PageClassifier | None = None,
        *,
        preview: int = 0,
        obey_nofollow: bool = True,
    ) -> None:
        self._read = reader.open if isinstance(reader, Opens) else reader.read
        self._strategy = strategy
        self._classifier = classifier
        self._preview = preview
        self._obey_nofollow = obey_nofollow

    def run(self, source: Fetched | ParsedPage) -> Analysis | Failed:
        """Analyse one page; raise PluginError if the strategy fails."""
        if isinstance(source, ParsedPage):
            return self._analysed(source)
        found = self._read(source)
        if isinstance(found, Opened):
            members = [
                MemberAnalysis(
                    url=member.url,
                    result=member.page if isinstance(member.page, Failed) else self._analysed(member.page),
                    mime=member.mime,
                    size=member.size,
                )
                for member in found.members
            ]
            archive = ArchiveAnalysis(members=members, note=found.note)
            return Analysis(title="", text="", terms={}, links=[], archive=archive)
        if isinstance(found, Failed):
            return found
        return self._analysed(found, listed=source.mime == LIST)

    def _analysed(self, page: ParsedPage, *, listed: bool = False) -> Analysis:
        # A list of addresses is not a page: there is nothing to judge, and its links have no context.
        judgement = self._classifier.classify(page) if self._classifier and not listed else None
        parted = following(page, obey_nofollow=self._obey_nofollow)
        features = NONE if listed else read_features(self._strategy, _shown(page, parted.followed), judgement)
        return Analysis(
            title=page.title,
            text=page.text,
            terms=page.terms,
            links=[
                Link(link.url, link.anchor, link.position, link.length, (), link.rel, link.tag) for link in page.links
            ],
            layout=layout_of(page),
            language=page.language,
            encoding=page.encoding,
            digest=page.digest,
            simhash=page.simhash,
            robots=page.robots,
            opt_outs=page.opt_outs,
            about=page.about,
            judgement=judgement,
            preview=preview_of(page, judgement, self._classifier, self._preview),
            followed=parted.followed,
            lists=parted.lists,
            refused=parted.refused,
            features=features,
        )

    async def analyse(self, source: Fetched | ParsedPage, lane: ReadingLane = ReadingLane.COMMON) -> Analysis | Failed:
        """Analyse one page in this process, at once, whatever the lane."""
        return self.run(source)

    async def close(self) -> None:
        """Do nothing: there is nothing to release."""


def _shown(page: ParsedPage, followed: list[int]) -> ParsedPage:
    """Return a page with only the links that are followed."""
    if len(followed) == len(page.links):
        return page
    return replace(page, links=[page.links[place] for place in followed])


def preview_of(
    page: ParsedPage, judgement: Judgement | None, classifier: PageClassifier | Tells | None, sentences: int
) -> str:
    """Return the `sentences` of a page that best represent its topic; the first ones if it has none.

    Empty if none are wanted or the page has no text.
    """
    if not sentences or not page.text:
        return ""
    weights: Mapping[str, float] = {}
    if judgement is not None and judgement.topic is not None and isinstance(classifier, Tells):
        weights = classifier.telling(judgement.topic)
    return preview(page.text, weights, page.language, sentences)
