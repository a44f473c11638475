"""Searching a portal: the door of this package."""

import threading
import time
from collections.abc import Callable, Mapping, Sequence
from itertools import islice
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Self

import numpy as np

from thresher.errors import InputError, PortalError, command
from thresher.search import column_file, columns, text_index
from thresher.search.columns import Columns
from thresher.search.evaluate import Evaluation, Question
from thresher.search.facets import facets as count_facets
from thresher.search.filters import Filters
from thresher.search.folding import Folded, fold
from thresher.search.indexer import catch_up, index_lock
from thresher.search.parsed import Group, Kind, ParsedQuery
from thresher.search.query_parser import parse
from thresher.search.rankings import TEXT, weights
from thresher.search.results import Neighbour, Neighbours, Result, SearchResults
from thresher.search.similar import similar_rows
from thresher.search.snapshot import Snapshot
from thresher.search.snippets import Marks, marks, snippet
from thresher.search.suggestions import Advice, advise
from thresher.search.text_index import FOLDER, TextIndex
from thresher.search.top_pages import Ranked
from thresher.store.protocol import Store
from thresher.store.repository import open_store
from thresher.web.urls import canonical, url_id

Ranking = str | Mapping[str, float]
"""Weights by the names of parts, or the same as text: `text=1,authority=0.5`."""

MOST_RESULTS: Final = 1_000
"""Results on one page."""

FRESH: Final = 2.0
"""Seconds for which a state of the portal is good enough: a crawl that runs changes it all the time."""

PATIENCE: Final = 120.0
"""Seconds to wait for another process to build an index where there is none."""

_SIMILAR: Final = 100
_FOLDED_FROM: Final = 5
"""How many times as many results are looked at as are shown, since some are folded."""


