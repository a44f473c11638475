"""The addresses of pages: each host has one style of paths, and no address has a port."""

from typing import Final

import numpy as np

from thresher.simweb.hosts import SimulatedHost
from thresher.simweb.pages import Flag, PageKind, PageTable
from thresher.simweb.parameters import WebParameters
from thresher.simweb.site_names import slug, telling_words
from thresher.simweb.vocabulary import Vocabulary

_SECTIONS: Final = ("pages", "articles", "archive", "texts", "items", "docs", "news", "misc")
_ASCII: Final = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "ß": "ss", "é": "e", "è": "e"})
CALENDAR: Final = "/calendar/"
GROWING: Final = "/browse/"
FIRST_MONTH: Final = f"{CALENDAR}2024/01"


def plan_addresses(
    parameters: WebParameters, vocabulary: Vocabulary, hosts: list[SimulatedHost], pages: PageTable
) -> list[str]:
    """Return the URL of every page; a mirror has the paths of its original."""
    rng = np.random.default_rng([parameters.seed, 6])
    urls: list[str] = []
    for host in hosts:
        prefix = f"http://{host.name}"
        if host.mirror_of >= 0:
            original = hosts[host.mirror_of]
            cut = len("http://") + len(original.name)
            urls += [prefix + url[cut:] for url in urls[original.first : original.end]]
            continue
        # Numbers in paths are shuffled, so they do not reveal what a page is.
        numbers = rng.permutation(np.arange(1, host.size + 1)).tolist()
        plain = (rng.random(host.size) < 0.4).tolist()
        urls += [
            prefix + _path(host, vocabulary, pages, page, numbers[page - host.first], plain[page - host.first])
            for page in range(host.first, host.end)
        ]
    return urls


def _path(host: SimulatedHost, vocabulary: Vocabulary, pages: PageTable, page: int, number: int, plain: bool) -> str:
    if page == host.first:
        return "/"
    if pages.kind_of(page) is PageKind.TRAP:
        return FIRST_MONTH if host.trap == "calendar" else GROWING
    theme = int(pages.theme[page])
    places = pages.title[page].tolist()
    if vocabulary.english is not None:
        first, second = telling_words(vocabulary.english.title(theme, host.language, places).text)
    else:
        words = vocabulary.tables[theme] if theme >= 0 else vocabulary.base[host.language]
        first, second, _ = (words[place] for place in places)
    told = not plain and 0 <= theme < len(vocabulary.tree) and pages.kind_of(page) is PageKind.CONTENT
    section = _section(vocabulary, theme) if told else _SECTIONS[number % len(_SECTIONS)]
    shape = _shaped(host.shape, section, first, second, number).translate(_ASCII)
    if pages.flagged(page, Flag.DISALLOWED):
        return host.disallowed + shape.lstrip("/")
    return shape


def _section(vocabulary: Vocabulary, theme: int) -> str:
    name = vocabulary.tree.names[theme]
    return name if vocabulary.english is None else slug(name)


def _shaped(shape: int, section: str, first: str, second: str, number: int) -> str:
    if shape == 0:
        return f"/{section}/{first}-{second}-{number}.html"
    if shape == 1:
        return f"/{section}/{number % 9 + 1}/{number}"
    if shape == 2:
        return f"/index.php?id={number}"
    if shape == 3:
        return f"/{2004 + number % 20}/{number % 12 + 1:02}/{first}-{number}/"
    return f"/view?section={section}&item={number}"
