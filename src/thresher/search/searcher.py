"""Searches a portal; the entry point of this package."""

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from types import TracebackType
from typing import Final, Self

import numpy as np
from msgspec.structs import replace

from thresher.errors import InputError, command
from thresher.search.answers import RankedPages, find_answers
from thresher.search.clicks import verdicts
from thresher.search.current_state import CurrentState
from thresher.search.evaluate import Evaluation, PreparedQuery
from thresher.search.filters import Filters
from thresher.search.folding import Folded
from thresher.search.paging import shown_pages, text_of
from thresher.search.parsed import TermKind, narrowed
from thresher.search.profiles import LOOKED_AT, fitting, proven, shared_profiles
from thresher.search.query_parser import parse
from thresher.search.rankings import DEFAULT, LISTING, TEXT, weights
from thresher.search.result_making import SIMILARITY, ends_of, listed_pages, make_results
from thresher.search.results import LinkNeighbours, SearchResults
from thresher.search.similar import similar_rows
from thresher.search.snapshot import Snapshot
from thresher.search.snippets import marks
from thresher.search.suggestions import Advice, advise
from thresher.search.top_pages import Ranked
from thresher.store.clicks import ClickRow
from thresher.store.page_records import AcceptedPage
from thresher.store.protocol import Store
from thresher.store.repository import open_store
from thresher.store.search_records import SearchFeedback
from thresher.web.urls import canonical, url_id

Ranking = str | Mapping[str, float]
"""Weights by part name, or the same as text: `text=1,authority=0.5`."""

MOST_RESULTS: Final = 1_000
"""Maximum number of results per page."""

FRESH: Final = 2.0
"""Seconds for which a state of the portal is reused; a running crawl changes it constantly."""

_SIMILAR: Final = 100


