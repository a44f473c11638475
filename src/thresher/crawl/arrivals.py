"""Arrivals: what is done with an answer once it is there, in the coordinator and one at a time."""

from msgspec import Struct

from thresher.crawl.archives import Archives
from thresher.crawl.keeping import Desk, Keeper, found_gone
from thresher.crawl.lists import Lists
from thresher.crawl.outcome import visit_row
from thresher.protocols import Strategy, View
from thresher.reading.analysis import Analysis
from thresher.reasons import Reason
from thresher.shard.errands import Errand
from thresher.shard.shard import Shard
from thresher.store.page_records import VisitRow
from thresher.store.url_records import UrlState
from thresher.types import Answer, Candidate, Failed, Fetched, Redirected, Unchanged
from thresher.web.urls import canonical


class Arrival(Struct, frozen=True, eq=False):
    """An errand that is done: when, what came back, and the analysis where it was a page."""

    when: float
    errand: Errand
    answer: Answer
    analysis: Analysis | None

    def order(self) -> tuple[float, str]:
        """Return what arrivals are handled in the order of."""
        return self.when, self.errand.candidate.url


class Handler:
    """Turns arrivals into rows of a batch, moves in the shard and new candidates.

    `max_redirects` limits a chain; `lists` takes sitemaps, where they are wanted; `keeper` keeps good pages, `archives`
    takes archives apart.
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

    def handle(self, arrival: Arrival, desk: Desk) -> None:
        """Record an arrival and follow up on it."""
        errand, answer, analysis = arrival.errand, arrival.answer, arrival.analysis
        shard, batch = desk.shard, desk.batch
        if errand.robots:
            shard.settle_robots(errand, answer)
            self._keeper.visit(batch, visit_row(errand, answer, None), answer)
        elif errand.missing:
            shard.settle_missing(errand, answer, analysis)
            said = Reason.SOFT_404 if analysis is not None else None
            batch.visits.append(visit_row(errand, answer, analysis, said))
        elif isinstance(answer, Fetched) and analysis is not None:
            self._read(errand, answer, analysis, desk)
        else:
            self._unread(errand, answer, desk)

    def _read(self, errand: Errand, answer: Fetched, analysis: Analysis, desk: Desk) -> None:
        """Follow up on an answer that could be read: a list, an archive, an error page in disguise or a page."""
        shard = desk.shard
        if errand.candidate.lists:
            self._keeper.visit(desk.batch, visit_row(errand, answer, None), answer)
            shard.settle(errand, answer, UrlState.DONE)
            if self._lists is not None:
                self._lists.take(errand, analysis.links, shard, desk.strategy, desk.view)
        elif analysis.archive is not None:
            self._archives.take(errand, answer, analysis.archive, desk)
        elif (said := shard.judge(errand, analysis)) is not None:
            shard.count_page(errand, accepted=False, new=False)
            self._unread(errand, _no_page(answer, said), desk)
        else:
            shard.settle(errand, answer, UrlState.DONE)
            self._keeper.keep(errand, answer, analysis, desk)

    def _unread(self, errand: Errand, answer: Answer, desk: Desk) -> None:
        """Follow up on an answer that gave no page: a redirect, a failure, or that nothing has changed."""
        target = None
        if isinstance(answer, Redirected):
            target, answer = self._redirect(errand, answer)
        visit = visit_row(errand, answer, None)
        self._keeper.visit(desk.batch, visit, answer)
        gone = found_gone(errand, visit)
        if isinstance(answer, Unchanged):
            self._unchanged(errand, answer, visit, desk)
            return
        if gone:
            desk.counters.gone += len(self._archives.checked(errand, visit, desk)) or 1
        if isinstance(answer, Failed):
            if desk.shard.settle(errand, answer, UrlState.FAILED) is UrlState.FAILED and not gone:
                desk.counters.error(answer.reason)
        else:
            desk.shard.settle(errand, answer, UrlState.REDIRECTED)
            if target is not None:
                desk.shard.offer([target])

    def name_lists(self, shard: Shard, strategy: Strategy, view: View) -> None:
        """Let the sitemaps wait that robots files have named since the last call, where they are wanted."""
        named = shard.sitemaps()
        if named and self._lists is not None:
            self._lists.name(named, shard, strategy, view)

    def _unchanged(self, errand: Errand, answer: Unchanged, visit: VisitRow, desk: Desk) -> None:
        """Count a page, or all of an archive, whose copy at hand is still the newest; what was said of it holds on."""
        desk.shard.settle(errand, answer, UrlState.DONE)
        members = self._archives.checked(errand, visit, desk)
        for url in [member.url for member in members] or [errand.candidate.url]:
            judgement = desk.view.judgement(url)
            accepted = judgement is not None and judgement.topic is not None
            desk.counters.page(judgement)
            desk.counters.checked(changed=False)
            desk.shard.count_page(errand, accepted)

    def _redirect(self, errand: Errand, answer: Redirected) -> tuple[Candidate | None, Redirected | Failed]:
        """Return the candidate a hop leads to; it passes every check that any other candidate passes."""
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


def _no_page(fetched: Fetched, reason: Reason) -> Failed:
    """Return the failure a good answer stands for."""
    return Failed(
        url=fetched.url,
        reason=reason,
        at=fetched.at,
        status=fetched.status,
        seconds=fetched.seconds,
        ip=fetched.ip,
    )
