"""Checks whether two halves of a topic's archetypes, from different hosts, lead to the same result."""

from collections import Counter
from collections.abc import Iterable, Sequence

from msgspec import Struct

from thresher.classify.examples import Examples
from thresher.classify.folds import site_of
from thresher.classify.hierarchical import HierarchicalClassifier
from thresher.types import ParsedPage

Labelled = list[tuple[ParsedPage, str | None]]


class TopicAgreement(Struct, frozen=True):
    """How many pages two classifiers assign to a topic: `both` of them, and `either`."""

    both: int
    either: int

    @property
    def share(self) -> float:
        """The share of the pages accepted by either that both accept; 1 if neither accepts any."""
        return self.both / self.either if self.either else 1.0


def host_halves(archetypes: Examples) -> tuple[Labelled, Labelled]:
    """Split archetypes into two halves that share no host within a topic; if it has one host, split single pages.

    >>> def page(url):
    ...     return ParsedPage(url=url, title="", words=[], links=[])
    >>> urls = ["http://a.test/1", "http://a.test/2", "http://b.test/1"]
    >>> [[page.url for page, _ in half] for half in host_halves([(page(url), "T") for url in urls])]
    [['http://a.test/1', 'http://a.test/2'], ['http://b.test/1']]
    """
    halves: tuple[Labelled, Labelled] = ([], [])
    for topic in sorted({label for _, label in archetypes if label is not None}):
        own = [(page, label) for page, label in archetypes if label == topic]
        sizes = Counter(site_of(page) for page, _ in own)
        hosts = sorted(sizes, key=lambda host: (-sizes[host], host))
        groups = [[one for one in own if site_of(one[0]) == host] for host in hosts]
        if len(groups) == 1:
            groups = [[one] for one in own]
        taken = [0, 0]
        for group in groups:
            # The next host goes to the smaller half, so that both weigh about the same.
            half = int(taken[1] < taken[0])
            halves[half].extend(group)
            taken[half] += len(group)
    return halves


def agreements(
    one: HierarchicalClassifier, other: HierarchicalClassifier, pages: Sequence[ParsedPage], topics: Iterable[str]
) -> dict[str, TopicAgreement]:
    """Return how far two classifiers agree on which pages belong to each topic, including topics below it."""
    judged = [(one.classify(page).topic or "", other.classify(page).topic or "") for page in pages]
    found: dict[str, TopicAgreement] = {}
    for topic in topics:
        taken = [(_is_of(first, topic), _is_of(second, topic)) for first, second in judged]
        found[topic] = TopicAgreement(sum(map(all, taken)), sum(map(any, taken)))
    return found


def _is_of(reached: str, topic: str) -> bool:
    return reached == topic or reached.startswith(f"{topic}/")
