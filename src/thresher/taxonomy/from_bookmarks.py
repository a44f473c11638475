"""Converts a bookmark file to topics: folders become topics, their links training and start pages."""

import re
from collections import Counter
from typing import Final, NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from thresher.errors import InputError
from thresher.taxonomy.bookmark_notices import cut_folders, listed, no_web_pages, shared_pages, shortened
from thresher.taxonomy.bookmarks import read_shelf
from thresher.taxonomy.browser_folders import BROWSER_FOLDERS, is_stock
from thresher.taxonomy.shelves import Bookmark, BookmarkFile, Folder, PageMark, TopicMark
from thresher.taxonomy.topic_tree import (
    OTHERS,
    Path,
    Taxonomy,
    Topic,
    TrainingPage,
    distinct,
    name_of,
    written,
)
from thresher.web.urls import canonical, host_of

_SCHEME: Final = re.compile(r"\s*([a-zA-Z][a-zA-Z0-9+.-]{0,20}):")


class ImportedTopics(Struct, frozen=True):
    """Topics, and a notice for everything that was left out, moved or merged, one sentence each."""

    taxonomy: Taxonomy
    notices: list[str]


def from_bookmarks(data: bytes, name: str = "bookmarks") -> ImportedTopics:
    """Convert a bookmark file to topics; `name` is the topic's name if the file has no folders.

    >>> file = b'<DL><DT><H3>Boats</H3><DL><DT><A HREF="http://a.test/">A</A></DL><DT><A HREF="javascript:x">J</A></DL>'
    >>> gathered = from_bookmarks(file)
    >>> [topic.name for _, topic in gathered.taxonomy.walk()], gathered.notices
    (['Boats'], ['1 entry is not a web page and was left out (javascript).'])
    """
    shelf = read_shelf(data)
    if not shelf.bookmarks and not any(folder.mark for folder in shelf.folders):
        raise InputError(
            "There are no bookmarks in the file.", "Export them from your browser as HTML, and give that file."
        )
    return _Gathering(shelf, name).result()


class Placement(NamedTuple):
    """Where an entry belongs: the path of its topic, and whether it is a negative example there."""

    path: Path
    negative: bool


