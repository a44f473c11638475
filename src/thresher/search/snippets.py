"""Excerpts of a page's text that best show why it was found, with the matching words marked."""

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from msgspec import Struct

from thresher.search.page_fields import lower_words, plain_words
from thresher.search.parsed import ParsedQuery, Term, TermKind
from thresher.search.results import Snippet
from thresher.store.search_records import PageHead
from thresher.text.language import primary
from thresher.text.sentences import sentences
from thresher.text.stems import stems_of
from thresher.text.words import WORD_BORDER, is_unspaced, words

LENGTH: Final = 200
"""Approximate length of a snippet in characters."""

LOOKED_AT: Final = 60_000
"""Characters of a text searched for the best excerpt."""

_GAP: Final = " … "
_SHORT: Final = 40
_PIECES: Final = 2
# Matches of a sentence that are looked at for the place to cut it.
_TRIED: Final = 50
_MENU: Final = " | "
_JOINTS: Final = re.compile("[-'’]")
_OTHER_BEGINNINGS: Final = frozenset(["ar", "ga", "id", "nl", "sr", "st", "yi"])
"""Languages whose stemmer may change the start of a word; all others keep its first letter, accents aside."""

_JOINERS: Final = "'-"
_MARKING: Final = (TermKind.WORD, TermKind.EXACT, TermKind.PREFIX, TermKind.PHRASE, TermKind.TITLE)


class Marks(Struct, frozen=True):
    """The words to mark in a text: words as written, prefixes, and words matched by their stems."""

    exact: frozenset[str]
    prefixes: tuple[str, ...]
    stemmed: tuple[str, ...]
    pairs: frozenset[str]

    def __bool__(self) -> bool:
        return bool(self.exact or self.prefixes or self.stemmed or self.pairs)


def marks(query: ParsedQuery) -> Marks:
    """Return the words of a query to mark in texts."""
    terms = [term for term in query.terms() if term.kind in _MARKING and not term.negated]
    exact = [word for term in terms if term.kind in (TermKind.EXACT, TermKind.PHRASE) for word in _cut(term)]
    prefixes = [plain_words(term.text) for term in terms if term.kind is TermKind.PREFIX]
    stemmed = [word for term in terms if term.kind in (TermKind.WORD, TermKind.TITLE) for word in _cut(term)]
    pairs = frozenset(word for word in (*exact, *stemmed) if is_unspaced(word[:1]))
    return Marks(frozenset(exact) - pairs, tuple(prefixes), tuple(word for word in stemmed if word not in pairs), pairs)


def _cut(term: Term) -> list[str]:
    return [word.lower() for word in words(term.text)]


def snippets(pages: Sequence[PageHead], wanted: Marks, length: int = LENGTH) -> list[Snippet]:
    """Return the best excerpt of each page for a query, or its preview if the query does not concern the text.

    The robots directives `nosnippet` and `max-snippet` of a page are respected.
    """
    texts = [page.text[:LOOKED_AT].replace(WORD_BORDER, "") if wanted else "" for page in pages]
    by_language: dict[str, list[str]] = {}
    for page, text in zip(pages, texts, strict=True):
        by_language.setdefault(page.language, []).append(text)
    # Process all texts of a language together, so each word is stemmed only once.
    written = {code: _written("\n".join(own), wanted, code) for code, own in by_language.items()}
    return [
        _snippet(page, text, wanted, written[page.language], length) for page, text in zip(pages, texts, strict=True)
    ]


def _snippet(page: PageHead, text: str, wanted: Marks, written: "_Written", length: int) -> Snippet:
    length = _allowed(page.robots, length)
    if not length:
        return Snippet()
    if not wanted:
        return Snippet(_shortened(page.preview or page.text[:LENGTH], length))
    pieces = sentences(text)
    spans = _spans_by_sentence(pieces, written)
    chosen = _chosen(pieces, spans, page.title)
    if not any(spans[place] for place in chosen) and page.preview:
        return Snippet(_shortened(page.preview, length), ())
    return _joined([(pieces[place], spans[place]) for place in sorted(chosen)], length)


def _allowed(robots: Iterable[str], length: int) -> int:
    for wish in robots:
        if wish == "nosnippet":
            return 0
        name, _, number = wish.partition(":")
        if name == "max-snippet" and number.strip().isdigit():
            length = min(length, int(number))
    return length


