"""How well a link's context describes the page it leads to (Pant and Srinivasan, section 10.1)."""

import math
from collections.abc import Mapping, Sequence

from thresher.learn.tfidf import TfIdf, log_count

Bag = Mapping[str, int]


def context_quality(
    contexts: Sequence[Bag], descriptions: Sequence[Bag], weighing: TfIdf | None = None
) -> tuple[float, float]:
    """Return the mean cosine of contexts with descriptions of their targets, and the share with a cosine of zero.

    Each context belongs to the description in the same place. Terms weigh 1 + ln of their count, times their inverse
    document frequency where a fitted `weighing` is given; terms it does not know are left out. Without any context both
    numbers are 0.

    >>> context_quality([{"boat": 1}, {"car": 1}], [{"boat": 2}, {"boat": 1, "sail": 1}])
    (0.5, 0.5)
    """
    idf = dict(zip(weighing.terms_, weighing.idf_.tolist(), strict=True)) if weighing is not None else None
    cosines = [
        _cosine(_weighed(context, idf), _weighed(description, idf))
        for context, description in zip(contexts, descriptions, strict=True)
    ]
    if not cosines:
        return 0.0, 0.0
    return math.fsum(cosines) / len(cosines), sum(cosine == 0.0 for cosine in cosines) / len(cosines)


def _weighed(bag: Bag, idf: Mapping[str, float] | None) -> dict[str, float]:
    if idf is None:
        return {term: log_count(count) for term, count in bag.items()}
    return {term: log_count(count) * idf[term] for term, count in bag.items() if term in idf}


def _cosine(one: Mapping[str, float], other: Mapping[str, float]) -> float:
    product = math.fsum(weight * other[term] for term, weight in one.items() if term in other)
    lengths = math.hypot(*one.values()) * math.hypot(*other.values())
    return product / lengths if lengths else 0.0
