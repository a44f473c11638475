"""Facets: the counts are those of looking at every page."""

from collections import Counter
from datetime import UTC, datetime
from typing import Any

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from thresher.search.columns import TYPES, Columns
from thresher.search.facets import MOST, FacetCounts
from thresher.search.filters import type_name
from thresher.search.sureness import level_of

NAMES = {
    "host": [f"site{number}.test" for number in range(3 * MOST)],
    "topic": ["Tea", "Tea/Green", "Tea/Green/Sencha", "Boats"],
    "language": ["de", "en", ""],
    "mime": ["text/html", "application/xhtml+xml", "application/pdf"],
    "model": ["old", "new"],
    "state": ["unreviewed", "right"],
}


@st.composite
def portals(draw: st.DrawFn) -> Columns:
    """Draw the columns of a portal; a page may lack any value."""
    rng = np.random.default_rng(draw(st.integers(0, 1 << 32)))
    size = draw(st.integers(0, 600))
    columns = Columns()
    columns.names = {name: list(names) for name, names in NAMES.items()}
    columns.arrays = {name: np.zeros(size, kind) for name, kind in TYPES.items()}
    for name, names in NAMES.items():
        columns.arrays[name] = rng.integers(-1, len(names), size).astype(np.int32)
    columns.arrays["at"] = rng.uniform(-4e7, 2e9, size)
    columns.arrays["probability"] = np.where(rng.random(size) < 0.2, np.nan, rng.random(size))
    return columns


def scanned(columns: Columns, rows: list[int]) -> dict[str, Counter[Any]]:
    """Count the facets page by page."""
    found: dict[str, Counter[Any]] = {
        name: Counter() for name in ("topic", "site", "type", "language", "year", "state", "model", "sure")
    }
    for row in rows:
        topic = (columns.name("topic", row) or "").split("/")
        found["topic"].update("/".join(topic[: end + 1]) for end in range(len(topic)))
        found["site"][columns.name("host", row)] += 1
        mime = columns.name("mime", row)
        found["type"][mime and type_name(mime)] += 1
        for name in ("language", "state", "model"):
            found[name][columns.name(name, row)] += 1
        found["year"][str(datetime.fromtimestamp(columns["at"][row], UTC).year)] += 1
        found["sure"][level_of(columns["probability"][row])] += 1
    return found


@given(portals(), st.data())
def test_facets_are_counted_as_by_looking_at_every_page(columns: Columns, data: st.DataObject) -> None:
    every = list(range(len(columns)))
    rows = sorted(data.draw(st.lists(st.sampled_from(every), unique=True))) if every else []
    rows = data.draw(st.sampled_from([rows, every]))
    facets = FacetCounts(columns).of(np.array(rows, np.int64))
    for name, counts in scanned(columns, rows).items():
        ordered = sorted(((value, n) for value, n in counts.items() if value), key=lambda one: (-one[1], one[0]))
        shown = [(value.value, value.count) for value in facets[name]]
        if name == "sure":
            assert shown == [
                (level, counts[level]) for level in ("very", "sure", "fairly", "doubtful") if counts[level]
            ]
        else:
            assert shown == ordered[: None if name == "topic" else MOST]
