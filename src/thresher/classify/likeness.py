"""How like pages are to topics: which are far from all of them, and which topics are nearly the same.

Likeness rests on the cosine of TF·IDF rows: with the centroid of a topic's pages, or of pages with one another.
"""

from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray

from thresher.learn.tfidf import TfIdf
from thresher.types import Page

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

TINY: Final = 1e-9

Topics = Mapping[str, Sequence[Page]]
"""Training pages by the written path of their topic."""


def least_similar(topics: Topics, found: Sequence[Page], number: int, share: float = 1.0) -> list[Page]:
    """Return at most `number` pages that are least like any topic, and of all found ones at most a `share`.

    Pages as like to a topic as its own pages are the crawl's quarry and no negative examples; `share` keeps them out.

    >>> def page(text):
    ...     return Page(url=text, title="", words=[], links=[], terms={word: 1 for word in text.split()})
    >>> topics = {"Boats": [page("boat sail"), page("boat wind")]}
    >>> [far.url for far in least_similar(topics, [page("boat race"), page("tax form")], 5, share=0.5)]
    ['tax form']
    """
    wanted = min(number, int(len(found) * share))
    if wanted <= 0:
        return []
    weighing = TfIdf(min_bags=1).fit([page.terms for page in (*_all(topics), *found)])
    likeness = np.asarray(weighing.transform([page.terms for page in found]) @ _centroids(weighing, topics).T)
    order = np.argsort(likeness.max(axis=1, initial=0.0), kind="stable")[:wanted]
    return [found[place] for place in sorted(order.tolist())]


def likeness_of_topics(topics: Topics, others: Sequence[Page] = ()) -> dict[tuple[str, str], float]:
    """Return how like every two topics are: the likeness of their pages to each other over that within the topics.

    About 1, whatever the number of pages, where two topics say the same; `others` are further pages, which tell how
    common a stem is. Stems of nearly every page weigh next to nothing. The likeness within a topic of one page is 1.
    """
    names = [name for name, pages in topics.items() if pages]
    weighing = TfIdf(min_bags=1).fit([page.terms for page in (*_all(topics), *others)])
    weighing.idf_ = weighing.idf_ - 1.0
    rows = [weighing.transform([page.terms for page in topics[name]]) for name in names]
    within = [_mean_of_pairs(found) for found in rows]
    return {
        (names[one], names[other]): float((rows[one] @ rows[other].T).mean())
        / max(float(np.sqrt(within[one] * within[other])), TINY)
        for one, other in combinations(range(len(names)), 2)
    }


def _mean_of_pairs(rows: "csr_matrix") -> float:
    """Return the mean cosine of two different rows, 1 where there is one row."""
    number = rows.shape[0]
    if number < 2:
        return 1.0
    products = (rows @ rows.T).toarray()
    return float((products.sum() - np.trace(products)) / (number * (number - 1)))


def _all(topics: Topics) -> list[Page]:
    return [page for pages in topics.values() for page in pages]


def _centroids(weighing: TfIdf, topics: Topics) -> NDArray[np.float64]:
    """Return the mean row of each topic, scaled to length one."""
    rows = [np.asarray(weighing.transform([page.terms for page in pages]).mean(axis=0)) for pages in topics.values()]
    centroids = np.vstack(rows) if rows else np.zeros((0, len(weighing.terms_)))
    lengths = np.linalg.norm(centroids, axis=1, keepdims=True)
    return np.asarray(centroids / np.where(lengths > 0, lengths, 1.0))
