"""The links of a page as its author writes them: address, anchor text and a few words about the target.

Most anchors say something about the target, some say nothing; links to welcome pages mostly give the name of the site.
Addresses inside a host have no host name, so a mirror's pages equal their originals byte for byte.
"""

from collections.abc import Callable
from random import Random
from typing import Final, NamedTuple

from thresher.simweb.english import English
from thresher.simweb.graph import LinkPosition
from thresher.simweb.hosts import SimulatedHost
from thresher.simweb.pages import PageKind
from thresher.simweb.web import Web
from thresher.simweb.wording import WORDING

_VAGUE: Final = 0.2
_BY_TOPIC: Final = 0.3
_BY_BRAND: Final = 0.36
_HINT: Final = 0.4
_BY_TITLE: Final = 0.6
_FRAGMENT: Final = 0.03
_FULL_ADDRESS: Final = 0.02


class Anchor(NamedTuple):
    """A link ready to be written: `href` is not yet escaped, and `hint` has words about the target, possibly none."""

    href: str
    text: str
    hint: str
    nofollow: bool


def page_anchors(web: Web, page: int, rng: Random, session: str = "") -> list[list[Anchor]]:
    """Return the links of a page by their position; `session` is added to every address inside its host."""
    graph, columns = web.graph, web.pages
    span = slice(int(graph.starts[page]), int(graph.starts[page + 1]))
    targets = graph.targets[span]
    here = int(columns.host[page])
    host = web.hosts[here]
    cut = len("http://") + len(host.name)
    say = _speaker(web, host, rng)
    anchors: list[list[Anchor]] = [[] for _ in LinkPosition]
    random, in_text = rng.random, int(LinkPosition.TEXT)
    for target, place, nofollow, there, kind, theme, title in zip(
        targets.tolist(),
        graph.places[span].tolist(),
        graph.nofollow[span].tolist(),
        columns.host[targets].tolist(),
        columns.kind[targets].tolist(),
        columns.theme[targets].tolist(),
        columns.title[targets].tolist(),
        strict=True,
    ):
        href = _address(web.urls[target], cut if there == here else 0, session, random())
        text, hint = say(web.hosts[there], kind, theme, title, target)
        anchors[place].append(Anchor(href, text, hint if place == in_text else "", nofollow))
    return anchors


def _address(url: str, cut: int, session: str, draw: float) -> str:
    if cut:
        path = url[cut:]
        if session:
            path += f"{'&' if '?' in path else '?'}sid={session}"
        return path if draw > _FRAGMENT else path + "#top"
    return url if draw > _FULL_ADDRESS else url.removeprefix("http:")


def _speaker(
    web: Web, host: SimulatedHost, rng: Random
) -> Callable[[SimulatedHost, int, int, list[int], int], tuple[str, str]]:
    """Return a function that names a target: (anchor text, hint) from its host, kind, theme, title and number."""
    if web.vocabulary.english is not None:
        return _english_speaker(web, web.vocabulary.english, host, rng)
    wording = WORDING[host.language]
    tables, names, base = web.vocabulary.tables, web.tree.names, web.vocabulary.base
    random, welcome = rng.random, int(PageKind.WELCOME)

    def say(there: SimulatedHost, kind: int, theme: int, title: list[int], target: int) -> tuple[str, str]:
        draw = random()
        if kind == welcome:
            if target == there.first:
                return (wording.home if there is host else there.title), ""
            return f"{wording.section} {title[0] % 40 + 1}", ""
        words = tables[theme] if theme >= 0 else base[there.language]
        first, second, third = words[title[0]], words[title[1]], words[title[2]]
        hint = f"{third} {words[title[0] ^ title[1]]}" if draw > 1.0 - _HINT or draw < _VAGUE / 2 else ""
        if draw < _VAGUE:
            return wording.vague[int(draw / _VAGUE * len(wording.vague))], hint
        if draw < _BY_TOPIC and 0 <= theme < len(names):
            return names[theme], hint
        if draw < _BY_BRAND:
            return there.title, hint
        return (f"{first} {second}" if draw < 0.8 else f"{first} {second} {third}"), hint

    return say


def _english_speaker(
    web: Web, english: English, host: SimulatedHost, rng: Random
) -> Callable[[SimulatedHost, int, int, list[int], int], tuple[str, str]]:
    """Return the same for real English: it names a target by its title or a short form of it."""
    wording = WORDING[host.language]
    names = web.tree.names
    welcome = int(PageKind.WELCOME)

    def say(there: SimulatedHost, kind: int, theme: int, places: list[int], target: int) -> tuple[str, str]:
        draw = rng.random()
        if kind == welcome:
            if target == there.first:
                return (wording.home if there is host else there.title), ""
            return f"{wording.section} {places[0] % 40 + 1}", ""
        if draw < _VAGUE:
            return wording.vague[int(draw / _VAGUE * len(wording.vague))], ""
        title = english.title(theme, there.language, places)
        hint = title.short if draw > 1.0 - _HINT and title.words else ""
        if draw < _BY_TOPIC and 0 <= theme < len(names):
            return names[theme], hint
        if draw < _BY_BRAND:
            return there.title, hint
        return (title.text if draw >= _BY_TITLE else title.short), hint

    return say