class Searcher:
    """Searches one portal. Threads may share a searcher; close it when done.

    A search first updates the index unless another process is doing so. `portal` is the directory of the portal, and
    `fresh` the number of seconds after which it is checked for changes. Without `wait`, the check runs in the
    background while searches use the previous state. `on_indexed` is called with the number of pages indexed while a
    search waits for the index.

    >>> Searcher("no-such-portal")
    Traceback (most recent call last):
    thresher.errors.PortalError: There is no portal in no-such-portal.
    Make one: thresher new no-such-portal --seeds FILE
    """

    def __init__(
        self,
        portal: Path | str,
        *,
        fresh: float = FRESH,
        wait: bool = True,
        on_indexed: Callable[[int], None] = lambda _: None,
    ) -> None:
        self._portal = Path(portal)
        self._store: Store = open_store(self._portal, read_only=True)
        self._state = CurrentState(self._portal, self._store, fresh, on_indexed, wait=wait)
        self._closed = False

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
        profile: str = "",
        since: float = 0.0,
    ) -> SearchResults:
        """Return the best pages for a query. No query is an error; the empty query lists the portal, best pages first.

        `rank` holds the weights of the ranking; None means the default. A page has `number` results; `page` counts from
        1. `within` holds earlier queries whose results are searched. `fold` shows pages with nearly the same text once,
        and only a few pages per site if there are several sites. With a `profile` and no `rank`, the weights are fitted
        to the person's feedback (`judge`) on this query or similar ones. With `since`, a wall time in seconds, only
        pages stored later are searched.
        Raises InputError if the ranking names an unknown part.
        """
        started = time.perf_counter()
        wanted = weights(rank)
        snapshot = self._state.snapshot()
        filters = self._filters(snapshot)
        parsed = filters.bound(narrowed(parse(query), map(parse, [within] if isinstance(within, str) else within)))
        evaluation = Evaluation(snapshot, filters)
        question = evaluation.question(parsed)
        if since:
            question = replace(question, allowed=question.allowed & (snapshot.columns["at"] > since))
        wanted = _effective(wanted, question)
        if profile and rank is None:
            wanted = self._personal(profile, query, evaluation, snapshot, question, wanted)
        number, page = min(max(1, number), MOST_RESULTS), max(1, page)
        fold = fold and not any(term.kind is TermKind.SITE for term in parsed.terms())
        ranked, shown = shown_pages(evaluation, snapshot.columns, question, wanted, number, page, folding=fold)
        ranked = evaluation.counted(question, ranked, all_of_them=facets)
        part = shown[number * (page - 1) : number * page]
        advice = advise(parsed, snapshot, evaluation) if not ranked.total else Advice()
        return SearchResults(
            query=query,
            understood=parsed,
            total=ranked.total,
            exact=ranked.exact,
            results=make_results(self._store, snapshot, ranked, part, wanted, marks(parsed)),
            rank=wanted,
            page=page,
            last=len(shown) <= number * page,
            facets=snapshot.facets.of(ranked.every) if ranked.every is not None and facets else {},
            did_you_mean=advice.did_you_mean,
            missing=advice.missing,
            without=advice.without,
            seconds=time.perf_counter() - started,
        )

    def prepare(self) -> None:
        """Read the matches of frequent words in advance, for a program that will search often.

        Takes a few seconds in a large portal, and at most half of one processor.
        """
        for word in self._state.snapshot().matches.frequent_words():
            if self._closed:
                return
            started = time.perf_counter()
            self._state.snapshot().matches.prepare(word)
            time.sleep(time.perf_counter() - started)

    def every(self, query: str = "", *, rank: Ranking | None = None) -> Iterator[AcceptedPage]:
        """Yield all results of a query in order, as list entries, without folding."""
        snapshot = self._state.snapshot()
        filters = self._filters(snapshot)
        evaluation = Evaluation(snapshot, filters)
        question = evaluation.question(filters.bound(parse(query)))
        ranked = evaluation.best(question, _effective(weights(rank), question), max(1, len(snapshot.columns)))
        return listed_pages(self._store, snapshot, ranked.rows)

    def answers(self, query: str, *, number: int = 10) -> RankedPages:
        """Return the pages that answer a query best: first those with all its words, then those with some.

        Rejected pages are included unless the query names topics.
        """
        snapshot = self._state.snapshot()
        filters = self._filters(snapshot)
        parsed = parse(query)
        scope = () if any(term.kind is TermKind.TOPIC for term in parsed.terms()) else (parse("topic:any"),)
        return find_answers(self._store, snapshot, filters, filters.bound(narrowed(parsed, scope)), number)

    def judge(self, query: str, relevant: Sequence[str], irrelevant: Sequence[str], profile: str) -> dict[str, float]:
        """Save which results of a query a person found relevant, and return the weights fitted to them.

        The default weights are returned if no others would have ordered the judged pages better. Earlier feedback on
        the same query is included unless contradicted. Raises InputError if no page is named, or one that the portal
        does not have.
        """
        snapshot = self._state.snapshot()
        before = [row for row in self._store.searches.feedback() if row.profile == profile and row.query == query]
        verdicts = {url: True for row in before for url in row.relevant}
        verdicts |= {url: False for row in before for url in row.irrelevant}
        verdicts |= {canonical(url) or url: True for url in relevant}
        verdicts |= {canonical(url) or url: False for url in irrelevant}
        if not relevant and not irrelevant:
            raise InputError(
                "No page was marked as relevant or irrelevant.", "Give pages with --relevant URL or --irrelevant URL."
            )
        rows = snapshot.columns.rows([self._stored(snapshot, url) for url in verdicts])
        evaluation = Evaluation(snapshot, self._filters(snapshot))
        parts = evaluation.parts(parse(query), rows)
        weights = proven(parts, np.array(list(verdicts.values())), DEFAULT)
        kept = SearchFeedback(
            profile=profile,
            query=query,
            at=time.time(),
            weights=weights,
            relevant=tuple(url for url, good in verdicts.items() if good),
            irrelevant=tuple(url for url, good in verdicts.items() if not good),
        )
        with closing(open_store(self._portal)) as store:
            store.searches.add_feedback(kept)
        return weights

    def learned(
        self, query: str, clicks: Sequence[ClickRow], *, within: str | Sequence[str] = ()
    ) -> dict[str, float] | None:
        """Return the weights fitted to the clicks of a reader on the first results of a query.

        Returns None if the clicks say too little, that is, if no other weights would have ranked the opened pages
        higher.
        """
        snapshot = self._state.snapshot()
        filters = self._filters(snapshot)
        parsed = filters.bound(narrowed(parse(query), map(parse, [within] if isinstance(within, str) else within)))
        evaluation = Evaluation(snapshot, filters)
        question = evaluation.question(parsed)
        usual = _effective(dict(DEFAULT), question)
        shown = snapshot.columns["id"][evaluation.best(question, usual, LOOKED_AT).rows].tolist()
        found = verdicts(clicks, shown)
        if not found:
            return None
        parts = evaluation.parts(parsed, snapshot.columns.rows(list(found)))
        weights = proven(parts, np.array(list(found.values())), usual)
        return weights if weights != usual else None

    def similar(self, url: str, *, number: int = 10) -> SearchResults:
        """Return the pages most similar to a stored page, without the page itself and its near-duplicates.

        Raises InputError if the portal has no such page.
        """
        started = time.perf_counter()
        snapshot = self._state.snapshot()
        id_ = self._stored(snapshot, url)
        rows, cosines = similar_rows(snapshot, self._store, id_)
        texts = [text_of(snapshot.columns, int(row)) for row in rows]
        first = [place for place, text in enumerate(texts) if text not in texts[:place]]
        ranked = Ranked(rows[first], cosines[first], cosines[first], len(first))
        part = [Folded(place) for place in range(min(number, len(first)))]
        parsed = parse(f"similar:{url}")
        return SearchResults(
            query=parsed.text,
            understood=parsed,
            total=len(first),
            results=make_results(self._store, snapshot, ranked, part, {SIMILARITY: 1.0}, marks(parse(""))),
            rank={SIMILARITY: 1.0},
            last=len(first) <= number,
            seconds=time.perf_counter() - started,
        )

    def neighbours(self, url: str, *, number: int = 100) -> LinkNeighbours:
        """Return up to `number` pages that link to a page, and as many that it links to.

        Raises InputError if the portal does not know the page.
        """
        snapshot = self._state.snapshot()
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
        ends = (ends_of(self._store, snapshot, side, number) for side in (here, there))
        return LinkNeighbours(address, *ends)

    def close(self) -> None:
        """Close the index and the store; safe to call twice."""
        self._closed = True
        self._state.save()
        self._store.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _personal(
        self,
        profile: str,
        query: str,
        evaluation: Evaluation,
        snapshot: Snapshot,
        question: PreparedQuery,
        usual: dict[str, float],
    ) -> dict[str, float]:
        """Return a person's weights for a query: fitted to it, those of a fitting profile, or the usual ones."""
        feedback = self._store.searches.feedback()
        own = [row for row in feedback if row.profile == profile]
        same = [row for row in own if row.query == query]
        if same:
            return _effective(weights(same[-1].weights), question)
        first = evaluation.best(question, usual, LOOKED_AT)
        heads = self._store.search_feed.heads(snapshot.columns["id"][first.rows].tolist())
        urls = [heads[id_].url for id_ in snapshot.columns["id"][first.rows].tolist() if id_ in heads]
        found = fitting(shared_profiles(own), urls) or fitting(shared_profiles(feedback), urls)
        return _effective(weights(found.weights), question) if found else usual

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


def _effective(weights: dict[str, float], question: PreparedQuery) -> dict[str, float]:
    """Return the weights that apply: without text in the query, those of the other parts, or those of a listing."""
    if question.text is not None or question.scores is not None:
        return weights
    others = {name: weight for name, weight in weights.items() if name != TEXT}
    return others if others and weights != DEFAULT else dict(LISTING)


def _unknown(portal: Path, url: str) -> InputError:
    return InputError(f"The portal has no page {url}.", f"Search for it: {command('search', portal, 'WORDS')}")
