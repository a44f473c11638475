"""The topic tree with page and site counts."""

import heapq
from collections.abc import Mapping
from functools import cached_property
from typing import Final

from msgspec import Struct

from thresher.portal.site_counts import Count
from thresher.taxonomy.topic_tree import Taxonomy, Topic, written

COLOURS: Final = 12
"""Number of top-level branches with their own colour; the others are grey, number 0."""

LARGEST: Final = 20
"""Maximum number of sites listed for a topic."""

Counts = Mapping[str, Count]
"""Page counts by host."""


class TopicNode(Struct, frozen=True, kw_only=True, dict=True):
    """A topic with its figures; `pages`, `new` and `sites` include its subtopics, `direct` does not.

    `path` is the written path; `counts` has the page counts of the topic and each of its subtopics that has pages.
    """

    name: str
    path: str
    note: str
    colour: int
    children: tuple["TopicNode", ...]
    direct: int
    pages: int
    new: int
    counts: tuple[Counts, ...]

    @cached_property
    def sites(self) -> int:
        """The number of hosts with pages of this topic."""
        return len(set[str]().union(*self.counts))

    @cached_property
    def largest(self) -> tuple[tuple[str, int], ...]:
        """The hosts with most pages of this topic and their numbers, largest first, at most `LARGEST`."""
        pages: dict[str, int] = {}
        for counts in self.counts:
            for host, count in counts.items():
                pages[host] = pages.get(host, 0) + count.pages
        return tuple(heapq.nsmallest(LARGEST, pages.items(), key=lambda found: (-found[1], found[0])))

    def pages_on(self, host: str) -> int:
        """Return the number of pages of this topic on a host."""
        return sum(counts[host].pages for counts in self.counts if host in counts)


class Overview(Struct, frozen=True, dict=True):
    """All topics with their figures at one moment; `top` holds the branches, `nodes` all topics by path."""

    top: tuple[TopicNode, ...]
    nodes: Mapping[str, TopicNode]
    pages: int
    new: int

    @cached_property
    def sites(self) -> int:
        """The number of hosts with pages."""
        return len(set[str]().union(*(counts for node in self.top for counts in node.counts)))

    def branches(self, host: str) -> dict[str, int]:
        """Return the number of pages on a host by branch path; empty if the host has none."""
        found = {node.path: node.pages_on(host) for node in self.top}
        return {path: pages for path, pages in found.items() if pages}

    def below(self, path: str) -> tuple[str, ...]:
        """Return the paths of a topic and all its subtopics; none if there is no such topic."""
        return tuple(known for known in self.nodes if known == path or known.startswith(f"{path}/"))

    def line(self, path: str) -> list[TopicNode]:
        """Return the topics on the path from the top to a topic."""
        parts = path.split("/")
        paths = ("/".join(parts[: number + 1]) for number in range(len(parts)))
        return [self.nodes[known] for known in paths if known in self.nodes]


def overview(topics: Taxonomy, counts: Mapping[str, Counts], colours: Mapping[str, int]) -> Overview:
    """Return the figures of every topic; pages of topics no longer in the tree are skipped.

    `counts` maps topics to page counts by host, and `colours` maps branches to colours; other branches are grey.
    """
    top = tuple(_node(child, (), colours.get(written((child.name,)), 0), counts) for child in topics.root.children)
    nodes: dict[str, TopicNode] = {}
    for node in top:
        _collect(node, nodes)
    return Overview(top, nodes, sum(node.pages for node in top), sum(node.new for node in top))


def new_colours(topics: Taxonomy, known: Mapping[str, int]) -> dict[str, int]:
    """Return colours for the branches that have none: unused numbers, while there are any.

    >>> from thresher.taxonomy.topic_tree import put
    >>> tree = put(put(Taxonomy(), ("Tea",), Topic(name="")), ("Boats",), Topic(name=""))
    >>> new_colours(tree, {"Boats": 1, "Gone": 2})
    {'Tea': 2}
    """
    names = [written((child.name,)) for child in topics.root.children]
    taken = {known[name] for name in names if name in known}
    free = (number for number in range(1, COLOURS + 1) if number not in taken)
    return dict(zip((name for name in names if name not in known), free, strict=False))


def _node(topic: Topic, above: tuple[str, ...], colour: int, counts: Mapping[str, Counts]) -> TopicNode:
    path = (*above, topic.name)
    name = written(path)
    children = tuple(_node(child, path, colour, counts) for child in topic.children)
    own = counts.get(name, {})
    direct = sum(count.pages for count in own.values())
    return TopicNode(
        name=topic.name,
        path=name,
        note=topic.note,
        colour=colour,
        children=children,
        direct=direct,
        pages=direct + sum(child.pages for child in children),
        new=sum(count.new for count in own.values()) + sum(child.new for child in children),
        counts=(*((own,) if own else ()), *(inner for child in children for inner in child.counts)),
    )


def _collect(node: TopicNode, nodes: dict[str, TopicNode]) -> None:
    nodes[node.path] = node
    for child in node.children:
        _collect(child, nodes)
