"""Similarity of topics: finds nearly identical ones by the cosines of their pages."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray

from thresher.learn.tfidf import TfIdf
from thresher.types import ParsedPage

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

TINY: Final = 1e-9

BLOCK: Final = 256
"""Number of topics compared with all others at a time."""

Topics = Mapping[str, Sequence[ParsedPage]]
"""Training pages by the written path of the topic."""


def like_topics(topics: Topics, least: float, others: Sequence[ParsedPage] = ()) -> dict[tuple[str, str], float]:
    """Return the pairs of topics with at least this similarity, each once, in topic order.

    The similarity is the mean cosine between the pages of two topics relative to that within the topics: about 1,
    whatever the number of pages, if both say the same. `others` are further pages that show how common a stem is; stems
    of nearly every page weigh next to nothing. The similarity within a topic of one page is 1. The work grows with the
    stems that topics share: sums of rows are compared, never pages with pages.

    >>> def page(text):
    ...     return ParsedPage(url=text, title="", words=[], links=[], terms={word: 1 for word in text.split()})
    >>> topics = {"Boats": [page("boat sail")], "Ships": [page("boat sail sea")], "Tax": [page("tax form")]}
    >>> list(like_topics(topics, 0.5))
    [('Boats', 'Ships')]
    """
    names = [name for name, pages in topics.items() if pages]
    if len(names) < 2:
        return {}
    sums, within = _sums([topics[name] for name in names], others)
    scale = np.array([len(topics[name]) for name in names]) * np.sqrt(np.maximum(within, TINY))
    found: dict[tuple[str, str], float] = {}
    for start in range(0, len(names), BLOCK):
        block = (sums[start : start + BLOCK] @ sums.T).toarray() / np.outer(scale[start : start + BLOCK], scale)
        for one, other in np.argwhere(block >= least).tolist():
            if start + one < other:
                found[names[start + one], names[other]] = float(block[one, other])
    return found


def _sums(
    topics: Sequence[Sequence[ParsedPage]], others: Sequence[ParsedPage]
) -> "tuple[csr_matrix, NDArray[np.float64]]":
    """Return the sum of each topic's rows, and the mean cosine of two different rows, 1 if there is only one."""
    from scipy.sparse import csr_matrix

    # A topic also has the pages of topics below it, but each page is weighted once.
    pages = list({id(page): page for topic in topics for page in topic}.values())
    place = {id(page): number for number, page in enumerate(pages)}
    weighing = TfIdf(min_bags=1).fit([page.terms for page in (*pages, *others)])
    weighing.idf_ = weighing.idf_ - 1.0
    rows = weighing.transform([page.terms for page in pages])
    columns = [place[id(page)] for topic in topics for page in topic]
    starts = np.cumsum([0, *map(len, topics)])
    members = csr_matrix((np.ones(len(columns)), columns, starts), (len(topics), len(pages)))
    sums = (members @ rows).tocsr()
    squares = members @ np.asarray(rows.multiply(rows).sum(axis=1)).ravel()
    pairs = np.asarray(sums.multiply(sums).sum(axis=1)).ravel() - squares
    sizes = np.diff(starts)
    return sums, np.where(sizes > 1, pairs / np.maximum(sizes * (sizes - 1), 1), 1.0)
