"""Brings the index up to date with the repository.

The index follows the sequence numbers of the repository. Catching up is idempotent, so a kill loses at most the pages
since the last commit. Pages whose text has not changed, for example after a new judgement, are skipped: the index
stores a hash of what was indexed. A page also counts as changed if the anchor texts of its inlinks change.
"""

import fcntl
import os
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import tantivy
from msgspec import Struct

from thresher.file_rights import follow, make_folder
from thresher.search import text_index
from thresher.search.page_fields import MOST_ANCHORS, anchor_text, page_fields, print_of
from thresher.search.text_index import FOLDER, Indexed, IndexWriter, TextIndex
from thresher.store.disk_failures import disk_failures
from thresher.store.protocol import Store
from thresher.store.search_records import SearchablePage

LOCK: Final = "index.lock"
COMMIT_PAGES: Final = 2_000
"""Pages between commits, so a kill loses little work."""

_FIRST_COMMIT: Final = 50_000
"""Pages between commits of a new index, which a kill discards anyway; every commit leaves a segment to merge."""

_READ_AT_ONCE: Final = 100


class Caught(Struct, frozen=True):
    """The result of catching up: pages written and removed, the mark, and the seconds; `built` if the index is new."""

    written: int
    removed: int
    mark: int
    seconds: float
    built: bool = False


@contextmanager
def index_lock(portal: Path, patience: float = 0.0) -> Iterator[bool]:
    """Hold the lock that limits a portal to one indexer; yield False if it is still taken after `patience` seconds."""
    with disk_failures():
        make_folder(portal / FOLDER)
        path = portal / FOLDER / LOCK
        made = not path.exists()
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        if made:
            follow(path)
    try:
        yield _take(descriptor, time.monotonic() + patience)
    finally:
        os.close(descriptor)


def _take(descriptor: int, deadline: float) -> bool:
    while True:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if time.monotonic() >= deadline:
                return False
            time.sleep(0.01)
        else:
            return True


def catch_up(portal: Path, store: Store, on_progress: Callable[[int], None] = lambda _: None) -> Caught:
    """Bring the index of a portal up to date, building it if needed; the caller must hold the index lock.

    `on_progress` is called with the number of pages written so far.
    """
    state = text_index.state_of(portal)
    if state is None:
        return rebuild(portal, store, on_progress)
    text_index.remove_others(portal, state.folder)
    try:
        index = TextIndex(portal / FOLDER / state.folder)
    except ValueError:
        # The index is damaged; all its contents come from the repository.
        return rebuild(portal, store, on_progress)
    searcher = index.searcher()
    mark, last = text_index.mark_of(searcher), store.log.last()
    if mark > last or not text_index.has_numbers(searcher, index.folder):
        # An older copy of the repository was restored, or an incomplete copy of the index.
        return rebuild(portal, store, on_progress)
    return _follow(index, store, mark, on_progress)


def rebuild(portal: Path, store: Store, on_progress: Callable[[int], None] = lambda _: None) -> Caught:
    """Build a new index next to the one in use, then switch to it; the caller must hold the index lock."""
    with disk_failures():
        folder = text_index.new_folder(portal)
        caught = _follow(TextIndex(folder, create=True), store, 0, on_progress)
        text_index.use(portal, folder)
    return Caught(caught.written, caught.removed, caught.mark, caught.seconds, built=True)


def _follow(index: TextIndex, store: Store, mark: int, on_progress: Callable[[int], None]) -> Caught:
    started = time.perf_counter()
    last = store.log.last()
    if mark and mark == last:
        return Caught(0, 0, mark, time.perf_counter() - started)
    fresh = not mark
    pass_, told = _Pass(index, store), 0
    try:
        for block in store.search_feed.pages(mark):
            for start in range(0, len(block), _READ_AT_ONCE):
                pages = block[start : start + _READ_AT_ONCE]
                # The links to pages stored before a new index was begun are already complete.
                pass_.take(pages, fresh=fresh and pages[-1].seq <= last)
                mark = pages[-1].seq
                if pass_.waiting >= (_FIRST_COMMIT if fresh else COMMIT_PAGES):
                    pass_.commit(mark)
                if pass_.written - told >= COMMIT_PAGES:
                    told = pass_.written
                    on_progress(told)
        # Entries of the log that are not pages (visits, events) need no indexing.
        pass_.commit(max(mark, last))
        on_progress(pass_.written)
    finally:
        pass_.close()
        # tantivy creates files with the permissions of the process, not those of the portal.
        for path in index.folder.iterdir():
            follow(path)
    return Caught(pass_.written, pass_.removed, max(mark, last), time.perf_counter() - started)