class _Written(Struct, frozen=True):
    """The words of a query that occur in some texts, in lower case; character pairs in scripts without spaces."""

    words: tuple[str, ...]
    pairs: tuple[str, ...]


def _written(text: str, wanted: Marks, language: str) -> _Written:
    """Return the words of a text that match a query.

    Each distinct word is checked once, which is much faster than checking each occurrence.
    """
    stems = {stem for found in stems_of(wanted.stemmed, language) for stem in found}
    written = set(lower_words(text))
    found = written & wanted.exact | written.intersection(wanted.stemmed)
    if stems:
        keep_all = primary(language) in _OTHER_BEGINNINGS
        alike = list(written) if keep_all else _beginning_alike(written, stems)
        each = zip(alike, stems_of(alike, language), strict=True)
        found.update(word for word, own in each if not stems.isdisjoint(own))
    if wanted.prefixes:
        found.update(word for word in written if word.startswith(wanted.prefixes))
    return _Written(tuple(sorted(found)), tuple(sorted(wanted.pairs)))


def _beginning_alike(written: Iterable[str], stems: Iterable[str]) -> list[str]:
    """Return the words with a part that begins with the first letter of one of some stems.

    Stemmers that change only endings cannot map any other word to these stems, and stemming is slow.

    >>> sorted(_beginning_alike(["boats", "hand-built", "äpfel", "tea"], ["boat", "apfel"]))
    ['boats', 'hand-built', 'äpfel']
    """
    letters = {_first_letter(stem) for stem in stems}
    alike = {word for word in written if word[0] in letters}
    # For a plain word, its own first letter is enough.
    others = [word for word in written if not word.isalnum() or not word.isascii()]
    return [*alike, *(word for word in others if word not in alike and not letters.isdisjoint(_beginnings(word)))]


def _beginnings(word: str) -> set[str]:
    """Return the first letters of the parts of a word."""
    return {_first_letter(part) for part in (*_JOINTS.split(word), *word.split("-")) if part}


def _first_letter(word: str) -> str:
    letter = unicodedata.normalize("NFD", word[0])[0]
    return "s" if letter == "ß" else letter


def _spans_by_sentence(pieces: Sequence[str], written: _Written) -> list[list[tuple[int, int]]]:
    """Return where the words of a query occur in each sentence.

    Searching all sentences at once is much faster than searching each.

    >>> _spans_by_sentence(["A boat.", "None.", "The boat, a boat"], _Written(("boat",), ()))
    [[(2, 6)], [], [(4, 8), (12, 16)]]
    """
    found: list[list[tuple[int, int]]] = [[] for _ in pieces]
    place, begin = 0, 0
    # No word contains a line break, and none continues across one.
    for start, end in _spans("\n".join(pieces), written):
        while start > begin + len(pieces[place]):
            begin += len(pieces[place]) + 1
            place += 1
        found[place].append((start - begin, end - begin))
    return found


def _spans(text: str, written: _Written) -> list[tuple[int, int]]:
    """Return where the words of a query occur in a text.

    An occurrence inside a longer or compound word does not count: "mail" does not match in "e-mail".

    >>> _spans("E-mail, mail and the mailman’s Mail", _Written(("mail",), ()))
    [(8, 12), (31, 35)]
    """
    plain = _lowered(text)
    spans = [span for word in written.words for span in _places(plain, word) if _is_whole(plain, *span)]
    spans += [span for pair in written.pairs for span in _places(plain, pair)]
    return _united(spans)


def _lowered(text: str) -> str:
    """Return a text in lower case with every character at its original position."""
    lowered = text.lower()
    if len(lowered) != len(text):
        lowered = "".join(letter.lower() if len(letter.lower()) == 1 else letter for letter in text)
    return lowered.replace("’", "'")


def _places(text: str, word: str) -> Iterator[tuple[int, int]]:
    start = text.find(word)
    while start >= 0:
        yield start, start + len(word)
        start = text.find(word, start + len(word))


def _is_whole(text: str, start: int, end: int) -> bool:
    if text[end : end + 1] == " " and (not start or text[start - 1] == " "):
        return True
    before, behind = text[max(0, start - 2) : start], text[end : end + 2]
    if before[-1:].isalnum() or behind[:1].isalnum():
        return False
    joined_before = len(before) == 2 and before[1] in _JOINERS and before[0].isalnum()
    return not joined_before and not (len(behind) == 2 and behind[0] in _JOINERS and behind[1].isalnum())


