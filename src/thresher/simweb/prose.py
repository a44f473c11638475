"""The prose of a page, in coined words or in real English, with the links in its sentences."""

from random import Random
from typing import Final, Protocol

from thresher.simweb.anchors import Anchor
from thresher.simweb.composing import Composer
from thresher.simweb.english import English, Saying, Title
from thresher.simweb.pages import PageKind
from thresher.simweb.text import base_words, page_words, randomness
from thresher.simweb.web import Web
from thresher.simweb.wording import WORDING

Part = str | Anchor

_CHANGED: Final = 0.02
_INSTEAD: Final = {"the": "our", "der": "dieser", "die": "diese", "das": "dieses"}


class Prose(Protocol):
    """The text of a page around its links."""

    def sentences(self, rng: Random) -> list[str]:
        """Return its sentences in reading order."""

    def woven(self, sentence: str, anchors: list[Anchor]) -> list[Part]:
        """Return a sentence with links in it, as on an HTML page."""

    def appended(self, sentence: str, anchors: list[Anchor]) -> list[Part]:
        """Return a sentence with links after it, as in a file."""

    def lead(self) -> str:
        """Return a description of the page."""

    def emphasis(self) -> str:
        """Return a few emphasised words."""

    def list_note(self, number: int) -> str:
        """Return the text after the link in a list item."""

    def table_note(self, number: int) -> str:
        """Return the last column of a table row."""


def write_prose(web: Web, page: int, rng: Random) -> Prose:
    """Return the prose of a page; a near-duplicate differs from its original in a few words."""
    english = web.vocabulary.english
    if english is None:
        return _CoinedProse(page_words(web, page, rng))
    host = web.hosts[int(web.pages.host[page])]
    return _EnglishProse(
        _page_sentences(web, english, page, rng),
        english.composer(host.language, Random(rng.getrandbits(32))),
        frozenset(WORDING[host.language].vague),
    )


def chatter(web: Web, language: str, count: int, rng: Random) -> str:
    """Return a paragraph of about `count` words about nothing in particular."""
    english = web.vocabulary.english
    if english is not None:
        return " ".join(english.everyday(language, count, rng))
    said = [" ".join(sentence) for sentence in cut(base_words(web, language, count, rng), rng)]
    return f"{'. '.join(said)}."


def cut(words: list[str], rng: Random) -> list[list[str]]:
    """Cut running words into sentences of six to seventeen."""
    pieces, at = [], 0
    while at < len(words):
        length = 6 + int(rng.random() * 12)
        pieces.append(words[at : at + length])
        at += length
    return pieces


def page_title(web: Web, english: English, page: int) -> Title:
    """Return the title of a page in real English."""
    host = web.hosts[int(web.pages.host[page])]
    return english.title(int(web.pages.theme[page]), host.language, web.pages.title[page].tolist())


def _page_sentences(web: Web, english: English, page: int, rng: Random) -> list[str]:
    pages = web.pages
    original = int(pages.original[page])
    if original >= 0 and pages.kind_of(page) is PageKind.NEAR_DUPLICATE:
        return _changed(_page_sentences(web, english, original, rng), randomness(web, page))
    host = web.hosts[int(pages.host[page])]
    saying = Saying(
        theme=int(pages.theme[page]),
        strength=float(pages.strength[page]),
        second=int(pages.second[page]),
        second_strength=float(pages.second_strength[page]),
        words=int(pages.words[page]),
        notice=pages.kind_of(page) is PageKind.NOISE,
    )
    return english.sentences(saying, host.language, page_title(web, english, page), host.title, rng)


def _changed(sentences: list[str], rng: Random) -> list[str]:
    """Return sentences with a few articles replaced by other words, or the last mark if there are no articles."""
    words = [sentence.split(" ") for sentence in sentences]
    articles = [(row, at) for row, said in enumerate(words) for at, word in enumerate(said) if word in _INSTEAD]
    number = max(2, int(sum(map(len, words)) * _CHANGED))
    for row, at in rng.sample(articles, min(number, len(articles))):
        words[row][at] = _INSTEAD[words[row][at]]
    if not articles:
        words[-1][-1] = f"{words[-1][-1].rstrip('.')}!"
    return [" ".join(said) for said in words]


class _CoinedProse:
    def __init__(self, words: list[str]) -> None:
        self._words = words

    def sentences(self, rng: Random) -> list[str]:
        return [" ".join(sentence) for sentence in cut(self._words, rng)]

    def woven(self, sentence: str, anchors: list[Anchor]) -> list[Part]:
        # The last word comes after the links, and a hint before its link.
        before, _, last = sentence.rpartition(" ") if anchors else (sentence, "", "")
        parts: list[Part] = [before[:1].upper() + before[1:]]
        for anchor in anchors:
            parts += [f" {anchor.hint} ", anchor]
        return [*parts, f" {last}. " if anchors else ". "]

    def appended(self, sentence: str, anchors: list[Anchor]) -> list[Part]:
        parts: list[Part] = [sentence.capitalize()]
        for anchor in anchors:
            parts += [f" {anchor.hint} " if anchor.hint else " ", anchor]
        return [*parts, ". "]

    def lead(self) -> str:
        return " ".join(self._words[:12])

    def emphasis(self) -> str:
        return " ".join(self._words[:4])

    def list_note(self, number: int) -> str:
        return f" {' '.join(self._words[3 * number : 3 * number + 3])}"

    def table_note(self, number: int) -> str:
        return " ".join(self._words[-2 * number - 3 : -2 * number - 1])


class _EnglishProse:
    def __init__(self, sentences: list[str], composer: Composer, vague: frozenset[str]) -> None:
        self._sentences = sentences
        self._composer = composer
        self._vague = vague

    def sentences(self, rng: Random) -> list[str]:
        return self._sentences

    def woven(self, sentence: str, anchors: list[Anchor]) -> list[Part]:
        if not anchors:
            return [f"{sentence} "]
        vague = [anchor for anchor in anchors if anchor.text in self._vague]
        hinted = [anchor for anchor in anchors if anchor.hint and anchor not in vague]
        named = [anchor for anchor in anchors if anchor not in vague and anchor not in hinted]
        parts: list[Part] = [sentence]
        if vague:
            parts = [sentence[:-1], *self._phrase("woven_vague", vague), sentence[-1]]
        for anchor in hinted:
            parts += self._phrase("woven_hints", [anchor])
        if named:
            parts += self._phrase("woven_named", named)
        return [*parts, " "]

    def appended(self, sentence: str, anchors: list[Anchor]) -> list[Part]:
        return self.woven(sentence, anchors)

    def lead(self) -> str:
        return self._sentences[0] if self._sentences else ""

    def emphasis(self) -> str:
        return self._composer.one_of("emphasis")

    def list_note(self, number: int) -> str:
        return self._composer.one_of("list_notes")

    def table_note(self, number: int) -> str:
        return self._composer.one_of("table_notes")

    def _phrase(self, purpose: str, anchors: list[Anchor]) -> list[Part]:
        """Return a phrase that names the links, as a list if there are several."""
        before, _, after = self._composer.one_of(purpose).partition("{link}")
        parts: list[Part] = [before.replace("{hint}", anchors[0].hint)]
        for number, anchor in enumerate(anchors):
            if number:
                parts.append(", ")
            parts.append(anchor)
        return [*parts, after]
