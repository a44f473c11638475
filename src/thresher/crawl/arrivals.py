"""Arrivals: what is done with an answer once it is there, in the coordinator and one at a time."""

from functools import lru_cache

from msgspec import Struct

from thresher.crawl.analysis import Analysis
from thresher.crawl.counters import Counters
from thresher.crawl.duplicates import KnownTexts, Original, canonical_row
from thresher.crawl.errands import Errand
from thresher.crawl.lists import Lists
from thresher.crawl.outcome import document_row, visit_row
from thresher.crawl.ranking import ranked
from thresher.crawl.shard import Shard
from thresher.protocols import Learns, Strategy, View
from thresher.reasons import Reason
from thresher.store.presence import presence
from thresher.store.records import Batch, DuplicateKind, DuplicateRow, UrlState, VisitRow
from thresher.types import Answer, Candidate, Failed, Fetched, Link, Reading, Redirected, Unchanged
from thresher.web.sitemaps import FEED
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

    `max_redirects` limits a chain; `obey_nofollow` and `obey_noindex` respect the wishes of pages and links; without
    `follow` no link of a page is followed; `lists` takes sitemaps and feeds, where they are wanted; `archived` says
    whether answers are kept for the archive. `texts` knows what was said already; with `drop_duplicates` a page that
    repeats another one word for word is not stored, but its links are offered like those of any other: the same text
    need not have the same links, and what is known already costs nothing.
    """

    def __init__(
        self,
        *,
        max_redirects: int = 25,
        obey_nofollow: bool = True,
        obey_noindex: bool = True,
        follow: bool = True,
        lists: Lists | None = None,
        archived: bool = False,
        texts: KnownTexts | None = None,
        drop_duplicates: bool = True,
    ) -> None:
        self._archived = archived
        self._texts = texts or KnownTexts()
        self._drop_duplicates = drop_duplicates
        self._max_redirects = max_redirects
        self._obey_nofollow = obey_nofollow
        self._obey_noindex = obey_noindex
        self._follow = follow
        self._lists = lists

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
        if isinstance(answer, Fetched) and analysis is not None and errand.candidate.lists:
            self._visit(batch, visit_row(errand, answer, None), answer)
            shard.settle(errand, answer, UrlState.DONE)
            if self._lists is not None:
                self._lists.take(errand, analysis.links, shard, strategy, view)
            return
        if isinstance(answer, Fetched) and analysis is not None and (said := shard.judge(errand, analysis)):
            answer = _no_page(answer, said)
            shard.count_page(errand, accepted=False, new=False)
        if isinstance(answer, Fetched) and analysis is not None:
            original = self._texts.original(analysis.digest, errand.id)
            kept = self._unkept(errand, analysis, original, batch)
            visit = visit_row(errand, answer, analysis, kept)
            self._visit(batch, visit, answer if kept is not Reason.NOINDEX else None)
            counters.gone += _found_gone(errand, visit)
            new = original is None and bool(analysis.digest)
            self._page(errand, answer, analysis, kept, new, shard, strategy, view, counters, batch)
            return
        visit = visit_row(errand, answer, None)
        self._visit(batch, visit, answer)
        gone = _found_gone(errand, visit)
        counters.gone += gone
        if isinstance(answer, Unchanged):
            self._unchanged(errand, answer, shard, view, counters)
        elif isinstance(answer, Failed):
            if shard.settle(errand, answer, UrlState.FAILED) is UrlState.FAILED and not gone:
                counters.error(answer.reason)
        else:
            shard.settle(errand, answer, UrlState.REDIRECTED)
            if target is not None:
                shard.offer([target])

    def name_lists(self, shard: Shard, strategy: Strategy, view: View) -> None:
        """Let the sitemaps wait that robots files have named since the last call, where they are wanted."""
        named = shard.sitemaps()
        if named and self._lists is not None:
            self._lists.name(named, shard, strategy, view)

    def _unchanged(self, errand: Errand, answer: Unchanged, shard: Shard, view: View, counters: Counters) -> None:
        """Count a page whose copy at hand is still the newest; what was said of it holds on."""
        shard.settle(errand, answer, UrlState.DONE)
        judgement = view.judgement(errand.candidate.url)
        accepted = judgement is not None and judgement.topic is not None
        counters.page(judgement)
        counters.checked(changed=False)
        shard.count_page(errand, accepted)

    def _visit(self, batch: Batch, visit: VisitRow, answer: Answer | None) -> None:
        """Add a visit, with its answer for the archive where there is one to keep."""
        if self._archived and isinstance(answer, Fetched | Redirected | Unchanged):
            batch.exchanges[len(batch.visits)] = answer
        batch.visits.append(visit)

    def _unkept(self, errand: Errand, analysis: Analysis, original: Original | None, batch: Batch) -> Reason | None:
        """Return why a page is not to be stored, None where it is; note what it repeats."""
        if self._obey_noindex and "noindex" in analysis.robots:
            return Reason.NOINDEX
        if _same_text(errand, analysis):
            # What is known of the copy at hand stays true.
            return None
        url = errand.candidate.url
        hint = canonical_row(errand.id, url, analysis.links)
        if hint is not None:
            batch.duplicates.append(hint)
        if original is None or not self._drop_duplicates:
            return None
        batch.duplicates.append(
            DuplicateRow(
                url_id=errand.id,
                url=url,
                original=original.id,
                original_url=original.url,
                kind=DuplicateKind.DIGEST,
            )
        )
        # What the portal has of a page from earlier is brought up to date all the same.
        kept = errand.candidate.copy is not None or self._texts.is_stored(errand.id)
        return None if kept else Reason.DUPLICATE

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

    def _page(
        self,
        errand: Errand,
        fetched: Fetched,
        analysis: Analysis,
        kept: Reason | None,
        new: bool,
        shard: Shard,
        strategy: Strategy,
        view: View,
        counters: Counters,
        batch: Batch,
    ) -> None:
        shard.settle(errand, fetched, UrlState.DONE)
        judgement = analysis.judgement
        if kept is None:
            same = _same_text(errand, analysis)
            if not same:
                batch.documents.append(document_row(errand, fetched, analysis, shard.usage(errand.candidate.url)))
            self._texts.store(analysis.digest, Original(errand.id, errand.candidate.url))
            counters.page(judgement)
            if errand.candidate.copy is not None:
                counters.checked(changed=not same)
        elif kept is Reason.DUPLICATE:
            counters.duplicate()
        else:
            new = self._texts.pass_over(analysis.digest) and new
        # Pages that ask not to be kept use up a host's quota like any other.
        accepted = kept is None and judgement is not None and judgement.topic is not None
        shard.count_page(errand, accepted, new)
        if _learns(type(strategy)) and isinstance(strategy, Learns):
            strategy.observe(errand.candidate, judgement)
        if not self._follow:
            return
        links, rows, unfollowed = self._followed(analysis)
        reading = Reading(candidate=errand.candidate, links=links, judgement=judgement, rows=rows)
        shard.offer(ranked(strategy, reading, view))
        if self._lists is not None:
            feeds = [link for link in analysis.links if link.tag == FEED and link not in unfollowed]
            self._lists.follow(feeds, errand.candidate, shard, strategy, view)
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
        """Part the links to pages into those that may be followed, with their rows, and those that may not."""
        links, rows, obey = analysis.links, analysis.rows, self._obey_nofollow
        if obey and "nofollow" in analysis.robots:
            return [], [], links
        if not any("nofollow" in link.rel or link.tag == FEED for link in links):
            return links, rows, []
        keep = [n for n, link in enumerate(links) if link.tag != FEED and not (obey and "nofollow" in link.rel)]
        kept_rows = [rows[index] for index in keep] if rows else []
        return [links[n] for n in keep], kept_rows, [link for link in links if obey and "nofollow" in link.rel]


def _found_gone(errand: Errand, visit: VisitRow) -> bool:
    """Tell whether a page that the portal has turned out to be there no more."""
    return errand.candidate.copy is not None and presence(visit) is False


def _same_text(errand: Errand, analysis: Analysis) -> bool:
    """Tell whether a page says what the copy at hand says; pages without words are never the same."""
    copy = errand.candidate.copy
    return copy is not None and copy.digest == analysis.digest != b""


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


@lru_cache(maxsize=16)
def _learns(kind: type) -> bool:
    # Asking an object for its abilities takes long; most kinds can be told at once that they have this one not.
    return issubclass(kind, Learns)
