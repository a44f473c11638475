"""Labelled texts as bags of stems, by topic: 20 Newsgroups, Reuters-21578, Wikispeedia and WebKB.

Only texts with exactly one label are used; they are read lazily, since most draws need only a few.
"""

import html
import re
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from pathlib import Path
from typing import Final

from thresher.bench.data import collection
from thresher.bench.webs import webkb, wikispeedia
from thresher.bench.webs.web import Collection
from thresher.documents.analyse import Reader
from thresher.text.stems import count_stems
from thresher.text.words import words
from thresher.types import Failed

Bag = dict[str, int]
Source = Callable[[], Bag]
"""Reads one text; the bag is empty if it has no words."""

Topics = Mapping[str, list[Source]]
"""The texts of each topic, in a fixed order."""

LEAST: Final = 60
"""Minimum number of texts of a topic to be drawn."""

_STORY: Final = re.compile(r"<REUTERS\b.*?</REUTERS>", re.DOTALL)
_TOPICS: Final = re.compile(r"<TOPICS>(.*?)</TOPICS>", re.DOTALL)
_TOPIC: Final = re.compile(r"<D>(.*?)</D>")
_TEXT: Final = re.compile(r"<(TITLE|BODY)>(.*?)</\1>", re.DOTALL)


def newsgroups(data: Path) -> Topics:
    """Return the posts of 20 Newsgroups by group, including headers."""
    folder = collection("newsgroups20", data)
    files = sorted(folder.glob("20news-bydate-*/*/*"), key=lambda file: (file.parent.name, file.name))
    return _by_topic((file.parent.name, partial(_file, file)) for file in files)


def reuters(data: Path) -> Topics:
    """Return the title and body of the Reuters-21578 stories with exactly one topic."""
    folder = collection("reuters21578", data)
    found: list[tuple[str, Source]] = []
    for file in sorted(folder.glob("**/*.sgm")):
        for story in _STORY.findall(file.read_bytes().decode("latin-1")):
            topics = _TOPIC.findall("".join(_TOPICS.findall(story)))
            if len(topics) == 1:
                text = "\n".join(part for _, part in _TEXT.findall(story))
                found.append((topics[0], partial(_bag, html.unescape(text))))
    return _by_topic(found)


def wikispeedia_articles(data: Path) -> Topics:
    """Return the Wikispeedia articles with exactly one category, cut to two levels."""
    pages = wikispeedia.Wikispeedia(collection(wikispeedia.NAME, data), data / wikispeedia.NAME / "categories.tsv.gz")
    return _pages(pages, pages.labels())


def webkb_pages(data: Path) -> Topics:
    """Return the pages of WebKB by class, without those of class "other"."""
    pages = webkb.WebKb(collection(webkb.NAME, data), data / webkb.NAME / "index.tsv.gz")
    return _pages(pages, pages.labels((*webkb.UNIVERSITIES, "misc")), without="other")


COLLECTIONS: Final[Mapping[str, Callable[[Path], Topics]]] = {
    "newsgroups20": newsgroups,
    "reuters21578": reuters,
    "wikispeedia": wikispeedia_articles,
    "webkb": webkb_pages,
}


def _pages(pages: Collection, labels: Mapping[str, tuple[str, ...]], without: str = "") -> Topics:
    reader = Reader()
    single = [(kinds[0], url) for url, kinds in labels.items() if len(kinds) == 1 and kinds[0] != without]
    return _by_topic((topic, partial(_page, pages, url, reader)) for topic, url in single)


def _by_topic(texts: Iterable[tuple[str, Source]]) -> Topics:
    found: dict[str, list[Source]] = {}
    for topic, source in texts:
        found.setdefault(topic, []).append(source)
    return {topic: sources for topic, sources in sorted(found.items()) if len(sources) >= LEAST}


def _file(file: Path) -> Bag:
    return _bag(file.read_bytes().decode("latin-1"))


def _bag(text: str) -> Bag:
    return dict(count_stems(words(text), "en"))


def _page(pages: Collection, url: str, reader: Reader) -> Bag:
    page = reader.read(pages.answer(url))
    return {} if isinstance(page, Failed) else dict(page.terms)
