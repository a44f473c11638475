"""Sample queries for the home page: phrases that a topic's page titles have in common."""

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import pairwise
from typing import Final

from thresher.store.portal_records import ListedPage
from thresher.text.stems import stem
from thresher.text.stop_words import stop_words
from thresher.text.words import words

SHORTEST: Final = 4
"""Minimum number of letters of a word that is understandable on its own; shorter ones are often abbreviations."""

LONGEST: Final = 30
"""Maximum number of letters of a word in a query; titles may contain anything."""

FRAME: Final = 0.5
"""Share of a site's titles above which a phrase is the name of the site or of its kind of page."""

_KNOWN: Final = 4
"""Minimum number of titles that show the frame of a site."""

_BREAKS: Final = re.compile(r"\s[-–—]\s|[^\w\s'’-]")


def sample_queries(
    pages: Sequence[ListedPage], telling: Collection[str], others: Iterable[ListedPage] = ()
) -> list[str]:
    """Return phrases of two words from the titles of a topic's pages, at least one of them among its `telling` words.

    Phrases of two telling words come first, then those on many sites and in many titles. All are in lower case, as
    people write queries, except in German. Phrases in titles of `others`, pages of other topics, are left out.
    """
    common = {phrase for page in others for phrase, _ in _phrases(page)}
    titles: Counter[str] = Counter(page.host for page in pages)
    hosts: defaultdict[str, Counter[str]] = defaultdict(Counter)
    stems: dict[str, tuple[str, str]] = {}
    for page in pages:
        for phrase, stemmed in {found for found in _phrases(page) if found[0] not in common}:
            hosts[phrase][page.host] += 1
            stems[phrase] = stemmed
    wanted = {stem(word, language) for language in {page.language for page in pages} for word in telling}
    found = []
    for phrase, on in hosts.items():
        on_hosts = [number for host, number in on.items() if not _is_frame(number, titles[host])]
        telling_words = sum(one in wanted for one in stems[phrase])
        if on_hosts and telling_words:
            found.append((-telling_words, -len(on_hosts), -sum(on_hosts), phrase))
    return [phrase for *_, phrase in sorted(found)]


def _phrases(page: ListedPage) -> Iterator[tuple[str, tuple[str, str]]]:
    """Yield the pairs of adjacent understandable words in a title, with their stems."""
    stop = stop_words(page.language)
    for part in _BREAKS.split(page.title):
        written = words(part)
        for first, second in pairwise(written):
            if is_plain(first) and is_plain(second) and stop.isdisjoint((first.lower(), second.lower())):
                stemmed = stem(first, page.language), stem(second, page.language)
                if stemmed[0] != stemmed[1]:
                    phrase = f"{first} {second}"
                    yield phrase if page.language == "de" else phrase.lower(), stemmed


def _is_frame(number: int, titles: int) -> bool:
    return titles >= _KNOWN and number > FRAME * titles


def is_plain(word: str) -> bool:
    """Return whether a word is understandable on its own, unlike abbreviations and numbers."""
    plain = word.replace("-", "").isalpha() and len(word) <= LONGEST
    return plain and (len(word) >= SHORTEST or not word.isascii())


def first_plain(telling: Iterable[str], number: int = 2) -> str:
    """Return the first understandable words as a query."""
    return " ".join([word for word in telling if is_plain(word)][:number])