class _Pass:
    """One pass over changed pages."""

    def __init__(self, index: TextIndex, store: Store) -> None:
        self._index = index
        self._feed = store.search_feed
        self._writer: IndexWriter | None = None
        self._before: tantivy.Searcher = index.searcher()
        self._done: set[int] = set()
        self.written = self.removed = self.waiting = 0

    @property
    def writer(self) -> IndexWriter:
        """The writer, opened on first use."""
        if self._writer is None:
            self._writer = self._index.writer()
        return self._writer

    def take(self, pages: Sequence[SearchablePage], *, fresh: bool) -> None:
        """Index the new and changed pages of a block, and the pages whose anchor texts they change.

        `fresh` means that the index is new, so there is nothing to compare with.
        """
        known = {} if fresh else self._known([page.id for page in pages])
        contents = {page.id: print_of(page.at, page.digest.hex(), page.language) for page in pages}
        for page in pages:
            if not page.searchable and (fresh or page.id in known):
                self.writer.remove(page.id)
                self.removed += not fresh
                self.waiting += 1
        changed = [
            page.id
            for page in pages
            if page.searchable and (page.id not in known or known[page.id].content != contents[page.id])
        ]
        targets = self._feed.targets(changed)
        self._write(changed, contents, targets, known)
        if not fresh:
            gone = [page.id for page in pages if not page.searchable]
            touched = {target for ends in targets.values() for target in ends}
            touched |= {target for id_ in [*changed, *gone] if id_ in known for target in known[id_].targets}
            self._renew(sorted(touched - set(changed) - set(gone)))

    def _known(self, ids: Sequence[int]) -> dict[int, Indexed]:
        if self._done.intersection(ids):
            # Pages written in this pass are visible only after a commit.
            self.commit(None)
        return text_index.indexed(self._before, self._index.schema, ids)

    def _renew(self, ids: Sequence[int]) -> None:
        """Reindex the pages whose anchor texts have changed."""
        known = self._known(ids)
        prints = {id_: print_of(self._anchors(id_)) for id_ in known}
        changed = [id_ for id_, was in known.items() if prints[id_] != was.anchor_print]
        targets = {id_: list(known[id_].targets) for id_ in changed}
        self._write(changed, {id_: known[id_].content for id_ in changed}, targets, known)

    def _anchors(self, id_: int) -> str:
        # The hash does not depend on the page's language.
        return anchor_text(self._feed.anchors(id_, MOST_ANCHORS), "")

    def _write(
        self,
        ids: Sequence[int],
        contents: dict[int, int],
        targets: dict[int, list[int]],
        known: dict[int, Indexed],
    ) -> None:
        for id_, page in self._feed.texts(ids).items():
            anchors = self._feed.anchors(id_, MOST_ANCHORS)
            anchor_print = print_of(anchor_text(anchors, ""))
            number = known[id_].number if id_ in known else None
            state = Indexed(contents[id_], anchor_print, tuple(targets.get(id_, ())), number)
            self.writer.put(id_, page_fields(page, anchors), state)
            self._done.add(id_)
            self.written += 1
            self.waiting += 1

    def commit(self, mark: int | None) -> None:
        """Commit all changes; without a mark the old one is kept."""
        self.writer.commit(text_index.mark_of(self._before) if mark is None else mark)
        self._before = self._index.searcher()
        self._done.clear()
        self.waiting = 0

    def close(self) -> None:
        """Release the writer."""
        if self._writer is not None:
            self._writer.close()
