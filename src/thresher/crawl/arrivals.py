"""Handles answers as they arrive, one at a time, in the coordinator."""

from collections.abc import Sequence

from msgspec.structs import replace

from thresher.crawl.answer_rows import outcome_of, visit_row
from thresher.crawl.archives import Archives
from thresher.crawl.in_flight import Arrival
from thresher.crawl.keeping import Context, Keeper, found_gone
from thresher.crawl.lists import Lists
from thresher.crawl.on_hand import REUSED
from thresher.protocols import Replaces, Strategy, View
from thresher.reading.analysis import Analysis
from thresher.reasons import Reason
from thresher.shard.protocol import Shard
from thresher.shard.values import Errand, Offer, Outcome
from thresher.store.records import EventRow
from thresher.store.url_records import UrlState
from thresher.types import Answer, Candidate, Failed, Fetched, Redirected, Unchanged
from thresher.web.urls import canonical


class Handler:
    """Turns arrivals into rows of a batch, moves in the shard and new candidates.

    `max_redirects` limits a chain. `lists` takes sitemaps, if they are wanted. `keeper` keeps good pages, and
    `archives` unpacks archives.
    """

    def __init__(
        self,
        *,
        max_redirects: int = 25,
        keeper: Keeper | None = None,
        archives: Archives | None = None,
        lists: Lists | None = None,
    ) -> None:
        self._max_redirects = max_redirects
        self._keeper = keeper or Keeper()
        self._archives = archives or Archives(self._keeper)
        self._lists = lists
        self._named: list[str] = []

    def handle(self, arrival: Arrival, context: Context) -> None:
        """Record an arrival and follow up on it."""
        errand, answer, analysis = arrival.errand, arrival.answer, arrival.analysis
        if not arrival.asked:
            self._on_hand(errand, answer, analysis, context)
        elif errand.robots:
            settled = context.shard.settle([outcome_of(errand, answer, _end(answer))])[0]
            self._named += settled.sitemaps
            self._keeper.visit(context.batch, visit_row(errand, answer, None), answer)
        elif errand.missing:
            self._missing(errand, answer, analysis, context)
        elif isinstance(answer, Fetched) and analysis is not None:
            self._read(errand, answer, analysis, context)
        else:
            self._unread(errand, answer, analysis, context)

    def take_over(self, candidate: Candidate, analysis: Analysis, context: Context) -> None:
        """Follow up on a stored page of an earlier crawl as if it had just arrived."""
        self._keeper.reuse(candidate, analysis, context)

    def name(self, sitemaps: Sequence[str]) -> None:
        """Record sitemaps named in robots.txt files."""
        self._named += sitemaps

    def name_lists(self, shard: Shard, strategy: Strategy, view: View) -> None:
        """Offer the sitemaps that were named since the last call, if they are wanted."""
        named, self._named = self._named, []
        if named and self._lists is not None:
            shard.offer(self._lists.name(named, strategy, view))

    def _missing(self, errand: Errand, answer: Answer, analysis: Analysis | None, context: Context) -> None:
        """Tell the shard what an origin returns for a URL that cannot exist."""
        outcome = outcome_of(errand, answer, _end(answer))
        if analysis is not None:
            outcome = replace(outcome, digest=analysis.digest, terms=analysis.terms)
        context.shard.settle([outcome])
        said = Reason.SOFT_404 if analysis is not None else None
        context.batch.visits.append(visit_row(errand, answer, analysis, said))

    def _read(self, errand: Errand, answer: Fetched, analysis: Analysis, context: Context) -> None:
        """Follow up on a readable answer: a list, an archive, an error page in disguise or a page."""
        if errand.candidate.lists:
            self._keeper.visit(context.batch, visit_row(errand, answer, None), answer)
            context.shard.settle([Outcome(errand=errand, state=UrlState.DONE)])
            if self._lists is not None:
                context.offering.offer(self._lists.take(errand, analysis, context.strategy, context.view))
        elif analysis.archive is not None:
            self._archives.take(errand, answer, analysis.archive, context)
        else:
            said = self._keeper.keep(errand, answer, analysis, context)
            if said is not None and not self._visit(errand, _no_page(answer, said), context):
                context.counters.error(said)
                _offer_instead(errand, said, context)

    def _on_hand(self, errand: Errand, answer: Answer, analysis: Analysis | None, context: Context) -> None:
        """Follow up on a page from the portal; nothing was fetched, so no visit is recorded."""
        target = None
        if isinstance(answer, Redirected):
            target, answer = self._redirect(errand, answer)
        context.shard.settle([replace(outcome_of(errand, answer, _end(answer)), asked=False)])
        if isinstance(answer, Failed):
            context.counters.error(answer.reason)
        if target is not None:
            context.shard.offer([Offer([target])])
        if analysis is not None and analysis.archive is not None:
            for candidate, found in self._archives.reuse(errand, analysis.archive, context):
                self._reuse(candidate, found, answer.at, context)
        elif analysis is not None:
            self._reuse(errand.candidate, analysis, answer.at, context)

    def _reuse(self, candidate: Candidate, analysis: Analysis, at: float, context: Context) -> None:
        context.batch.events.append(EventRow(at=at, kind=REUSED, detail={"url": candidate.url}))
        self._keeper.reuse(candidate, analysis, context)

    def _unread(self, errand: Errand, answer: Answer, analysis: Analysis | None, context: Context) -> None:
        """Follow up on an answer without a new page: a redirect, a failure, or "not modified"."""
        if isinstance(answer, Unchanged):
            self._unchanged(errand, answer, analysis, context)
            return
        target = None
        if isinstance(answer, Redirected):
            target, answer = self._redirect(errand, answer)
        gone = self._visit(errand, answer, context)
        settled = context.shard.settle([outcome_of(errand, answer, _end(answer))])[0]
        if isinstance(answer, Failed) and settled.state is UrlState.FAILED and not gone:
            context.counters.error(answer.reason)
            _offer_instead(errand, answer.reason, context)
        if target is not None:
            context.shard.offer([Offer([target])])

    def _visit(self, errand: Errand, answer: Answer, context: Context) -> bool:
        """Record a visit without a page; return whether it found that a page of the portal is gone."""
        visit = visit_row(errand, answer, None)
        self._keeper.visit(context.batch, visit, answer)
        gone = found_gone(errand, visit)
        if gone:
            context.counters.gone += len(self._archives.checked(errand, visit, context)) or 1
        return gone

    def _unchanged(self, errand: Errand, answer: Unchanged, analysis: Analysis | None, context: Context) -> None:
        """Count a page, or a whole archive, whose stored copy is still current.

        Its judgement stays unless it was analysed again, in which case its links are offered as well.
        """
        visit = visit_row(errand, answer, None)
        self._keeper.visit(context.batch, visit, answer)
        members = self._archives.checked(errand, visit, context)
        urls = [member.url for member in members] or [errand.candidate.url]
        accepted = 0
        for url in urls:
            judgement = analysis.judgement if analysis is not None else context.view.known.judgements([url]).get(url)
            accepted += judgement is not None and judgement.topic is not None
            context.counters.page(judgement)
            context.counters.checked(changed=False)
        outcome = Outcome(errand=errand, state=UrlState.DONE, pages=len(urls), accepted=accepted, new=len(urls))
        context.shard.settle([outcome])
        if analysis is not None:
            self._keeper.follow_again(errand.candidate, analysis, context)

    def _redirect(self, errand: Errand, answer: Redirected) -> tuple[Candidate | None, Redirected | Failed]:
        """Return the candidate a redirect leads to; it has to pass every check that other candidates pass."""
        url = canonical(answer.to)
        reason = None
        if url is None or url == errand.candidate.url:
            reason = Reason.BAD_REDIRECT
        elif errand.candidate.hops >= self._max_redirects:
            reason = Reason.TOO_MANY_REDIRECTS
        if url is None or reason is not None:
            failed = Failed(
                url=answer.url,
                reason=reason or Reason.BAD_REDIRECT,
                at=answer.at,
                detail=answer.to[:200],
                status=answer.status,
                seconds=answer.seconds,
                ip=answer.ip,
            )
            return None, failed
        before = errand.candidate
        target = Candidate(
            url=url,
            priority=before.priority,
            queue=before.queue,
            depth=before.depth,
            parent=before.url,
            anchor=before.anchor,
            memo=before.memo,
            hops=before.hops + 1,
            lists=before.lists,
        )
        return target, answer


def _offer_instead(errand: Errand, reason: Reason, context: Context) -> None:
    """Queue what a strategy wants instead of a URL that was given up."""
    if isinstance(context.strategy, Replaces):
        context.shard.offer([Offer(list(context.strategy.missed(errand.candidate, reason)))])


def _end(answer: Answer) -> UrlState:
    """Return the state that an answer leaves its URL in."""
    if isinstance(answer, Failed):
        return UrlState.FAILED
    return UrlState.REDIRECTED if isinstance(answer, Redirected) else UrlState.DONE


def _no_page(fetched: Fetched, reason: Reason) -> Failed:
    """Return the failure that a good answer amounts to."""
    return Failed(
        url=fetched.url,
        reason=reason,
        at=fetched.at,
        status=fetched.status,
        seconds=fetched.seconds,
        ip=fetched.ip,
    )
