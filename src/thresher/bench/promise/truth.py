"""The truth about a portal's topics: which pages belong to them, which can be reached, and what an oracle would do."""

from collections.abc import Sequence

import numpy as np
from msgspec import Struct

from thresher.bench.oracle import plan
from thresher.bench.promise.survey import Survey
from thresher.bench.promise.web import PoliteWeb
from thresher.taxonomy.from_bookmarks import from_bookmarks
from thresher.taxonomy.topic_tree import written
from thresher.web.urls import canonical, host_of


class Truth(Struct, frozen=True, eq=False):
    """What a run is judged by.

    `topics` are the names of the portal's topics, `examples` the bookmarks, `of` the topic of every page whose label is
    known, None for pages of none of the topics; pages without a label are absent. `reachable` are the pages of each
    topic that links lead to from the bookmarks, bookmarks included; `oracle` is the order in which the oracle fetches.
    """

    topics: tuple[str, ...]
    examples: frozenset[str]
    of: dict[str, str | None]
    reachable: dict[str, frozenset[str]]
    oracle: list[str]

    def home_hosts(self) -> frozenset[str]:
        """Return the hosts with a bookmark."""
        return frozenset(host_of(url) for url in self.examples)

    def on_topic(self, url: str) -> bool:
        """Tell whether a page belongs to any of the topics."""
        return self.of.get(url) is not None


def truth(web: PoliteWeb, survey: Survey, bookmarks: bytes, budget: int) -> Truth:
    """Return the truth about a portal of bookmarks whose folders are named after topics of the web."""
    tree = from_bookmarks(bookmarks).taxonomy
    topics = tuple(written(path) for path, _ in tree.walk())
    given = [url for page in tree.start_urls() if (url := canonical(page[0])) is not None]
    of = {url: next((topic for topic in topics if topic in labels), None) for url, labels in web.labels.items()}
    numbers, graph = survey.numbers, survey.graph
    everywhere = np.ones(graph.count, bool)
    starts = [numbers[url] for url in given if url in numbers]
    reached = graph.reachable(starts)
    reachable = {
        topic: frozenset(url for url, own in of.items() if own == topic and url in numbers and reached[numbers[url]])
        for topic in topics
    }
    targets = np.zeros(graph.count, bool)
    targets[[numbers[url] for found in reachable.values() for url in found]] = True
    order = plan(graph, starts, everywhere, targets, budget)
    return Truth(topics, frozenset(given), of, reachable, [survey.urls[number] for number in order])


def once(urls: Sequence[str]) -> list[str]:
    """Return addresses in their order, each once.

    >>> once(["b", "a", "b"])
    ['b', 'a']
    """
    return list(dict.fromkeys(urls))
