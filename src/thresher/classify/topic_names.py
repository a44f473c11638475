"""Uses the names of topics: somebody who calls a folder *Astronomy* has said what its pages are about.

A handful of pages of one site teach the words of that site. The name is the one word known to hold on other sites too,
so it counts for the topic more than any word of the examples. A name that no page uses says nothing, and one that pages
of every kind use moves the null of the topic (`null_margins.py`) along with everything else.
"""

import re
from collections.abc import Iterable, Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from thresher.text.language import primary
from thresher.text.stems import count_stems
from thresher.text.words import words
from thresher.types import ParsedPage

WORTH: Final = 3.0
"""Weight of a one-word name, relative to the strongest words of the topic."""

BEST: Final = 10
"""Number of words that count as the strongest of a topic."""

_JOINTS: Final = re.compile(r"[_.\-]+|(?<=[a-z])(?=[A-Z])")
"""Where names written as one word are split: `African_Geography`, `WebFrameworks`."""


def name_stems(names: Iterable[str], pages: Iterable[ParsedPage]) -> list[str]:
    """Return the stems of names, in the languages of pages; stop words have none.

    >>> page = ParsedPage(url="", title="", words=[], links=[], language="en")
    >>> name_stems(["Web_frameworks", "Design and Technology"], [page])
    ['design', 'framework', 'technolog', 'web']
    """
    said = [word for name in names for word in words(_JOINTS.sub(" ", name))]
    languages = {primary(page.language) for page in pages if page.language} or {""}
    return sorted({stem for language in languages for stem in count_stems(said, language)})


def with_name(weights: NDArray[np.float64], places: Sequence[int]) -> NDArray[np.float64]:
    """Return the weights of a topic's words with those of its name, at `places`, raised.

    The more words a name has, the less each of them counts.

    >>> with_name(np.array([1.0, 0.5, 0.0]), [2]).tolist()
    [1.0, 0.5, 1.5]
    """
    if not len(places):
        return weights
    best = np.sort(weights)[-BEST:]
    raised = weights.copy()
    raised[np.asarray(places)] += WORTH * max(0.0, float(best.mean())) / len(places) ** 0.5
    return raised
