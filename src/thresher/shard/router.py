"""Several shards behind one interface, each responsible for part of the hosts.

Links from a page to hosts of another shard go to an outbox, which is written in the same transaction as the page and
delivered once that is committed. Anything a kill leaves in the outbox is delivered when the crawl continues. An offer
made twice changes nothing, so nothing is lost or duplicated.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import reduce
from itertools import zip_longest
from math import inf
from typing import Final

from thresher.reasons import Reason
from thresher.shard.protocol import Shard
from thresher.shard.rules import part_of
from thresher.shard.values import Changes, Look, Memory, Offer, Outcome, PriceClass, Settled, Taken
from thresher.store.protocol import Store
from thresher.store.url_records import Letter
from thresher.types import Candidate, Priority
from thresher.web.urls import host_of

NOTHING: Final[Priority] = (inf,)
"""A score higher than any candidate's."""

READY: Final = 1_000
"""Number of ready queues of each shard that take turns."""

REMEMBERED: Final = 10_000
"""Number of queues up to which those with nothing to give keep their place in the order of turn."""


class Router:
    """Implements the shard protocol over shards that share a store and each hold part of the hosts.

    Queues take turns while their best scores are `within` this distance of the very best, or always if it is 0.
    """

    def __init__(self, store: Store, crawl: int, shards: Sequence[Shard], within: float = 0.0) -> None:
        self._within = within
        self._store = store
        self._crawl = crawl
        self._shards = shards
        self._turns: dict[str, None] = {}
        self._open: list[Letter] = []
        self._sent: list[Letter] = []
        self._delivered: list[int] = []
        self._next = 0
        self._memories: dict[int, Memory] = {}

    def restore(self) -> int:
        """Restore everything that was waiting and deliver the outbox; return the number of waiting URLs."""
        for shard in self._shards:
            shard.restore()
        self._sent = self._store.urls.outbox(self._crawl)
        self._next = self._sent[-1].id + 1 if self._sent else 0
        self._deliver()
        return sum(shard.look().waiting for shard in self._shards)

    def offer(self, offers: Sequence[Offer]) -> None:
        """Offer candidates to the shards that hold them, through the outbox if another shard holds their page."""
        for offer in offers:
            parts: dict[int, list[Candidate]] = {}
            for candidate in offer.candidates:
                part = self._part(host_of(candidate.url))
                source = candidate.parent if offer.state is None else None
                if source is None or self._part(host_of(source)) == part:
                    parts.setdefault(part, []).append(candidate)
                else:
                    self._post(candidate, offer.reason)
            for part, candidates in parts.items():
                self._shards[part].offer([Offer(candidates, offer.reason, offer.state)])

    def take(
        self,
        limit: int,
        *,
        least: Priority | None = None,
        busy: float = 0.0,
        budget: int | None = None,
        queues: Sequence[str] | None = None,
    ) -> Taken:
        """Hand out the best errands of all shards, taking turns by queue."""
        limit = limit if budget is None else min(limit, budget)
        takes: list[Taken] = []
        left = limit
        ready = [dict(shard.look(ready=READY).ready) for shard in self._shards]
        while left and (chosen := self._choose(ready, least, queues)) is not None:
            part, queue = chosen
            takes.append(self._shards[part].take(1, least=least, queues=[queue]))
            left -= len(takes[-1].errands)
            ready[part] = dict(self._shards[part].look(ready=READY).ready)
        # What is left is withheld, or belongs to queues beyond the first `READY`.
        rest: list[Taken] = []
        for shard in self._shards:
            rest.append(shard.take(left, least=least, queues=queues))
            left -= len(rest[-1].errands)
        takes += rest
        if busy > 0:
            more = self._keep_busy(rest, left, busy)
            left -= sum(len(taken.errands) for taken in more)
            takes += more
            rest = [shard.take(0, least=least, queues=queues) for shard in self._shards]
        return Taken(
            errands=[errand for taken in takes for errand in taken.errands],
            withheld=min(sum(taken.withheld for taken in rest), left),
            used=sum(taken.used for taken in rest),
            idle=sum(taken.idle for taken in rest),
            opens=_first(taken.opens for taken in rest),
            sitemaps=tuple(dict.fromkeys(url for taken in (*takes, *rest) for url in taken.sitemaps)),
        )

    def _keep_busy(self, states: Sequence[Taken], left: int, busy: float) -> list[Taken]:
        """Take the best withheld URLs of all shards, one by one, until a share of the hosts' capacity is in use."""
        now, takes = list(states), []
        open_parts = set(range(len(self._shards)))
        while left and open_parts:
            used, idle = sum(state.used for state in now), sum(state.idle for state in now)
            if used and used >= busy * (used + idle):
                break
            best = {
                part: max((price for _, price in self._shards[part].look(ready=READY).ready), default=None)
                for part in open_parts
            }
            priced = {part: price for part, price in best.items() if price is not None}
            if not priced:
                break
            part = max(priced, key=lambda one: priced[one])
            now[part] = self._shards[part].take(1, least=NOTHING, busy=1.0)
            takes.append(now[part])
            left -= len(now[part].errands)
            if not now[part].errands:
                open_parts.discard(part)
        return takes

    def settle(self, outcomes: Sequence[Outcome]) -> list[Settled]:
        """Settle each outcome with the shard that handed out its errand."""
        return [self._shards[self._part(outcome.errand.host)].settle([outcome])[0] for outcome in outcomes]

    def reprice(self, prices: Sequence[tuple[str, Priority]]) -> int:
        """Change the priority of waiting URLs; return how many were waiting."""
        parts: dict[int, list[tuple[str, Priority]]] = {}
        for url, priority in prices:
            parts.setdefault(self._part(host_of(url)), []).append((url, priority))
        return sum(self._shards[part].reprice(own) for part, own in parts.items())

    def close(self, queue: str, *, for_good: bool = True) -> int:
        """Close a queue in all shards; return the number of URLs removed."""
        return sum(shard.close(queue, for_good=for_good) for shard in self._shards)

    def drain(self) -> Changes:
        """Return all changes since the last call; the outbox of that call is committed by now and delivered first."""
        self._deliver()
        drained = [shard.drain() for shard in self._shards]
        self._sent, self._open = self._open, []
        delivered, self._delivered = self._delivered, []
        return Changes(
            urls=[row for changes in drained for row in changes.urls],
            moves=[move for changes in drained for move in changes.moves],
            prices=[price for changes in drained for price in changes.prices],
            hosts=[row for changes in drained for row in changes.hosts],
            robots=[row for changes in drained for row in changes.robots],
            memory=self._memory([changes.memory for changes in drained]),
            outbox=self._sent,
            delivered=delivered,
        )

    def look(
        self,
        *,
        urls: Sequence[str] = (),
        hosts: Sequence[str] = (),
        queues: bool = False,
        best: int = 0,
        ahead: int = 0,
        ready: int = 0,
        prices: bool = False,
    ) -> Look:
        """Return what can be seen of all shards together."""
        looks = [
            shard.look(
                urls=[url for url in urls if self._part(host_of(url)) == part],
                hosts=[host for host in hosts if self._part(host) == part],
                queues=queues,
                best=best,
                ahead=ahead,
                ready=READY if ready else 0,
                prices=prices,
            )
            for part, shard in enumerate(self._shards)
        ]
        return Look(
            waiting=sum(look.waiting for look in looks),
            outgoing=len(self._open) + len(self._sent),
            aside=sum(look.aside for look in looks),
            opens=_first(look.opens for look in looks),
            refused=_added(look.refused for look in looks),
            cut=sum(look.cut for look in looks),
            urls={url: row for look in looks for url, row in look.urls.items()},
            hosts={host: pages for look in looks for host, pages in look.hosts.items()},
            queues=_added(look.queues for look in looks),
            under_way=_added(look.under_way for look in looks),
            best=_best([candidate for look in looks for candidate in look.best], best),
            ahead=[host for near in zip_longest(*(look.ahead for look in looks)) for host in near if host][:ahead],
            ready=self._in_turn([dict(look.ready) for look in looks])[:ready],
            prices=_together([price for look in looks for price in look.prices]),
        )

    def _part(self, host: str) -> int:
        return part_of(host, len(self._shards))

    def _post(self, candidate: Candidate, reason: Reason | None) -> None:
        self._open.append(Letter(id=self._next, candidate=candidate, reason=reason))
        self._next += 1

    def _deliver(self) -> None:
        for letter in self._sent:
            candidate = letter.candidate
            self._shards[self._part(host_of(candidate.url))].offer([Offer([candidate], letter.reason)])
            self._delivered.append(letter.id)
        self._sent = []

    def _choose(
        self, ready: Sequence[dict[str, Priority]], least: Priority | None, named: Sequence[str] | None
    ) -> tuple[int, str] | None:
        """Return the shard with the best score in the queue whose turn it is, and that queue; None if there is none.

        If queues are `named`, the first of them with something to give is served instead.
        """
        prices = dict(self._in_turn(ready))
        worth = [queue for queue in named or prices if queue in prices and (least is None or prices[queue] >= least)]
        if self._within and not named and any(map(prices.get, worth)):
            best = max(prices[queue] for queue in worth)
            worth = [queue for queue in worth if prices[queue] and prices[queue][0] >= best[0] - self._within]
        if not worth:
            return None
        queue = worth[0]
        del self._turns[queue]
        self._turns[queue] = None
        return max((part for part, own in enumerate(ready) if queue in own), key=lambda part: ready[part][queue]), queue

    def _in_turn(self, ready: Sequence[dict[str, Priority]]) -> list[tuple[str, Priority]]:
        """Return the best score of every queue that is ready in some shard, in order of turn."""
        prices: dict[str, Priority] = {}
        for own in ready:
            for queue, price in own.items():
                prices[queue] = max(price, prices.get(queue, price))
        # Queues whose hosts all rest keep their place, unless there are very many.
        still = [queue for queue in self._turns if queue in prices or len(self._turns) <= REMEMBERED]
        self._turns = dict.fromkeys([*still, *prices])
        return [(queue, prices[queue]) for queue in self._turns if queue in prices]

    def _memory(self, memories: Sequence[Memory | None]) -> Memory | None:
        """Return the memory of all shards, or None if none has anything to save."""
        new = {part: memory for part, memory in enumerate(memories) if memory is not None}
        self._memories |= new
        return reduce(_joined, self._memories.values()) if new else None


