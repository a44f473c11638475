"""Arrivals: what is done with an answer once it is there, in the coordinator and one at a time."""

from msgspec import Struct

from thresher.crawl.analysis import Analysis
from thresher.crawl.counters import Counters
from thresher.crawl.errands import Errand
from thresher.crawl.outcome import document_row, visit_row
from thresher.crawl.ranking import ranked
from thresher.crawl.shard import Shard
from thresher.protocols import Learns, Strategy, View
from thresher.reasons import Reason
from thresher.store.records import Batch, UrlState, VisitRow
from thresher.types import Answer, Candidate, Failed, Fetched, Link, Reading, Redirected
from thresher.web.urls import canonical

DIGESTS = 100_000
"""Texts remembered to tell new pages from repetitions."""


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

    `max_redirects` limits a chain; `obey_nofollow` and `obey_noindex` respect the wishes of pages and links; `archived`
    says whether answers are kept for the archive.
    """

    def __init__(
        self,
        *,
        max_redirects: int = 25,
        obey_nofollow: bool = True,
        obey_noindex: bool = True,
        archived: bool = False,
    ) -> None:
        self._archived = archived
        self._digests: dict[bytes, None] = {}
        self._max_redirects = max_redirects
        self._obey_nofollow = obey_nofollow
        self._obey_noindex = obey_noindex

    def handle(
        self, arrival: Arrival, shard: Shard, strategy: Strategy, view: View, counters: Counters, batch: Batch
    ) -> None:
        """Record an arrival and follow up on it."""
        errand, answer = arrival.errand, arrival.answer
        if errand.robots:
            shard.settle_robots(errand, answer)
            self._visit(batch, visit_row(errand, answer, None), answer)
            return
        if errand.missing:
            shard.settle_missing(errand, answer, arrival.analysis)
            said = Reason.SOFT_404 if arrival.analysis is not None else None
            batch.visits.append(visit_row(errand, answer, arrival.analysis, said))
            return
        target = None
        if isinstance(answer, Redirected):
            target, answer = self._redirect(errand, answer)
        analysis = arrival.analysis
        if isinstance(answer, Fetched) and analysis is not None and (said := shard.judge(errand, analysis)):
            answer = _no_page(answer, said)
            shard.count_page(errand, accepted=False, new=False)
        if isinstance(answer, Fetched) and analysis is not None:
            kept = Reason.NOINDEX if self._obey_noindex and "noindex" in analysis.robots else None
            self._visit(batch, visit_row(errand, answer, analysis, kept), answer if kept is None else None)
            self._page(errand, answer, analysis, kept, shard, strategy, view, counters, batch)
            return
        self._visit(batch, visit_row(errand, answer, None), answer)
        if isinstance(answer, Failed):
            if shard.settle(errand, answer, UrlState.FAILED) is UrlState.FAILED:
                counters.error(answer.reason)
        else:
            shard.settle(errand, answer, UrlState.REDIRECTED)
            if target is not None:
                shard.offer([target])

    def _visit(self, batch: Batch, visit: VisitRow, answer: Answer | None) -> None:
        """Add a visit, with its answer for the archive where there is one to keep."""
        if self._archived and isinstance(answer, Fetched | Redirected):
            batch.exchanges[len(batch.visits)] = answer
        batch.visits.append(visit)

    def _is_new(self, digest: bytes) -> bool:
        """Tell whether a text is not among the last that were met."""
        known = digest in self._digests
        self._digests[digest] = None
        if len(self._digests) > DIGESTS:
            del self._digests[next(iter(self._digests))]
        return not known

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
        )
        return target, answer

    def _page(
        self,
        errand: Errand,
        fetched: Fetched,
        analysis: Analysis,
        kept: Reason | None,
        shard: Shard,
        strategy: Strategy,
        view: View,
        counters: Counters,
        batch: Batch,
    ) -> None:
        shard.settle(errand, fetched, UrlState.DONE)
        judgement = analysis.judgement
        if kept is None:
            batch.documents.append(document_row(errand, fetched, analysis, shard.usage(errand.candidate.url)))
            counters.page(None if judgement is None else judgement.topic is not None)
        # Pages that ask not to be kept use up a host's quota like any other.
        accepted = kept is None and judgement is not None and judgement.topic is not None
        shard.count_page(errand, accepted, self._is_new(analysis.digest))
        if isinstance(strategy, Learns):
            strategy.observe(errand.candidate, judgement)
        links, rows, unfollowed = self._followed(analysis)
        reading = Reading(candidate=errand.candidate, links=links, judgement=judgement, rows=rows)
        shard.offer(ranked(strategy, reading, view))
        if unfollowed:
            depth, url = errand.candidate.depth + 1, errand.candidate.url
            shard.refuse(
                [
                    Candidate(url=link.url, priority=(), depth=depth, parent=url, anchor=link.anchor)
                    for link in unfollowed
                ],
                Reason.NOFOLLOW,
            )

    def _followed(self, analysis: Analysis) -> tuple[list[Link], list[tuple[float, ...]], list[Link]]:
        """Part the links into those that may be followed, with their rows, and those that may not."""
        links, rows = analysis.links, analysis.rows
        if not self._obey_nofollow:
            return links, rows, []
        if "nofollow" in analysis.robots:
            return [], [], links
        if not any("nofollow" in link.rel for link in links):
            return links, rows, []
        keep = [index for index, link in enumerate(links) if "nofollow" not in link.rel]
        kept_rows = [rows[index] for index in keep] if rows else []
        return [links[index] for index in keep], kept_rows, [link for link in links if "nofollow" in link.rel]


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
