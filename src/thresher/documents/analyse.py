"""Turns a fetched document into a page: text, words and links, stems, language, digest."""

from collections import Counter
from hashlib import blake2b
from typing import Final

from msgspec.structs import replace

from thresher.documents.encodings import decode
from thresher.documents.formats.extract import Extract
from thresher.documents.formats.kinds import by_type
from thresher.documents.html import Markup, read_html
from thresher.documents.links_only import read_links
from thresher.documents.lists import read_list
from thresher.documents.main_text import boilerplate
from thresher.documents.nesting import cut_tags, is_too_deep
from thresher.documents.plain import read_plain
from thresher.documents.sandbox import FilePart, Sandbox, SandboxLimits
from thresher.reasons import Reason
from thresher.text.gate import LanguageGate
from thresher.text.language import identify
from thresher.text.simhash import simhash
from thresher.text.stems import count_stems
from thresher.text.words import words
from thresher.types import Failed, Fetched, Link, Member, Opened, ParsedPage
from thresher.web.codings import undone
from thresher.web.optout import opt_outs
from thresher.web.robots_tag import robots_directives
from thresher.web.sitemaps import LIST
from thresher.web.urls import INSIDE, canonical

HTML: Final = frozenset(["", "text/html", "application/xhtml+xml"])
"""MIME types read as HTML; a document without a type is taken for HTML."""

DIGEST_BYTES: Final = 16

MAX_TERMS: Final = 20_000
"""Maximum number of different stems kept per page, most frequent first.

Hardly any text has more; a hostile page can have as many as words, and all of them would be sent between processes.
"""

AUTO: Final = "auto"
"""Instead of a language: each page is read in its detected language."""


