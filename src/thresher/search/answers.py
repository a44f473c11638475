"""Find the stored pages that answer a query best, fully or partly.

Filters and excluded words apply to every answer; some of the words and phrases may be missing. Pages with all of them
come first, then the rest, each group sorted by text score. All stored pages are considered, accepted or not, unless the
query names topics.
"""

from collections.abc import Sequence
from typing import Final

import numpy as np
from msgspec import Struct

from thresher.search.columns import Mask
from thresher.search.evaluate import Evaluation, PreparedQuery
from thresher.search.filters import Filters, is_textual
from thresher.search.parsed import TEXTUAL, Group, ParsedQuery, Term
from thresher.search.query_parser import parse
from thresher.search.rankings import TEXT
from thresher.search.result_making import facts_of
from thresher.search.snapshot import Snapshot
from thresher.search.top_pages import Ranked
from thresher.store.protocol import Store

Part = Term | Group

_WHOLE: Final = 0.5
"""Score of a page for having all the words; its text score makes up the other half."""


class Hit(Struct, frozen=True):
    """A page that answers a query. `score` runs from 0 to 1; a page with all the words scores at least .5.

    `lacks` lists the words and phrases of the query that the page does not have.
    """

    url: str
    title: str
    score: float
    confidence: float | None
    lacks: tuple[str, ...] = ()


class RankedPages(Struct, frozen=True):
    """The best answers to a query.

    `pages` is the number of pages considered, `words` the query's words and phrases, `whole` the number of pages with
    all of them, and `missing` the words that no page has.
    """

    answers: list[Hit]
    pages: int
    words: tuple[str, ...]
    whole: int
    missing: tuple[str, ...]


def words_asked_for(query: str) -> list[str]:
    """Return the words of a query, including those in phrases; excluded words and filters are skipped.

    >>> words_asked_for('solar -lunar ("thin film" OR cells) site:a.test')
    ['solar', 'thin', 'film', 'cells']
    """
    parsed = parse(query)
    texts = [text for part in parsed.root.parts if not part.negated for text in _texts(part)]
    return [word for text in texts for word in text.split()]


def find_answers(store: Store, snapshot: Snapshot, filters: Filters, query: ParsedQuery, number: int) -> RankedPages:
    """Return the pages that answer a query best, and the words that no page has."""
    evaluation = Evaluation(snapshot, filters)
    wanted = [part for part in query.root.parts if is_textual(part) and not part.negated]
    wanted = [part for part in wanted if not snapshot.queries.is_idle(part)] or wanted
    others = tuple(part for part in query.root.parts if part not in wanted)
    allowed = np.zeros(len(snapshot.columns), np.bool_)
    allowed[evaluation.rows(evaluation.question(_with(query, others)))] = True
    having = [allowed & snapshot.matching(Group((part,))) for part in wanted]
    whole: Mask = np.logical_and.reduce(having) if having else np.zeros(len(allowed), np.bool_)
    names = [" ".join(_texts(part)) for part in wanted]
    return RankedPages(
        answers=[
            *_hits(store, snapshot, _best(evaluation, wanted, whole, number), having, names, _WHOLE),
            *_hits(store, snapshot, _best(evaluation, wanted, allowed & ~whole, number, any_of=True), having, names),
        ][:number],
        pages=int(np.count_nonzero(allowed)),
        words=tuple(names),
        whole=int(np.count_nonzero(whole)),
        missing=tuple(name for name, found in zip(names, having, strict=True) if not found.any()),
    )


def _texts(part: Part) -> list[str]:
    if isinstance(part, Term):
        return [part.text] if part.kind in TEXTUAL else []
    return [text for inner in part.parts if not inner.negated for text in _texts(inner)]


def _with(query: ParsedQuery, parts: tuple[Part, ...]) -> ParsedQuery:
    return ParsedQuery(query.text, Group(parts), query.left_out, query.everything)


def _best(
    evaluation: Evaluation, wanted: Sequence[Part], allowed: Mask, number: int, *, any_of: bool = False
) -> Ranked | None:
    """Return the best pages by text score that match all parts of a query, or any part with `any_of`."""
    if not wanted or not allowed.any():
        return None
    words = Group(tuple(wanted), any=any_of)
    return evaluation.best(PreparedQuery(allowed, evaluation.text(words), words=words), {TEXT: 1.0}, number)


def _hits(
    store: Store,
    snapshot: Snapshot,
    best: Ranked | None,
    having: Sequence[Mask],
    names: Sequence[str],
    at_least: float = 0.0,
) -> list[Hit]:
    if best is None:
        return []
    heads = store.search_feed.heads(snapshot.columns["id"][best.rows].tolist())
    hits: list[Hit] = []
    for row, score in zip(best.rows.tolist(), best.scores.tolist(), strict=True):
        known = facts_of(snapshot.columns, [row])[0]
        # A page deleted a moment ago no longer has a head.
        if known["id"] in heads:
            head = heads[known["id"]]
            lacks = tuple(name for name, found in zip(names, having, strict=True) if not found[row])
            points = at_least + (1.0 - _WHOLE) * score
            hits.append(Hit(head.url, head.title, points, known["confidence"], lacks))
    return hits
