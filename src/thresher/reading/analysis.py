"""Analysis: all that is computed from a fetched page alone, in one pure step that can run in any process.

Step five of a page's way (docs/ARCHITECTURE.md): read, classify, and let the strategy read its links.
"""

from typing import Protocol, runtime_checkable

from msgspec import Struct
from msgspec.structs import replace

from thresher.errors import PluginError
from thresher.protocols import PageClassifier, Strategy
from thresher.reading.following import following
from thresher.reading.previews import preview_of
from thresher.store.stored_page import layout_of
from thresher.types import Failed, Fetched, Judgement, Link, Opened, Page, Rows
from thresher.web.sitemaps import LIST


class Analysis(Struct, frozen=True, kw_only=True, tag=True):
    """What comes back from an analysis: the page without its words, its judgement, one row per link that is followed.

    Its links have no spans: they would be most of what travels, and only the strategy's `read` needs them. `followed`
    and `refused` are places among them, as in `Following`.
    """

    title: str
    text: str
    terms: dict[str, int]
    links: list[Link]
    layout: bytes = b""
    """Where the links stand among the words, and what stands around them, as it is stored."""
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
    refused: list[int] = []
    rows: Rows = []
    archive: "ArchiveAnalysis | None" = None
    """What an archive holds; the rest of its own analysis is empty, for it has no text."""


class MemberAnalysis(Struct, frozen=True, kw_only=True):
    """What came of a document in an archive; `size` is in bytes."""

    url: str
    result: Analysis | Failed
    mime: str = ""
    size: int = 0


class ArchiveAnalysis(Struct, frozen=True, kw_only=True):
    """The documents of an archive in its order, and a note about what was left out."""

    members: list[MemberAnalysis]
    note: str = ""


class PageReader(Protocol):
    """Turns an answer into a page."""

    def read(self, fetched: Fetched) -> Page | Failed:
        """Return the page, or why it cannot be read; never raise."""


@runtime_checkable
class Opens(Protocol):
    """A reader that can open archives too."""

    def open(self, fetched: Fetched) -> Page | Failed | Opened:
        """Return the page, the pages of an archive, or why it cannot be read; never raise."""


class Analyser(Protocol):
    """Analyses pages, here or in another process."""

    async def analyse(self, fetched: Fetched) -> Analysis | Failed:
        """Return the analysis, or why there is none; never raise."""

    async def close(self) -> None:
        """Give back processes; the analyser cannot be used afterwards."""


class PageAnalyser:
    """Reads, classifies and lets the strategy look at the links; without topics there is no classifier.

    `preview` is the number of sentences in the preview of a page; 0 makes none. `obey_nofollow` respects the wishes of
    pages and links: the strategy is shown only what may be followed.
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

    def run(self, fetched: Fetched) -> Analysis | Failed:
        """Analyse one page; raises PluginError where the strategy fails."""
        found = self._read(fetched)
        if isinstance(found, Opened):
            members = [
                MemberAnalysis(
                    url=member.url,
                    result=member.page if isinstance(member.page, Failed) else self._analysed(member.page, fetched.url),
                    mime=member.mime,
                    size=member.size,
                )
                for member in found.members
            ]
            archive = ArchiveAnalysis(members=members, note=found.note)
            return Analysis(title="", text="", terms={}, links=[], archive=archive)
        if isinstance(found, Failed):
            return found
        return self._analysed(found, listed=fetched.mime == LIST)

    def _analysed(self, page: Page, archive: str = "", *, listed: bool = False) -> Analysis:
        # A list of addresses is no page: there is nothing to judge, and nothing that its links stand in.
        judgement = self._classifier.classify(page) if self._classifier and not listed else None
        parted = following(page.links, page.robots, obey=self._obey_nofollow, archive=archive)
        try:
            rows = self._strategy.read(_shown(page, parted.followed), judgement) if not listed else []
        except PluginError:
            raise
        except Exception as error:
            name = type(self._strategy).__name__
            raise PluginError(
                f"The strategy {name} failed to read {page.url}: {error!r}.", "Correct its read method."
            ) from error
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
            refused=parted.refused,
            rows=rows,
        )

    async def analyse(self, fetched: Fetched) -> Analysis | Failed:
        """Analyse one page in this process, at once."""
        return self.run(fetched)

    async def close(self) -> None:
        """Nothing to give back."""


def _shown(page: Page, followed: list[int]) -> Page:
    """Return a page with only those of its links that are followed."""
    if len(followed) == len(page.links):
        return page
    return replace(page, links=[page.links[place] for place in followed])
