"""How like pages are to topics: which are far from all of them, and which topics are nearly the same.

Likeness is the cosine of TF·IDF rows with the centroid of a topic's pages.
"""

from collections.abc import Mapping, Sequence
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from thresher.learn.tfidf import TfIdf
from thresher.types import Page

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
    """Return the cosine of every two topics; `others` are further pages, which tell how common a stem is.

    Stems of nearly every page weigh next to nothing, so that the cosine tells what is the topics' own.
    """
    names = [name for name, pages in topics.items() if pages]
    weighing = TfIdf(min_bags=1).fit([page.terms for page in (*_all(topics), *others)])
    weighing.idf_ = weighing.idf_ - 1.0
    centroids = _centroids(weighing, {name: topics[name] for name in names})
    return {
        (names[one], names[other]): float(centroids[one] @ centroids[other])
        for one, other in combinations(range(len(names)), 2)
    }


def _all(topics: Topics) -> list[Page]:
    return [page for pages in topics.values() for page in pages]


def _centroids(weighing: TfIdf, topics: Topics) -> NDArray[np.float64]:
    """Return the mean row of each topic, scaled to length one."""
    rows = [np.asarray(weighing.transform([page.terms for page in pages]).mean(axis=0)) for pages in topics.values()]
    centroids = np.vstack(rows) if rows else np.zeros((0, len(weighing.terms_)))
    lengths = np.linalg.norm(centroids, axis=1, keepdims=True)
    return np.asarray(centroids / np.where(lengths > 0, lengths, 1.0))
