"""The pages of a topic that may be moved, and their stems as rows of numbers."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Final

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from thresher.classify.term_counts import count_matrix
from thresher.learn.k_means import unit_rows
from thresher.store.page_records import ReviewState
from thresher.store.protocol import Store

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

AT_ONCE: Final = 500
MOST_TERMS: Final = 50_000

OF_SITE: Final = 0.9
"""Minimum share of a site's pages that have a stem of its menus, banners and footers."""

SITE_PAGES: Final = 5
"""Minimum number of pages of a site to tell what all its pages say."""


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


def rows_of(bags: Sequence[Mapping[str, int]], sites: Sequence[str] | None = None, most: int = MOST_TERMS) -> Rows:
    """Return bags of stems as rows, without stems of a single page, limited to the `most` frequent stems.

    With the site of each bag, stems that only say which site a page is from are also left out.
    """
    from scipy.sparse import diags

    terms, counts = count_matrix(bags)
    having = np.diff(counts.tocsc().indptr)
    if sites is not None:
        having = np.where(_of_one_site(counts, sites), 0, having)
    kept = np.sort(np.argsort(-having, kind="stable")[:most])
    kept = kept[having[kept] > 0]
    weights = counts[:, kept].astype(np.float64)
    weights.data = 1.0 + np.log(weights.data)
    rarity = np.log((1 + len(bags)) / (1 + having[kept])) + 1.0
    return Rows([terms[place] for place in kept.tolist()], unit_rows(weights @ diags(rarity)))


def site_counts(rows: "csr_matrix", sites: Sequence[str]) -> "csr_matrix":
    """Return for each site, in order of first occurrence, how many of its rows have a value in each column.

    >>> from scipy.sparse import csr_matrix
    >>> site_counts(csr_matrix([[1, 0], [3, 1], [0, 1]]), ["a", "a", "b"]).toarray().tolist()
    [[2.0, 1.0], [0.0, 1.0]]
    """
    from scipy.sparse import csr_matrix

    place = {site: number for number, site in enumerate(dict.fromkeys(sites))}
    which = [place[site] for site in sites]
    belongs = csr_matrix((np.ones(len(which)), (which, np.arange(len(which)))), shape=(len(place), len(which)))
    return belongs @ rows.astype(bool).astype(np.float64)


def _of_one_site(counts: "csr_matrix", sites: Sequence[str]) -> NDArray[np.bool_]:
    """Return which stems are on almost all pages of one site and on no other: its name, or words of its menus."""
    by_site = site_counts(counts, sites)
    sizes = np.array(list(Counter(sites).values()), np.float64)
    if len(sizes) == 1:
        return np.zeros(counts.shape[1], np.bool_)
    cells = by_site.tocoo()
    everywhere = (cells.data >= OF_SITE * sizes[cells.row]) & (sizes[cells.row] >= SITE_PAGES)
    found = np.zeros(counts.shape[1], np.bool_)
    found[cells.col[everywhere]] = True
    return np.asarray(found & (np.diff(by_site.tocsc().indptr) == 1))
