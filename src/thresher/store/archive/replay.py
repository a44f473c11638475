"""Replays archives as a web, for crawls without a network and with any settings."""

import asyncio
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO

from msgspec.structs import replace

from thresher.errors import InputError
from thresher.protocols import Clock
from thresher.reasons import Reason
from thresher.store.archive.answering import answer_from
from thresher.store.archive.archive_files import archive_files
from thresher.store.archive.archived import Archived, answer_in
from thresher.store.archive.problems import Problems
from thresher.store.archive.raw_records import MAX_RECORD, RawRecord, read_raw
from thresher.store.archive.replay_index import ReplayIndex
from thresher.types import Answer, Candidate, Copy, Failed, Fetched, Unchanged
from thresher.web.fetcher import TYPES
from thresher.web.sitemaps import SITEMAP_TYPES
from thresher.web.sniff import SIGNATURES
from thresher.web.urls import canonical
from thresher.web.validators import conditions, is_current

NOT_HERE = "not in the archive"


class ReplayFetcher:
    """Answers from WARC and ARC files; never opens a connection.

    `paths` are files or directories of them. If a URL has several answers, the newest is returned. `max_body`, `types`
    and `signatures` mean the same as for fetching over HTTP. Only an index is kept in memory; at most `open_files`
    files are open at once. `problems` counts what is wrong with the files. Answers carry the current time of `clock`,
    not the archived time. A URL that is not in the archive does not exist; a missing robots.txt allows everything.
    """

    def __init__(
        self,
        paths: Sequence[Path],
        clock: Clock,
        *,
        max_body: int = 10_000_000,
        types: Mapping[str, int] = TYPES,
        signatures: Sequence[tuple[bytes, str]] = SIGNATURES,
        open_files: int = 32,
    ) -> None:
        self._clock = clock
        self._max_body = max_body
        self._types = types
        self._signatures = signatures
        self._open_files = open_files
        self._files = archive_files(paths)
        if not self._files:
            raise InputError("There is nothing to replay.", "Give a WARC or ARC file, or a folder of them.")
        self._opened: OrderedDict[int, BinaryIO] = OrderedDict()
        self.problems = Problems()
        self._index = ReplayIndex(self._files, self.problems)

    def __len__(self) -> int:
        """Return the number of URLs that have an answer."""
        return len(self._index)

    async def fetch(self, candidate: Candidate) -> Answer:
        """Return the archived answer for a URL, or `Unchanged` if the crawl already has it; never raise."""
        await asyncio.sleep(0)
        return self.answer(candidate)

    def answer(self, candidate: Candidate) -> Answer:
        """Return the same as `fetch`, synchronously."""
        at = self._clock.wall()
        url = canonical(candidate.url)
        if url is None:
            return Failed(url=candidate.url, reason=Reason.BAD_URL, at=at)
        place = self._index.find(url)
        archived = self._read(*place) if place else None
        # URL ids are not unique, so check the URL of the record itself.
        if archived is None or canonical(archived.url) != url:
            return self._unknown(candidate.url, at)
        if archived.revisit:
            original = self._original(archived)
            if original is None:
                return self._unknown(candidate.url, at)
            archived = replace(archived, payload=original.payload)
        types = SITEMAP_TYPES if candidate.lists else self._types
        answer = answer_from(archived, at=at, max_body=self._max_body, types=types, signatures=self._signatures)
        answer = replace(answer, url=candidate.url)
        if candidate.copy is not None and isinstance(answer, Fetched) and _is_same(answer, candidate.copy):
            return _unchanged(answer, candidate.copy)
        return answer

    async def close(self) -> None:
        """Close the files; they are reopened when the fetcher is used again."""
        while self._opened:
            self._opened.popitem()[1].close()

    def _unknown(self, url: str, at: float) -> Failed:
        robots = url.partition("://")[2].partition("/")[2] == "robots.txt"
        return Failed(url=url, reason=Reason.NOT_FOUND, at=at, detail=NOT_HERE, status=404 if robots else None)

    def _original(self, revisit: Archived) -> Archived | None:
        place = self._index.original(revisit.digest)
        found = self._read(*place) if place else None
        return found if found and not found.revisit and found.digest == revisit.digest else None

    def _read(self, number: int, offset: int) -> Archived | None:
        """Return a record of a file, or None if the file or record can no longer be read."""
        with suppress(OSError):
            raw = read_raw(self._file(number), offset, max_record=MAX_RECORD)
            if isinstance(raw, RawRecord):
                return answer_in(raw, self._files[number].name, Problems())
        return None

    def _file(self, number: int) -> BinaryIO:
        file = self._opened.get(number)
        if file is None:
            file = self._opened[number] = self._files[number].open("rb")
            if len(self._opened) > self._open_files:
                self._opened.popitem(last=False)[1].close()
        self._opened.move_to_end(number)
        return file


def _is_same(answer: Fetched, copy: Copy) -> bool:
    """Return whether a server with this answer would confirm the given copy."""
    fields = {name.lower(): value for name, value in conditions(copy).items()}
    etag, last_modified = (answer.header(name) or "" for name in ("etag", "last-modified"))
    return is_current(fields, etag, last_modified)


def _unchanged(fetched: Fetched, copy: Copy) -> Unchanged:
    return Unchanged(url=fetched.url, at=fetched.at, copy=copy, headers=fetched.headers, ip=fetched.ip)
