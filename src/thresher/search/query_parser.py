"""Parses a query. No input is an error: parts that cannot be used are ignored and reported.

solar cells            both words, by their stems
"thin film"            the words side by side, as written
solar -lunar           without a word; the minus works before any part
photo*                 words with this prefix (photo% means the same)
wind OR solar          either word; binds tighter than a space
(wind OR solar) grant  brackets
exact:cells            the word as written
site:example.org conf:>0.8 topic:Energy/Solar     filters
"""

import math
import re
from datetime import UTC, datetime
from typing import Final

from msgspec import Struct

from thresher.search.parsed import Compare, Group, LeftOut, ParsedQuery, Term, TermKind, Why
from thresher.search.sureness import LEVELS
from thresher.text.words import words

LONGEST: Final = 2_000
"""Maximum number of characters read of a query."""

MOST: Final = 64
"""Maximum number of words, phrases and filters used."""

DEEPEST: Final = 16
"""Maximum nesting depth of brackets."""

STATES: Final = ("unreviewed", "right", "moved", "irrelevant")
ANY_TOPIC: Final = "any"
NO_TOPIC: Final = "none"
SHORTEST_PREFIX: Final = 2

_ALIASES: Final = {
    "host": TermKind.SITE,
    "title": TermKind.TITLE,
    "url": TermKind.ADDRESS,
    "type": TermKind.TYPE,
    "language": TermKind.LANGUAGE,
    "confidence": TermKind.CONFIDENCE,
    "probability": TermKind.SURE,
}
_FILTERS: Final = {
    **{kind.value: kind for kind in TermKind if kind not in (TermKind.WORD, TermKind.PREFIX, TermKind.PHRASE)},
    **_ALIASES,
}
_QUOTES: Final = '"“”„«»'
_TOKEN: Final = re.compile(rf"\s+|[()]|[{_QUOTES}]|[^\s(){_QUOTES}]+")
_NAMED: Final = re.compile(r"([A-Za-z]+):(.*)", re.DOTALL)
_COMPARED: Final = re.compile(r"(<=|>=|<|>|=)?\s*(.*)", re.DOTALL)
_DATE: Final = re.compile(r"(\d{4})(?:-(\d{1,2})(?:-(\d{1,2}))?)?")
_NUMBERS: Final = (TermKind.CONFIDENCE, TermKind.SURE)
_COMPARING: Final = (*_NUMBERS, TermKind.FOUND, TermKind.CHANGED)


class _Token(Struct, frozen=True):
    """A token of a query: `(`, `)`, a quoted text, or a run of other characters with an optional quoted end."""

    text: str
    quoted: bool = False
    name: str = ""
    minus: bool = False


def parse(query: str) -> ParsedQuery:
    """Return a query in parsed form.

    >>> parse('solar -"thin film" site:a.test').terms()[1].text
    'thin film'
    >>> parse("conf:>abc").left_out
    (LeftOut(text='conf:>abc', why=<Why.NOT_A_NUMBER: 'not-a-number'>),)
    """
    # Lone surrogates, which terminals may pass on, are not characters.
    text = query[:LONGEST].encode("utf-8", "replace").decode().replace("\x00", " ")
    reader = _Reader(_tokens(text))
    root = reader.group()
    while not reader.ended():
        # An unmatched closing bracket: continue with the rest of the query.
        rest = reader.group()
        root = Group((*root.parts, *rest.parts))
    everything = any(
        term.kind is TermKind.TOPIC and term.text.lower() == ANY_TOPIC for term in ParsedQuery("", root).terms()
    )
    return ParsedQuery(text.strip(), root, tuple(reader.left_out), everything)


def _tokens(text: str) -> list[_Token]:
    """Split a query into tokens; an unclosed quotation mark extends to the end."""
    found: list[_Token] = []
    place = 0
    while place < len(text):
        match = _TOKEN.match(text, place)
        if match is None:
            break
        piece = match[0]
        place = match.end()
        if piece.isspace():
            continue
        minus = piece.startswith(("-", "−")) and len(piece) > 1
        bare = piece[1:] if minus else piece
        lone_minus = piece in ("-", "−") and place < len(text) and text[place] in f"({_QUOTES}"
        if lone_minus:
            minus, bare = True, text[place]
            place += 1
        if bare in _QUOTES and len(bare) == 1:
            quoted, place = _quoted(text, place)
            found.append(_Token(quoted, quoted=True, minus=minus))
        elif bare.endswith(":") and bare[:-1].lower() in _FILTERS and place < len(text) and text[place] in _QUOTES:
            quoted, place = _quoted(text, place + 1)
            found.append(_Token(quoted, quoted=True, name=bare[:-1].lower(), minus=minus))
        elif (named := _NAMED.fullmatch(bare)) and named[1].lower() in _FILTERS:
            value, place = _value(text, named[2], place)
            found.append(_Token(value, name=named[1].lower(), minus=minus))
        else:
            found.append(_Token(bare, minus=minus))
    return found


def _quoted(text: str, start: int) -> tuple[str, int]:
    ends = [place for mark in _QUOTES if (place := text.find(mark, start)) >= 0]
    end = min(ends, default=len(text))
    return text[start:end], end + 1


def _value(text: str, value: str, place: int) -> tuple[str, int]:
    """Include the balanced brackets that belong to a URL."""
    while place < len(text) and not text[place].isspace():
        if text[place] == ")" and value.count(")") >= value.count("("):
            break
        value += text[place]
        place += 1
    return value, place