class _Gathering:
    """One conversion of a shelf to a tree."""

    def __init__(self, shelf: BookmarkFile, name: str) -> None:
        self._shelf = shelf
        self._name = name
        self._notices: list[str] = []
        marked = {folder.path: folder.mark for folder in shelf.folders if folder.mark is not None}
        self._topics = {path for path, mark in marked.items() if not mark.others}
        self._others = {path for path, mark in marked.items() if mark.others}
        self._made = {folder.path for folder in shelf.folders if folder.made_by_browser}
        self._made |= {folder.path for folder in shelf.folders if folder.name.strip().lower() in BROWSER_FOLDERS}
        self._made -= self._topics | self._others
        self._stock = self._stock_folders()
        self._used: set[Path] = set()

    def _stock_folders(self) -> set[Path]:
        """Return the folders that are unchanged since the browser created them."""
        hosts: dict[Path, list[str]] = {}
        for bookmark in self._shelf.bookmarks:
            url = canonical(bookmark.url)
            hosts.setdefault(bookmark.folders, []).append(host_of(url) if url is not None else "")
        own = self._topics | self._others
        return {path for path, found in hosts.items() if path and path not in own and is_stock(path[-1], found)}

    def result(self) -> ImportedTopics:
        pages = self._pages()
        own = self._topics or any(bookmark.mark and bookmark.mark.seed for bookmark in self._shelf.bookmarks)
        if not own and not any(place.path or place.negative for place, _ in pages):
            pages = [(Placement((name_of(self._name),), False), page) for _, page in pages]
        positive: dict[Path, list[TrainingPage]] = {}
        negative: dict[Path, list[TrainingPage]] = {}
        loose: list[TrainingPage] = []
        for (path, is_negative), page in pages:
            if is_negative:
                negative.setdefault(path, []).append(page)
            elif path:
                positive.setdefault(path, []).append(page)
            else:
                loose.append(page)
        taxonomy = self._tree(positive, negative)
        self._tell(taxonomy, len(pages), loose)
        return ImportedTopics(replace(taxonomy, seeds=distinct(loose)), self._notices)

    def _tree(self, positive: dict[Path, list[TrainingPage]], negative: dict[Path, list[TrainingPage]]) -> Taxonomy:
        """Build the tree; folders with the same path are one topic, folders without pages are none."""
        marked = [self._place(folder.path).path for folder in self._shelf.folders if folder.path in self._topics]
        topics: dict[Path, Topic] = {(): Topic(name="", others=distinct(negative.get((), [])))}
        for path in (*marked, *positive, *negative):
            for depth in range(1, len(path) + 1):
                place = path[:depth]
                if place not in topics:
                    own, others = distinct(positive.get(place, [])), distinct(negative.get(place, []))
                    topics[place] = Topic(name=place[-1], pages=own, others=others)
        for folder in self._shelf.folders:
            path, is_negative = self._place(folder.path)
            if path in topics and path and not is_negative and folder.path not in self._made:
                topics[path] = _with_folder(topics[path], folder)
        return Taxonomy(root=_assembled(topics))

    def _tell(self, taxonomy: Taxonomy, pages: int, loose: list[TrainingPage]) -> None:
        if loose:
            self._notices.append(
                f"{_number(len(loose), 'link')} outside any folder: start pages, but not training pages."
            )
        self._tell_folders(taxonomy)
        merged = pages - len(loose) - _size(taxonomy)
        if merged:
            self._notices.append(f"{_number(merged, 'repeated bookmark')} merged.")
        self._notices += shared_pages(taxonomy)

    def _pages(self) -> list[tuple[Placement, TrainingPage]]:
        """Return the pages among the bookmarks with their assignments; add notices about other entries."""
        pages: list[tuple[Placement, TrainingPage]] = []
        strange: Counter[str] = Counter()
        broken: list[str] = []
        files = 0
        for bookmark in self._shelf.bookmarks:
            if bookmark.folders in self._stock:
                continue
            own_file = bookmark.mark is not None and bookmark.mark.file and bookmark.url.startswith("file:///")
            url = bookmark.url if own_file else canonical(bookmark.url)
            files += own_file
            scheme = _SCHEME.match(bookmark.url)
            if url is not None:
                pages.append((self._place(bookmark.folders), _page(url, bookmark)))
            elif scheme is not None and scheme[1].lower() not in ("http", "https"):
                strange[scheme[1].lower()] += 1
            else:
                broken.append(f"'{bookmark.url[:100]}' is not a URL and was left out.")
        self._notices += [*no_web_pages(strange), *shortened(broken, "entries are not URLs and were left out")]
        if files:
            self._notices.append(f"{_number(files, 'page')} from this machine accepted, as exported by Thresher.")
        if self._stock:
            names = listed([f"'{path[-1]}'" for path in sorted(self._stock)])
            self._notices.append(f"Left out, because they came with the browser: {names}.")
        if not pages and not self._topics:
            raise InputError("There are no web pages among the bookmarks.", "Give a file with http or https links.")
        return pages

    def _place(self, folders: Path) -> Placement:
        """Return where the content of folders belongs; folders created by a browser are flattened."""
        kept: list[str] = []
        for depth, name in enumerate(folders, 1):
            raw = folders[:depth]
            if raw in self._others or (name.strip().lower() == OTHERS and raw not in self._topics):
                return Placement(tuple(kept), True)
            if raw in self._made:
                self._used.add(raw)
            else:
                kept.append(name_of(name))
        return Placement(tuple(kept), False)

    def _tell_folders(self, taxonomy: Taxonomy) -> None:
        if self._used:
            names = listed([f"'{path[-1]}'" for path in sorted(self._used)])
            self._notices.append(f"Not topics, because the browser created them: {names}.")
        full = {path for path, _ in taxonomy.walk()}
        known = self._made | self._stock
        places = [self._place(folder.path) for folder in self._shelf.folders if folder.path not in known]
        empty = [written(path) for path, negative in places if not negative and path not in full]
        if empty:
            self._notices.append(f"Not topics, because they are empty: {listed(list(dict.fromkeys(empty)))}.")
        self._notices += cut_folders(self._shelf)


def _assembled(topics: dict[Path, Topic]) -> Topic:
    """Return the root of a tree of topics, given with parents before children."""
    children: dict[Path, list[Topic]] = {path: [] for path in topics}
    for path in reversed(topics):
        if path:
            children[path[:-1]].append(replace(topics[path], children=tuple(reversed(children[path]))))
    return replace(topics[()], children=tuple(reversed(children[()])))


def _with_folder(topic: Topic, folder: Folder) -> Topic:
    """Return a topic with the description, date and mark of its folder; of two such folders, the first counts."""
    mark = folder.mark or TopicMark()
    return replace(
        topic,
        indicators=topic.indicators or mark.indicators,
        languages=topic.languages or mark.languages,
        query=topic.query or mark.query,
        note=topic.note or (folder.note if mark.note is None else mark.note),
        added=topic.added if topic.added is not None else folder.added if mark.added is None else mark.added,
    )


def _page(url: str, bookmark: Bookmark) -> TrainingPage:
    mark = bookmark.mark or PageMark()
    return TrainingPage(
        url,
        bookmark.title if mark.title is None else mark.title,
        bookmark.added if mark.added is None else mark.added,
        bookmark.note if mark.note is None else mark.note,
        bookmark.tags if mark.tags is None else mark.tags,
    )


def _size(taxonomy: Taxonomy) -> int:
    return len(taxonomy.root.others) + sum(len(topic.pages) + len(topic.others) for _, topic in taxonomy.walk())


def _number(count: int, what: str) -> str:
    return f"{count} {what}" if count == 1 else f"{count} {what}s"
