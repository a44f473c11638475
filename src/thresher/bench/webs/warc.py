"""An archived crawl as a web: the pages of WARC or ARC files, labelled by a file or not at all.

Links to an archived redirect lead to its target. Without labels there are no topics to draw examples from.
"""

import hashlib
import os
from collections.abc import Iterable, Sequence
from contextlib import suppress
from functools import cached_property
from pathlib import Path
from typing import Final

import msgspec

from thresher.bench.data import cache_folder
from thresher.bench.webs.web import BenchWeb, Labels, WebKind, counted
from thresher.crawl.clock import RealClock
from thresher.documents.analyse import HTML
from thresher.errors import InputError
from thresher.store.archive.archive_files import archive_files
from thresher.store.archive.archived import records
from thresher.store.archive.replay import ReplayFetcher
from thresher.types import Candidate, Fetched, Redirected
from thresher.web.urls import canonical, host_of

NAME: Final = "warc"
_HOPS: Final = 25
_READABLE: Final = HTML | {"text/plain"}


class _Known(msgspec.Struct, frozen=True):
    """The targets of redirects, the sorted addresses of readable pages, and the robots files by host."""

    to: dict[str, str]
    held: list[str]
    robots: dict[str, bytes]


class WarcPages:
    """The readable pages of archives; `path` is a file or a folder of files, `labels` the file of their labels.

    `robots` holds the robots files by host.
    """

    name = NAME

    def __init__(self, path: Path, labels: Path | None = None) -> None:
        self._path = path
        self._files = archive_files([path])
        self._labels = labels
        known = self._known()
        self._to = known.to
        self._held = dict.fromkeys(known.held)
        self.robots = known.robots

    def _known(self) -> _Known:
        """Return which addresses have pages and which redirect; computed once and stored on disk."""
        place = cache_folder() / "archives" / f"{_digest_of([*self._files])}.msgpack"
        with suppress(OSError, msgspec.DecodeError):
            return msgspec.msgpack.decode(place.read_bytes(), type=_Known)
        found = self._sorted()
        place.parent.mkdir(parents=True, exist_ok=True)
        beside = place.with_name(f"{place.name}.{os.getpid()}.part")
        beside.write_bytes(msgspec.msgpack.encode(found))
        beside.replace(place)
        return found

    def _sorted(self) -> _Known:
        found = _Known({}, [], {})
        known = {canonical(record.url) for path in self._files for record in records(path)}
        for url in sorted(url for url in known if url is not None):
            answer = self._replay.answer(Candidate(url=url, priority=()))
            to = canonical(answer.to) if isinstance(answer, Redirected) else None
            if is_robots(url):
                found.robots.update({host_of(url): answer.body} if isinstance(answer, Fetched) else {})
            elif to is not None:
                found.to[url] = to
            elif isinstance(answer, Fetched) and answer.mime in _READABLE:
                found.held.append(url)
        return found

    @cached_property
    def _replay(self) -> ReplayFetcher:
        return ReplayFetcher([self._path], RealClock())

    @cached_property
    def digest(self) -> str:
        """The digest of the files, including labels: other labels make another web."""
        return _digest_of([*self._files, *([self._labels] if self._labels else [])])

    def urls(self) -> Sequence[str]:
        """Return the URL of every page."""
        return list(self._held)

    def answer(self, url: str) -> Fetched:
        """Return an archived page."""
        answer = self._replay.answer(Candidate(url=url, priority=()))
        if not isinstance(answer, Fetched):
            raise KeyError(url)
        return answer

    def held(self, url: str) -> str | None:
        """Return the page that an address leads to, after redirects."""
        for _ in range(_HOPS):
            if url in self._held:
                return url
            if url not in self._to:
                return None
            url = self._to[url]
        return None


def is_robots(url: str) -> bool:
    """Return whether an address is that of a robots file, which is not a page.

    >>> is_robots("http://a.test/robots.txt"), is_robots("http://a.test/about/robots.txt")
    (True, False)
    """
    return url.partition("://")[2].partition("/")[2] == "robots.txt"


def _digest_of(paths: Iterable[Path]) -> str:
    digest = hashlib.blake2b(digest_size=16)
    for path in paths:
        with path.open("rb") as file:
            digest.update(hashlib.file_digest(file, "blake2b").digest())
    return digest.hexdigest()


def read_labels(path: Path, pages: WarcPages) -> tuple[Labels, int]:
    """Return labels from a file of lines `URL<tab>topic`, and the number of lines that name no page of the archive.

    A line without a topic marks a page that belongs to no topic.
    """
    found: dict[str, set[str]] = {}
    lost = 0
    try:
        lines = path.read_text("utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"The labels '{path}' cannot be read: {error}.", "Write lines of URL, tab, topic.") from error
    for line in lines:
        address, _, topic = line.partition("\t")
        url = canonical(address.strip())
        held = pages.held(url) if url else None
        if held is not None:
            found.setdefault(held, set()).update({topic.strip()} - {""})
        elif line.strip():
            lost += 1
    return {url: tuple(sorted(found[url])) for url in sorted(found)}, lost


def warc(file: Path, labels: Path | None = None) -> BenchWeb:
    """Return the web of an archive, with the labels of a file if given."""
    pages = WarcPages(file, labels)
    known, lost = read_labels(labels, pages) if labels else ({}, 0)
    return BenchWeb(
        name=f"{NAME}:{file}",
        collection=pages,
        served=frozenset(pages.urls()),
        labels=known,
        corpus=known,
        topics=counted(known),
        robots=pages.robots,
        note=f"{lost} lines of '{labels}' name pages that are not in the archive." if lost else "",
    )


WEB: Final = WebKind(name=NAME, opens=warc, labelled=False)
