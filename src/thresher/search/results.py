"""The results of a search. Texts are plain text; escape them for display."""

from typing import TYPE_CHECKING, NamedTuple

from msgspec import Struct

from thresher.notebook_html import Html, link, marked, paragraph, table
from thresher.search.parsed import ParsedQuery

if TYPE_CHECKING:
    import pandas


class Snippet(Struct, frozen=True):
    """An excerpt of a page's text with the matching words as (start, end) pairs, in characters.

    The pairs are sorted and do not overlap. There are none if the query does not concern the text; the excerpt is then
    the page's preview.
    """

    text: str = ""
    marked: tuple[tuple[int, int], ...] = ()


class Result(Struct, frozen=True, kw_only=True):
    """One page that was found.

    `parts` maps the parts of the ranking to points, which add up to `score`. `topic` is None for a rejected page;
    `confidence` and `probability` are None for a page that was never judged. `found` and `changed` are wall times in
    seconds: when the page was stored, and when it last changed according to its server (None if unknown). `state` is
    the verdict of a reviewer: unreviewed, right, moved or irrelevant. `more` counts further results of the same site
    folded into this one, `repeats` those with nearly the same text.
    """

    id: int
    url: str
    title: str
    site: str
    topic: str | None
    confidence: float | None
    probability: float | None
    score: float
    parts: dict[str, float]
    snippet: Snippet = Snippet()
    language: str = ""
    mime: str = ""
    size: int = 0
    found: float = 0.0
    changed: float | None = None
    state: str = "unreviewed"
    more: int = 0
    repeats: int = 0

    def __repr__(self) -> str:
        return f"Result({self.url!r}, title={self.title!r}, topic={self.topic!r}, score={self.score:.3f})"


class FacetValue(Struct, frozen=True):
    """The number of results with a value."""

    value: str
    count: int


class Suggestion(NamedTuple):
    """Another query, and how many pages it finds."""

    query: str
    total: int


class SearchResults(Struct, frozen=True, kw_only=True):
    """The results of a query.

    `total` counts all matching pages before folding; large totals are estimates, with `exact` False. `rank` holds the
    weights of the ranking. `last` is True on the last page of results. `facets` is empty unless requested; its keys are
    topic, site, type, language, year, state and model, each sorted by frequency, and sure, sorted from highest to
    lowest. If nothing is found, `did_you_mean` holds queries that do find something, `missing` the words that no page
    of the portal has, and `without` the query without them.
    """

    query: str
    understood: ParsedQuery
    total: int
    results: list[Result]
    rank: dict[str, float]
    page: int = 1
    last: bool = True
    exact: bool = True
    facets: dict[str, list[FacetValue]] = {}
    did_you_mean: tuple[Suggestion, ...] = ()
    missing: tuple[str, ...] = ()
    without: Suggestion | None = None
    seconds: float = 0.0

    def to_frame(self) -> "pandas.DataFrame":
        """Return this page of results as a pandas data frame; raises ImportError if pandas is not installed."""
        import pandas

        columns = ("url", "title", "topic", "confidence", "score", "site", "language", "snippet")
        rows = [[*(getattr(one, name) for name in columns[:-1]), one.snippet.text] for one in self.results]
        return pandas.DataFrame(rows, columns=list(columns))

    def __repr__(self) -> str:
        about = "" if self.exact else "about "
        return f"<{len(self.results):,} of {about}{self.total:,} pages for {self.query!r}>"

    def _repr_html_(self) -> str:
        rows = [[f"{one.score:.2f}", _titled(one), one.topic or ""] for one in self.results]
        better = [f"Did you mean {other.query}? ({other.total:,} pages)" for other in self.did_you_mean]
        return paragraph(repr(self)[1:-1], *better) + table(["score", "page", "topic"], rows)


def _titled(one: Result) -> Html:
    """Return the title of a result as a link, with the matching excerpt below it."""
    return Html(f"{link(one.url, one.title)}<br>{marked(one.snippet.text, one.snippet.marked)}")


class LinkNeighbour(Struct, frozen=True, kw_only=True):
    """A page at the other end of a link; title and topic are known only if the portal has it (`stored`)."""

    url: str
    anchor: str
    stored: bool
    title: str = ""
    topic: str | None = None
    confidence: float | None = None


class LinkNeighbours(Struct, frozen=True):
    """The pages that link to a page and the pages it links to, each once."""

    url: str
    linking_here: list[LinkNeighbour]
    linked_from_here: list[LinkNeighbour]
