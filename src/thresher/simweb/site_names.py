"""Names for the hosts of a web in real English, depending on what each host writes about."""

import re
from collections.abc import Sequence
from random import Random
from typing import Final

from thresher.simweb.english import English
from thresher.simweb.lexicon import lexicon

_ASCII: Final = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "ß": "ss"})
_NO_WORD: Final = re.compile(r"[^a-z0-9]+")
_SMALL: Final = ("a", "an", "and", "do", "for", "in", "is", "of", "on", "or", "the", "to", "with", "you", "your")


def slug(text: str) -> str:
    """Return a text as a part of an address.

    >>> slug("A(n) baker's notebook: crumb & crust")
    'a-n-bakers-notebook-crumb-crust'
    """
    return _NO_WORD.sub("-", text.lower().translate(_ASCII).replace("'", "")).strip("-")


def telling_words(title: str) -> tuple[str, str]:
    """Return the words of a title to use in an address, in two parts.

    >>> telling_words("Choosing a compressor for a quiet heat pump")
    ('choosing-compressor', 'quiet-heat-pump')
    """
    words = [word for word in slug(title).split("-") if word not in _SMALL] or ["page"]
    return "-".join(words[:2]), "-".join(words[2:5]) or "notes"


def site_names(
    english: English, themes: Sequence[int], directories: Sequence[bool], rng: Random
) -> list[tuple[str, str]]:
    """Return a host name and a site name for each host; host names are unique."""
    lists = lexicon().manners["en"].lists
    unused: dict[int, list[str]] = {}
    lists_of_links = list(lists["directories"])
    names: list[tuple[str, str]] = []
    taken: set[str] = set()
    for theme, directory in zip(themes, directories, strict=True):
        left = unused.setdefault(theme, _mixed(english.themes[theme].brands, rng))
        pool = lists_of_links if directory else left
        brand = pool.pop(0) if pool else _place_name(english, theme, rng)
        name = _host_name(brand, lists["domains"], rng)
        while name in taken:
            brand = _place_name(english, theme, rng)
            name = f"{slug(brand)}-{len(names)}.test"
        taken.add(name)
        names.append((name, brand))
    return names


def _mixed(brands: Sequence[str], rng: Random) -> list[str]:
    return rng.sample(brands, len(brands))


def _place_name(english: English, theme: int, rng: Random) -> str:
    """Return a name such as "Halford Beekeeping", for use when a theme's own names are used up."""
    place = english.composer(english.language[theme], rng).compose(("", "village", ""))
    return f"{place} {english.themes[theme].name}"


def _host_name(brand: str, domains: Sequence[str], rng: Random) -> str:
    hyphened = slug(brand)
    joined = hyphened.replace("-", "")
    draw = rng.random()
    if draw < 0.35:
        return f"www.{joined}.test"
    if draw < 0.7:
        return f"{joined}.test"
    if draw < 0.8:
        return f"{hyphened}.test"
    return f"{joined}.{domains[int(rng.random() * len(domains))]}.test"
