"""Turns the words and phrases of a query into a query of the full-text index."""

import math
import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Final

import tantivy
from msgspec import Struct

from thresher.search.page_fields import address_words, plain_words
from thresher.search.parsed import Group, Term, TermKind
from thresher.text.stems import stems_of

Query = tantivy.Query
Occur = tantivy.Occur

_SATURATION: Final = 2.2
"""Upper bound of the BM25 term frequency factor with the usual constants."""

_PREFIX_SCORE: Final = 1.0
_LONGEST_PHRASE: Final = 8
_REMEMBERED: Final = 1 << 14
_FREQUENT: Final = 1_000
_SPECIAL: Final = re.compile(r"[^\w]")


class FieldWeights(Struct, frozen=True):
    """Weights of a match by field; chosen with `thresher bench search`.

    `phrase` applies if a page has the words of the query side by side and in order; `title_phrase` multiplies it if its
    title does.
    """

    title: float = 1.5
    body: float = 1.0
    anchors: float = 1.0
    address: float = 0.3
    phrase: float = 0.5
    title_phrase: float = 2.0

    def stems(self) -> dict[str, float]:
        """Return the non-zero weights of the fields that hold stems."""
        fields = {"title": self.title, "body": self.body, "anchors": self.anchors}
        return {name: weight for name, weight in fields.items() if weight}


USUAL_FIELDS: Final = FieldWeights()


class TextQuery(Struct, frozen=True):
    """A query of the index; no page scores above `most`, and no more than `pages` match."""

    query: tantivy.Query
    most: float
    pages: int


_NOTHING: Final = TextQuery(Query.empty_query(), 0.0, 0)


