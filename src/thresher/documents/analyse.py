"""The whole way of a document: bytes, text, words and links, stems, digest."""

from hashlib import blake2b
from typing import Final

from thresher.documents.encodings import decode
from thresher.documents.html import Markup, read_html
from thresher.documents.links_only import read_links
from thresher.documents.lists import read_list
from thresher.documents.main_text import boilerplate
from thresher.documents.nesting import cut_tags, is_too_deep
from thresher.documents.plain import read_plain
from thresher.reasons import Reason
from thresher.text.gate import LanguageGate
from thresher.text.language import identify
from thresher.text.simhash import simhash
from thresher.text.stems import count_stems
from thresher.text.words import words
from thresher.types import Failed, Fetched, Page
from thresher.web.optout import opt_outs
from thresher.web.robots_tag import robots_directives
from thresher.web.sitemaps import LIST

HTML: Final = frozenset(["", "text/html", "application/xhtml+xml"])
"""MIME types read as HTML; a document without a type is taken for HTML."""

DIGEST_BYTES: Final = 16

AUTO: Final = "auto"
"""In place of a language: each page is read in the language it is found to be in."""


class Reader:
    """Turns fetched bytes into pages.

    `language` is the code of the language whose stems and stop words are used, or `auto` for that of each page; pages
    that do not pass the `gate` are in a wrong language. Of a page at most `max_words` words and `max_links` links are
    read. Without `text` a page has a title and links, but no words, no terms and no language. With `main_text` its
    words are those of the main text alone, navigation, comments and other boilerplate left out; links stay all, those
    outside with a length of zero words.

    >>> boats = b"<html lang=en><p>Boats!"
    >>> fetched = Fetched(url="http://a.test/", status=200, headers=[], body=boats, raw=boats, mime="text/html", at=0)
    >>> Reader().read(fetched).terms
    {'boat': 1}
    """

    def __init__(
        self,
        language: str = AUTO,
        max_words: int = 200_000,
        max_links: int = 10_000,
        *,
        text: bool = True,
        gate: LanguageGate | None = None,
        main_text: bool = False,
    ) -> None:
        self._text = text
        self._language = language
        self._gate = gate
        self._max_words = max_words
        self._max_links = max_links
        self._unwanted = boilerplate if main_text else None

    def read(self, fetched: Fetched) -> Page | Failed:
        """Return the page, or why it cannot be read; never raises.

        The stems of the title count as terms; its words are not among the words of the page, which are those a reader
        sees on it. Pages without words have an empty digest, so that they are no duplicates of one another; where words
        are not read, the digest is that of the bytes.
        """
        try:
            return self._read(fetched)
        except Exception as error:
            # Whatever a hostile page does to a parser, the crawl goes on.
            return _failed(fetched, Reason.UNREADABLE, f"{type(error).__name__}: {error}"[:200])

    def _read(self, fetched: Fetched) -> Page | Failed:
        if fetched.mime == LIST:
            return read_list(fetched, self._max_links)
        text, encoding = decode(fetched.body, fetched.header("Content-Type") or fetched.mime)
        if fetched.mime in HTML:
            text = cut_tags(text)
            if is_too_deep(text):
                return _failed(fetched, Reason.NESTED_TOO_DEEP)
            markup = self._markup(text, fetched.url)
        elif fetched.mime == "text/plain":
            markup = read_plain(text, self._max_words) if self._text else Markup("", [], [])
        else:
            return _failed(fetched, Reason.UNREADABLE, f"no reader for {fetched.mime}")
        stems = self._stems(fetched, markup) if self._text else ("", {})
        if isinstance(stems, Failed):
            return stems
        language, terms = stems
        return Page(
            url=fetched.url,
            title=markup.title,
            words=markup.words,
            links=markup.links,
            terms=terms,
            language=language,
            digest=_digest(" ".join(markup.words).lower().encode() if self._text else fetched.body),
            simhash=simhash(terms),
            encoding=encoding,
            robots=_robots(fetched, markup),
            opt_outs=opt_outs(fetched.headers, markup.metas),
        )

    def _stems(self, fetched: Fetched, markup: Markup) -> tuple[str, dict[str, int]] | Failed:
        """Return the language of a page and its stems, or that it is in a wrong one."""
        text_words = words(markup.title) + markup.words
        language = self._language
        if language == AUTO or self._gate is not None:
            found = identify(text_words, markup.language)
            if self._gate is not None and not self._gate.passes(text_words, found):
                return _failed(fetched, Reason.WRONG_LANGUAGE, found.code)
            language = found.code if language == AUTO else language
        return language, count_stems(text_words, language)

    def _markup(self, text: str, url: str) -> Markup:
        if self._text:
            return read_html(text, url, self._max_words, self._max_links, self._unwanted)
        return read_links(text, url, self._max_links)


def _failed(fetched: Fetched, reason: Reason, detail: str = "") -> Failed:
    return Failed(url=fetched.url, reason=reason, at=fetched.at, detail=detail, status=fetched.status, ip=fetched.ip)


def _digest(content: bytes) -> bytes:
    return blake2b(content, digest_size=DIGEST_BYTES).digest() if content else b""


def _robots(fetched: Fetched, markup: Markup) -> tuple[str, ...]:
    """Return what the page and its headers ask of this crawler; the most restrictive of both."""
    in_page = [content for name, content in markup.metas if name == "robots"]
    in_headers = [value for name, value in fetched.headers if name.lower() == "x-robots-tag"]
    return robots_directives([*in_page, *in_headers]) if in_page or in_headers else ()