def _united(spans: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    merged: list[tuple[int, int]] = []
    for start, end in sorted(spans):
        if merged and start <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, end))
    return merged


def _chosen(pieces: Sequence[str], spans: Sequence[Sequence[tuple[int, int]]], title: str) -> list[int]:
    """Return the one or two sentences that show most of the query; the second adds words that the first lacks."""
    places = [place for place, own in enumerate(spans) if own]
    found = {place: {pieces[place][start:end].lower() for start, end in spans[place]} for place in places}
    # The title is shown above the snippet anyway.
    heading = title.casefold()
    fit = [place for place in places if pieces[place].casefold() not in heading] or places
    chosen: list[int] = []
    shown: set[str] = set()
    while fit and len(chosen) < _PIECES:
        # The first of the best; most pages have only one.
        best = fit[0] if len(fit) == 1 else max(fit, key=lambda at: _worth(pieces[at], spans[at], found[at] - shown))
        chosen.append(best)
        shown |= found[best]
        fit.remove(best)
    return chosen or list(range(min(1, len(pieces))))


def _worth(text: str, spans: Sequence[tuple[int, int]], new: set[str]) -> float:
    """Return the worth of a sentence.

    New words count most, then the number of matches; menus and short sentences count half.
    """
    plain = 1.0 if len(text) >= _SHORT and _MENU not in text else 0.5
    return plain * (len(new) + min(len(spans), 5) / 10)


def _joined(pieces: Sequence[tuple[str, Sequence[tuple[int, int]]]], length: int) -> Snippet:
    text = ""
    marked: list[tuple[int, int]] = []
    share = max(1, (length - len(_GAP) * (len(pieces) - 1)) // max(1, len(pieces)))
    for place, (sentence, spans) in enumerate(pieces):
        room = share if place + 1 < len(pieces) else length - len(text) - (len(_GAP) if text else 0)
        piece, moved = _window(sentence, spans, max(1, room))
        if text:
            # A truncated piece has its own ellipsis.
            text = text.removesuffix(" …") + (" " if piece.startswith("… ") else _GAP)
        marked += [(start + len(text), end + len(text)) for start, end in moved]
        text += piece
    return Snippet(text, tuple(marked))


def _window(text: str, spans: Sequence[tuple[int, int]], length: int) -> tuple[str, list[tuple[int, int]]]:
    """Cut a sentence to a length, at spaces, where it has most of the words of the query."""
    if len(text) <= length:
        return text, list(spans)
    first = _densest(text, spans, length - length // 4)
    begin = max(0, min(first - length // 4, len(text) - length))
    if begin:
        blank = text.find(" ", begin, first)
        begin = blank + 1 if blank >= 0 else begin
    piece = _shortened(text[begin:], length - (2 if begin else 0))
    lead = "… " if begin else ""
    kept = len(piece.removesuffix(" …"))
    inside = [(start - begin, end - begin) for start, end in spans if begin <= start and end - begin <= kept]
    moved = [(start + len(lead), end + len(lead)) for start, end in inside]
    return lead + piece, moved


def _densest(text: str, spans: Sequence[tuple[int, int]], length: int) -> int:
    """Return the first match from which `length` characters have most different words; 0 if there are no matches.

    >>> _densest("a boat, and much later a boat with a sail", [(2, 6), (25, 29), (37, 41)], 20)
    25
    """
    best, most = 0, 0
    tried = spans[:_TRIED]
    for start, _ in tried:
        inside = {text[begin:end].lower() for begin, end in tried if begin >= start and end <= start + length}
        if len(inside) > most:
            best, most = start, len(inside)
    return best


def _shortened(text: str, length: int) -> str:
    """Cut a text at a space to at most `length` characters.

    >>> _shortened("one two three", 9)
    'one two …'
    """
    plain = " ".join(text.replace(WORD_BORDER, "").split()) if "\n" in text or WORD_BORDER in text else text
    if len(plain) <= length:
        return plain
    blank = plain.rfind(" ", 0, length - 1)
    return f"{plain[:blank]} …" if blank > 0 else plain[:length]
