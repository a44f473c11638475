"""Admission: which URLs come to wait, and what is noted of those that do not.

Every URL is decided about once, whether it is new, waits already, is known or lies out of bounds; the row that says so
goes into the ledger, and what is welcome into the frontier.
"""

from collections.abc import Callable, Iterable

from msgspec import json
from msgspec.structs import replace

from thresher.errors import PluginError
from thresher.protocols import Merges
from thresher.reasons import Reason
from thresher.shard.errands import Errand, Tally
from thresher.shard.frontier import Frontier
from thresher.shard.hosts import SECOND_CHANCE, Host, Hosts
from thresher.shard.ledger import Ledger
from thresher.shard.scope import Scope
from thresher.shard.traps import Traps
from thresher.store.url_records import UrlMove, UrlRow, UrlState
from thresher.types import MEMO_BYTES, Candidate
from thresher.web.session_ids import without_session
from thresher.web.urls import host_of, url_id

UNREAD = frozenset({Reason.TYPE_REFUSED, Reason.BUDGET_SPENT})
"""Why a member of an archive is not even looked at."""


class Admission:
    """Decides about candidates.

    `load` makes hosts known by their names. `taken` are the URLs that were given out and are not settled; `order` is
    the number of the next URL; `aside` counts those put aside for the next run, `tally` all that was decided.
    """

    def __init__(
        self,
        ledger: Ledger,
        frontier: Frontier,
        hosts: Hosts,
        load: Callable[[Iterable[str]], None],
        *,
        scope: Scope | None = None,
        merge: Merges | None = None,
        traps: Traps | None = None,
    ) -> None:
        self._ledger = ledger
        self._frontier = frontier
        self._hosts = hosts
        self._load = load
        self._scope = scope or Scope()
        self._merge = merge
        self._traps = traps
        self.taken: set[int] = set()
        self.order = 0
        self.aside = 0
        self.tally = Tally()

    def offer(self, candidates: Iterable[Candidate]) -> None:
        """Let candidates wait, merge them with what waits, or refuse them; every outcome is counted in `tally`."""
        found: dict[int, Candidate] = {}
        for candidate in map(self._plain, candidates):
            url = url_id(candidate.url)
            if url not in found or candidate.priority > found[url].priority:
                found[url] = candidate
        again = {url: candidate for url, candidate in found.items() if url in self._frontier}
        unknown = [url for url in found if url not in again and url not in self.taken]
        states = self._ledger.states(unknown) if unknown else {}
        new = [url for url in unknown if states.get(url, UrlState.CUT) is UrlState.CUT]
        self.tally.seen += len(found) - len(again) - len(new)
        self._load(host_of(found[url].url) for url in new)
        self._find_again(again)
        for url in new:
            self._admit(url, found[url])
        self._cut()

    def refuse(self, candidates: Iterable[Candidate], reason: Reason) -> None:
        """Note links that are not followed, where their URL is not known already; found elsewhere it may still come."""
        found = {url_id(candidate.url): candidate for candidate in candidates}
        unknown = [url for url in found if url not in self._frontier and url not in self.taken]
        states = self._ledger.states(unknown) if unknown else {}
        for url in unknown:
            if url not in states:
                self._turn_away(url, found[url], reason, UrlState.CUT)

    def include(self, errand: Errand, reason: Reason | None) -> bool:
        """Enter a URL that came inside of another answer, as done or with why it is not; tell whether it is welcome.

        It is not where this crawl knows it already or where it lies out of bounds.
        """
        url, candidate = errand.id, errand.candidate
        known = url in self._frontier or url in self.taken
        if known or self._ledger.states([url]).get(url, UrlState.CUT) is not UrlState.CUT:
            self.tally.seen += 1
            return False
        refused = self._scope.decide(candidate) or (reason if reason in UNREAD else None)
        if refused is not None:
            cut = refused is Reason.BUDGET_SPENT
            self._turn_away(url, candidate, refused, UrlState.CUT if cut else UrlState.REFUSED)
            return False
        state = UrlState.DONE if reason is None else UrlState.FAILED
        row = UrlRow(id=url, host=errand.host, candidate=candidate, order=0, state=state, reason=reason)
        self.inherit(replace(row, tries=int(reason is not None)))
        return True

    def inherit(self, row: UrlRow) -> None:
        """Take over a URL that is done with: it is known, and not fetched again."""
        self._ledger.put(replace(row, order=self.order))
        self.order += 1

    def close(self, host: Host) -> None:
        """Take out what waits for a closed host: for good, or put aside for the next run."""
        if host.closed is None:
            return
        for url in self._frontier.close_host(host):
            if host.closed in SECOND_CHANCE:
                self.put_aside(url, host.closed)
            else:
                self._ledger.move(UrlMove(url, UrlState.REFUSED, host.closed))
                self.tally.refuse(host.closed)

    def reopen(self, host: Host, now: float) -> None:
        """Let a host be asked again as soon as it may; what waits for a closed one is taken out."""
        self.close(host)
        self._frontier.reopen(host, now)

    def put_aside(self, url: int, reason: Reason) -> None:
        """Keep a URL of a failing host for the next run."""
        self._ledger.move(UrlMove(url, UrlState.WAITING, reason))
        self.tally.refuse(reason)
        self.aside += 1

    def _plain(self, candidate: Candidate) -> Candidate:
        """Return a candidate without the session in its address: every session would be another URL."""
        address = without_session(candidate.url) if self._traps is not None else candidate.url
        return candidate if address == candidate.url else replace(candidate, url=address)

    def _admit(self, url: int, candidate: Candidate) -> None:
        host = self._hosts.get(host_of(candidate.url))
        reason = self._scope.decide(candidate) or host.closed
        if reason is None and self._traps is not None and candidate.depth > 0:
            reason = self._traps.decide(candidate.url, candidate.parent)
        if reason is not None:
            self._turn_away(url, candidate, reason, UrlState.CUT if reason is Reason.TOO_DEEP else UrlState.REFUSED)
            return
        if candidate.memo and len(json.encode(candidate.memo)) > MEMO_BYTES:
            raise PluginError(
                f"The strategy hands down more than {MEMO_BYTES} bytes to {candidate.url}.",
                "Keep the memo small: it is stored with every waiting URL.",
            )
        self._ledger.put(UrlRow(id=url, host=host.name, candidate=candidate, order=self.order))
        self._frontier.add(url, host, candidate.queue, candidate.priority, self.order)
        self.order += 1
        self.tally.added += 1

    def _turn_away(self, url: int, candidate: Candidate, reason: Reason, state: UrlState) -> None:
        if reason in SECOND_CHANCE:
            state = UrlState.WAITING
            self.aside += 1
        host = host_of(candidate.url)
        self._ledger.put(UrlRow(id=url, host=host, candidate=candidate, order=self.order, state=state, reason=reason))
        self.order += 1
        self.tally.refuse(reason)

    def _find_again(self, found: dict[int, Candidate]) -> None:
        """Merge candidates with those that wait under their URLs: the better stay, or what the strategy says."""
        self.tally.merged += len(found)
        if self._merge is None:
            waits = self._frontier.priority
            found = {url: candidate for url, candidate in found.items() if candidate.priority > (waits(url) or ())}
        rows = self._ledger.rows(list(found)) if found else {}
        for url, row in rows.items():
            candidate = found[url]
            if self._merge is not None:
                candidate = self._merge.merge(row.candidate, candidate)
            if row.candidate.lists and not candidate.lists:
                # A page that links to a sitemap does not make a page of it.
                candidate = replace(candidate, lists=row.candidate.lists)
            if candidate == row.candidate or self._scope.decide(candidate) is not None:
                continue
            self._ledger.put(replace(row, candidate=candidate))
            self._frontier.add(url, self._hosts.get(row.host), candidate.queue, candidate.priority, row.order)

    def _cut(self) -> None:
        for url in self._frontier.cut():
            self._ledger.move(UrlMove(url, UrlState.CUT, Reason.QUEUE_FULL))
            self.tally.cut += 1
