"""Properties of all pages other than their words, as one array per property.

Judgements, link scores and review states change while the text stays the same. Keeping them here means that retraining
and link analysis need no reindexing. Filters, rankings and facets, which look at all pages at once, use the same
arrays. The arrays are read from the repository and follow its sequence numbers, as the index does; the copy on disk
(`search/column_file.py`) only saves time.
"""

from collections.abc import Sequence
from email.utils import parsedate_to_datetime
from functools import cached_property, lru_cache
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from thresher.store.page_records import DuplicateKind
from thresher.store.protocol import Store
from thresher.store.search_records import SearchablePage

Numbers = NDArray[Any]
Mask = NDArray[np.bool_]

TYPES: Final = {
    "id": np.int64,
    "searchable": np.bool_,
    "host": np.int32,
    "topic": np.int32,
    "language": np.int32,
    "mime": np.int32,
    "model": np.int32,
    "state": np.int32,
    "at": np.float64,
    "changed": np.float64,
    "size": np.int64,
    "confidence": np.float64,
    "probability": np.float64,
    "hub": np.float64,
    "authority": np.float64,
    "pagerank": np.float64,
    "topic_pagerank": np.float64,
}
"""The arrays by name. Those in `NAMES` hold positions in a list of names, -1 for none; unknown numbers are NaN."""

NAMES: Final = ("host", "topic", "language", "mime", "model", "state")
SCORES: Final = ("hub", "authority", "pagerank", "topic_pagerank")


class Columns:
    """The arrays of a portal, all sorted by page id.

    `seq` is the repository's sequence number up to which the arrays are current; `hidden` lists the hidden topics.
    """

    def __init__(self) -> None:
        self.seq = 0
        self.scores_version = -1
        self.arrays: dict[str, Numbers] = {name: np.zeros(0, kind) for name, kind in TYPES.items()}
        self.names: dict[str, list[str]] = {name: [] for name in NAMES}
        self.originals: dict[int, int] = {}
        self.hidden: list[str] = []

    def __len__(self) -> int:
        return len(self.arrays["id"])

    def __getitem__(self, name: str) -> Numbers:
        return self.arrays[name]

    def rows(self, ids: Sequence[int] | NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the row of each id, -1 if it has none."""
        wanted = np.asarray(ids, np.int64)
        known = self.arrays["id"]
        if not len(known):
            return np.full(len(wanted), -1, np.int64)
        places = np.minimum(np.searchsorted(known, wanted), len(known) - 1)
        return np.where(known[places] == wanted, places, -1).astype(np.int64)

    @cached_property
    def accepted(self) -> Mask:
        """Mask of the searchable pages that belong to a topic; of all searchable pages if none belongs to a topic.

        Hidden topics do not count: their pages are found only by naming the topic.
        """
        hidden = [number for number, name in enumerate(self.names["topic"]) if name in self.hidden]
        judged = (self.arrays["topic"] >= 0) & ~np.isin(self.arrays["topic"], hidden)
        mask: Mask = self.arrays["searchable"] & judged if judged.any() else self.arrays["searchable"]
        return mask

    def prepare(self, before: "Columns") -> None:
        """Compute the mask of accepted pages if an earlier state has computed it."""
        if "accepted" in before.__dict__:
            self.accepted  # noqa: B018 - computed on first use

    def name(self, column: str, row: int) -> str | None:
        """Return the name that a page has in a column, or None."""
        number = int(self.arrays[column][row])
        return self.names[column][number] if number >= 0 else None


def follow(columns: Columns, store: Store) -> Columns:
    """Return the current columns of a portal; the same object if nothing has changed.

    Existing arrays are never modified, as other threads may be reading them; new values go into new arrays.
    """
    last, version = store.log.last(), store.search_feed.scores_version()
    hidden = store.organising.hidden()
    if columns.seq == last and columns.scores_version == version and columns.hidden == hidden:
        return columns
    if columns.seq > last:
        columns = Columns()
    fresh = Columns()
    fresh.names = {name: list(values) for name, values in columns.names.items()}
    fresh.hidden = hidden
    numbers = {name: {value: place for place, value in enumerate(values)} for name, values in fresh.names.items()}
    changed: list[tuple[Any, ...]] = []
    fresh.seq = last
    for block in store.search_feed.pages(columns.seq):
        changed += [_values(page, fresh.names, numbers) for page in block]
        fresh.seq = max(last, block[-1].seq)
    fresh.arrays = _merged(columns.arrays, changed) if changed else dict(columns.arrays)
    if version != columns.scores_version:
        _read_scores(fresh, store)
    fresh.scores_version = version
    fresh.originals = _originals(store) if changed else columns.originals
    return fresh


_READ: Final = tuple(name for name in TYPES if name not in SCORES)


def _values(page: SearchablePage, names: dict[str, list[str]], numbers: dict[str, dict[str, int]]) -> tuple[Any, ...]:
    """Return the values of a page in the order of `_READ`; new names get a number."""
    named: dict[str, int] = {}
    for column in NAMES:
        value = getattr(page, column)
        if value is None:
            named[column] = -1
        elif (known := numbers[column].get(value)) is not None:
            named[column] = known
        else:
            named[column] = numbers[column][value] = len(names[column])
            names[column].append(value)
    return (
        page.id,
        page.searchable,
        *(named[name] for name in NAMES),
        page.at,
        _time(page.modified),
        page.size,
        np.nan if page.confidence is None else page.confidence,
        np.nan if page.probability is None else page.probability,
    )


@lru_cache(maxsize=1 << 12)
def _time(header: str) -> float:
    """Return the wall time in a Last-Modified header, NaN if there is none."""
    try:
        return parsedate_to_datetime(header).timestamp() if header else np.nan
    except (ValueError, OverflowError, TypeError, IndexError):
        return np.nan


def _merged(arrays: dict[str, Numbers], changed: list[tuple[Any, ...]]) -> dict[str, Numbers]:
    """Return the arrays with the values of changed pages replaced and new pages inserted."""
    newest = {values[0]: values for values in changed}
    ids = np.array(sorted(newest), np.int64)
    rows = [newest[id_] for id_ in ids.tolist()]
    places = np.searchsorted(arrays["id"], ids)
    known = np.zeros(len(ids), np.bool_)
    inside = places < len(arrays["id"])
    known[inside] = arrays["id"][places[inside]] == ids[inside]
    merged: dict[str, Numbers] = {}
    for name, kind in TYPES.items():
        array = arrays[name]
        if name in SCORES:
            # A rewritten page keeps its scores; a new one has none until the next link analysis.
            merged[name] = np.insert(array, places[~known], np.nan)
            continue
        column = _READ.index(name)
        fresh: Numbers = np.array([values[column] for values in rows], kind)
        if known.any():
            array = array.copy()
            array[places[known]] = fresh[known]
        merged[name] = np.insert(array, places[~known], fresh[~known])
    return merged


def _read_scores(columns: Columns, store: Store) -> None:
    found = [row for block in store.search_feed.scores() for row in block]
    rows = columns.rows([row.id for row in found])
    known = rows >= 0
    for place, name in enumerate(SCORES, 1):
        values = np.array([np.nan if row[place] is None else row[place] for row in found], np.float64)
        fresh = np.full(len(columns), np.nan)
        fresh[rows[known]] = values[known]
        columns.arrays[name] = fresh


def _originals(store: Store) -> dict[int, int]:
    """Return the original of each near-duplicate, by page id."""
    return dict(store.duplicates.pairs(DuplicateKind.NEAR))
