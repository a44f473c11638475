"""Stems as written: shows the most frequent form of each stem in the training pages."""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from typing import Final

from thresher.text.stems import stems_of
from thresher.text.words import words
from thresher.types import ParsedPage

NAME: Final = 0.8
"""Share of its occurrences at which a word with capitals is shown with them; headings and titles have some, too."""

ACRONYM: Final = 6
"""Maximum number of letters of a word that is shown in capitals throughout."""


def written_forms(pages: Iterable[ParsedPage], stems: Collection[str]) -> dict[str, str]:
    """Return for each stem its most frequent written form, if that differs from the stem.

    Case is ignored in counting. The form is shown in lower case unless it nearly always has capitals, as names and
    German nouns do. Of equally frequent forms the shorter counts, then the first in alphabetical order. A compound has
    several stems and is not a form of any.

    >>> words = ["Boats", "boats", "boating", "boats"]
    >>> page = ParsedPage(url="", title="Boating", words=words, links=[], language="en")
    >>> written_forms([page], ["boat"])
    {'boat': 'boats'}
    """
    wanted = frozenset(stems)
    counts: dict[str, Counter[str]] = {}
    cases: dict[str, Counter[str]] = {}
    for page in pages:
        tally = Counter(words(page.title) + page.words)
        for (word, number), counted in zip(tally.items(), stems_of(tally, page.language), strict=True):
            if len(counted) == 1 and counted[0] in wanted:
                lower = word.lower()
                counts.setdefault(counted[0], Counter())[lower] += number
                cases.setdefault(lower, Counter())[word] += number
    forms = {stem: _cased(cases[_most(found)]) for stem, found in counts.items()}
    return {stem: form for stem, form in sorted(forms.items()) if form != stem}


def _most(counts: Mapping[str, int]) -> str:
    # Lower case sorts before upper case.
    return min(counts, key=lambda form: (-counts[form], len(form), form.swapcase()))


def _cased(cases: Mapping[str, int]) -> str:
    """Return the case in which a word is shown.

    >>> _cased({"Finite": 5, "finite": 3}), _cased({"Mailman": 9, "mailman": 1}), _cased({"SMTP": 4})
    ('finite', 'Mailman', 'SMTP')
    >>> _cased({"DUPLICATE": 4})
    'duplicate'
    """
    most = _most(cases)
    is_shouted = most.isupper() and len(most) > ACRONYM
    return most.lower() if is_shouted or cases[most] < NAME * sum(cases.values()) else most
