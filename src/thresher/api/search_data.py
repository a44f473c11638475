"""Search results as the JSON objects that programs get."""

from typing import TypedDict

from thresher.search.results import FacetValue, LinkNeighbour, LinkNeighbours, Result, SearchResults, Suggestion
from thresher.search.sentence import sentence


class ResultData(TypedDict):
    """A page that was found; its `parts` add up to `score`.

    `marked` are the positions of matching words in the snippet. `found` (when it was stored) and `changed` (when it
    last changed, by its own account) are in seconds since 1970. `more` counts results of the same site that are folded
    into this one, `repeats` those with nearly the same text.
    """

    url: str
    title: str
    topic: str | None
    confidence: float | None
    probability: float | None
    score: float
    snippet: str
    marked: list[tuple[int, int]]
    parts: dict[str, float]
    site: str
    language: str
    mime: str
    size: int
    found: float
    changed: float | None
    state: str
    more: int
    repeats: int


class FacetData(TypedDict):
    """How many of all results have a value."""

    value: str
    count: int


class SuggestionData(TypedDict):
    """Another query, and how many pages it finds."""

    query: str
    total: int


class LeftOutData(TypedDict):
    """A part of the query that was ignored, and why."""

    text: str
    reason: str


class SearchData(TypedDict):
    """A page of results.

    `understood` is the query in words. `exact` is false if `total` is an estimate. `rank` are the weights of the
    ranking. If nothing was found, `did_you_mean` are other queries, `missing` the words that no page has, and
    `without` the query without them.
    """

    query: str
    understood: str
    left_out: list[LeftOutData]
    total: int
    exact: bool
    page: int
    rank: dict[str, float]
    results: list[ResultData]
    facets: dict[str, list[FacetData]]
    did_you_mean: list[SuggestionData]
    missing: list[str]
    without: SuggestionData | None
    seconds: float


class LinkNeighbourData(TypedDict):
    """A page at the other end of a link; `direction` is `here` if it links to the page, else `from_here`."""

    url: str
    title: str
    topic: str | None
    confidence: float | None
    anchor: str
    stored: bool
    direction: str


class NeighboursData(TypedDict):
    """The pages linked from and to a page."""

    url: str
    results: list[LinkNeighbourData]


class SearchExport(TypedDict):
    """The file, and how many pages were written."""

    portal: str
    query: str
    file: str
    total: int


def search_data(found: SearchResults) -> SearchData:
    """Return the object of a search."""
    return {
        "query": found.query,
        "understood": sentence(found.understood),
        "left_out": [{"text": part.text, "reason": part.why} for part in found.understood.left_out],
        "total": found.total,
        "exact": found.exact,
        "page": found.page,
        "rank": found.rank,
        "results": [result_data(result) for result in found.results],
        "facets": {name: [_facet(value) for value in values] for name, values in found.facets.items()},
        "did_you_mean": [_suggestion(other) for other in found.did_you_mean],
        "missing": list(found.missing),
        "without": _suggestion(found.without) if found.without else None,
        "seconds": round(found.seconds, 4),
    }


def result_data(result: Result) -> ResultData:
    """Return the object of a result."""
    return {
        "url": result.url,
        "title": result.title,
        "topic": result.topic,
        "confidence": result.confidence,
        "probability": result.probability,
        "score": result.score,
        "snippet": result.snippet.text,
        "marked": list(result.snippet.marked),
        "parts": result.parts,
        "site": result.site,
        "language": result.language,
        "mime": result.mime,
        "size": result.size,
        "found": result.found,
        "changed": result.changed,
        "state": result.state,
        "more": result.more,
        "repeats": result.repeats,
    }


def neighbours_data(found: LinkNeighbours) -> NeighboursData:
    """Return the link neighbours of a page as an object."""
    here = [_neighbour(one, "here") for one in found.linking_here]
    return {"url": found.url, "results": here + [_neighbour(one, "from_here") for one in found.linked_from_here]}


def _neighbour(one: LinkNeighbour, direction: str) -> LinkNeighbourData:
    return {
        "url": one.url,
        "title": one.title,
        "topic": one.topic,
        "confidence": one.confidence,
        "anchor": one.anchor,
        "stored": one.stored,
        "direction": direction,
    }


def _facet(value: FacetValue) -> FacetData:
    return {"value": value.value, "count": value.count}


def _suggestion(other: Suggestion) -> SuggestionData:
    return {"query": other.query, "total": other.total}
