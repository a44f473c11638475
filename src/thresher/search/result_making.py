"""Turns ranked rows into results: the page as it is displayed, with the parts of its score."""

import math
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import Any, Final

import numpy as np

from thresher.search.columns import Columns
from thresher.search.folding import Folded
from thresher.search.rankings import TEXT
from thresher.search.results import LinkNeighbour, Result
from thresher.search.snapshot import Snapshot
from thresher.search.snippets import Marks, snippets
from thresher.search.top_pages import Ranked, Rows
from thresher.store.page_records import AcceptedPage
from thresher.store.protocol import Store
from thresher.web.urls import url_id

SIMILARITY: Final = "similarity"
"""The only score part of a similar page."""

_BLOCK: Final = 500


def make_results(
    store: Store,
    snapshot: Snapshot,
    ranked: Ranked,
    shown: Sequence[Folded],
    weights: Mapping[str, float],
    wanted: Marks,
) -> list[Result]:
    """Return the results to show; the parts of each add up to its score."""
    rows = [int(ranked.rows[one.place]) for one in shown]
    ids = snapshot.columns["id"][rows].tolist() if rows else []
    heads = store.search_feed.heads(ids)
    # A page deleted a moment ago no longer has a head.
    pieces = dict(zip(heads, snippets(list(heads.values()), wanted), strict=True))
    results: list[Result] = []
    for one, row, id_, known in zip(shown, rows, ids, facts_of(snapshot.columns, rows), strict=True):
        if id_ not in heads:
            continue
        head = heads[id_]
        points = _points(snapshot, weights, row, float(ranked.text[one.place]))
        results.append(
            Result(
                url=head.url,
                title=head.title,
                score=round(sum(points.values()), 6),
                parts=points,
                snippet=pieces[id_],
                more=one.more,
                repeats=one.repeats,
                **known,
            )
        )
    return results


def listed_pages(store: Store, snapshot: Snapshot, rows: Rows) -> Iterator[AcceptedPage]:
    """Yield pages as list entries, read in blocks; a rejected page has an empty topic."""
    for start in range(0, len(rows), _BLOCK):
        block = rows[start : start + _BLOCK].tolist()
        heads = store.search_feed.heads(snapshot.columns["id"][block].tolist())
        for known in facts_of(snapshot.columns, block):
            if known["id"] not in heads:
                continue
            yield AcceptedPage(
                url_id=known["id"],
                url=heads[known["id"]].url,
                title=heads[known["id"]].title,
                topic=known["topic"] or "",
                confidence=np.nan if known["confidence"] is None else known["confidence"],
                probability=np.nan if known["probability"] is None else known["probability"],
                found=known["found"],
            )


def ends_of(store: Store, snapshot: Snapshot, links: Mapping[str, str], number: int) -> list[LinkNeighbour]:
    """Return the pages at the other end of some links, at most `number`; `links` maps their URLs to anchor texts."""
    found = list(islice(links.items(), number))
    ids = [url_id(url) for url, _ in found]
    heads = store.search_feed.heads(ids)
    ends: list[LinkNeighbour] = []
    for (url, anchor), id_, row in zip(found, ids, snapshot.columns.rows(ids).tolist(), strict=True):
        if row < 0 or id_ not in heads:
            ends.append(LinkNeighbour(url=url, anchor=anchor, stored=False))
            continue
        known = facts_of(snapshot.columns, [row])[0]
        ends.append(
            LinkNeighbour(
                url=url,
                anchor=anchor,
                stored=True,
                title=heads[id_].title,
                topic=known["topic"],
                confidence=known["confidence"],
            )
        )
    return ends


def facts_of(columns: Columns, rows: Sequence[int]) -> list[dict[str, Any]]:
    """Return the values of some pages in the columns, under the field names of `Result`."""
    places = np.asarray(rows, np.int64)

    def values(name: str) -> list[Any]:
        found: list[Any] = columns[name][places].tolist()
        return found

    def numbers(name: str) -> list[float | None]:
        return [None if math.isnan(value) else value for value in values(name)]

    def names(name: str, none: str | None = "") -> list[str | None]:
        known = columns.names[name]
        return [known[number] if number >= 0 else none for number in values(name)]

    facts = {
        "id": values("id"),
        "site": names("host"),
        "topic": names("topic", None),
        "confidence": numbers("confidence"),
        "probability": numbers("probability"),
        "language": names("language"),
        "mime": names("mime"),
        "size": values("size"),
        "found": values("at"),
        "changed": numbers("changed"),
        "state": names("state"),
    }
    return [dict(zip(facts, page, strict=True)) for page in zip(*facts.values(), strict=True)]


def _points(snapshot: Snapshot, weights: Mapping[str, float], row: int, text: float) -> dict[str, float]:
    by_text = (TEXT, SIMILARITY)
    values = {name: text if name in by_text else float(snapshot.parts.part(name)[row]) for name in weights}
    return {name: round(weights[name] * values[name], 6) for name in weights}
