"""The ground truth about a portal's topics: their pages, which of them are reachable, and the oracle's result."""

from collections.abc import Mapping, Sequence

import numpy as np
from msgspec import Struct

from thresher.bench.oracle import plan
from thresher.bench.promise.bookmarks import folder_of
from thresher.bench.promise.scenario import Scenario
from thresher.taxonomy.from_bookmarks import from_bookmarks
from thresher.taxonomy.topic_tree import written
from thresher.web.urls import canonical, host_of


class Truth(Struct, frozen=True, eq=False):
    """The ground truth that a run is judged by.

    `topics` are the names of the portal's topics, `examples` the bookmarks, and `of` the topics of every labelled page,
    usually one or none; unlabelled pages are absent. `reachable` holds the pages of each topic that can be reached from
    the bookmarks, including these; `oracle` is the order in which the oracle fetches.
    """

    topics: tuple[str, ...]
    examples: frozenset[str]
    of: Mapping[str, tuple[str, ...]]
    reachable: Mapping[str, frozenset[str]]
    oracle: list[str]

    def home_hosts(self) -> frozenset[str]:
        """Return the hosts with a bookmark."""
        return frozenset(host_of(url) for url in self.examples)

    def on_topic(self, url: str) -> bool:
        """Return whether a page belongs to any of the topics."""
        return bool(self.of.get(url))

    def is_of(self, url: str, topic: str | None) -> bool:
        """Return whether a page belongs to a topic; for None, whether it is labelled and belongs to no topic."""
        own = self.of.get(url)
        return own is not None and (topic in own if topic is not None else not own)


def truth(scenario: Scenario, budget: int) -> Truth:
    """Return the truth about a portal created from the bookmarks; `budget` is the page budget of the oracle."""
    web, pages = scenario.web, scenario.pages
    tree = from_bookmarks(scenario.bookmarks).taxonomy
    topics = tuple(written(path) for path, _ in tree.walk())
    given = [url for page in tree.start_urls() if (url := canonical(page[0])) is not None]
    labels = {folder_of(topic): topic for topic in web.topics}
    of = {url: tuple(name for name in topics if labels.get(name) in own) for url, own in web.labels.items()}
    silent = {name for name, host in scenario.hosts.items() if host.down}
    up = np.array([url in web.served and host_of(url) not in silent for url in pages.urls])
    starts = [number for url in given if (number := pages.number(url)) is not None]
    reached = pages.graph.reachable(starts, up)
    there = {url for number, url in enumerate(pages.urls) if reached[number]}
    reachable = {topic: frozenset(url for url in there if topic in of.get(url, ())) for topic in topics}
    targets = np.array([bool(of.get(url)) for url in pages.urls]) & reached
    order = plan(pages.graph, starts, up, targets, budget)
    return Truth(topics, frozenset(given), of, reachable, [pages.urls[number] for number in order])


def once(urls: Sequence[str]) -> list[str]:
    """Return URLs in order, without duplicates.

    >>> once(["b", "a", "b"])
    ['b', 'a']
    """
    return list(dict.fromkeys(urls))
