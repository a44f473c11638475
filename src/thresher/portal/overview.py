"""The topic tree with page and site counts."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from typing import Final

from msgspec import Struct

from thresher.store.portal_records import TopicSite
from thresher.taxonomy.topic_tree import Taxonomy, Topic, written

COLOURS: Final = 12
"""Number of top-level branches with their own colour; the others are grey, number 0."""


class TopicNode(Struct, frozen=True, kw_only=True):
    """A topic with its figures; `pages`, `new` and `sites` include its subtopics, `direct` does not.

    `path` is the written path; `hosts` lists page counts by host, largest first.
    """

    name: str
    path: str
    note: str
    colour: int
    children: tuple["TopicNode", ...]
    direct: int
    pages: int
    new: int
    hosts: tuple[tuple[str, int], ...]

    @property
    def sites(self) -> int:
        """The number of hosts with pages of this topic."""
        return len(self.hosts)


class Overview(Struct, frozen=True):
    """All topics with their figures at one moment; `top` holds the branches, `nodes` all topics by path.

    `hosts` maps each host to its number of pages, and `branches` each host to its page counts by branch path.
    """

    top: tuple[TopicNode, ...]
    nodes: Mapping[str, TopicNode]
    hosts: Mapping[str, int]
    branches: Mapping[str, Mapping[str, int]]
    pages: int
    new: int

    def below(self, path: str) -> tuple[str, ...]:
        """Return the paths of a topic and all its subtopics; none if there is no such topic."""
        return tuple(known for known in self.nodes if known == path or known.startswith(f"{path}/"))

    def line(self, path: str) -> list[TopicNode]:
        """Return the topics on the path from the top to a topic."""
        parts = path.split("/")
        paths = ("/".join(parts[: number + 1]) for number in range(len(parts)))
        return [self.nodes[known] for known in paths if known in self.nodes]


def overview(topics: Taxonomy, sites: Iterable[TopicSite], colours: Mapping[str, int]) -> Overview:
    """Count the pages of every topic; pages of topics no longer in the tree are skipped.

    `colours` maps branches to colours; others are grey.
    """
    direct: Counter[str] = Counter()
    new: Counter[str] = Counter()
    hosts: defaultdict[str, Counter[str]] = defaultdict(Counter)
    known = {written(path) for path, _ in topics.walk()}
    for row in sites:
        if row.topic in known:
            direct[row.topic] += row.pages
            new[row.topic] += row.new
            hosts[row.topic][row.host] += row.pages
    top = tuple(
        _node(child, (), colours.get(written((child.name,)), 0), direct, new, hosts) for child in topics.root.children
    )
    nodes: dict[str, TopicNode] = {}
    for node in top:
        _collect(node, nodes)
    branches: defaultdict[str, dict[str, int]] = defaultdict(dict)
    for node in top:
        for host, pages in node.hosts:
            branches[host][node.path] = pages
    every = {host: sum(pages.values()) for host, pages in branches.items()}
    return Overview(top, nodes, every, dict(branches), sum(direct.values()), sum(new.values()))


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


def _node(
    topic: Topic,
    above: tuple[str, ...],
    colour: int,
    direct: Mapping[str, int],
    new: Mapping[str, int],
    hosts: Mapping[str, Counter[str]],
) -> TopicNode:
    path = (*above, topic.name)
    name = written(path)
    children = tuple(_node(child, path, colour, direct, new, hosts) for child in topic.children)
    every = Counter(hosts.get(name, {}))
    for child in children:
        every.update(dict(child.hosts))
    return TopicNode(
        name=topic.name,
        path=name,
        note=topic.note,
        colour=colour,
        children=children,
        direct=direct.get(name, 0),
        pages=direct.get(name, 0) + sum(child.pages for child in children),
        new=new.get(name, 0) + sum(child.new for child in children),
        hosts=tuple(sorted(every.items(), key=lambda found: (-found[1], found[0]))),
    )


def _collect(node: TopicNode, nodes: dict[str, TopicNode]) -> None:
    nodes[node.path] = node
    for child in node.children:
        _collect(child, nodes)
