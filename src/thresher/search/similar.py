"""Finds pages with the same characteristic words as a given page."""

import math
from typing import Final

import numpy as np
import tantivy
from numpy.typing import NDArray

from thresher.search.snapshot import Snapshot
from thresher.store.protocol import Store

TERMS: Final = 30
"""Number of characteristic words used to find candidates."""

CANDIDATES: Final = 300
"""Number of candidates compared by their full vectors."""

SAME: Final = 0.97
"""Cosine from which two pages count as identical."""

Query = tantivy.Query
Occur = tantivy.Occur


def similar_rows(snapshot: Snapshot, store: Store, id_: int) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Return the pages most similar to a stored page with their cosines, most similar first.

    The cosine is that of TF·IDF vectors over stems. The page itself and its near-duplicates are left out, as are
    rejected pages if the portal has accepted any.
    """
    weights = _weights(snapshot, store.documents.terms([id_]).get(id_, {}))
    telling = sorted(weights, key=lambda stem: (-weights[stem], stem))[:TERMS]
    if not telling:
        return np.zeros(0, np.int64), np.zeros(0)
    query = Query.boolean_query(
        [
            (Occur.Should, Query.boost_query(Query.term_query(snapshot.schema, "body", stem, "freq"), weights[stem]))
            for stem in telling
        ]
    )
    hits = snapshot.searcher.search(query, CANDIDATES, count=False).hits
    ids = [found for found in snapshot.searcher.fast_field_values("id", [place for _, place in hits]) if found]
    rows = snapshot.columns.rows([int(found) for found in ids if found != id_])
    rows = rows[rows >= 0]
    rows = rows[snapshot.columns.accepted[rows]]
    cosines = _cosines(snapshot, store, weights, snapshot.columns["id"][rows].tolist())
    kept = cosines < SAME
    rows, cosines = rows[kept], cosines[kept]
    order = np.lexsort((snapshot.columns["id"][rows], -cosines))
    return rows[order], cosines[order]


def _weights(snapshot: Snapshot, terms: dict[str, int]) -> dict[str, float]:
    total = max(1, snapshot.searcher.num_docs)
    counted = {stem: snapshot.searcher.doc_freq("body", stem) for stem in terms}
    return {
        stem: (1.0 + math.log(count)) * math.log(1.0 + total / counted[stem])
        for stem, count in terms.items()
        if counted[stem] > 0
    }


def _cosines(snapshot: Snapshot, store: Store, own: dict[str, float], ids: list[int]) -> NDArray[np.float64]:
    known = store.documents.terms(ids)
    length = math.sqrt(sum(weight * weight for weight in own.values())) or 1.0
    frequencies: dict[str, int] = {}
    total = max(1, snapshot.searcher.num_docs)
    cosines: list[float] = []
    for id_ in ids:
        squares = product = 0.0
        for stem, count in known.get(id_, {}).items():
            if stem not in frequencies:
                frequencies[stem] = snapshot.searcher.doc_freq("body", stem)
            weight = (1.0 + math.log(count)) * math.log(1.0 + total / max(1, frequencies[stem]))
            squares += weight * weight
            product += weight * own.get(stem, 0.0)
        cosines.append(product / (length * math.sqrt(squares)) if squares else 0.0)
    return np.array(cosines)
