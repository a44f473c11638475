"""Suggests other queries if one finds nothing: corrected words, fewer words, or rejected pages as well."""

import re
from collections.abc import Sequence
from itertools import product
from typing import Final

from msgspec import Struct

from thresher.search.evaluate import Evaluation
from thresher.search.parsed import Group, ParsedQuery, Term, TermKind
from thresher.search.query_parser import parse
from thresher.search.results import Suggestion
from thresher.search.snapshot import Snapshot
from thresher.search.spelling import near_words
from thresher.text.stems import stems_of

MOST: Final = 3
_TRIED: Final = 6
_WORDS: Final = (TermKind.WORD, TermKind.EXACT, TermKind.TITLE)


class Advice(Struct, frozen=True):
    """Suggestions for a query: other queries, the words that no page has, and the query without some words."""

    did_you_mean: tuple[Suggestion, ...] = ()
    missing: tuple[str, ...] = ()
    without: Suggestion | None = None


def advise(query: ParsedQuery, snapshot: Snapshot, evaluation: Evaluation) -> Advice:
    """Return suggestions for a query that finds nothing."""
    words = [term for term in dict.fromkeys(query.terms()) if term.kind in _WORDS and not term.negated]
    missing = [term for term in words if snapshot.queries.is_missing(term)]
    corrected = _corrected(query, missing, snapshot, evaluation)
    beyond = f"{query.text} topic:any".strip()
    if not missing and not any(term.kind is TermKind.TOPIC for term in query.terms()):
        corrected += _counted([beyond], evaluation)
    return Advice(
        tuple(corrected[:MOST]),
        tuple(dict.fromkeys(term.text for term in missing)),
        _shorter(query, words, missing, evaluation),
    )


def _corrected(query: ParsedQuery, missing: list[Term], snapshot: Snapshot, evaluation: Evaluation) -> list[Suggestion]:
    choices = [_different(near_words(snapshot.searcher, term.text), snapshot.languages) for term in missing]
    if not missing or not any(choices):
        return []
    # A word without close matches stays; correcting the others may still help.
    options = [found or [term.text] for found, term in zip(choices, missing, strict=True)]
    texts: list[str] = []
    for chosen in list(product(*options))[:_TRIED]:
        text = query.text
        for term, word in zip(missing, chosen, strict=True):
            text = _replaced(text, term.text, word)
        texts.append(text)
    return sorted(_counted(texts, evaluation), key=lambda one: texts.index(one.query))


def _different(words: list[str], languages: Sequence[str]) -> list[str]:
    """Return the words without those that have the same stems as an earlier one, and so find the same pages.

    >>> _different(["garden", "gardens", "guard"], ["en"])
    ['garden', 'guard']
    """
    by_stems = {tuple(stems_of([word], code)[0] for code in languages): word for word in reversed(words)}
    return [word for word in words if word in by_stems.values()]


def _shorter(query: ParsedQuery, words: list[Term], missing: list[Term], evaluation: Evaluation) -> Suggestion | None:
    """Return the query without the words that no page has, or without the most restrictive word if all occur."""
    if len(words) < 2 or len(missing) == len(words):
        return None
    if missing:
        text = query.text
        for term in missing:
            text = _replaced(text, term.text, "")
        return next(iter(_counted([text], evaluation)), None)
    totals = _without_one(query, words[:_TRIED], evaluation)
    most = max(totals, key=lambda term: totals[term], default=None)
    return next(iter(_counted([_replaced(query.text, most.text, "")], evaluation)), None) if most else None


def _without_one(query: ParsedQuery, words: list[Term], evaluation: Evaluation) -> dict[Term, int]:
    """Return how many pages a query finds without each of some words, leaving out words whose removal does not help.

    Removing any word but the two rarest leaves both of these required, and usually no page has both. One search for the
    two decides that for all the other words.
    """
    rarest = sorted(words, key=evaluation.frequency)[:2]
    others = [term for term in words if term not in rarest]
    scope = _without(query, others)
    candidates = [*rarest, *(others if evaluation.total(scope) else ())]
    totals = {term: evaluation.total(_without(query, [term])) for term in candidates}
    return {term: total for term, total in totals.items() if total}


def _without(query: ParsedQuery, left: list[Term]) -> ParsedQuery:
    """Return a query without some words; words in groups stay."""
    parts = tuple(part for part in query.root.parts if part not in left)
    return ParsedQuery(query.text, Group(parts), query.left_out, query.everything)


def _replaced(text: str, word: str, other: str) -> str:
    pattern = re.compile(rf"(?<![\w:]){'' if other else '[a-z]*:?'}{re.escape(word)}(?!\w)", re.IGNORECASE)
    return " ".join(pattern.sub(lambda _: other, text, count=1).split())


def _counted(texts: list[str], evaluation: Evaluation) -> list[Suggestion]:
    """Return the queries that find something, with the number of pages."""
    found = [Suggestion(text, evaluation.total(parse(text))) for text in dict.fromkeys(texts) if text]
    return [one for one in found if one.total]
