"""Hubs first: the best links of the best hubs go to the head of their queues (source 003, section 2.2.4)."""

from collections.abc import Sequence

from msgspec.structs import replace

from thresher.crawl.phases.succession import read_again
from thresher.crawl.ranking import ranked
from thresher.crawl.shard import Shard
from thresher.protocols import PageClassifier, Strategy, View
from thresher.store.protocol import Store
from thresher.types import Candidate, Priority


def raise_hubs(
    hubs: Sequence[int],
    links: int,
    *,
    store: Store,
    shard: Shard,
    strategy: Strategy,
    view: View,
    classifier: PageClassifier,
) -> int:
    """Put the `links` best links of each hub before all that waits in their queues; return how many were raised.

    `hubs` are ids of stored pages. Only links that wait or were never seen are raised; among them the order is the
    strategy's.
    """
    heads: dict[str, Priority | None] = {}
    raised: dict[str, Candidate] = {}
    for ident in hubs:
        document = store.documents.document(ident)
        if document is None:
            continue
        row = shard.row(document.url)
        own = row.candidate if row else Candidate(url=document.url, priority=(), depth=document.depth)
        priced = ranked(strategy, read_again(document, own, strategy, classifier), view)
        best = sorted(priced, key=lambda candidate: candidate.priority, reverse=True)
        for candidate in [found for found in best if shard.open_to(found.url)][:links]:
            if candidate.queue not in heads:
                heads[candidate.queue] = shard.head(candidate.queue)
            raised.setdefault(candidate.url, _before(candidate, heads[candidate.queue]))
    shard.offer(raised.values())
    return len(raised)


def _before(candidate: Candidate, head: Priority | None) -> Candidate:
    """Return a candidate whose priority is above another; candidates raised above the same keep their order."""
    if not head or not candidate.priority:
        return candidate
    first = max(head[0], 0.0) + max(candidate.priority[0], 0.0)
    return replace(candidate, priority=(first, *candidate.priority[1:]))
