"""A parsed query as data: words, phrases, filters, and the parts that could not be used.

This module contains no wording. `search/sentence.py` puts a query into English; a portal may use another language.
"""

from collections.abc import Iterable
from enum import StrEnum

from msgspec import Struct


class TermKind(StrEnum):
    """The kinds of terms in a query."""

    WORD = "word"
    EXACT = "exact"
    PREFIX = "prefix"
    PHRASE = "phrase"
    TITLE = "intitle"
    ADDRESS = "inurl"
    SITE = "site"
    TYPE = "filetype"
    LANGUAGE = "lang"
    TOPIC = "topic"
    CONFIDENCE = "conf"
    SURE = "sure"
    FOUND = "found"
    CHANGED = "changed"
    STATE = "state"
    LINKS_TO = "linksto"
    LINKED_FROM = "linkedfrom"
    SIMILAR = "similar"
    MODEL = "model"


TEXTUAL = frozenset([TermKind.WORD, TermKind.EXACT, TermKind.PREFIX, TermKind.PHRASE, TermKind.TITLE, TermKind.ADDRESS])
"""Kinds that are looked up in the words of pages; all others are filters."""


class Compare(StrEnum):
    """How a filter compares a number or a date."""

    LESS = "<"
    AT_MOST = "<="
    EQUAL = "="
    AT_LEAST = ">="
    MORE = ">"


class Term(Struct, frozen=True):
    """One word, phrase or filter. `text` is as typed; `negated` excludes pages that match.

    `compare` applies only to numbers and dates.
    """

    kind: TermKind
    text: str
    negated: bool = False
    compare: Compare = Compare.EQUAL


class Group(Struct, frozen=True):
    """Several parts: all are required, or just one if `any`."""

    parts: "tuple[Term | Group, ...]" = ()
    any: bool = False
    negated: bool = False


class Why(StrEnum):
    """Why part of a query was ignored."""

    NOT_A_NUMBER = "not-a-number"
    NOT_A_DATE = "not-a-date"
    NOT_A_STATE = "not-a-state"
    NOT_AN_ADDRESS = "not-an-address"
    UNKNOWN_TOPIC = "unknown-topic"
    UNKNOWN_PAGE = "unknown-page"
    NO_WORD = "no-word"
    EMPTY = "empty"
    TOO_SHORT = "too-short"
    TOO_MANY = "too-many"
    TOO_DEEP = "too-deep"


class LeftOut(Struct, frozen=True):
    """A part of a query that was ignored, as typed, and why."""

    text: str
    why: Why


class ParsedQuery(Struct, frozen=True):
    """A query as it was understood; `everything` if it includes rejected pages (`topic:any`)."""

    text: str
    root: Group = Group()
    left_out: tuple[LeftOut, ...] = ()
    everything: bool = False

    def terms(self) -> list[Term]:
        """Return all words, phrases and filters of the query in order, including those in groups."""
        found: list[Term] = []
        waiting: list[Term | Group] = [self.root]
        while waiting:
            part = waiting.pop()
            if isinstance(part, Term):
                found.append(part)
            else:
                waiting += reversed(part.parts)
        return found


def narrowed(query: ParsedQuery, within: Iterable[ParsedQuery]) -> ParsedQuery:
    """Return a query that also requires everything that earlier queries asked for."""
    for earlier in within:
        if earlier.root.parts:
            root = Group((*earlier.root.parts, *query.root.parts))
            left_out = (*earlier.left_out, *query.left_out)
            text = f"{earlier.text} {query.text}".strip()
            query = ParsedQuery(text, root, left_out, query.everything or earlier.everything)
    return query
