"""What a search returns. Texts of pages are plain text; whoever displays them must escape them."""

from typing import TYPE_CHECKING, NamedTuple

from msgspec import Struct

from thresher.search.parsed import ParsedQuery

if TYPE_CHECKING:
    import pandas


class Snippet(Struct, frozen=True):
    """A piece of a page's text, and where the words that matched stand in it: (start, end) pairs, in characters.

    The pairs rise and do not overlap. They are empty if the query says nothing about the text; the piece is then
    the page's preview.
    """

    text: str = ""
    marked: tuple[tuple[int, int], ...] = ()


class Result(Struct, frozen=True, kw_only=True):
    """One page that was found.

    `parts` are the points by the name of each part of the ranking; they add up to `score`. `topic` is None for a
    rejected page, `confidence` and `probability` are None for one that was never judged. `found` and `changed` are
    wall times in seconds: when the page was stored, and when it last changed by its own word (None if it does not
    say). `state` is what a person said of it: unreviewed, right, moved or irrelevant. `more` counts further results
    of the same site that are folded into this one, `repeats` those with nearly the same text.
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
    """How many of all results have a value."""

    value: str
    count: int


class Suggestion(NamedTuple):
    """Another query, and how many pages it finds."""

    query: str
    total: int


class SearchResults(Struct, frozen=True, kw_only=True):
    """The answer to a query.

    `total` counts all pages that match, before folding; of very many it is an estimate, and `exact` False. `rank` are
    the weights that ordered them. `last` tells that there is no further page of results. `facets` are empty unless
    asked for; their names are topic, site, type, language, year, state and model, each with the most frequent values
    first, and sure, with the surest first. Where nothing is found, `did_you_mean` are other queries that find
    something, `missing` the words that no page of the portal has, and `without` is the query without them.
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


class Neighbour(Struct, frozen=True, kw_only=True):
    """A page at the other end of a link; `stored` if the portal has it, and only then are title and topic known."""

    url: str
    anchor: str
    stored: bool
    title: str = ""
    topic: str | None = None
    confidence: float | None = None


class Neighbours(Struct, frozen=True):
    """The pages that link to a page and those it links to, each once."""

    url: str
    linking_here: list[Neighbour]
    linked_from_here: list[Neighbour]
