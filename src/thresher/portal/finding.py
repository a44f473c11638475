"""A search as the results page shows it: filters from the URL, facets with exact counts, the parts of each score."""

import re
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any, Final

from markupsafe import Markup
from msgspec import Struct
from msgspec.structs import replace

from thresher.portal.fragments import escaped
from thresher.portal.library import PAGE_SIZE, Library
from thresher.portal.overview import Overview, TopicNode
from thresher.search.parsed import Term, TermKind
from thresher.search.results import FacetValue, Result, SearchResults, Snippet
from thresher.search.sentence import sentence

SORTS: Final[Mapping[str, Mapping[str, float] | None]] = {
    "best": None,
    "sure": {"confidence": 1.0},
    "linked": {"authority": 1.0},
    "newest": {"recency": 1.0},
}
"""Sort orders by name, as ranking weights; None is the default ranking."""

MIX: Final = "mix"
PARTS: Final = ("text", "confidence", "authority", "hub", "pagerank", "recency")
"""The ranking parts that a reader can weight."""

SHOWN_DIGITS: Final = 3
"""Digits shown of a score."""

SHOWN: Final = 5
"""Facet values shown at once."""

FOLDED: Final = 15
"""Maximum number of further facet values behind "more"."""

_YEAR: Final = re.compile(r"[12]\d{3}")
_WEEK, _MONTH = timedelta(days=7), timedelta(days=30)
_LAST_PAGE: Final = 500


class SearchParameters(Struct, frozen=True, kw_only=True):
    """The parameters of a results page; `mix` holds weights in percent."""

    q: str = ""
    topic: tuple[str, ...] = ()
    site: tuple[str, ...] = ()
    type: tuple[str, ...] = ()
    lang: tuple[str, ...] = ()
    sure: tuple[str, ...] = ()
    found: str = ""
    sort: str = "best"
    mix: Mapping[str, float] = {}
    page: int = 1
    unfold: bool = False

    @property
    def rank(self) -> Mapping[str, float] | None:
        """The weights of the ranking, None for the default."""
        if self.sort == MIX and any(self.mix.values()):
            return {name: weight / 100 for name, weight in self.mix.items() if weight}
        return SORTS.get(self.sort)


class Choice(Struct, frozen=True, kw_only=True):
    """A facet value with its number of results and whether it is chosen; `depth` is the level of a topic."""

    value: str
    name: str
    count: int
    chosen: bool
    colour: int | None = None
    depth: int = 0


class Facet(Struct, frozen=True):
    """A facet by its name in the URL; `more` holds the values that are folded away."""

    name: str
    shown: list[Choice]
    more: list[Choice]


class ScorePart(Struct, frozen=True):
    """One part of a score: its value between 0 and 1, its weight, and their product."""

    name: str
    value: float
    weight: float
    points: float


def within(asked: SearchParameters, now: float) -> list[str]:
    """Return the filters of a results page as queries.

    >>> within(SearchParameters(topic=("Tea/Green", "Boats"), lang=("de",)), 0.0)
    ['topic:"Tea/Green" OR topic:"Boats"', 'lang:"de"']
    """
    filters = [
        ("topic", asked.topic),
        ("site", asked.site),
        ("filetype", asked.type),
        ("lang", asked.lang),
        ("sure", asked.sure),
    ]
    queries = [" OR ".join(f'{name}:"{_plain(value)}"' for value in values) for name, values in filters if values]
    return [*queries, *_found(asked.found, now)]


def _plain(value: str) -> str:
    return value.replace('"', " ")


def _found(name: str, now: float) -> list[str]:
    today = datetime.fromtimestamp(now, UTC).date()
    match name:
        case "week":
            return [f"found:>={today - _WEEK}"]
        case "month":
            return [f"found:>={today - _MONTH}"]
        case "earlier":
            return [f"found:<{today - _MONTH}"]
        case year if _YEAR.fullmatch(year):
            return [f"found:{year}"]
        case _:
            return []


