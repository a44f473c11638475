"""The figures of the promise: pure functions of the fetched pages, the accepted pages and the ground truth."""

from collections.abc import Mapping, Sequence
from statistics import fmean
from typing import NamedTuple

from msgspec import Struct

from thresher.bench.measures import oracle_share
from thresher.bench.promise.truth import Truth, once
from thresher.web.urls import host_of

Accepted = Mapping[str, str]
"""The topic of each accepted page, by URL."""


class TopicFigures(Struct, frozen=True):
    """How well a topic's fetched pages were judged, excluding bookmarks.

    `fetched` counts pages that belong to it, `accepted` labelled pages that were assigned to it; shares are None if
    undefined.
    """

    topic: str
    precision: float | None
    recall_of_fetched: float | None
    fetched: int
    accepted: int

    @property
    def f(self) -> float | None:
        """The harmonic mean of precision and recall; 0 if nothing was accepted, None if nothing was fetched."""
        if self.recall_of_fetched is None:
            return None
        if not self.precision or not self.recall_of_fetched:
            return 0.0
        return 2 * self.precision * self.recall_of_fetched / (self.precision + self.recall_of_fetched)


class Reached(Struct, frozen=True):
    """Coverage of a crawl: shares of the budget on topic, of hosts found, and of right accepted pages, each 0 to 1."""

    on_topic: float
    on_topic_new_hosts: float
    hosts_found: float | None
    right_pages: float


def reached(fetched: Sequence[str], accepted: Accepted, truth: Truth, budget: int) -> Reached:
    """Return the coverage of a crawl with exactly this budget; fetching a page again counts as waste."""
    pages = once(fetched[:budget])
    whole = _spent(len(fetched[:budget]), len(truth.oracle), budget)
    home = truth.home_hosts()
    on_topic = [url for url in pages if truth.on_topic(url)]
    right = [url for url in on_topic if url in accepted and truth.is_of(url, accepted[url])]
    return Reached(
        on_topic=len(on_topic) / whole,
        on_topic_new_hosts=sum(host_of(url) not in home for url in on_topic) / whole,
        hosts_found=_mean([_hosts_found(on_topic, truth, topic) for topic in truth.topics]),
        right_pages=_mean([_right_share(right, accepted, truth, topic, budget) for topic in truth.topics]) or 0.0,
    )


def by_topic(
    fetched: Sequence[str], accepted: Accepted, truth: Truth, *, new_hosts: bool = False
) -> list[TopicFigures]:
    """Return how well the pages of each topic were judged; with `new_hosts`, only those on hosts without a bookmark."""
    home = truth.home_hosts() if new_hosts else frozenset()
    known = [url for url in once(fetched) if url in truth.of and url not in truth.examples]
    known = [url for url in known if host_of(url) not in home]
    found = []
    for topic in truth.topics:
        own = sum(truth.is_of(url, topic) for url in known)
        taken = [url for url in known if accepted.get(url) == topic]
        right = sum(truth.is_of(url, topic) for url in taken)
        found.append(
            TopicFigures(topic, right / len(taken) if taken else None, right / own if own else None, own, len(taken))
        )
    return found


class Macro(NamedTuple):
    """Means over topics; None if no topic has a value."""

    precision: float | None
    recall: float | None
    f: float | None


def macro(topics: Sequence[TopicFigures]) -> Macro:
    """Return the means of precision, recall and F1 over topics, ignoring topics without a value."""
    return Macro(
        _mean([topic.precision for topic in topics]),
        _mean([topic.recall_of_fetched for topic in topics]),
        _mean([topic.f for topic in topics]),
    )


def share_of_oracle(fetched: Sequence[str], truth: Truth, budget: int) -> float | None:
    """Return the area under the curve of on-topic pages relative to the oracle's; None if the oracle finds none."""
    targets = {url for urls in truth.reachable.values() for url in urls}
    seen: set[str] = set()
    found = []
    for url in fetched[:budget]:
        found.append(url in targets and url not in seen)
        seen.add(url)
    return oracle_share(found, [url in targets for url in truth.oracle], len(targets), budget)


def wrong_share(taught: Sequence[tuple[str, str | None]], truth: Truth) -> float | None:
    """Return the share of labelled training pages with a wrong topic.

    `taught` holds the URL of each page and its training topic, None for none.
    """
    known = [(url, topic) for url, topic in taught if url in truth.of]
    return sum(not truth.is_of(url, topic) for url, topic in known) / len(known) if known else None


def _spent(fetched: int, oracle: int, budget: int) -> int:
    """Return the denominator for shares of a budget: the budget, or less if the oracle runs out of pages as well."""
    return max(1, budget if oracle >= budget else max(fetched, oracle))


def _hosts_found(on_topic: Sequence[str], truth: Truth, topic: str) -> float | None:
    """Return the share of a topic's reachable hosts without a bookmark on which pages of it were found.

    None if there is no such host.
    """
    home = truth.home_hosts()
    there = {host_of(url) for url in truth.reachable[topic]} - home
    found = {host_of(url) for url in on_topic if truth.is_of(url, topic)}
    return len(there & found) / len(there) if there else None


def _right_share(right: Sequence[str], accepted: Accepted, truth: Truth, topic: str, budget: int) -> float | None:
    """Return a topic's right accepted pages relative to its fair share of the budget, or to all there are if fewer.

    Bookmarks do not count, and the result is at most 1. None if no page of the topic can be reached.
    """
    wanted = min(budget // len(truth.topics), len(truth.reachable[topic] - truth.examples))
    own = sum(accepted[url] == topic and url not in truth.examples for url in right)
    return min(1.0, own / wanted) if wanted else None


def _mean(values: Sequence[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return fmean(known) if known else None
