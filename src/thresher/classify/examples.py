"""Training pages sorted into a tree: which are positive and which negative at every topic (Sizov, section 2.3).

Topics are written paths, `Science/Physics`. A last segment `OTHERS`, in any case, marks pages that belong to none of
the children of the topic before it; None marks pages far from every topic.
"""

from collections.abc import Sequence
from typing import Final

import numpy as np
from msgspec import Struct
from msgspec.structs import replace
from numpy.typing import NDArray

from thresher.types import ParsedPage

OTHERS: Final = "others"

Examples = Sequence[tuple[ParsedPage, str | None]]


class Family(Struct, frozen=True, eq=False):
    """A topic with children (the root is ""), and the pages that distinguish its children.

    `members` has a row per page and a column per child; `places` are the indexes of the pages among the examples.
    `parts` are the topics further below: the index of the child above each, and which pages belong to it. `names` are
    the names of each child and of all topics below it. `empty` are children whose pages all belong to topics below
    them. `good` are stems that are features of each child, `bad` stems that are features of none.
    """

    parent: str
    children: list[str]
    pages: list[ParsedPage]
    members: NDArray[np.bool_]
    places: NDArray[np.int64]
    parts: list[tuple[int, NDArray[np.bool_]]] = []
    names: list[list[str]] = []
    empty: frozenset[str] = frozenset()
    good: list[tuple[str, ...]] = []
    bad: frozenset[str] = frozenset()

    def some(self, rows: NDArray[np.int64]) -> "Family":
        """Return the family with only some of its pages."""
        return replace(
            self,
            pages=[self.pages[row] for row in rows.tolist()],
            members=self.members[rows],
            places=self.places[rows],
            parts=[(child, of_part[rows]) for child, of_part in self.parts],
        )


def parent_of(topic: str) -> str:
    """Return the parent of a topic, "" for those at the top.

    >>> parent_of("A/B"), parent_of("A")
    ('A', '')
    """
    return topic.rpartition("/")[0]


def families(examples: Examples) -> list[Family]:
    """Return the families of the tree spanned by the examples' topics, parents before children.

    POS of a topic are its own pages and those of all topics below it; NEG are the OTHERS of its parent and POS of its
    siblings. If a family has no negative pages at all (an only child without OTHERS), the parent's own pages are used
    instead, or else the pages of all other topics and of none.

    >>> page = ParsedPage(url="", title="", words=[], links=[])
    >>> found = families([(page, "A"), (page, "A/B"), (page, "A/C"), (page, None)])
    >>> [(family.parent, family.children, family.members.tolist()) for family in found]
    [('', ['A'], [[True], [True], [True], [False]]), ('A', ['B', 'C'], [[True, False], [False, True]])]
    """
    placed = [(page, *_place(topic)) for page, topic in examples]
    topics = sorted({prefix for _, topic, other in placed for prefix in _prefixes(topic)})
    children: dict[str, list[str]] = {}
    for topic in topics:
        children.setdefault(parent_of(topic), []).append(topic)
    return [_family(parent, below, placed) for parent, below in sorted(children.items())]


def _place(topic: str | None) -> tuple[str, bool]:
    """Return the topic of a page, and whether the page is a negative example for its children."""
    if topic is None:
        return "", True
    if topic.rpartition("/")[2].lower() == OTHERS:
        return parent_of(topic), True
    return topic, False


def _prefixes(topic: str) -> list[str]:
    parts = topic.split("/") if topic else []
    return ["/".join(parts[:depth]) for depth in range(1, len(parts) + 1)]


def _below(topic: str, ancestor: str) -> bool:
    return topic == ancestor or topic.startswith(f"{ancestor}/")


def _family(parent: str, children: list[str], placed: list[tuple[ParsedPage, str, bool]]) -> Family:
    # Indexes of pages with their topic below the parent, "" for negative examples of all children.
    rows: list[tuple[int, str]] = []
    for place, (_, topic, other) in enumerate(placed):
        if not other and any(_below(topic, child) for child in children):
            rows.append((place, topic))
        elif other and topic == parent:
            rows.append((place, ""))
    if len(children) == 1 and all(topic for _, topic in rows):
        own = [place for place, (_, topic, other) in enumerate(placed) if topic == parent and not other]
        outside = own or [place for place, (_, topic, _) in enumerate(placed) if not _below(topic, children[0])]
        rows += [(place, "") for place in outside]
    topics = [topic for _, topic in rows]
    members = np.array([[_below(topic, child) for child in children] for topic in topics], bool)
    places = np.array([place for place, _ in rows], np.int64)
    return Family(
        parent=parent,
        children=[_name(child) for child in children],
        pages=[placed[place][0] for place in places],
        members=members,
        places=places,
        parts=_parts(children, topics),
        names=[_names(child, topics) for child in children],
        empty=frozenset(_name(child) for child in children if child not in topics),
    )


def _name(topic: str) -> str:
    return topic.rpartition("/")[2]


def _names(child: str, topics: list[str]) -> list[str]:
    """Return the names of a child and of the topics below it, each once."""
    inside = {prefix for topic in topics for prefix in _prefixes(topic) if _below(prefix, child)}
    return list(dict.fromkeys(_name(topic) for topic in sorted(inside)))


def _parts(children: list[str], topics: list[str]) -> list[tuple[int, NDArray[np.bool_]]]:
    """Return the topics below children that do not cover their whole parent."""
    found: list[tuple[int, NDArray[np.bool_]]] = []
    for place, child in enumerate(children):
        inside = sorted({topic for topic in topics if _below(topic, child)})
        names = sorted({prefix for topic in inside for prefix in _prefixes(topic) if prefix.startswith(f"{child}/")})
        for name in names:
            if any(not _below(topic, name) and _below(topic, parent_of(name)) for topic in inside):
                found.append((place, np.array([_below(topic, name) for topic in topics], bool)))
    return found
