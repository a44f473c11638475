"""Page counts by topic and host that follow the repository by sequence number.

Counting all pages takes a fifth of a second for 100,000 of them, and a running crawl changes a few hosts at a time. So
only hosts with changed pages are counted again.
"""

from collections.abc import Iterable, Mapping
from typing import Final, NamedTuple

from msgspec import Struct

from thresher.store.portal_records import TopicSite
from thresher.store.protocol import Store

MOST_HOSTS: Final = 500
"""Changed hosts from which everything is counted again."""


class Count(NamedTuple):
    """A number of pages, and how many of them are new."""

    pages: int
    new: int


class SiteCounts(Struct, frozen=True):
    """Page counts by topic and host, up to a sequence number; pages found after the wall time `new_since` are new."""

    by_topic: Mapping[str, Mapping[str, Count]] = {}
    seq: int = 0
    new_since: float = 0.0
    hidden: tuple[str, ...] = ()


def counted(rows: Iterable[TopicSite]) -> dict[str, dict[str, Count]]:
    """Return page counts by topic and host."""
    found: dict[str, dict[str, Count]] = {}
    for topic, host, pages, new in rows:
        found.setdefault(topic, {})[host] = Count(pages, new)
    return found


def follow(counts: SiteCounts, store: Store, new_since: float) -> SiteCounts:
    """Return the current counts of a portal; those of unchanged hosts are kept."""
    # Pages written meanwhile are counted again next time.
    seq, hidden = store.log.last(), tuple(store.organising.hidden())
    hosts: list[str] | None = None
    if counts.seq and hidden == counts.hidden and counts.new_since <= new_since:
        hosts = store.catalogue.changed_hosts(counts.seq, counts.new_since, new_since, MOST_HOSTS + 1)
    if hosts is None or len(hosts) > MOST_HOSTS or seq < counts.seq:
        return SiteCounts(counted(store.catalogue.sites(new_since)), seq, new_since, hidden)
    fresh = counted(store.catalogue.sites(new_since, hosts))
    by_topic: dict[str, Mapping[str, Count]] = {}
    for topic in {**counts.by_topic, **fresh}:
        known, new = counts.by_topic.get(topic, {}), fresh.get(topic, {})
        if new or any(host in known for host in hosts):
            known = {**known, **new}
            for host in hosts:
                if host not in new:
                    known.pop(host, None)
        if known:
            by_topic[topic] = known
    return SiteCounts(by_topic, seq, new_since, hidden)
