"""The archive of a portal: every answer of a crawl, byte for byte, in WARCs of limited size."""

from collections.abc import Callable, Sequence
from pathlib import Path
from uuid import UUID, uuid4

from thresher import __version__
from thresher.errors import PortalError
from thresher.file_rights import make_folder
from thresher.store.archive.archive_files import RecordPosition, file_name, index_path, number_of, series_files
from thresher.store.archive.cdxj import REVISIT, IndexRow, last_rows, row_of
from thresher.store.archive.cutting import cut_at, is_whole, mend
from thresher.store.archive.digests import label_of
from thresher.store.archive.exchanges import StoredExchange, exchange_of
from thresher.store.archive.known_payloads import KnownPayloads
from thresher.store.archive.raw_records import OWN_RECORD, RawRecord, read_raw
from thresher.store.archive.warc_file import WarcFile
from thresher.store.archive.warc_records import (
    LEVEL,
    RevisitedRecord,
    info_record,
    request_record,
    response_record,
    revisit_record,
    unmodified_record,
)
from thresher.store.disk_failures import disk_failures
from thresher.types import Kept
from thresher.web.status import NOT_MODIFIED


class WarcArchive:
    """Appends answers to the WARCs of one series in a directory.

    The files of a series are numbered; none exceeds `max_bytes` unless a single exchange does. `software` is named in
    the files as their creator. Text is compressed at `level`. A payload that was archived before becomes a revisit: the
    archive remembers the digests of the last `remembered` payloads, including those of earlier runs, which it reads
    from the indexes. `ids` generates record ids. Only one process may write a series at a time, from one thread.

    >>> from tempfile import TemporaryDirectory
    >>> from thresher.types import Fetched
    >>> page = Fetched(url="http://a.test/", status=200, headers=[], body=b"hi", raw=b"hi", mime="text/html", at=0.0)
    >>> with TemporaryDirectory() as folder:
    ...     archive = WarcArchive(Path(folder))
    ...     [place] = archive.append([page])
    ...     archive.close()
    >>> place.file
    'crawl-000001.warc.gz'
    """

    def __init__(
        self,
        directory: Path,
        *,
        series: str = "crawl",
        max_bytes: int = 1_000_000_000,
        software: str = f"Thresher/{__version__}",
        level: int = LEVEL,
        remembered: int = 50_000,
        ids: Callable[[], UUID] = uuid4,
    ) -> None:
        self._directory = directory
        self._series = series
        self._max_bytes = max_bytes
        self._software = software
        self._level = level
        self._remembered = remembered
        self._ids = ids
        self._known = KnownPayloads(remembered)
        self._file: WarcFile | None = None
        self._last: RecordPosition | None = None
        self._ready = False

    @property
    def last(self) -> RecordPosition | None:
        """The position of the last answer in the archive, None if there is none."""
        self._prepare()
        return self._last

    def append(self, exchanges: Sequence[Kept]) -> list[RecordPosition]:
        """Archive answers and their requests; return the position of each answer's record.

        When this returns, everything is with the operating system, so rows that name these positions may be committed.
        All or nothing: raises PortalFull if there is no space left, and the archive is unchanged.
        """
        return self.append_exchanges([exchange_of(answer) for answer in exchanges])

    def append_exchanges(self, exchanges: Sequence[StoredExchange]) -> list[RecordPosition]:
        """Archive exchanges given as bytes; see `append`."""
        self._prepare()
        before = self._last
        try:
            with disk_failures():
                places = [self._write(exchange) for exchange in exchanges]
                if self._file is not None:
                    self._file.flush()
        except BaseException:
            self.cut(before)
            raise
        return places

    def cut(self, place: RecordPosition | None) -> RecordPosition | None:
        """Drop everything after the last committed answer, or the whole series for None; return where it now ends.

        The result differs from `place` only if the disk lost data: then it is the last whole answer before `place`.
        """
        self._close_file()
        self._ready = False
        number = number_of(place.file, self._series) if place else 0
        if number is None:
            raise PortalError(
                f"{place} is not a position in the series '{self._series}'.", "Use a position in this archive."
            )
        with disk_failures():
            for warc in reversed(series_files(self._directory, self._series)):
                gone = (number_of(warc.name, self._series) or 0) > number
                if place is not None and warc.name == place.file:
                    gone = cut_at(warc, place) is None
                if gone:
                    _remove(warc)
        # `last` also repairs the remaining files if needed.
        return self.last

    def recall(self, digest: str) -> RecordPosition | None:
        """Return the position of a payload with this digest label, or None if it is not remembered."""
        self._prepare()
        return self._known.find(digest)

    def sync(self) -> None:
        """Return once everything appended is on disk, safe from power loss."""
        if self._file is not None:
            with disk_failures():
                self._file.sync()

    def close(self) -> None:
        """Close the archive; it reopens by itself when used again."""
        self._close_file()
        self._ready = False

    def _prepare(self) -> None:
        """Find the end of the archive, repair it after a crash, and load the digests."""
        if self._ready:
            return
        with disk_failures():
            make_folder(self._directory)
            files = series_files(self._directory, self._series)
            while files and not is_whole(files[-1]) and mend(files[-1]) is None:
                _remove(files.pop())
            self._last = self._load(files)
        self._ready = True

    def _load(self, files: list[Path]) -> RecordPosition | None:
        """Load the latest digests from the indexes; return the position of the last answer."""
        found: list[tuple[RecordPosition, IndexRow]] = []
        for warc in reversed(files):
            latest = last_rows(index_path(warc), max(1, self._remembered - len(found)))
            found = [(RecordPosition(warc.name, row.offset, row.length), row) for row in latest] + found
            if len(found) >= self._remembered:
                break
        self._known.forget()
        for place, row in found:
            if row.mime != REVISIT and row.digest:
                self._known.remember(row.digest, place)
        return found[-1][0] if found else None

    def _write(self, exchange: StoredExchange) -> RecordPosition:
        identity = self._ids()
        digest = label_of(exchange.payload)
        original = self._original(digest) if exchange.payload else None
        request = request_record(exchange, self._ids(), identity, level=self._level) if exchange.request else b""
        unmodified = exchange.status == NOT_MODIFIED and not exchange.payload
        if unmodified:
            record = unmodified_record(exchange, identity, level=self._level)
        elif original is None:
            record = response_record(exchange, identity, digest, level=self._level)
        else:
            record = revisit_record(exchange, identity, digest, original, level=self._level)
        file = self._room_for(len(request) + len(record), exchange.at)
        if request:
            file.write(request)
        place = RecordPosition(file.path.name, file.write(record), len(record))
        mime = REVISIT if unmodified or original is not None else exchange.mime
        label = "" if unmodified else digest
        file.note(row_of(exchange.url, exchange.at, mime, exchange.status, label, place))
        if original is None and exchange.payload:
            self._known.remember(digest, place)
        self._last = place
        return place

    def _original(self, digest: str) -> RevisitedRecord | None:
        """Return the record that already holds a payload; it is read back so that no revisit ever points nowhere."""
        place = self._known.find(digest)
        if place is None:
            return None
        try:
            with (self._directory / place.file).open("rb") as file:
                raw = read_raw(file, place.offset, max_record=OWN_RECORD)
        except FileNotFoundError:
            return None
        if not isinstance(raw, RawRecord) or raw.fields.get("warc-payload-digest") != digest:
            return None
        return RevisitedRecord(raw.url, raw.fields.get("warc-date", ""), place)

    def _room_for(self, size: int, at: float) -> WarcFile:
        """Return the file to write to: the current one, or a new one if it would grow too large."""
        newest = self._last.file if self._last else None
        if self._file is None and newest is not None:
            self._file = WarcFile(self._directory / newest)
        if self._file is not None:
            if self._file.size + size <= self._max_bytes:
                return self._file
            self._file.sync()
            self._close_file()
        number = (number_of(newest, self._series) or 0) + 1 if newest else 1
        name = file_name(self._series, number)
        self._file = WarcFile(self._directory / name, new=True)
        self._file.write(info_record(self._ids(), at, name, self._software))
        return self._file

    def _close_file(self) -> None:
        if self._file is not None:
            self._file.close()
            self._file = None


def _remove(warc: Path) -> None:
    warc.unlink(missing_ok=True)
    index_path(warc).unlink(missing_ok=True)