def _first(times: Iterable[float | None]) -> float | None:
    return min((time for time in times if time is not None), default=None)


def _added(counts: Iterable[Mapping[str, int]]) -> dict[str, int]:
    return dict(sum(map(Counter, counts), Counter()))


def _best(candidates: Sequence[Candidate], limit: int) -> list[Candidate]:
    """Return at most `limit` candidates of each queue, highest priority first."""
    queues: dict[str, list[Candidate]] = {}
    for candidate in candidates:
        queues.setdefault(candidate.queue, []).append(candidate)
    return [
        candidate
        for own in queues.values()
        for candidate in sorted(own, key=lambda candidate: candidate.priority, reverse=True)[:limit]
    ]


def _together(prices: Sequence[PriceClass]) -> list[PriceClass]:
    """Return the classes of several shards merged, best first."""
    found: dict[float, PriceClass] = {}
    for price in prices:
        known = found.get(price.lowest, PriceClass(price.lowest))
        found[price.lowest] = PriceClass(price.lowest, known.fetched + price.fetched, known.accepted + price.accepted)
    return sorted(found.values(), key=lambda price: price.lowest, reverse=True)


def _joined(one: Memory, other: Memory) -> Memory:
    """Return the merged memory of two shards; each domain is in one of them, so they do not contradict each other."""
    none: dict[int, list[int]] = {}
    traps = [{**known, **more} for known, more in zip_longest(one.traps, other.traps, fillvalue=none)]
    return Memory(traps, sorted({*one.closed, *other.closed}))
