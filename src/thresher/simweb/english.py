"""A web in real English: its themes, and the titles, sentences and site names about them.

Sentences need not be true, but they read as English. A second language, German, has off-topic pages made of whole
sentences. Everything is drawn from a given random source, so a page is always the same.
"""

from collections.abc import Sequence
from random import Random
from typing import Final, NamedTuple

from thresher.simweb.composing import Composer, Focus, draw_focus
from thresher.simweb.lexicon import DEPTH, Template, Theme, lexicon

_SENTENCES_PER_SHARE: Final = 2.4
"""Factor from a share of topical words to a share of topical sentences, which also have other words."""
_PARENT_SHARE: Final = 0.3
"""Share of the sentences about a sub-topic that are about its parent topic."""
_FOREIGN_WORDS: Final = 170
_TITLE_BITS: Final = 12


class Title(NamedTuple):
    """A title: its text, a short form of it for links, and its words."""

    text: str
    short: str
    words: Focus


class Saying(NamedTuple):
    """What a page writes about: a theme and its share of words, another theme and share, and the number of words."""

    theme: int
    strength: float
    second: int
    second_strength: float
    words: int
    notice: bool = False


class English:
    """The themes of one web, numbered like those of its vocabulary, and their sentences and titles."""

    def __init__(self, depth: int, breadth: int, languages: Sequence[str]) -> None:
        known = lexicon()
        self._manners = known.manners
        families = [family[: breadth + 1] for family in known.topics[:breadth]]
        self.themes: list[Theme] = [family[0] for family in families]
        parents = [-1] * len(families)
        if depth == DEPTH:
            for top, family in enumerate(families):
                self.themes += family[1:]
                parents += [top] * (len(family) - 1)
        self.topics = len(self.themes)
        self.language = ["en"] * self.topics
        self.interests: dict[str, list[int]] = {}
        for language in languages:
            added = known.interests[language]
            self.interests[language] = list(range(len(self.themes), len(self.themes) + len(added)))
            self.themes += added
            self.language += [language] * len(added)
        self._parents = [self.themes[parent] if parent >= 0 else None for parent in parents]

    def words(self, theme: int) -> list[str]:
        """Return the words of a theme in all their forms, each once."""
        known = self.themes[theme]
        phrases = [form for kind in known.words.values() for forms in kind for form in forms]
        phrases += [part for template in known.sentences + known.titles for part in template[::2]]
        return list(dict.fromkeys(word.strip(".,:;?") for phrase in phrases for word in phrase.lower().split()))

    def title(self, theme: int, language: str, places: Sequence[int]) -> Title:
        """Return the title for the three numbers of a page."""
        first, second, third = places
        rng = Random(first | second << _TITLE_BITS | third << 2 * _TITLE_BITS)
        composer = Composer(self._manners[language], rng)
        if theme < 0:
            text = composer.one_of("headings" if second % 2 else "everyday_titles")
            return Title(text, text, {})
        known = self.themes[theme]
        if known.titles:
            text = composer.compose(composer.choose(known.titles))
            return Title(text, text, {})
        composer.focus = draw_focus(known, rng)
        text = composer.one_of("titles")
        return Title(text, _short(composer.used), composer.used)

    def sentences(self, saying: Saying, language: str, title: Title, brand: str, rng: Random) -> list[str]:
        """Return the sentences of a page, up to its number of words."""
        everyday = _Deck(self._manners[language].templates["notices" if saying.notice else "everyday"], rng)
        plain = Composer(self._manners[language], rng)
        main = self._about(saying.theme, language, rng, title.words)
        aside = self._about(saying.second, language, rng)
        mentioned = self._manners[language].templates.get("mentions", ()) if saying.second_strength < 0.1 else ()
        topical, other = (_SENTENCES_PER_SHARE * share for share in (saying.strength, saying.second_strength))
        left = saying.words if language == "en" else min(saying.words, _FOREIGN_WORDS)
        said: list[str] = []
        while left > 0:
            draw = rng.random()
            if main is not None and draw < topical:
                sentence = main.say()
            elif aside is not None and draw < topical + other:
                sentence = aside.say(mentioned)
            else:
                sentence = plain.compose(everyday.draw()).replace("{brand}", brand)
            said.append(sentence)
            left -= sentence.count(" ") + 1
        return said

    def everyday(self, language: str, words: int, rng: Random) -> list[str]:
        """Return sentences about nothing in particular."""
        return self.sentences(Saying(-1, 0.0, -1, 0.0, words), language, Title("", "", {}), "", rng)

    def composer(self, language: str, rng: Random) -> Composer:
        """Return a composer for text without a theme."""
        return Composer(self._manners[language], rng)

    def _about(self, theme: int, language: str, rng: Random, first: Focus | None = None) -> "_Author | None":
        if theme < 0:
            return None
        known, manner = self.themes[theme], self._manners[language]
        if known.sentences:
            return _Author([Composer(manner, rng)], _Deck(known.sentences, rng), rng)
        composers = [Composer(manner, rng, draw_focus(known, rng, first))]
        parent = self._parents[theme] if theme < self.topics else None
        if parent is not None:
            composers.append(Composer(manner, rng, draw_focus(parent, rng)))
        return _Author(composers, _Deck(manner.templates["topical"], rng), rng)


class _Deck:
    """Templates in random order; none is repeated before all others have been used."""

    def __init__(self, templates: Sequence[Template], rng: Random) -> None:
        self._templates = templates
        self._rng = rng
        self._waiting: list[Template] = []

    def draw(self) -> Template:
        if not self._waiting:
            self._waiting = self._rng.sample(self._templates, len(self._templates))
        return self._waiting.pop()


class _Author:
    """Writes sentences about one theme and, if it has a second composer, about the theme's parent."""

    def __init__(self, composers: list[Composer], deck: _Deck, rng: Random) -> None:
        self._composers = composers
        self._deck = deck
        self._rng = rng

    def say(self, instead: Sequence[Template] = ()) -> str:
        composer = self._composers[self._rng.random() < _PARENT_SHARE and -1]
        return composer.compose(composer.choose(instead) if instead else self._deck.draw())


def _short(words: Focus) -> str:
    """Return what a title is about in a few words: a matter, things with a quality, things, or an activity."""
    if "matter" in words:
        return words["matter"][0][0]
    if "key" in words:
        keys = words["key"][0][1]
        return f"{words['quality'][0][0]} {keys}" if "quality" in words else keys
    return words["thing"][0][1] if "thing" in words else words["act"][0][1]
