"""Probabilistic term weights: how often a term occurs in a text of a given length, times how rare it is (BM25).

A term that occurs f times weighs cfw · f · (k1 + 1) / (k1 · (1 − b + b · length / mean length) + f), where cfw is the
logarithm of the number of texts over the number of texts with the term (Robertson and Spärck Jones, 1994).
"""

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Self

from thresher.learn.tfidf import Bag


class Bm25:
    """Weighs the terms of bags; `k1` says how soon more occurrences stop counting, `b` how much length matters.

    Learned: `rarity_` of each term and the `mean_length_` of a bag.

    >>> weights = Bm25().fit([{"boat": 2, "sea": 1}, {"sea": 1}]).weights({"boat": 1, "sea": 1})
    >>> weights["boat"] > weights["sea"] == 0.0
    True
    """

    def __init__(self, k1: float = 2.0, b: float = 0.75) -> None:
        if k1 < 0 or not 0 <= b <= 1:
            raise ValueError("k1 must not be negative, and b must be between 0 and 1")
        self.k1 = k1
        self.b = b
        self.rarity_: dict[str, float] = {}
        self.mean_length_ = 1.0

    def fit(self, bags: Sequence[Bag]) -> Self:
        """Learn the rarity of terms and the mean length of bags."""
        having: Counter[str] = Counter()
        for bag in bags:
            having.update(bag.keys())
        self.rarity_ = {term: math.log(len(bags) / number) for term, number in having.items()}
        if not any(self.rarity_.values()):
            # If every text has every term, as in a single text, no term is rarer than another, so all count the same.
            self.rarity_ = dict.fromkeys(self.rarity_, 1.0)
        self.mean_length_ = (sum(sum(bag.values()) for bag in bags) / max(1, len(bags))) or 1.0
        return self

    def weights(self, bag: Bag) -> dict[str, float]:
        """Return the weight of each known term of a bag."""
        length = sum(bag.values()) / self.mean_length_
        room = self.k1 * (1.0 - self.b + self.b * length)
        rarity = self.rarity_.get
        found: dict[str, float] = {}
        for term, count in bag.items():
            rare = rarity(term)
            if rare is not None:
                found[term] = rare * count * (self.k1 + 1.0) / (room + count)
        return found


def cosine(one: Mapping[str, float], other: Mapping[str, float]) -> float:
    """Return the cosine of two weighted bags, 0 if one is empty.

    >>> cosine({"boat": 1.0}, {"boat": 2.0, "sea": 0.0}), cosine({"boat": 1.0}, {})
    (1.0, 0.0)
    """
    few, many = sorted((one, other), key=len)
    product = sum(weight * many[term] for term, weight in few.items() if term in many)
    lengths = math.sqrt(sum(w * w for w in one.values())) * math.sqrt(sum(w * w for w in other.values()))
    return product / lengths if lengths else 0.0
