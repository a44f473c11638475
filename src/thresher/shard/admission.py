"""Decides which URLs are queued, and records why the others are not.

Every URL is decided once: it is new, already waiting, known or out of scope. The decision is recorded in the ledger,
and accepted URLs go to the frontier.
"""

from collections.abc import Callable, Iterable

from msgspec.structs import replace

from thresher.errors import PluginError
from thresher.protocols import Merges
from thresher.reasons import NEXT_RUN, Reason
from thresher.shard.frontier import Frontier
from thresher.shard.host import Host
from thresher.shard.ledger import Ledger
from thresher.shard.rules import Scope
from thresher.shard.traps import Traps
from thresher.shard.values import Outcome
from thresher.store.url_records import UrlMove, UrlRow, UrlState
from thresher.types import MEMO_BYTES, Candidate, Priority
from thresher.web.session_ids import without_session
from thresher.web.urls import host_of, url_id

UNREAD = frozenset({Reason.TYPE_REFUSED, Reason.BUDGET_SPENT})
"""Reasons why a member of an archive is not even read."""

COMES_BACK = frozenset({Reason.TOO_DEEP, Reason.QUEUE_CLOSED})
"""Reasons for cutting a URL rather than refusing it: it may be accepted if found by another path."""


class Admission:
    """Decides about candidates.

    `load` returns hosts by name. `taken` are the URLs handed out but not yet settled, with their queues; `order` is the
    number of the next URL. `aside` counts URLs put aside for the next run, `refused` counts refused URLs by reason, and
    `cut` those that a full queue had no room for. `closed` are the queues that accept nothing more.
    """

    def __init__(
        self,
        ledger: Ledger,
        frontier: Frontier,
        load: Callable[[Iterable[str]], dict[str, Host]],
        *,
        scope: Scope | None = None,
        merge: Merges | None = None,
        traps: Traps | None = None,
    ) -> None:
        self._ledger = ledger
        self._frontier = frontier
        self._load = load
        self._scope = scope or Scope()
        self._merge = merge
        self._traps = traps
        self.taken: dict[int, str] = {}
        self.order = 0
        self.aside = 0
        self.cut = 0
        self.refused: dict[str, int] = {}
        self.closed: set[str] = set()

    def offer(self, candidates: Iterable[Candidate]) -> None:
        """Queue candidates, merge them with waiting ones, or refuse them."""
        found: dict[int, Candidate] = {}
        for candidate in map(self._plain, candidates):
            url = url_id(candidate.url)
            if url not in found or candidate.priority > found[url].priority:
                found[url] = candidate
        among = self._frontier.among(found)
        again = {url: candidate for url, candidate in found.items() if url in among}
        unknown = [url for url in found if url not in among and url not in self.taken]
        states = self._ledger.states(unknown) if unknown else {}
        new = [url for url in unknown if states.get(url, UrlState.CUT) is UrlState.CUT]
        names = {url: host_of(found[url].url) for url in new}
        hosts = self._load([*names.values(), *(host_of(candidate.url) for candidate in again.values())])
        waiting = self._found_again(again) if again else []
        decided = [self._decided(url, found[url], hosts[name]) for url, name in names.items()]
        self._ledger.put([*waiting, *decided])
        waiting += [row for row in decided if row.reason is None]
        for url in self._frontier.add_all([_queued(row, hosts[row.host]) for row in waiting]):
            self._ledger.move(UrlMove(url, UrlState.CUT, Reason.QUEUE_FULL))
            self.cut += 1

    def refuse(self, candidates: Iterable[Candidate], reason: Reason) -> None:
        """Record links that are not followed if their URLs are unknown; a URL found elsewhere may still be queued."""
        found = {url_id(candidate.url): candidate for candidate in candidates}
        waiting = self._frontier.among(found)
        unknown = [url for url in found if url not in waiting and url not in self.taken]
        states = self._ledger.states(unknown) if unknown else {}
        self._ledger.put(
            [self._turned_away(url, found[url], reason, UrlState.CUT) for url in unknown if url not in states]
        )

    def include(self, outcome: Outcome) -> UrlState | None:
        """Record a URL that came inside another answer; return its final state, or None if it was already known."""
        errand, reason = outcome.errand, outcome.reason
        url, candidate = errand.id, errand.candidate
        known = url in self.taken or self._frontier.among([url])
        if known or self._ledger.states([url]).get(url, UrlState.CUT) is not UrlState.CUT:
            return None
        refused = self._scope.decide(candidate) or (reason if reason in UNREAD else None)
        if refused is not None:
            cut = refused is Reason.BUDGET_SPENT
            row = self._turned_away(url, candidate, refused, UrlState.CUT if cut else UrlState.REFUSED)
        else:
            state = UrlState.DONE if reason is None else UrlState.FAILED
            row = self._row(url, candidate, state, reason, tries=int(reason is not None))
        self._ledger.put([row])
        return row.state

    def inherit(self, candidates: Iterable[Candidate], state: UrlState, reason: Reason | None = None) -> None:
        """Take over URLs that an earlier crawl has dealt with: they are known and not fetched again."""
        self._ledger.put([self._row(url_id(candidate.url), candidate, state, reason) for candidate in candidates])

    def close_queue(self, queue: str, *, for_good: bool = True) -> int:
        """Close a queue, or only empty it; return how many URLs were waiting in it."""
        if for_good:
            self.closed.add(queue)
        gone = self._frontier.close_queue(queue)
        for url in gone:
            self._shut_out(url)
        return len(gone)

    def wait_again(self, url: int, host: Host, queue: str, priority: Priority, order: int) -> None:
        """Queue a URL again that was taken or was resting, unless its queue has been closed."""
        if queue in self.closed:
            self._shut_out(url)
        else:
            self._frontier.add(url, host, queue, priority, order)

    def close(self, host: Host) -> None:
        """Remove the waiting URLs of a closed host: for good, or until the next run."""
        if host.closed is None:
            return
        for url in self._frontier.close_host(host):
            if host.closed in NEXT_RUN:
                self.put_aside(url, host.closed)
            else:
                self._ledger.move(UrlMove(url, UrlState.REFUSED, host.closed))
                self.refuse_for(host.closed)

    def reopen(self, host: Host, now: float) -> None:
        """Let a host be asked again as soon as it may; if it is closed, remove its waiting URLs."""
        self.close(host)
        self._frontier.turns.reopen(host, now)

    def put_aside(self, url: int, reason: Reason) -> None:
        """Put a URL of a failing host aside for the next run."""
        self._ledger.move(UrlMove(url, UrlState.WAITING, reason))
        self.refuse_for(reason)
        self.aside += 1

    def refuse_for(self, reason: Reason) -> None:
        """Count a refusal."""
        self.refused[reason.value] = self.refused.get(reason.value, 0) + 1

    def _shut_out(self, url: int) -> None:
        self._ledger.move(UrlMove(url, UrlState.CUT, Reason.QUEUE_CLOSED))
        self.refuse_for(Reason.QUEUE_CLOSED)

    def _row(
        self, url: int, candidate: Candidate, state: UrlState, reason: Reason | None = None, tries: int = 0
    ) -> UrlRow:
        """Return the row of a URL, which is numbered after all others."""
        host, order = host_of(candidate.url), self.order
        self.order += 1
        return UrlRow(id=url, host=host, candidate=candidate, order=order, state=state, reason=reason, tries=tries)

    def _plain(self, candidate: Candidate) -> Candidate:
        """Return a candidate without the session id in its address, which would make every session another URL."""
        address = without_session(candidate.url) if self._traps is not None else candidate.url
        return candidate if address == candidate.url else replace(candidate, url=address)

    def _decided(self, url: int, candidate: Candidate, host: Host) -> UrlRow:
        """Return the row of a new URL: it has a reason if the URL is turned away."""
        reason = self._scope.decide(candidate) or host.closed
        if reason is None and candidate.queue in self.closed:
            reason = Reason.QUEUE_CLOSED
        if reason is None and self._traps is not None and candidate.depth > 0:
            reason = self._traps.decide(candidate.url, candidate.parent)
        if reason is not None:
            state = UrlState.CUT if reason in COMES_BACK else UrlState.REFUSED
            return self._turned_away(url, candidate, reason, state)
        if len(candidate.memo) > MEMO_BYTES or len(candidate.memo.encode()) > MEMO_BYTES:
            raise PluginError(
                f"The strategy's memo for {candidate.url} has more than {MEMO_BYTES} bytes.",
                "Keep the memo small: it is stored with every waiting URL.",
            )
        return self._row(url, candidate, UrlState.WAITING)

    def _turned_away(self, url: int, candidate: Candidate, reason: Reason, state: UrlState) -> UrlRow:
        if reason in NEXT_RUN:
            state = UrlState.WAITING
            self.aside += 1
        self.refuse_for(reason)
        return self._row(url, candidate, state, reason)

    def _found_again(self, found: dict[int, Candidate]) -> list[UrlRow]:
        """Merge candidates with the waiting ones of the same URL and return the rows that change.

        The better one is kept, unless the strategy decides.
        """
        if self._merge is None:
            better = self._frontier.outbid({url: candidate.priority for url, candidate in found.items()})
            found = {url: found[url] for url in better}
        rows = self._ledger.rows(list(found)) if found else {}
        changed: list[UrlRow] = []
        for url, row in rows.items():
            candidate = found[url]
            if self._merge is not None:
                candidate = self._merge.merge(row.candidate, candidate)
            if row.candidate.lists and not candidate.lists:
                # A page that links to a sitemap does not turn it into a page.
                candidate = replace(candidate, lists=row.candidate.lists)
            if candidate == row.candidate or self._scope.decide(candidate) is not None:
                continue
            if candidate.queue not in self.closed:
                changed.append(replace(row, candidate=candidate))
        return changed


def _queued(row: UrlRow, host: Host) -> tuple[int, Host, str, Priority, int]:
    """Return a row as the frontier takes it."""
    return row.id, host, row.candidate.queue, row.candidate.priority, row.order
