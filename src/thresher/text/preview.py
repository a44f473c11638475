"""A preview: the few sentences of a text that best represent its topic (Sizov, section 2.3)."""

import re
from collections.abc import Mapping, Sequence
from itertools import chain, pairwise
from math import fsum
from typing import Final

from thresher.text.pieces import words_of_pieces
from thresher.text.sentences import sentences
from thresher.text.stems import stems_of
from thresher.text.words import WORD_BORDER

LOOKED_AT: Final = 20_000
"""Maximum number of characters from which sentences are taken."""

FIRST: Final = (500, 2_000)
"""Numbers of characters to look at first if the first sentences are wanted: that is usually enough."""

SHORTEST: Final = 4
"""Minimum number of words of a sentence; headings and menu items have fewer."""

PROSE: Final = 0.85
"""Minimum share of letters and spaces among the characters of a prose sentence."""

BAR: Final = " | "
"""Separates the items of many menus."""

GAP: Final = " … "
"""Separates two sentences that are not adjacent in the text."""


_ENDED: Final = re.compile(r"[.!?…。！？｡؟۔।॥։።။។][\"'”’»)\]」』）]*\Z").search
_NO_LETTER: Final = re.compile(r"[^\w\s]|[\d_]")


def preview(text: str, weights: Mapping[str, float], language: str, number: int = 3) -> str:
    """Return the best sentences of a text, at most `number`, in order.

    A sentence scores the sum of the weights of its different stems, so repeating a word does not help; ties go to the
    first. Prose comes before listings. If no word has a weight, the first sentences are returned.

    >>> text = "Welcome to our home page. Boats sail the sea. We sell hats. A boat with a sail needs wind."
    >>> preview(text, {"boat": 2.0, "sail": 1.0, "wind": 1.0}, "en", 2)
    'Boats sail the sea. … A boat with a sail needs wind.'
    """
    for looked_at in (LOOKED_AT,) if weights else (*FIRST, LOOKED_AT):
        pieces = sentences(text[:looked_at])
        if len(text) > looked_at and len(pieces) > 1:
            # The last one may be cut in two.
            pieces.pop()
        words, borders = words_of_pieces(pieces)
        spans = list(pairwise(borders))
        long = {piece for piece, (start, end) in zip(pieces, spans, strict=True) if end - start >= SHORTEST}
        if len(long) >= number and sum(not _is_menu(piece) for piece in long) >= number:
            break
    worth = _worth(words, spans, weights, language) if weights else [0.0] * len(pieces)
    # Headings and menus come last, however many distinctive words they have.
    order = sorted(
        range(len(pieces)),
        key=lambda n: (spans[n][1] - spans[n][0] < SHORTEST or _is_menu(pieces[n]), -worth[n], n),
    )
    # Listings and tables are also full of distinctive words, but say less than a sentence with a few of them.
    readable = (n for n in order if worth[n] > 0 and spans[n][1] - spans[n][0] >= SHORTEST and _is_prose(pieces[n]))
    chosen: dict[str, int] = {}
    for place in chain(readable, order):
        if len(chosen) == number:
            break
        chosen.setdefault(pieces[place], place)
    return _joined(pieces, sorted(chosen.values()))


def _is_prose(sentence: str) -> bool:
    """Return whether a sentence is prose: it has an end, and consists of words rather than signs and digits.

    >>> _is_prose("A boat needs wind."), _is_prose("boat_wind = 5 # /etc/boat.cf."), _is_prose("Boats Sails Wind")
    (True, False, False)
    """
    return (
        not _is_menu(sentence) and bool(_ENDED(sentence)) and len(_NO_LETTER.sub("", sentence)) >= PROSE * len(sentence)
    )


def _is_menu(sentence: str) -> bool:
    return sentence.count(BAR) > 1


def _worth(
    words: Sequence[str], spans: Sequence[tuple[int, int]], weights: Mapping[str, float], language: str
) -> list[float]:
    """Return the sum of the weights of the different stems in each span of the words."""
    written = set(words)
    # Each word with the stems that have a weight; most words have none.
    weighing: dict[str, list[tuple[str, float]]] = {}
    for word, stems in zip(written, stems_of(written, language), strict=True):
        if pairs := [(stem, weights[stem]) for stem in stems if stem in weights]:
            weighing[word] = pairs
    found = [weighing.keys() & words[start:end] for start, end in spans]
    # The exact sum does not depend on the order, and sets have none.
    return [fsum(dict(chain.from_iterable(map(weighing.__getitem__, span))).values()) for span in found]


def _joined(found: Sequence[str], chosen: Sequence[int]) -> str:
    """Return the chosen sentences, separated if there are others between them."""
    pieces = [found[n] for n in chosen[:1]]
    for before, here in pairwise(chosen):
        pieces += [" " if here == before + 1 else GAP, found[here]]
    return "".join(pieces).replace(WORD_BORDER, "")