class _Reader:
    """Builds groups from tokens."""

    def __init__(self, tokens: list[_Token]) -> None:
        self._tokens = tokens
        self._place = 0
        self._depth = 0
        self._ignored = 0
        self._number = 0
        self.left_out: list[LeftOut] = []

    def ended(self) -> bool:
        return self._place >= len(self._tokens)

    def group(self, negated: bool = False) -> Group:
        """Read up to the bracket that closes this group, or to the end."""
        parts: list[Term | Group] = []
        alternative = negate = False
        while not self.ended():
            token = self._tokens[self._place]
            self._place += 1
            plain = not token.quoted and not token.name
            if plain and token.text == ")":
                if not self._ignored:
                    break
                self._ignored -= 1
                continue
            if plain and token.text in ("OR", "|") and not token.minus:
                alternative = bool(parts)
                continue
            if plain and token.text in ("AND", "&", "NOT") and not token.minus:
                negate = token.text == "NOT" or negate
                continue
            part = self._part(token, negate)
            negate = False
            if part is None:
                continue
            if alternative:
                before = parts.pop()
                others = before.parts if isinstance(before, Group) and before.any else (before,)
                parts.append(Group((*others, part), any=True))
                alternative = False
            else:
                parts.append(part)
        return Group(tuple(parts), negated=negated)

    def _part(self, token: _Token, negate: bool) -> Term | Group | None:
        minus = token.minus or negate
        if not token.quoted and not token.name and token.text == "(":
            if self._depth >= DEEPEST:
                self._ignored += 1
                if self._ignored == 1:
                    self.left_out.append(LeftOut("(", Why.TOO_DEEP))
                return None
            self._depth += 1
            inner = self.group(minus)
            self._depth -= 1
            if not inner.parts:
                return None
            alone = inner.parts[0] if len(inner.parts) == 1 and not minus else None
            return alone or inner
        if self._number >= MOST:
            self.left_out.append(LeftOut(_typed(token), Why.TOO_MANY))
            return None
        made = _filter(token) if token.name else _text(token)
        if isinstance(made, Why):
            self.left_out.append(LeftOut(_typed(token), made))
            return None
        self._number += 1
        return Term(made.kind, made.text, minus, made.compare)


def _typed(token: _Token) -> str:
    value = f'"{token.text}"' if token.quoted else token.text
    return f"{'-' if token.minus else ''}{token.name}{':' if token.name else ''}{value}"


def _text(token: _Token) -> Term | Why:
    text = token.text.strip()
    if token.quoted:
        found = words(text)
        return Term(TermKind.PHRASE if len(found) > 1 else TermKind.EXACT, text) if found else Why.NO_WORD
    if text[-1:] in "*%" and text:
        return _prefix(text.rstrip("*%"))
    if "://" in text:
        return Term(TermKind.ADDRESS, text)
    found = words(text)
    if not found:
        return Why.NO_WORD
    return Term(TermKind.WORD if len(found) == 1 else TermKind.PHRASE, found[0] if len(found) == 1 else text)


def _prefix(text: str) -> Term | Why:
    found = words(text)
    if len(found) != 1:
        return Why.NO_WORD
    return Term(TermKind.PREFIX, found[0]) if len(found[0]) >= SHORTEST_PREFIX else Why.TOO_SHORT


def _filter(token: _Token) -> Term | Why:
    kind, text = _FILTERS[token.name], token.text.strip()
    if not text:
        return Why.EMPTY
    if kind is TermKind.SURE and text.lower() in LEVELS:
        return Term(kind, text.lower())
    if kind in _COMPARING:
        return _compared(kind, text)
    if kind is TermKind.STATE:
        return Term(kind, text.lower()) if text.lower() in STATES else Why.NOT_A_STATE
    if kind in (TermKind.EXACT, TermKind.TITLE, TermKind.ADDRESS) and not re.search(r"\w", text):
        return Why.NO_WORD
    if kind is TermKind.EXACT and len(words(text)) != 1:
        return Term(TermKind.PHRASE, text) if words(text) else Why.NO_WORD
    return Term(kind, text)


def _compared(kind: TermKind, text: str) -> Term | Why:
    match = _COMPARED.fullmatch(text)
    sign, value = (match[1], match[2].strip()) if match else (None, text)
    compare = Compare(sign) if sign else Compare.AT_LEAST if kind in _NUMBERS else Compare.EQUAL
    if kind in _NUMBERS:
        return Why.NOT_A_NUMBER if number_of(value) is None else Term(kind, value, compare=compare)
    return Why.NOT_A_DATE if span_of(value) is None else Term(kind, value, compare=compare)


def number_of(text: str) -> float | None:
    """Return the number in a text, or None if it is not a number.

    >>> number_of("0.8"), number_of("80%"), number_of("nan")
    (0.8, 0.8, None)
    """
    try:
        value = float(text.removesuffix("%")) / (100.0 if text.endswith("%") else 1.0)
    except ValueError:
        return None
    return value if math.isfinite(value) else None


def span_of(text: str) -> tuple[float, float] | None:
    """Return the start and end of a year, month or day as wall times in UTC, or None if the text is not a date.

    >>> [end - begin for begin, end in [span_of("2026-11-01")]], span_of("yesterday")
    ([86400.0], None)
    """
    match = _DATE.fullmatch(text)
    if match is None:
        return None
    year, month, day = int(match[1]), int(match[2] or 0), int(match[3] or 0)
    try:
        begin = datetime(year, month or 1, day or 1, tzinfo=UTC)
        if day:
            return begin.timestamp(), begin.timestamp() + 86_400.0
        after = datetime(year + (month in (0, 12)), month % 12 + 1 if month else 1, 1, tzinfo=UTC)
    except (ValueError, OverflowError):
        return None
    return begin.timestamp(), after.timestamp()