class Searcher:
    """Searches one portal. Any number of threads may share one; close it when done.

    A search first brings the index up to date, unless another process is doing that. `portal` is the directory; `fresh`
    is the number of seconds after which the portal is looked at again. `on_indexed` is told how many pages have been
    indexed while a search waits for that.

    >>> Searcher("no-such-portal")
    Traceback (most recent call last):
    thresher.errors.PortalError: There is no portal in no-such-portal.
    """

    def __init__(
        self, portal: Path | str, *, fresh: float = FRESH, on_indexed: Callable[[int], None] = lambda _: None
    ) -> None:
        self._portal = Path(portal)
        self._store: Store = open_store(self._portal, read_only=True)
        self._fresh = fresh
        self._on_indexed = on_indexed
        self._lock = threading.Lock()
        self._snapshot: Snapshot | None = None
        self._looked = float("-inf")
        self._index: TextIndex | None = None
        self._saved = 0

    def search(
        self,
        query: str = "",
        *,
        rank: Ranking | None = None,
        number: int = 10,
        page: int = 1,
        facets: bool = False,
        within: str | Sequence[str] = (),
        fold: bool = True,
    ) -> SearchResults:
        """Return the best pages for a query; no query is an error, and the empty one lists the portal, best first.

        `rank` are the weights of the ranking, the default where it is None. `number` is the number of results on a
        `page`, which counts from 1. `within` are earlier queries whose results this one searches. `fold` shows pages
        with nearly the same text once, and a few of each site where others want a place.
        Raises InputError for a ranking that names no part.
        """
        started = time.perf_counter()
        wanted = weights(rank)
        snapshot = self._current()
        filters = self._filters(snapshot)
        parsed = filters.bound(_narrowed(parse(query), [within] if isinstance(within, str) else within))
        evaluation = Evaluation(snapshot, filters)
        question = evaluation.question(parsed)
        wanted = _effective(wanted, question)
        number, page = min(max(1, number), MOST_RESULTS), max(1, page)
        fold = fold and not any(term.kind is Kind.SITE for term in parsed.terms())
        ranked, shown = _shown(evaluation, snapshot, question, wanted, number * page, fold)
        part = shown[number * (page - 1) : number * page]
        advice = advise(parsed, snapshot, evaluation) if not ranked.total else Advice()
        return SearchResults(
            query=query,
            understood=parsed,
            total=ranked.total,
            exact=ranked.exact,
            results=self._results(snapshot, ranked, part, wanted, question, marks(parsed)),
            rank=wanted,
            page=page,
            last=len(shown) <= number * page,
            facets=count_facets(snapshot.columns, evaluation.rows(question)) if facets else {},
            did_you_mean=advice.did_you_mean,
            missing=advice.missing,
            without=advice.without,
            seconds=time.perf_counter() - started,
        )

    def similar(self, url: str, *, number: int = 10) -> SearchResults:
        """Return the pages most similar to a stored page, the page itself and its near-duplicates left out.

        Raises InputError where the portal has no such page.
        """
        started = time.perf_counter()
        snapshot = self._current()
        id_ = self._stored(snapshot, url)
        rows, cosines = similar_rows(snapshot, self._store, id_)
        texts = [_text_of(snapshot.columns, int(row)) for row in rows]
        first = [place for place, text in enumerate(texts) if text not in texts[:place]]
        ranked = Ranked(rows[first], cosines[first], cosines[first], len(first))
        part = [Folded(place) for place in range(min(number, len(first)))]
        parsed = parse(f"similar:{url}")
        return SearchResults(
            query=parsed.text,
            understood=parsed,
            total=len(first),
            results=self._results(snapshot, ranked, part, {"similarity": 1.0}, None, marks(parse(""))),
            rank={"similarity": 1.0},
            last=len(first) <= number,
            seconds=time.perf_counter() - started,
        )

    def neighbours(self, url: str, *, number: int = 100) -> Neighbours:
        """Return at most `number` pages that link to a page, and as many that it links to.

        Raises InputError where the portal knows no such page.
        """
        snapshot = self._current()
        address = canonical(url) or url
        id_ = url_id(address)
        here: dict[str, str] = {}
        for source, anchor in self._store.documents.inlinks(id_):
            here.setdefault(source, anchor)
        page = self._store.documents.document(id_)
        there: dict[str, str] = {}
        for link in page.links if page else ():
            there.setdefault(link.target_url, link.anchor)
        if page is None and not here:
            raise _unknown(self._portal, url)
        return Neighbours(address, self._ends(snapshot, here, number), self._ends(snapshot, there, number))

    def close(self) -> None:
        """Give the index and the store back; safe to call twice."""
        with self._lock:
            if self._snapshot is not None and self._saved < self._snapshot.columns.seq:
                column_file.save(self._portal, self._snapshot.columns)
                self._saved = self._snapshot.columns.seq
        self._store.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _current(self) -> Snapshot:
        """Return the state of the portal, brought up to date where the last look is too long ago."""
        with self._lock:
            if self._snapshot is None or time.monotonic() - self._looked >= self._fresh:
                self._snapshot = self._refreshed(self._snapshot)
                self._looked = time.monotonic()
            return self._snapshot

    def _refreshed(self, before: Snapshot | None) -> Snapshot:
        _bring_up_to_date(self._portal, self._store, self._on_indexed)
        state = text_index.state_of(self._portal)
        if state is None:
            raise PortalError(
                f"The index of {self._portal} cannot be written.",
                f"Let somebody who may write to the portal build it: {command('index', self._portal)}",
            )
        folder = self._portal / FOLDER / state.folder
        if self._index is None or self._index.folder != folder:
            self._index, before = TextIndex(folder), None
        known = before.columns if before else column_file.load(self._portal)
        self._saved = self._saved or known.seq
        followed = columns.follow(known, self._store)
        return Snapshot(self._index.searcher(), self._index.schema, followed)

    def _filters(self, snapshot: Snapshot) -> Filters:
        def similar(id_: int) -> list[int]:
            rows, _ = similar_rows(snapshot, self._store, id_)
            found: list[int] = snapshot.columns["id"][rows[:_SIMILAR]].tolist()
            return found

        return Filters(snapshot.columns, self._store, similar)

    def _stored(self, snapshot: Snapshot, url: str) -> int:
        id_ = url_id(canonical(url) or url)
        if snapshot.columns.rows([id_])[0] < 0:
            raise _unknown(self._portal, url)
        return id_

    def _results(
        self,
        snapshot: Snapshot,
        ranked: Ranked,
        part: Sequence[Folded],
        weights: Mapping[str, float],
        question: Question | None,
        wanted: Marks,
    ) -> list[Result]:
        rows = [int(ranked.rows[one.place]) for one in part]
        heads = self._store.search_feed.heads(snapshot.columns["id"][rows].tolist() if rows else [])
        results: list[Result] = []
        for one, row in zip(part, rows, strict=True):
            head = heads.get(int(snapshot.columns["id"][row]))
            if head is None:
                continue
            points = _points(snapshot, weights, row, float(ranked.text[one.place]))
            known = _known(snapshot.columns, row)
            results.append(
                Result(
                    url=head.url,
                    title=head.title,
                    score=round(sum(points.values()), 6),
                    parts=points,
                    snippet=snippet(head, wanted),
                    more=one.more,
                    repeats=one.repeats,
                    **known,
                )
            )
        return results

    def _ends(self, snapshot: Snapshot, ends: Mapping[str, str], number: int) -> list[Neighbour]:
        found = list(islice(ends.items(), number))
        ids = [url_id(url) for url, _ in found]
        heads = self._store.search_feed.heads(ids)
        neighbours: list[Neighbour] = []
        for (url, anchor), id_, row in zip(found, ids, snapshot.columns.rows(ids), strict=True):
            if row < 0 or id_ not in heads:
                neighbours.append(Neighbour(url=url, anchor=anchor, stored=False))
                continue
            known = _known(snapshot.columns, int(row))
            neighbours.append(
                Neighbour(
                    url=url,
                    anchor=anchor,
                    stored=True,
                    title=heads[id_].title,
                    topic=known["topic"],
                    confidence=known["confidence"],
                )
            )
        return neighbours