class Finding:
    """A search with its facets, ready for display."""

    def __init__(self, library: Library, asked: SearchParameters, reader: str = "") -> None:
        self.asked = asked
        self._reader = reader
        self._library = library
        self._now = library.clock()
        self.found: SearchResults = self._search(asked, PAGE_SIZE, facets=True)
        self.last = self.found.page if self.found.last else min(_LAST_PAGE, self.found.page + 1)

    def _search(self, asked: SearchParameters, number: int, *, facets: bool = False) -> SearchResults:
        return self._library.searcher().search(
            asked.q,
            rank=asked.rank or self._learned(asked),
            number=number,
            page=asked.page,
            facets=facets,
            within=within(asked, self._now),
            fold=not asked.unfold and not asked.site,
        )

    def _learned(self, asked: SearchParameters) -> dict[str, float] | None:
        """Return the weights fitted to what the reader opened among the first results, or None for the default."""
        if asked.page == 1 or not self._reader or not self._library.settings.portal.clicks:
            return None
        clicks = self._library.store.clicks.all(asked.q, self._reader)
        return self._library.searcher().learned(asked.q, clicks, within=within(asked, self._now)) if clicks else None

    def facets(self) -> list[Facet]:
        """Return the facets; each is counted without its own filter, so choosing more values never leads nowhere."""
        told = self._library.overview()
        made = [Facet("topic", self._topics(told), [])]
        for name, facet in (("site", "site"), ("type", "type"), ("lang", "language")):
            chosen: tuple[str, ...] = getattr(self.asked, name)
            values = self._values(name, facet)
            ordered = sorted(values, key=lambda value: (value.value not in chosen, -value.count, value.value))
            choices = [Choice(value=v.value, name=v.value, count=v.count, chosen=v.value in chosen) for v in ordered]
            cut = max(SHOWN, len(chosen))
            made.append(Facet(name, choices[:cut], choices[cut : cut + FOLDED]))
        levels = self._values("sure", "sure")
        sure = [Choice(value=v.value, name=v.value, count=v.count, chosen=v.value in self.asked.sure) for v in levels]
        made.append(Facet("sure", sure, []))
        years = sorted(self._values("found", "year"), key=lambda year: year.value, reverse=True)
        year_asked = self.asked.found
        made.append(
            Facet(
                "found",
                [Choice(value=y.value, name=y.value, count=y.count, chosen=y.value == year_asked) for y in years],
                [],
            )
        )
        return [facet for facet in made if len(facet.shown) > 1 or any(choice.chosen for choice in facet.shown)]

    def _values(self, name: str, facet: str) -> list[FacetValue]:
        if not getattr(self.asked, name):
            return self.found.facets.get(facet, [])
        without = replace(self.asked, page=1, **{name: "" if name == "found" else ()})
        return self._search(without, 1, facets=True).facets.get(facet, [])

    def _topics(self, told: Overview) -> list[Choice]:
        counts = {value.value: value.count for value in self._values("topic", "topic")}
        choices: list[Choice] = []
        found = [node for node in told.top if counts.get(node.path)]
        for node in sorted(told.top, key=lambda node: -counts.get(node.path, 0)):
            # A single branch is no choice; show its subtopics.
            self._branch(node, counts, choices, 0, opened=found == [node])
        return choices

    def _branch(
        self, node: TopicNode, counts: Mapping[str, int], choices: list[Choice], depth: int, *, opened: bool = False
    ) -> None:
        count, chosen = counts.get(node.path, 0), node.path in self.asked.topic
        if not count and not chosen:
            return
        choices.append(
            Choice(value=node.path, name=node.name, count=count, chosen=chosen, colour=node.colour, depth=depth)
        )
        if opened or any(path == node.path or path.startswith(f"{node.path}/") for path in self.asked.topic):
            for child in node.children:
                self._branch(child, counts, choices, depth + 1)

    def parts(self, result: Result) -> list[ScorePart]:
        """Return the parts of a result's score, largest first; rounded so they add up to the displayed score."""
        weights = self.found.rank
        shown = rounded_to(result.parts, round(result.score, SHOWN_DIGITS))
        parts = [
            ScorePart(name, _value(points, weights.get(name, 1.0)), weights.get(name, 1.0), shown[name])
            for name, points in result.parts.items()
        ]
        return sorted(parts, key=lambda part: -part.points)

    def excluded(self) -> list[str]:
        """Return the excluded words that can be removed from the query."""
        parts = self.found.understood.root.parts
        words = [part.text for part in parts if isinstance(part, Term) and part.negated and part.kind is TermKind.WORD]
        return [word for word in words if f"-{word}" in self.asked.q.split()]

    def exactly(self) -> str:
        """Return the query with `exact:` before each word, or "" if it contains anything but plain words."""
        words = self.asked.q.split()
        return " ".join(f"exact:{word}" for word in words) if words and all(w.isalnum() for w in words) else ""


def _value(points: float, weight: float) -> float:
    """Return a part of a score before weighting, rounded for display."""
    return round(points / weight if weight else points, 2)


def rounded_to(parts: Mapping[str, float], total: float) -> dict[str, float]:
    """Return parts rounded to three digits that add up to a rounded total.

    The parts with the largest rounding errors are adjusted.

    >>> rounded_to({"text": 0.3334, "confidence": 0.3334, "recency": 0.3334}, 1.0)
    {'text': 0.334, 'confidence': 0.333, 'recency': 0.333}
    """
    unit = 10.0**-SHOWN_DIGITS
    units = {name: round(points / unit) for name, points in parts.items()}
    short = round(total / unit) - sum(units.values())
    step = 1 if short > 0 else -1
    lost = {name: step * (points / unit - units[name]) for name, points in parts.items()}
    for name in sorted(parts, key=lambda name: -lost[name])[: abs(short)]:
        units[name] += step
    return {name: round(number * unit, SHOWN_DIGITS) for name, number in units.items()}


def marked(snippet: Snippet) -> Markup:
    """Return a snippet with the matching words in <mark> tags.

    >>> print(marked(Snippet("a <pot> of tea", ((11, 14),))))
    a &lt;pot&gt; of <mark>tea</mark>
    """
    pieces: list[str] = []
    place = 0
    for start, end in snippet.marked:
        pieces += [escaped(snippet.text[place:start]), "<mark>", escaped(snippet.text[start:end]), "</mark>"]
        place = end
    return Markup("".join([*pieces, escaped(snippet.text[place:])]))  # noqa: S704 - every piece of the text is escaped


def as_data(found: SearchResults) -> dict[str, Any]:
    """Return a search as the JSON object that the API returns."""
    return {
        "query": found.query,
        "understood": sentence(found.understood),
        "total": found.total,
        "exact": found.exact,
        "page": found.page,
        "results": [_result(result) for result in found.results],
        "facets": {name: _counts(values) for name, values in found.facets.items()},
        "did_you_mean": [{"query": other.query, "total": other.total} for other in found.did_you_mean],
        "seconds": round(found.seconds, 4),
    }


def _counts(values: Sequence[FacetValue]) -> list[dict[str, Any]]:
    return [{"value": value.value, "count": value.count} for value in values]


def _result(result: Result) -> dict[str, Any]:
    return {
        "url": result.url,
        "title": result.title,
        "topic": result.topic,
        "confidence": result.confidence,
        "probability": result.probability,
        "score": result.score,
        "snippet": result.snippet.text,
        "parts": result.parts,
        "found": result.found,
        "state": result.state,
    }
