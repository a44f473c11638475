"""Moves the best links of the best hubs to the head of their queues (Sizov, section 2.2.4)."""

from collections.abc import Sequence
from typing import Final

from msgspec.structs import replace

from thresher.crawl.keeping import link_candidates
from thresher.protocols import Strategy, View
from thresher.reading.analysis import Analyser, Analysis
from thresher.shard.protocol import Shard
from thresher.shard.values import Offer
from thresher.store.event_kinds import EventKind
from thresher.store.protocol import Store
from thresher.store.stored_page import page_of
from thresher.store.url_records import UrlRow, UrlState
from thresher.types import Candidate, Priority

HUBS_RAISED: Final = EventKind.HUBS_RAISED
"""The event that says how many links of hubs were put first after a round of retraining."""

STEP: Final = 1e-6
"""The distance between raised candidates, relative to the priority they are raised above."""


async def raise_hubs(
    hubs: Sequence[int],
    links: int,
    *,
    store: Store,
    shard: Shard,
    analyser: Analyser,
    strategy: Strategy,
    view: View,
) -> int:
    """Put the `links` best links of each hub first in their queues; return how many were raised.

    `hubs` are ids of stored pages. Only links that are waiting or were never seen are raised; among themselves they
    keep the strategy's order. A strategy that rescores its queue undoes this when it next does so.
    """
    chosen: dict[str, Candidate] = {}
    for ident in hubs:
        document = store.documents.document(ident)
        analysis = await analyser.analyse(page_of(document)) if document is not None else None
        if document is None or not isinstance(analysis, Analysis):
            continue
        row = shard.look(urls=[document.url]).urls.get(document.url)
        own = row.candidate if row else Candidate(url=document.url, priority=(), depth=document.depth)
        best = sorted(
            link_candidates(own, analysis, strategy, view), key=lambda candidate: candidate.priority, reverse=True
        )
        known = shard.look(urls=[candidate.url for candidate in best]).urls
        for candidate in [found for found in best if _is_open(known.get(found.url))][:links]:
            chosen.setdefault(candidate.url, candidate)
    queues: dict[str, list[Candidate]] = {}
    for candidate in chosen.values():
        queues.setdefault(candidate.queue, []).append(candidate)
    heads = {candidate.queue: candidate.priority for candidate in shard.look(best=1).best}
    for queue, raised in queues.items():
        first = _before(raised, heads.get(queue))
        shard.offer([Offer(first)])
        # A strategy with its own rule for links found again has already scored them.
        shard.reprice([(candidate.url, candidate.priority) for candidate in first])
    return len(chosen)


def _is_open(row: UrlRow | None) -> bool:
    """Return whether a URL is waiting or was never seen by this crawl."""
    return row is None or row.state is UrlState.WAITING


def _before(candidates: list[Candidate], head: Priority | None) -> list[Candidate]:
    """Return candidates with priorities above `head`; among themselves they keep their order."""
    ordered = sorted(candidates, key=lambda candidate: candidate.priority)
    if not head or not all(candidate.priority for candidate in ordered):
        return ordered
    step = max(1.0, abs(head[0])) * STEP
    return [
        replace(candidate, priority=(max(candidate.priority[0], head[0]) + place * step, *candidate.priority[1:]))
        for place, candidate in enumerate(ordered, 1)
    ]
