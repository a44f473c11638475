"""A list of pages as CSV that spreadsheets open safely."""

import csv
import io
from collections.abc import Iterable, Iterator
from typing import Final

from thresher.exports.page_objects import KEYS, page_object
from thresher.store.page_records import AcceptedPage

_FORMULA: Final = ("=", "+", "-", "@", "\t", "\r", "\n", "\uff1d", "\uff0b", "\uff0d", "\uff20")
"""First characters of cells that a spreadsheet may treat as formulas, including full-width forms."""


def csv_lines(pages: Iterable[AcceptedPage]) -> Iterator[str]:
    """Yield a header line and a line for each page."""
    yield csv_line(list(KEYS))
    for page in pages:
        yield csv_line(list(page_object(page).values()))


def _cell(value: object) -> object:
    """Return a value that no spreadsheet evaluates: an apostrophe marks it as text.

    >>> _cell("=1+1"), _cell("a title"), _cell(-0.5)
    ("'=1+1", 'a title', -0.5)
    """
    return f"'{value}" if isinstance(value, str) and value.startswith(_FORMULA) else value


def csv_line(cells: list[object]) -> str:
    """Return a line of CSV in which no cell is evaluated by a spreadsheet."""
    out = io.StringIO()
    csv.writer(out).writerow([_cell(value) for value in cells])
    return out.getvalue()