class TextQueries:
    """Builds queries for one state of the index; `languages` are those of the portal's pages."""

    def __init__(
        self,
        searcher: tantivy.Searcher,
        schema: tantivy.Schema,
        languages: Sequence[str],
        fields: FieldWeights = USUAL_FIELDS,
    ) -> None:
        self._fields = fields
        self._searcher = searcher
        self._schema = schema
        self._languages = languages or ("en",)
        # The index does not change, so its answers can be cached; words recur in queries and suggestions.
        self._frequency = lru_cache(_REMEMBERED)(searcher.doc_freq)
        self._words: dict[tuple[str, bool], TextQuery] = {}
        self._says = lru_cache(_REMEMBERED)(self._says_something)

    def group(self, group: Group, *, scored: bool = True) -> TextQuery:
        """Return the query for a group of words and phrases.

        Without `scored`, clauses that only add to scores are left out; the same pages match.
        """
        wanted = self.required(group)
        made = [(part, self._part(part)) for part in wanted]
        having = Occur.Should if group.any else Occur.Must
        clauses: list[tuple[tantivy.Occur, tantivy.Query]] = []
        most = 0.0
        pages = [self._searcher.num_docs if part.negated else found.pages for part, found in made]
        for part, found in made:
            if part.negated and group.any:
                clauses.append((Occur.Should, _none_of(found.query)))
            elif part.negated:
                clauses.append((Occur.MustNot, found.query))
            else:
                clauses.append((having, found.query))
                most += found.most
        if not group.any:
            for welcome in self._welcome(group.parts, wanted) if scored else ():
                clauses.append((Occur.Should, welcome.query))
                most += welcome.most
            if all(part.negated for part in wanted):
                clauses.append((Occur.Must, _everything()))
        number = sum(pages) if group.any else min(pages, default=0)
        return TextQuery(Query.boolean_query(clauses), most, min(number, self._searcher.num_docs))

    def required(self, group: Group) -> list[Term | Group]:
        """Return the parts of a group that pages must match, or one of them if it is a choice."""
        return [part for part in group.parts if group.any or not self.is_idle(part)] or list(group.parts)

    def is_missing(self, term: Term) -> bool:
        """Return whether no page has a word of a query in any form that counts."""
        if term.kind is TermKind.WORD:
            forms = {stems_of([term.text], code)[0] for code in self._languages}
            # Counting pages is slow for frequent words. The document frequency is immediate but includes removed pages.
            if any(len(stems) == 1 and self._frequency("body", stems[0]) > _FREQUENT for stems in forms):
                return False
        return not self._searcher.search(self._part(term).query, 1, count=False).hits

    def _part(self, part: Term | Group) -> TextQuery:
        return self.group(part) if isinstance(part, Group) else self._term(part)

    def is_idle(self, part: Term | Group) -> bool:
        """Return whether a word is a stop word, such as `the`, in a language of the portal; pages need not have it."""
        if isinstance(part, Group) or part.kind is not TermKind.WORD or part.negated:
            return False
        return not all(self._says(part.text))

    def _says_something(self, word: str) -> list[bool]:
        """Return for each language of the portal whether a word is not a stop word in it."""
        return [bool(stems_of([word], code)[0]) for code in self._languages]

    def are_forms_of_one_word(self, word: str, other: str) -> bool:
        """Return whether two words have the same stems in a language of the portal, so they find the same pages."""
        return any(stems_of([word], code)[0] == stems_of([other], code)[0] for code in self._languages)

    def frequency(self, term: Term) -> int:
        """Return roughly how many pages have a word, by its most frequent stem.

        For words as written, the result is an upper bound.
        """
        if term.kind is not TermKind.WORD:
            return min((self._frequency("words", word) for word in plain_words(term.text).split()), default=0)
        forms = {stems_of([term.text], code)[0] for code in self._languages}
        return max((self._frequency("body", stem) for stems in forms for stem in stems), default=0)

    def _welcome(self, parts: Sequence[Term | Group], wanted: Sequence[Term | Group]) -> Iterator[TextQuery]:
        """Yield optional clauses that raise the score of a page.

        These are words that are stop words in only some languages, and all words side by side.
        """
        for part in parts:
            if isinstance(part, Term) and part not in wanted and any(self._says(part.text)):
                yield self._word(part.text)
        beside = self._side_by_side(parts)
        if beside is not None:
            yield beside

    def _term(self, term: Term) -> TextQuery:
        match term.kind:
            case TermKind.WORD:
                return self._word(term.text)
            case TermKind.PREFIX:
                prefix = _SPECIAL.sub(lambda found: f"\\{found[0]}", plain_words(term.text))
                query = Query.regex_query(self._schema, "words", f"{prefix}.*")
                return TextQuery(query, _PREFIX_SCORE, self._searcher.num_docs)
            case TermKind.TITLE:
                found = plain_words(term.text).split()
                return self._word(found[0], in_title=True) if len(found) == 1 else self._phrase("title_words", found)
            case TermKind.ADDRESS:
                return self._all_of("address", address_words(term.text).split())
            case _:
                found = plain_words(term.text).split()
                return self._phrases(found) if len(found) > 1 else self._all_of("words", found)

    def _word(self, word: str, *, in_title: bool = False) -> TextQuery:
        """Return the query for a word by its stems in all languages of the portal, any of which may match."""
        known = self._words.get((word, in_title))
        if known is None:
            if len(self._words) >= _REMEMBERED:
                self._words.clear()
            known = self._words[word, in_title] = self._by_stems(word, in_title=in_title)
        return known

    def _by_stems(self, word: str, *, in_title: bool) -> TextQuery:
        by_language = {stems_of([word], code)[0] for code in self._languages}
        choices = [self._stems(stems, word, in_title=in_title) for stems in sorted(by_language) if stems]
        if () in by_language or not choices:
            # In some language the word is a stop word and has no stem, but pages have it among their words.
            choices.append(self._all_of("title_words" if in_title else "words", plain_words(word).split()[:1]))
        if len(choices) == 1:
            return choices[0]
        return TextQuery(
            Query.disjunction_max_query([choice.query for choice in choices]),
            max(choice.most for choice in choices),
            sum(choice.pages for choice in choices),
        )

    def _stems(self, stems: Sequence[str], word: str, *, in_title: bool) -> TextQuery:
        made = [self._in_fields(stem, word, in_title=in_title) for stem in dict.fromkeys(stems)]
        if len(made) == 1:
            return made[0]
        return TextQuery(
            Query.boolean_query([(Occur.Must, one.query) for one in made]),
            sum(one.most for one in made),
            min(one.pages for one in made),
        )

    def _in_fields(self, stem: str, word: str, *, in_title: bool) -> TextQuery:
        weights = {"title": 1.0} if in_title else self._fields.stems()
        places = [(field, stem, weight) for field, weight in weights.items()]
        if self._fields.address and not in_title:
            places += [("address", part, self._fields.address) for part in address_words(word).split()[:1]]
        made: list[tuple[tantivy.Occur, tantivy.Query]] = []
        most, pages = 0.0, 0
        for field, text, weight in places:
            number = self._frequency(field, text)
            pages += number
            if number:
                query = Query.term_query(self._schema, field, text, "freq")
                made.append((Occur.Should, Query.boost_query(query, weight)))
                most += weight * _SATURATION * self._rarity(number)
        return TextQuery(Query.boolean_query(made), most, pages) if made else _NOTHING

    def _all_of(self, field: str, found: Sequence[str]) -> TextQuery:
        if not found:
            return _NOTHING
        option = "freq" if field == "address" else "position"
        made = [(Occur.Must, Query.term_query(self._schema, field, word, option)) for word in found]
        numbers = [self._frequency(field, word) for word in found]
        most = sum(_SATURATION * self._rarity(number) for number in numbers)
        return TextQuery(Query.boolean_query(made), most, min(numbers))

    def _phrase(self, field: str, found: Sequence[str]) -> TextQuery:
        query = Query.phrase_query(self._schema, field, list(found))
        numbers = [self._frequency(field, word) for word in found]
        return TextQuery(query, _SATURATION * sum(map(self._rarity, numbers)), min(numbers, default=0))

    def _phrases(self, found: Sequence[str]) -> TextQuery:
        anywhere, title = self._phrase("words", found), self._phrase("title_words", found)
        query = Query.boolean_query(
            [(Occur.Must, anywhere.query), (Occur.Should, Query.boost_query(title.query, self._fields.title_phrase))]
        )
        return TextQuery(query, anywhere.most + self._fields.title_phrase * title.most, anywhere.pages)

    def _side_by_side(self, parts: Sequence[Term | Group]) -> TextQuery | None:
        """Return the query for all plain words of a query side by side, or None if that does not apply."""
        plain = [
            part.text for part in parts if isinstance(part, Term) and part.kind is TermKind.WORD and not part.negated
        ]
        found = plain_words(" ".join(plain)).split()
        weight = self._fields.phrase
        if (
            not weight
            or not 2 <= len(found) <= _LONGEST_PHRASE
            or not all(self._frequency("words", word) for word in found)
        ):
            return None
        phrase = self._phrases(found)
        return TextQuery(Query.boost_query(phrase.query, weight), weight * phrase.most, phrase.pages)

    def _rarity(self, number: int) -> float:
        total = max(self._searcher.num_docs, number)
        return math.log(1.0 + (total - number + 0.5) / (number + 0.5))


def _everything() -> tantivy.Query:
    return Query.const_score_query(Query.all_query(), 0.0)


def _none_of(query: tantivy.Query) -> tantivy.Query:
    return Query.boolean_query([(Occur.Must, _everything()), (Occur.MustNot, query)])
