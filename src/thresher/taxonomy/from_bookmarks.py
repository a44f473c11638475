"""From a bookmark file to topics: folders are topics, their links training pages and start pages (spec: taxonomy)."""

import re
from collections import Counter
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from thresher.errors import InputError
from thresher.taxonomy.bookmarks import read_shelf
from thresher.taxonomy.browser_folders import BROWSER_FOLDERS
from thresher.taxonomy.shelves import Bookmark, Shelf
from thresher.taxonomy.topic_tree import (
    OTHERS,
    Path,
    Taxonomy,
    Topic,
    TrainingPage,
    distinct,
    name_of,
    put,
    written,
)
from thresher.web.urls import canonical

_SCHEME: Final = re.compile(r"\s*([a-zA-Z][a-zA-Z0-9+.-]{0,20}):")


class Gathered(Struct, frozen=True):
    """Topics with notices about everything that was left out, put elsewhere or merged, one sentence each."""

    taxonomy: Taxonomy
    notices: list[str]


def from_bookmarks(data: bytes, name: str = "bookmarks") -> Gathered:
    """Make topics of a bookmark file; `name` is that of the topic where the file has no folders.

    >>> file = b'<DL><DT><H3>Boats</H3><DL><DT><A HREF="http://a.test/">A</A></DL><DT><A HREF="javascript:x">J</A></DL>'
    >>> gathered = from_bookmarks(file)
    >>> [topic.name for _, topic in gathered.taxonomy.walk()], gathered.notices
    (['Boats'], ['1 entry is no web page and was left out (javascript).'])
    """
    shelf = read_shelf(data)
    if not shelf.bookmarks:
        raise InputError(
            "There are no bookmarks in the file.", "Export them from your browser as HTML, and name that file."
        )
    return _Gathering(shelf, name).result()


class _Gathering:
    """One way from a shelf to a tree."""

    def __init__(self, shelf: Shelf, name: str) -> None:
        self._shelf = shelf
        self._name = name
        self._notices: list[str] = []
        self._made = {folder.path for folder in shelf.folders if folder.made_by_browser}
        self._made |= {folder.path for folder in shelf.folders if folder.name.strip().lower() in BROWSER_FOLDERS}
        self._used: set[Path] = set()

    def result(self) -> Gathered:
        pages = self._pages()
        if not any(path for path, _ in pages):
            pages = [((name_of(self._name),), page) for _, page in pages]
        positive: dict[Path, list[TrainingPage]] = {}
        negative: dict[Path, list[TrainingPage]] = {}
        loose: list[TrainingPage] = []
        for path, page in pages:
            others = next((place for place, name in enumerate(path) if name.lower() == OTHERS), None)
            if others is not None:
                negative.setdefault(path[:others], []).append(page)
            elif path:
                positive.setdefault(path, []).append(page)
            else:
                loose.append(page)
        taxonomy = self._tree(positive, negative)
        self._tell(taxonomy, len(pages), loose)
        return Gathered(replace(taxonomy, seeds=distinct(loose)), self._notices)

    def _tree(self, positive: dict[Path, list[TrainingPage]], negative: dict[Path, list[TrainingPage]]) -> Taxonomy:
        """Build the tree; folders with the same name in one place are one topic."""
        notes = {self._path(folder.path): folder.note for folder in self._shelf.folders if folder.note}
        taxonomy = Taxonomy()
        for path in dict.fromkeys((*positive, *negative)):
            present = taxonomy.get(path) or Topic(name=path[-1])
            topic = replace(
                present,
                pages=distinct(positive.get(path, [])),
                others=distinct(negative.get(path, [])),
                note=notes.get(path, ""),
            )
            taxonomy = put(taxonomy, path, topic)
        return taxonomy

    def _tell(self, taxonomy: Taxonomy, pages: int, loose: list[TrainingPage]) -> None:
        if loose:
            self._notices.append(
                f"{_number(len(loose), 'link')} outside of any folder: start of the crawl, but no training page."
            )
        self._tell_folders(taxonomy)
        merged = pages - len(loose) - _size(taxonomy)
        if merged:
            self._notices.append(f"{_number(merged, 'repeated bookmark')} merged.")
        self._tell_shared(taxonomy)

    def _pages(self) -> list[tuple[Path, TrainingPage]]:
        """Return the web pages among the bookmarks with their paths, and tell what is none."""
        pages: list[tuple[Path, TrainingPage]] = []
        strange: Counter[str] = Counter()
        broken: list[str] = []
        for bookmark in self._shelf.bookmarks:
            url = canonical(bookmark.url)
            scheme = _SCHEME.match(bookmark.url)
            if url is not None:
                pages.append((self._path(bookmark.folders), _page(url, bookmark)))
            elif scheme is not None and scheme[1].lower() not in ("http", "https"):
                strange[scheme[1].lower()] += 1
            else:
                broken.append(bookmark.url)
        if strange:
            number = sum(strange.values())
            verb = "entry is no web page and was" if number == 1 else "entries are no web pages and were"
            self._notices.append(f"{number} {verb} left out ({', '.join(sorted(strange))}).")
        for url in broken[:20]:
            self._notices.append(f"'{url[:100]}' is no URL and was left out.")
        if not pages:
            raise InputError("There is no web page among the bookmarks.", "Name a file with http or https links.")
        return pages

    def _path(self, folders: Path) -> Path:
        """Return the topic path of folders: those a browser made are flattened."""
        kept: list[str] = []
        for depth, name in enumerate(folders, 1):
            if folders[:depth] in self._made and name.strip().lower() != OTHERS:
                self._used.add(folders[:depth])
            else:
                kept.append(name_of(name))
        return tuple(kept)

    def _tell_folders(self, taxonomy: Taxonomy) -> None:
        if self._used:
            names = ", ".join(f"'{path[-1]}'" for path in sorted(self._used))
            self._notices.append(f"Made by the browser, so no topic of its own: {names}.")
        full = {path[:depth] for path, topic in taxonomy.walk() for depth in range(1, len(path) + 1)}
        empty = [
            written(self._path(folder.path))
            for folder in self._shelf.folders
            if folder.path not in self._made
            and folder.name.strip().lower() != OTHERS
            and self._path(folder.path) not in full
            and OTHERS not in (name.lower() for name in folder.path)
        ]
        if empty:
            self._notices.append(f"Empty, so no topic: {', '.join(dict.fromkeys(empty))}.")

    def _tell_shared(self, taxonomy: Taxonomy) -> None:
        """Tell which pages stand in two topics of which neither lies in the other."""
        places: dict[str, Path] = {}
        for path, topic in taxonomy.walk():
            for page in topic.pages:
                first = places.setdefault(page.url, path)
                if first != path[: len(first)]:
                    self._notices.append(f"{page.url} stands in {written(first)} and in {written(path)}.")


def _page(url: str, bookmark: Bookmark) -> TrainingPage:
    return TrainingPage(url, bookmark.title, bookmark.added, bookmark.note, bookmark.tags)


def _size(taxonomy: Taxonomy) -> int:
    return len(taxonomy.root.others) + sum(len(topic.pages) + len(topic.others) for _, topic in taxonomy.walk())


def _number(count: int, what: str) -> str:
    return f"{count} {what}" if count == 1 else f"{count} {what}s"
