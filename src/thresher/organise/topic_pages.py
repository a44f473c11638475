"""The pages of a topic that may be moved, and their stems as rows of numbers."""

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Final

import numpy as np
from msgspec import Struct

from thresher.classify.term_counts import count_matrix
from thresher.learn.k_means import unit_rows
from thresher.store.page_records import ReviewState
from thresher.store.protocol import Store

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

AT_ONCE: Final = 500
MOST_TERMS: Final = 50_000


class TopicPage(Struct, frozen=True):
    """A page that a topic has accepted."""

    id: int
    url: str
    title: str
    topic: str
    confidence: float


def pages_of(store: Store, topic: str | None = None) -> Iterator[TopicPage]:
    """Yield the pages of a topic and the topics below it, or of all topics for None, most confident first.

    Reviewed pages are never moved and are left out.
    """
    for page in store.documents.accepted(topic):
        if page.state is ReviewState.UNREVIEWED:
            yield TopicPage(page.url_id, page.url, page.title, page.topic, page.confidence)


def bags_of(store: Store, ids: Sequence[int]) -> list[Mapping[str, int]]:
    """Return the stems of stored pages with their counts, in the order of the ids."""
    found: dict[int, dict[str, int]] = {}
    for start in range(0, len(ids), AT_ONCE):
        found |= store.documents.terms(ids[start : start + AT_ONCE])
    return [found.get(id_, {}) for id_ in ids]


class Rows(Struct, frozen=True, eq=False):
    """Pages as TF·IDF rows of length one, with a column for each of the `terms`."""

    terms: list[str]
    weights: "csr_matrix"


def rows_of(bags: Sequence[Mapping[str, int]], most: int = MOST_TERMS) -> Rows:
    """Return bags of stems as rows, without stems of a single page, limited to the `most` frequent stems."""
    from scipy.sparse import diags

    terms, counts = count_matrix(bags)
    having = np.diff(counts.tocsc().indptr)
    kept = np.sort(np.argsort(-having, kind="stable")[:most])
    weights = counts[:, kept].astype(np.float64)
    weights.data = 1.0 + np.log(weights.data)
    rarity = np.log((1 + len(bags)) / (1 + having[kept])) + 1.0
    return Rows([terms[place] for place in kept.tolist()], unit_rows(weights @ diags(rarity)))
