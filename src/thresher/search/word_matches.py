"""Which pages match the words and phrases of a query, cached across states of the index.

While a crawl runs, the index changes every few seconds, but few of its pages do. So a cached bitmap is brought up to
date by searching only the pages written since: each page in the index has the number of the commit that wrote it. Pages
removed from the index stay in the bitmaps; the columns know that they are not searchable.
"""

import threading
from collections import OrderedDict
from functools import lru_cache
from typing import Final

import numpy as np
import tantivy
from msgspec import Struct
from msgspec.structs import replace
from numpy.typing import NDArray

from thresher.search.match_bitmaps import Bits, NumberedRows, numbers_of
from thresher.search.parsed import Group, Term, TermKind
from thresher.search.text_index import ROUND, head_of
from thresher.search.text_query import TextQueries, TextQuery

Part = Term | Group
Query = tantivy.Query
Occur = tantivy.Occur

REMEMBERED: Final = 64 << 20
"""Bytes of cached bitmaps."""

FEW: Final = 5_000
"""Matches up to which all words are searched at once, rather than one by one for the cache."""

_MOST_CHANGED: Final = 2_000
"""Changed pages up to which a bitmap is updated rather than read again."""

_MOST_WORDS: Final = 1_000_000
_LATEST: Final = (1 << 63) - 1


class _Known(Struct, frozen=True):
    bits: Bits
    round: int


class MatchCache:
    """Bitmaps of the matches of words, phrases and groups; safe to use from any thread.

    They belong to one index folder and to the languages in which words are stemmed.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._known: OrderedDict[Part, _Known] = OrderedDict()
        self._size = 0

    def get(self, part: Part) -> "_Known | None":
        """Return the last known bitmap of a part."""
        with self._lock:
            found = self._known.get(part)
            if found is not None:
                self._known.move_to_end(part)
            return found

    def put(self, part: Part, known: "_Known") -> None:
        """Keep a bitmap; those not used for longest are dropped."""
        with self._lock:
            before = self._known.pop(part, None)
            self._size += len(known.bits) - (len(before.bits) if before else 0)
            self._known[part] = known
            while self._size > REMEMBERED and len(self._known) > 1:
                _, dropped = self._known.popitem(last=False)
                self._size -= len(dropped.bits)


class WordMatches:
    """Finds the pages that match words and phrases, for one state of the index."""

    def __init__(
        self,
        searcher: tantivy.Searcher,
        schema: tantivy.Schema,
        queries: TextQueries,
        numbered: NumberedRows,
        cache: MatchCache,
    ) -> None:
        self._searcher = searcher
        self._schema = schema
        self._queries = queries
        self._numbered = numbered
        self._cache = cache
        self._round = head_of(searcher).round
        self._changed = lru_cache(64)(self._written_since)

    def of(self, words: Group) -> Bits | None:
        """Return which pages match a group, by number; None if the numbers do not fit the index."""
        parts = self._queries.required(words)
        if len(parts) > 1 and not all(map(self._is_known, parts)):
            text = self._queries.group(words, scored=False)
            if text.pages <= FEW:
                return self._found(words, text)
        whole: list[Bits] = []
        for part in parts:
            bits = self.of(part) if isinstance(part, Group) else self._term(part)
            if bits is None:
                return None
            whole.append(~bits if part.negated else bits)
        found: Bits = np.bitwise_or.reduce(whole) if words.any else np.bitwise_and.reduce(whole)
        return found

    def prepare(self, word: str) -> None:
        """Read the matches of a word in advance, unless they are known or too few to matter."""
        term = Term(TermKind.WORD, word)
        if self._cache.get(term) is None and not self._queries.is_idle(term) and self._queries.frequency(term) > FEW:
            self._term(term)

    def frequent_words(self) -> list[str]:
        """Return the words on more than `FEW` pages, most frequent first; no more than fit in half the cache."""
        counts = self._searcher.terms_with_prefix("words", "", limit=_MOST_WORDS)
        found = sorted(((number, word) for word, number in counts if number > FEW), reverse=True)
        most = REMEMBERED // 2 // max(1, len(self._numbered.ids) // 8)
        return [word for _, word in found[:most]]

    def _is_known(self, part: Part) -> bool:
        if isinstance(part, Group):
            return all(map(self._is_known, part.parts))
        return self._cache.get(_plain(part)) is not None

    def _term(self, term: Term) -> Bits | None:
        """Return which pages match a word or phrase, ignoring its minus sign."""
        plain = _plain(term)
        known = self._cache.get(plain)
        if known is not None and known.round == self._round:
            return known.bits
        return self._found(plain, self._queries.group(Group((plain,)), scored=False))

    def _found(self, part: Part, text: TextQuery) -> Bits | None:
        known = self._cache.get(part)
        if known is not None and known.round == self._round:
            return known.bits
        if known is not None and known.round > self._round:
            # Another thread has already searched a later state.
            return self._numbered.matching(self._searcher, text.query, text.pages)
        bits = self._updated(text.query, known) if known is not None else None
        if bits is None:
            bits = self._numbered.matching(self._searcher, text.query, text.pages)
        if bits is not None:
            self._cache.put(part, _Known(bits, self._round))
        return bits

    def _updated(self, query: tantivy.Query, known: "_Known") -> Bits | None:
        """Return a bitmap of an earlier state with the pages written since searched; None if there are too many."""
        changed = self._changed(known.round)
        size = len(self._numbered.ids)
        if len(changed) > _MOST_CHANGED or (len(changed) and changed.max() >= size) or 8 * len(known.bits) > size + 7:
            return None
        new = self._since(known.round)
        found = numbers_of(
            self._searcher, Query.boolean_query([(Occur.Must, query), (Occur.Must, new)]), max(1, len(changed))
        )
        mask = np.zeros(size, np.bool_)
        mask[: 8 * len(known.bits)] = np.unpackbits(known.bits, count=min(size, 8 * len(known.bits))).view(np.bool_)
        mask[changed] = False
        mask[found] = True
        return np.packbits(mask)

    def _written_since(self, last: int) -> NDArray[np.int64]:
        """Return the numbers of the pages written after a round; at most one more than can be updated."""
        return numbers_of(self._searcher, self._since(last), _MOST_CHANGED + 2)

    def _since(self, last: int) -> tantivy.Query:
        return Query.range_query(self._schema, ROUND, tantivy.FieldType.Unsigned, last + 1, _LATEST)


def _plain(term: Term) -> Term:
    return replace(term, negated=False) if term.negated else term
