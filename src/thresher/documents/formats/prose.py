"""Collects text in reading order, paragraph by paragraph, with its links."""

from itertools import islice
from typing import Final

from thresher.documents.html import LONGEST_WORDS, Markup
from thresher.documents.passages import first_texts, passages
from thresher.documents.references import Reference, Region, finished
from thresher.documents.resolution import Resolver
from thresher.documents.titles import MAX_TITLE, tidy_title
from thresher.text.pieces import words_of_pieces
from thresher.text.words import is_joinable

_NOT_FOLLOWED: Final = ("#", "mailto:", "javascript:", "file:", "data:", "tel:")


class Enough(Exception):
    """Raised when the word limit is reached; the caller stops and uses what has been collected."""


class TextCollector:
    """Collects the text of a file, at most `max_words` words and `max_links` links.

    Text added without a paragraph break belongs together: a word may be split over several runs.

    >>> prose = TextCollector()
    >>> prose.say("See bo"); prose.begin_link("http://a.test/x"); prose.say("ats"); prose.end_link(); prose.paragraph()
    >>> page = prose.markup("http://a.test/doc", "T")
    >>> page.words, [(link.url, link.anchor, link.position) for link in page.links]
    (['See', 'boats'], [('http://a.test/x', 'ats', 2)])
    """

    def __init__(self, max_words: int = 200_000, max_links: int = 10_000) -> None:
        self._max_words = max_words
        self._max_links = max_links
        self._room = max_words * LONGEST_WORDS
        self._texts: list[str] = []
        self._joined: list[int] = []
        self._borders: list[int] = []
        self._runs: list[str] = []
        self._goes_on = False
        self._page = Region(0, None, looks=False)
        self._paragraph = Region(0, self._page, looks=False)
        self._references: list[Reference] = []
        self._open: Reference | None = None

    def say(self, text: str) -> None:
        """Add text to the paragraph; raise Enough at the word limit."""
        if text:
            self._runs.append(text[: self._room])
            self._room -= len(text)
            if self._room <= 0:
                raise Enough

    def paragraph(self) -> None:
        """End the paragraph; an open link continues in the next."""
        self._flush()
        self._goes_on = False
        self._paragraph.end = len(self._texts)
        if self._paragraph.end > self._paragraph.start:
            self._borders.append(len(self._texts))
            self._paragraph = Region(len(self._texts), self._page, looks=False)

    def begin_link(self, href: str, alt: str = "") -> None:
        """Open a link, and end the current one; a link without a target is ignored."""
        self.end_link()
        target = href.strip()
        if not target or target.lower().startswith(_NOT_FOLLOWED) or len(self._references) >= self._max_links:
            return
        here = len(self._texts)
        self._open = Reference("a", target, None, alt, here, here, self._paragraph)
        self._references.append(self._open)

    def end_link(self) -> None:
        """Close the open link, if there is one."""
        self._flush()
        if self._open is not None:
            self._open.end = len(self._texts)
            self._open.texts = self._texts[self._open.start : self._open.end]
            self._open = None

    def place(self) -> int:
        """Return the current position in the text, for a link that is only known later."""
        self._flush()
        return len(self._texts)

    def link_at(self, href: str, place: int, alt: str = "") -> None:
        """Record a link over the piece of text that begins at a position, added between two calls of `place`.

        An invalid position means a link without text.
        """
        if 0 <= place < len(self._texts) and len(self._references) < self._max_links:
            around = Region(place, self._page, looks=False, end=place + 1)
            self._references.append(
                Reference("a", href.strip(), None, alt, place, place + 1, around, texts=[self._texts[place]])
            )
        else:
            self.begin_link(href, alt)
            self.end_link()

    def markup(self, url: str, title: str = "", language: str = "") -> Markup:
        """Return everything collected; links are relative to the URL of the file.

        Without a title, the first non-blank line is used.
        """
        self.end_link()
        title = title if title.strip() else self._first_line()
        self._paragraph.end = self._page.end = len(self._texts)
        words, at = words_of_pieces(self._texts, self._joined)
        words, links = finished(self._references, words, at, Resolver(url), self._max_words)
        # The texts include their own spaces here.
        text = passages(first_texts(self._texts, at, self._max_words), self._borders, set(self._joined), blanks=False)
        return Markup(tidy_title(title), words, links, (), language.strip().lower()[:35], text)

    def _first_line(self) -> str:
        opening = "".join(islice((text for text in self._texts if text.strip()), 1)).lstrip()
        return opening[:MAX_TITLE].splitlines()[0] if opening else ""

    def _flush(self) -> None:
        text = "".join(self._runs)
        self._runs = []
        if not text:
            return
        if self._goes_on and is_joinable(self._texts[-1][-1], text[0]):
            self._joined.append(len(self._texts))
        self._texts.append(text)
        self._goes_on = True
