"""A matrix of term counts: a row per document and a column per term."""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from itertools import chain, repeat
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix


def count_matrix(
    bags: Sequence[Mapping[str, int]], min_bags: int = 2, wanted: Collection[str] = ()
) -> tuple[list[str], "csr_matrix"]:
    """Return the terms in at least `min_bags` bags (in any, if there are none) and the counts of each bag.

    `wanted` terms are included whether they occur or not.

    >>> terms, counts = count_matrix([{"boat": 2, "sail": 1}, {"boat": 1}])
    >>> terms, counts.toarray().tolist()
    (['boat'], [[2], [1]])
    """
    frequency = Counter(chain.from_iterable(bags))
    terms = [term for term, number in frequency.items() if number >= min_bags] or list(frequency)
    terms = sorted({*terms, *wanted})
    return terms, counts_of(bags, terms)


def counts_of(bags: Sequence[Mapping[str, int]], terms: Sequence[str]) -> "csr_matrix":
    """Return the counts of each bag, a column per term.

    >>> counts_of([{"boat": 2, "sail": 1}], ["mast", "sail"]).toarray().tolist()
    [[0, 1]]
    """
    from scipy.sparse import csr_matrix

    column = {term: place for place, term in enumerate(terms)}
    columns = np.array(list(map(column.get, chain.from_iterable(bags), repeat(-1))), np.int64)
    values = np.array(list(chain.from_iterable(bag.values() for bag in bags)), np.int64)
    ends = np.cumsum([0, *map(len, bags)])
    known = columns >= 0
    starts = np.concatenate([[0], np.cumsum(known)])[ends]
    parts: Any = (values[known], columns[known], starts)
    counts = csr_matrix(parts, shape=(len(bags), len(terms)))
    counts.sort_indices()
    return counts
