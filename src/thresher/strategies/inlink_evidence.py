"""What all known links to a URL say together: their mean, drawn towards what links say in general, and their best.

A page that many link to collects a good word here and there, so that the best of its links says little and their sum
nothing at all; the mean of all of them says most. With one or two links the mean is drawn to that of all links met so
far. This evidence travels in the memo of the waiting candidate: it survives a kill and costs the strategy no memory.
"""

from typing import Final

from thresher.types import Memo

PARENTS: Final = 8
"""Linking pages remembered with a URL: the first ones."""

MOST_TOKENS: Final = 36
"""Tokens remembered with a URL, so that they fit into a memo."""

BEST: Final = 0.2
"""Share of the best link beside the mean."""

DRAWN: Final = 1.0
"""Links' worth of the general mean in the mean of a URL."""

_DIGITS: Final = 4
_KEYS: Final = frozenset("nsmwhkc")


def of_link(value: float, fixed: float, parent: int | None, tokens: list[int]) -> Memo:
    """Return the memo of a URL with one link: `value` is its evidence, `fixed` that of the fixed scorer.

    The keys: `n` links, `s` the sum and `m` the best of their evidence, `w` the best by the fixed scorer, `h` the
    linking pages, `k` tokens of `c` links.

    >>> joined(of_link(2.0, 1.0, 7, [5]), of_link(0.0, 1.5, 8, [6]))
    {'n': 2, 's': 2.0, 'm': 2.0, 'w': 1.5, 'h': [7, 8], 'k': [5, 6], 'c': 2}
    """
    rounded = round(value, _DIGITS)
    parents = [] if parent is None else [parent]
    return {"n": 1, "s": rounded, "m": rounded, "w": round(fixed, _DIGITS), "h": parents, "k": tokens, "c": 1}


def is_evidence(memo: Memo) -> bool:
    """Tell whether a memo is one of these, and not handed down by another kind of strategy.

    >>> is_evidence(of_link(2.0, 1.0, 7, [5])), is_evidence({"topic": "Boats", "steps": 1})
    (True, False)
    """
    return memo.keys() >= _KEYS


def joined(known: Memo, new: Memo) -> Memo:
    """Return the memo of a URL that was found again; a page that is among its linking pages says nothing new."""
    if any(parent in known["h"] for parent in new["h"]):
        return known
    room = len(known["k"]) + len(new["k"]) <= MOST_TOKENS
    return {
        "n": known["n"] + new["n"],
        "s": round(known["s"] + new["s"], _DIGITS),
        "m": max(known["m"], new["m"]),
        "w": max(known["w"], new["w"]),
        "h": (known["h"] + new["h"])[:PARENTS],
        "k": known["k"] + new["k"] if room else known["k"],
        "c": known["c"] + new["c"] if room else known["c"],
    }


def together(memo: Memo, general: float) -> float:
    """Return the evidence of all links to a URL; `general` is the mean over all links met.

    >>> round(together(of_link(2.0, 1.0, None, []), general=0.0), 2)
    1.2
    """
    mean = (memo["s"] + DRAWN * general) / (memo["n"] + DRAWN)
    return float(BEST * memo["m"] + (1.0 - BEST) * mean)
