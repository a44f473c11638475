"""Term weights: the logarithm of a term's count times its inverse document frequency, in unit-length rows.

A term that occurs f times in a bag weighs (1 + ln f) · idf, where idf = ln((1 + n) / (1 + df)) + 1 for a term in df of
the n training bags; the row is then divided by its Euclidean length. This is the scheme "ltc" of the SMART system,
smoothed so that a term in every bag does not vanish.
"""

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final, Self

import numpy as np

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

Bag = Mapping[str, int]
"""Terms with their counts."""

LOG_COUNT: Final = (0.0, *(1.0 + math.log(count) for count in range(1, 256)))
"""The weight 1 + ln f of frequent counts; 0 for a term that does not occur."""


def log_count(count: int) -> float:
    """Return the weight 1 + ln f of a count of at least 1.

    >>> log_count(1), round(log_count(1000), 2)
    (1.0, 7.91)
    """
    return LOG_COUNT[count] if count < len(LOG_COUNT) else 1.0 + math.log(count)


class TfIdf:
    """Turns bags of terms into rows of numbers.

    `min_bags` is the number of bags that a term must occur in to count; of the remaining terms, at most `max_terms` are
    kept, those in most bags first. Learned: `terms_` in column order and their `idf_`.

    >>> rows = TfIdf(min_bags=1).fit([{"boat": 2}, {"boat": 1, "sail": 1}])
    >>> rows.terms_, rows.transform([{"sail": 3, "ocean": 1}]).toarray().tolist()
    (['boat', 'sail'], [[0.0, 1.0]])
    """

    def __init__(self, min_bags: int = 2, max_terms: int = 50_000) -> None:
        self.min_bags = min_bags
        self.max_terms = max_terms
        self.terms_: list[str] = []
        self.idf_ = np.zeros(0)

    def fit(self, bags: Sequence[Bag]) -> Self:
        """Learn which terms count and how much."""
        frequency: Counter[str] = Counter()
        for bag in bags:
            frequency.update(bag.keys())
        known = [(term, df) for term, df in frequency.items() if df >= self.min_bags]
        # In alphabetical order, so that the same bags in another order give the same model.
        known = sorted(sorted(known, key=lambda item: (-item[1], item[0]))[: self.max_terms])
        self.terms_ = [term for term, _ in known]
        self.idf_ = np.array([math.log((1 + len(bags)) / (1 + df)) + 1.0 for _, df in known])
        return self

    def transform(self, bags: Sequence[Bag]) -> "csr_matrix":
        """Return one row per bag; a bag without known terms becomes a row of zeros."""
        from scipy.sparse import csr_matrix

        column = {term: index for index, term in enumerate(self.terms_)}
        starts, columns, values = [0], [], []
        for bag in bags:
            row = [(column[term], log_count(count)) for term, count in bag.items() if term in column]
            row.sort()
            weights = [weight * float(self.idf_[index]) for index, weight in row]
            length = math.sqrt(sum(weight * weight for weight in weights)) or 1.0
            columns += [index for index, _ in row]
            values += [weight / length for weight in weights]
            starts.append(len(columns))
        shape = (len(bags), len(self.terms_))
        return csr_matrix((np.array(values), np.array(columns, int), np.array(starts, int)), shape)