class Reader:
    """Turns fetched bytes into pages.

    `language` is the code of the language for stems and stop words, or `auto` for each page's own; pages that do not
    pass the `gate` are in the wrong language. At most `max_words` words and `max_links` links are read per page.
    Without `text`, a page has a title and links, but no words, terms or language. With `main_text`, its words are those
    of the main text, without navigation, comments and other boilerplate; all links are kept, those outside with a
    length of zero words. Other file types are read in a separate process under the limits of `files`, with the same
    limits on words and links.

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
        files: SandboxLimits | None = None,
    ) -> None:
        self._text = text
        self._language = language
        self._gate = gate
        self._max_words = max_words
        self._max_links = max_links
        self._unwanted = boilerplate if main_text else None
        self._files = frozenset(by_type())
        limits = files or SandboxLimits()
        self._sandbox = Sandbox(replace(limits, reading=replace(limits.reading, words=max_words, links=max_links)))

    def read(self, fetched: Fetched) -> ParsedPage | Failed:
        """Return the page, or why it cannot be read; never raise.

        The stems of the title count as terms, but its words are not among the page's words, which are the visible ones.
        Pages without words have an empty digest and are therefore not duplicates of each other; if words are not read,
        the digest is that of the bytes. An archive is not a page: `open` returns its contents.
        """
        found = self.open(fetched)
        if isinstance(found, Opened):
            return _failed(fetched, Reason.NO_TEXT, "it is an archive, and only what is in it has text")
        return found

    def open(self, fetched: Fetched) -> ParsedPage | Failed | Opened:
        """Return the page, the pages of an archive, or why it cannot be read; never raise."""
        try:
            if fetched.coding:
                body = undone(fetched.body, fetched.coding, fetched.limit)
                if isinstance(body, Reason):
                    return _failed(fetched, body)
                fetched = replace(fetched, body=body, raw=b"", coding="")
            if fetched.mime in self._files:
                return self._open(fetched)
            return self._read(fetched)
        except Exception as error:
            # Whatever a hostile page does to the parser, the crawl continues.
            return _failed(fetched, Reason.UNREADABLE, f"{type(error).__name__}: {error}"[:200])

    def close(self) -> None:
        """End the process that reads files, if there is one; the next file starts another."""
        self._sandbox.close()

    def _read(self, fetched: Fetched) -> ParsedPage | Failed:
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
        return self._page(fetched, Extract(markup, encoding=encoding))

    def _open(self, fetched: Fetched) -> ParsedPage | Failed | Opened:
        """Read a file; if it is an archive, return its members."""
        read = self._sandbox.read(fetched.body, fetched.mime, fetched.url)
        members = [part for part in read.parts if part.address]
        whole = next((part.found for part in read.parts if not part.address), None)
        if isinstance(whole, Extract):
            return self._page(fetched, whole)
        if not members and whole is not None:
            return _failed(fetched, whole.reason, whole.detail)
        note = whole.detail if whole is not None else ""
        pages = [member for part in members if (member := self._member(fetched, part)) is not None]
        return Opened(members=pages, note=", ".join(filter(None, (read.note, note))))

    def _member(self, archive: Fetched, part: FilePart) -> Member | None:
        """Return a document of an archive, or None if its address is not that of a member."""
        prefix = f"{archive.url}{INSIDE}"
        url = canonical(prefix + part.address)
        if url is None or not url.startswith(prefix):
            return None
        found = part.found
        # The robots headers of the archive apply to its members.
        headers = [field for field in archive.headers if field[0].lower() != "content-type"]
        as_fetched = replace(archive, url=url, headers=headers, body=b"", raw=b"")
        if isinstance(found, Extract):
            return Member(url=url, page=self._page(as_fetched, found, archive.url), mime=found.mime, size=found.size)
        return Member(url=url, page=_failed(as_fetched, found.reason, found.detail))

    def _page(self, fetched: Fetched, extract: Extract, archive: str | None = None) -> ParsedPage | Failed:
        """Return the page for a text, with its language, stems and signatures."""
        markup = extract.markup
        if not self._text and markup.words:
            markup = replace(markup, words=[], text="", links=[_placeless(link) for link in markup.links])
        stems = self._stems(fetched, markup) if self._text else ("", {})
        if isinstance(stems, Failed):
            return stems
        language, terms = stems
        return ParsedPage(
            url=fetched.url,
            title=markup.title,
            words=markup.words,
            text=markup.text,
            links=markup.links,
            terms=terms,
            language=language,
            digest=_digest(" ".join(markup.words).lower().encode() if self._text else fetched.body),
            simhash=simhash(terms),
            encoding=extract.encoding,
            robots=_robots(fetched, markup),
            opt_outs=opt_outs(fetched.headers, markup.metas),
            about=extract.about,
            archive=archive,
        )

    def _stems(self, fetched: Fetched, markup: Markup) -> tuple[str, dict[str, int]] | Failed:
        """Return the language of a page and its stems, or a failure if the language is not wanted."""
        text_words = words(markup.title) + markup.words
        language = self._language
        if language == AUTO or self._gate is not None:
            found = identify(text_words, markup.language)
            if self._gate is not None and not self._gate.passes(text_words, found):
                return _failed(fetched, Reason.WRONG_LANGUAGE, found.code)
            language = found.code if language == AUTO else language
        terms = count_stems(text_words, language)
        return language, terms if len(terms) <= MAX_TERMS else dict(Counter(terms).most_common(MAX_TERMS))

    def _markup(self, text: str, url: str) -> Markup:
        if self._text:
            return read_html(text, url, self._max_words, self._max_links, self._unwanted)
        return read_links(text, url, self._max_links)


def _failed(fetched: Fetched, reason: Reason, detail: str = "") -> Failed:
    return Failed(url=fetched.url, reason=reason, at=fetched.at, detail=detail, status=fetched.status, ip=fetched.ip)


def _placeless(link: Link) -> Link:
    """Return a link without a position, for pages whose words are not read."""
    return Link(link.url, link.anchor, 0, 0, (), link.rel, link.tag)


def _digest(content: bytes) -> bytes:
    return blake2b(content, digest_size=DIGEST_BYTES).digest() if content else b""


def _robots(fetched: Fetched, markup: Markup) -> tuple[str, ...]:
    """Return the robots directives of the page and its headers; the most restrictive wins."""
    in_page = [content for name, content in markup.metas if name == "robots"]
    in_headers = [value for name, value in fetched.headers if name.lower() == "x-robots-tag"]
    return robots_directives([*in_page, *in_headers]) if in_page or in_headers else ()