def _bring_up_to_date(portal: Path, store: Store, on_indexed: Callable[[int], None]) -> None:
    """Let the index catch up, unless another process sees to that; wait for it where there is no index at all."""
    patience = 0.0 if text_index.state_of(portal) else PATIENCE
    try:
        with index_lock(portal, patience) as mine:
            if mine:
                catch_up(portal, store, on_indexed)
    except PermissionError:
        # Whoever may only read searches what was indexed before.
        return


def _narrowed(query: ParsedQuery, within: Sequence[str]) -> ParsedQuery:
    """Return a query that also asks for all that earlier queries asked for."""
    for earlier in map(parse, within):
        if earlier.root.parts:
            root = Group((*earlier.root.parts, *query.root.parts))
            left_out = (*earlier.left_out, *query.left_out)
            text = f"{earlier.text} {query.text}".strip()
            query = ParsedQuery(text, root, left_out, query.everything or earlier.everything)
    return query


def _effective(weights: dict[str, float], question: Question) -> dict[str, float]:
    """Return the weights that count: where no text is asked for, the others, or confidence where there are none."""
    if question.text is not None or question.scores is not None:
        return weights
    return {name: weight for name, weight in weights.items() if name != TEXT} or {"confidence": 1.0}


def _shown(
    evaluation: Evaluation,
    snapshot: Snapshot,
    question: Question,
    weights: Mapping[str, float],
    wanted: int,
    folding: bool,
) -> tuple[Ranked, list[Folded]]:
    """Return the ranked pages, as many as are needed, and those of them that are shown: one more than is wanted."""
    number = wanted * (_FOLDED_FROM if folding else 1) + 1
    while True:
        ranked = evaluation.best(question, weights, number)
        if not folding:
            return ranked, [Folded(place) for place in range(len(ranked.rows))]
        sites = snapshot.columns["host"][ranked.rows].tolist()
        texts = [_text_of(snapshot.columns, int(row)) for row in ranked.rows]
        shown = fold(sites, texts, wanted + 1)
        if len(shown) > wanted or len(ranked.rows) < number:
            return ranked, shown
        number *= _FOLDED_FROM


def _text_of(known: Columns, row: int) -> int:
    """Return the id of the page whose text a page has: its own, or that of the page it repeats."""
    id_ = int(known["id"][row])
    return known.originals.get(id_, id_)


def _points(snapshot: Snapshot, weights: Mapping[str, float], row: int, text: float) -> dict[str, float]:
    values = {name: float(snapshot.parts.part(name)[row]) for name in weights if name not in (TEXT, "similarity")}
    values |= {name: text for name in (TEXT, "similarity") if name in weights}
    return {name: round(weights[name] * values[name], 6) for name in weights}


def _known(known: Columns, row: int) -> dict[str, Any]:
    """Return what the columns say of a page, by the names of `Result`."""

    def number(name: str) -> float | None:
        value = float(known[name][row])
        return None if np.isnan(value) else value

    return {
        "id": int(known["id"][row]),
        "site": known.name("host", row) or "",
        "topic": known.name("topic", row),
        "confidence": number("confidence"),
        "probability": number("probability"),
        "language": known.name("language", row) or "",
        "mime": known.name("mime", row) or "",
        "size": int(known["size"][row]),
        "found": float(known["at"][row]),
        "changed": number("changed"),
        "state": known.name("state", row) or "",
    }


def _unknown(portal: Path, url: str) -> InputError:
    return InputError(f"The portal has no page {url}.", f"Look for it: {command('search', portal, 'WORDS')}")
