"""A list of pages as CSV that spreadsheets open safely."""

import csv
import io
from collections.abc import Iterable, Iterator
from typing import Final

from thresher.exports.page_objects import KEYS, page_object
from thresher.store.page_records import AcceptedPage

_FORMULA: Final = ("=", "+", "-", "@", "\t", "\r", "\n", "\uff1d", "\uff0b", "\uff0d", "\uff20")
"""How a cell begins that a spreadsheet may take for a formula, full-width forms included."""


def csv_lines(pages: Iterable[AcceptedPage]) -> Iterator[str]:
    """Yield a header line and a line for each page."""
    yield csv_line(list(KEYS))
    for page in pages:
        yield csv_line(list(page_object(page).values()))


def _cell(value: object) -> object:
    """Return a value that no spreadsheet computes: an apostrophe keeps a text a text.

    >>> _cell("=1+1"), _cell("a title"), _cell(-0.5)
    ("'=1+1", 'a title', -0.5)
    """
    return f"'{value}" if isinstance(value, str) and value.startswith(_FORMULA) else value


def csv_line(cells: list[object]) -> str:
    """Return a line of a table; no cell of it is computed by a spreadsheet."""
    out = io.StringIO()
    csv.writer(out).writerow([_cell(value) for value in cells])
    return out.getvalue()
