"""Distributes texts to peers in equal shares, with some overlap."""

from random import Random

OVERLAP = 0.15
"""Share of a peer's texts that another peer has as well."""


def dealt(texts: list[int], peers: int, rng: Random, overlap: float = OVERLAP) -> list[list[int]]:
    """Return the texts of each peer: an equal share of all, plus enough of the others' to make up the overlap.

    >>> parts = dealt(list(range(100)), 4, Random(0), overlap=0.2)
    >>> [len(part) for part in parts], len({text for part in parts for text in part})
    ([31, 31, 31, 31], 100)
    """
    mixed = rng.sample(texts, len(texts))
    own = [mixed[place::peers] for place in range(peers)]
    found = []
    for part in own:
        here = set(part)
        others = [text for text in mixed if text not in here]
        more = round(len(part) * overlap / (1 - overlap))
        found.append([*part, *rng.sample(others, min(more, len(others)))])
    return found
