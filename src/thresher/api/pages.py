"""The accepted pages of a portal, for Python."""

import difflib
import time
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypedDict, overload

from msgspec import Struct

from thresher.counting import counted
from thresher.errors import InputError
from thresher.exports.page_files import write_pages
from thresher.exports.page_objects import KEYS, PageData, page_object
from thresher.notebook_html import Html, link, paragraph, table
from thresher.store.page_records import AcceptedPage
from thresher.store.protocol import Store
from thresher.taxonomy.topic_tree import parsed, written

if TYPE_CHECKING:
    import pandas

_SHOWN: Final = 20
"""Number of pages in the table that a notebook shows."""


class PageList(TypedDict):
    """Some of the accepted pages, and how many there are in total; `topic` is null for all topics."""

    portal: str
    topic: str | None
    pages: list[PageData]
    total: int


class PageExport(TypedDict):
    """The file, and how many pages were written."""

    portal: str
    topic: str | None
    file: str
    total: int


class Page(Struct, frozen=True):
    """A page that a topic accepted: its address, title, topic and the classifier's judgement."""

    row: AcceptedPage
    _store: Store | None = None

    @property
    def url(self) -> str:
        """The address."""
        return self.row.url

    @property
    def title(self) -> str:
        """The title, empty if the page has none."""
        return self.row.title

    @property
    def topic(self) -> str:
        """The topic that accepted the page, as a path: `Science/Physics`."""
        return self.row.topic

    @property
    def confidence(self) -> float:
        """How sure the classifier is: higher is surer, and 0 is on the topic's boundary."""
        return self.row.confidence

    @property
    def probability(self) -> float:
        """The same as a probability, 0 to 1; NaN if the classifier gives none."""
        return self.row.probability

    @property
    def found(self) -> datetime:
        """When the page was first fetched, in UTC."""
        return datetime.fromtimestamp(self.row.found, UTC)

    @property
    def state(self) -> str:
        """The review state: `unreviewed` until somebody decides."""
        return self.row.state.value

    @property
    def text(self) -> str:
        """The visible text, one line per passage; loaded on access."""
        stored = self._store.documents.document(self.row.url_id) if self._store is not None else None
        return stored.text if stored is not None else ""

    def to_dict(self) -> PageData:
        """Return the page as plain data, with the keys of `thresher pages --json`."""
        return page_object(self.row)

    def __repr__(self) -> str:
        return f"Page({self.url!r}, title={self.title!r}, topic={self.topic!r}, confidence={self.confidence:.2f})"

    def _repr_html_(self) -> str:
        title = Html(f"<b>{link(self.url, self.title)}</b>")
        return paragraph(title, f"{self.topic}, confidence {self.confidence:.2f}")


class Pages:
    """The accepted pages of a portal or of one topic, best first.

    Pages are loaded lazily: iterate, take the length, or slice with `pages[:10]`.
    """

    def __init__(self, store: Store, topic: str | None = None, title: str = "") -> None:
        self._store = store
        self._topic = topic
        self._title = title

    @property
    def topic(self) -> str | None:
        """The path of the topic; None for all topics."""
        return self._topic

    def __iter__(self) -> Iterator[Page]:
        return (Page(row, self._store) for row in self._store.documents.accepted(self._topic))

    def __len__(self) -> int:
        return self._store.documents.count_accepted(self._topic)

    @overload
    def __getitem__(self, place: int) -> Page: ...

    @overload
    def __getitem__(self, place: slice) -> list[Page]: ...

    def __getitem__(self, place: int | slice) -> Page | list[Page]:
        """Return one page, as in `pages[0]`, or a slice, as in `pages[:10]` or `pages[20:40]`."""
        if isinstance(place, slice):
            start, stop, step = place.indices(len(self))
            if step != 1:
                raise ValueError("slices of pages take no step")
            return self._between(start, stop)
        at = place + len(self) if place < 0 else place
        found = self._between(at, at + 1) if at >= 0 else []
        if not found:
            raise IndexError(f"there is no page {place} among {len(self):,}")
        return found[0]

    def _between(self, start: int, stop: int) -> list[Page]:
        if stop <= start:
            return []
        found = self._store.documents.accepted(self._topic, limit=stop - start, offset=start)
        return [Page(row, self._store) for row in found]

    def to_frame(self) -> "pandas.DataFrame":
        """Return all pages as a pandas data frame; raise ImportError if pandas is not installed."""
        import pandas

        frame = pandas.DataFrame([page.to_dict() for page in self], columns=list(KEYS))
        return frame.assign(found=pandas.to_datetime(frame["found"], unit="s", utc=True))

    def export(self, file: str | Path, *, overwrite: bool = False) -> int:
        """Write all pages to a .csv, .jsonl, .html (bookmarks) or .atom file, and return how many."""
        rows = self._store.documents.accepted(self._topic)
        return write_pages(Path(file), rows, title=self._title, at=time.time(), force=overwrite)

    def __repr__(self) -> str:
        of = f" of {self._topic}" if self._topic else ""
        return f"<{counted(len(self), 'accepted page')}{of}>"

    def _repr_html_(self) -> str:
        found = self[:_SHOWN]
        order = f"the best {len(found)} of them" if len(self) > len(found) else "best first"
        rows = [[f"{page.confidence:.2f}", link(page.url, page.title), page.topic] for page in found]
        about = f"{repr(self)[1:-1]}{', ' + order if found else ''}"
        return paragraph(about) + table(["confidence", "page", "topic"], rows)


def known_topic(topic: str, known: Sequence[str], store: Store) -> str | None:
    """Return a topic's path as stored, or None for the top; raise InputError if there is no such topic."""
    path = written(parsed(topic))
    # Until they are reclassified, pages keep a topic that was renamed or deleted.
    if not path or path in known or store.documents.count_accepted(path):
        return path or None
    close = difflib.get_close_matches(path, known, 1, 0.4)
    there = f"There are: {', '.join(known[:20])}." if known else "This portal has no topics."
    raise InputError(f"There is no topic '{topic}'.", f"Did you mean '{close[0]}'?" if close else there)
