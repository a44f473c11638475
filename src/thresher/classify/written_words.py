"""Stems as written: shows the most frequent form of each stem in the training pages."""

from collections import Counter
from collections.abc import Collection, Iterable

from thresher.text.stems import stems_of
from thresher.text.words import words
from thresher.types import ParsedPage


def written_forms(pages: Iterable[ParsedPage], stems: Collection[str]) -> dict[str, str]:
    """Return for each stem its most frequent written form, if that differs from the stem.

    Case is ignored, and the form is shown in its most frequent case; of equally frequent forms the shorter counts, then
    the first in alphabetical order. A compound has several stems and is not a form of any.

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
    forms = {stem: _most(cases[_most(found)]) for stem, found in counts.items()}
    return {stem: form for stem, form in sorted(forms.items()) if form != stem}


def _most(counts: Counter[str]) -> str:
    # Lower case sorts before upper case: a word that is capitalised half of the time is not a name.
    return min(counts, key=lambda form: (-counts[form], len(form), form.swapcase()))
