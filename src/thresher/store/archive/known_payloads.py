"""Remembers which payloads are already archived: the latest digests, in bounded memory."""

from collections import OrderedDict

from thresher.store.archive.archive_files import RecordPosition


class KnownPayloads:
    """Remembers positions of payloads by digest label: at most `limit`, dropping the least recently used.

    >>> known = KnownPayloads(limit=1)
    >>> known.remember("sha1:A", RecordPosition("a.warc.gz", 0))
    >>> known.remember("sha1:B", RecordPosition("a.warc.gz", 9))
    >>> known.find("sha1:A"), known.find("sha1:B")
    (None, RecordPosition(file='a.warc.gz', offset=9, length=0))
    """

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._places: OrderedDict[str, RecordPosition] = OrderedDict()

    def find(self, digest: str) -> RecordPosition | None:
        """Return the position of a payload, or None if it is not remembered."""
        place = self._places.get(digest)
        if place is not None:
            self._places.move_to_end(digest)
        return place

    def remember(self, digest: str, place: RecordPosition) -> None:
        """Record a payload."""
        self._places[digest] = place
        self._places.move_to_end(digest)
        if len(self._places) > self._limit:
            self._places.popitem(last=False)

    def forget(self) -> None:
        """Forget everything."""
        self._places.clear()
