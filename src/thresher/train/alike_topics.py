"""Finds topics that are hard to distinguish: nearly the same words, or shared training pages."""

from collections.abc import Iterable, Sequence
from typing import Final

from thresher.classify.examples import parent_of
from thresher.classify.likeness import Topics, like_topics
from thresher.types import ParsedPage

SAME: Final = 0.85
"""Two topics with at least this similarity count as nearly the same.

In the generated web, halves of one topic with ten pages each have a similarity of .97 to 1.04, siblings .35 to .67, and
topics of different branches .13 to .38.
"""


def twins(topics: Topics, negatives: Sequence[ParsedPage]) -> dict[str, dict[str, float]]:
    """Return for each topic those that are nearly the same, most similar first, with their similarity.

    Siblings are compared, and topics without subtopics wherever they are. If two topics are twins, the topics below
    them are not reported as well.
    """
    parents = {parent_of(name) for name in topics}
    found = {
        pair: likeness
        for pair, likeness in like_topics(topics, SAME, negatives).items()
        if parent_of(pair[0]) == parent_of(pair[1])
        or (parents.isdisjoint(pair) and not _inside(*pair) and not _inside(pair[1], pair[0]))
    }
    each: dict[str, dict[str, float]] = {}
    for one, other in found:
        if not any(pair in found or pair[::-1] in found for pair in _above(one, other)):
            each.setdefault(one, {})[other] = each.setdefault(other, {})[one] = found[one, other]
    return {name: dict(sorted(others.items(), key=lambda item: (-item[1], item[0]))) for name, others in each.items()}


def shared_pages(topics: Topics) -> dict[str, dict[str, list[str]]]:
    """Return for each topic the other topics, not above or below it, that share some of its own training pages."""
    places: dict[bytes | str, dict[str, str]] = {}
    for name, pages in _own(topics).items():
        for page in pages:
            places.setdefault(page.digest or page.url, {})[name] = page.url
    shared: dict[str, dict[str, list[str]]] = {}
    for where in places.values():
        for one, url in where.items():
            for other in where:
                if one != other and not _inside(one, other) and not _inside(other, one):
                    shared.setdefault(one, {}).setdefault(other, []).append(url)
    return shared


def _own(topics: Topics) -> dict[str, list[ParsedPage]]:
    """Return the pages of each topic that do not come from a topic below it."""
    below: dict[str, set[int]] = {}
    for name, pages in topics.items():
        below.setdefault(parent_of(name), set()).update(map(id, pages))
    return {name: [page for page in pages if id(page) not in below.get(name, ())] for name, pages in topics.items()}


def _inside(one: str, other: str) -> bool:
    return one.startswith(f"{other}/")


def _above(one: str, other: str) -> Iterable[tuple[str, str]]:
    """Yield all pairs of ancestors of both topics, including one of the topics itself but not both."""
    chains = [["/".join(name.split("/")[:depth]) for depth in range(1, name.count("/") + 2)] for name in (one, other)]
    return ((first, second) for first in chains[0] for second in chains[1] if (first, second) != (one, other))
