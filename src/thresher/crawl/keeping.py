"""Keeping good pages: stored or not and why, counted, their links offered; members of archives like all others."""

from functools import lru_cache

from msgspec import Struct

from thresher.crawl.counters import Counters
from thresher.crawl.duplicates import KnownTexts, Original, canonical_row
from thresher.crawl.lists import Lists
from thresher.crawl.outcome import document_row, visit_row
from thresher.crawl.ranking import ranked
from thresher.protocols import Learns, Strategy, View
from thresher.reading.analysis import Analysis
from thresher.reasons import Reason
from thresher.shard.errands import Errand
from thresher.shard.shard import Shard
from thresher.store.page_records import DuplicateKind, DuplicateRow, VisitRow
from thresher.store.presence import presence
from thresher.store.records import Batch
from thresher.types import Answer, Candidate, Fetched, Reading, Redirected, Unchanged
from thresher.web.sitemaps import FEED


class Desk(Struct, eq=False):
    """What an arrival is handled with: the shard, the strategy and its view, the counters, the batch that is open."""

    shard: Shard
    strategy: Strategy
    view: View
    counters: Counters
    batch: Batch


class Keeper:
    """Keeps pages that could be read.

    `obey_noindex` respects the wishes of pages; without `follow` no link of a page is followed; `lists` takes feeds,
    where they are wanted; `archived` says whether answers are kept for the archive. `texts` knows what was said
    already; with `drop_duplicates` a page that repeats another one word for word is not stored, but its links are
    offered like those of any other: the same text need not have the same links, and what is known costs nothing.
    """

    def __init__(
        self,
        *,
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
        self._follow = follow
        self._lists = lists
        self.obey_noindex = obey_noindex

    def keep(self, errand: Errand, answer: Fetched, analysis: Analysis, desk: Desk) -> None:
        """Record a page that could be read, and offer its links."""
        original = self._texts.original(analysis.digest, errand.id)
        kept = self._unkept(errand, analysis, original, desk.batch)
        visit = visit_row(errand, answer, analysis, kept)
        self.visit(desk.batch, visit, None if errand.inside or kept is Reason.NOINDEX else answer)
        desk.counters.gone += found_gone(errand, visit)
        new = original is None and bool(analysis.digest)
        self._store(errand, answer, analysis, kept, new, desk)
        if _learns(type(desk.strategy)) and isinstance(desk.strategy, Learns):
            desk.strategy.observe(errand.candidate, analysis.judgement)
        if self._follow:
            self._offer(errand, analysis, desk)

    def visit(self, batch: Batch, visit: VisitRow, answer: Answer | None) -> None:
        """Add a visit, with its answer for the archive where there is one to keep."""
        if self._archived and isinstance(answer, Fetched | Redirected | Unchanged):
            batch.exchanges[len(batch.visits)] = answer
        batch.visits.append(visit)

    def _unkept(self, errand: Errand, analysis: Analysis, original: Original | None, batch: Batch) -> Reason | None:
        """Return why a page is not to be stored, None where it is; note what it repeats."""
        if self.obey_noindex and "noindex" in analysis.robots:
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

    def _store(
        self, errand: Errand, fetched: Fetched, analysis: Analysis, kept: Reason | None, new: bool, desk: Desk
    ) -> None:
        """Store a page unless there is a reason not to, and count it."""
        judgement, counters, shard = analysis.judgement, desk.counters, desk.shard
        if kept is None:
            same = _same_text(errand, analysis)
            if not same:
                desk.batch.documents.append(document_row(errand, fetched, analysis, shard.usage(errand.candidate.url)))
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

    def _offer(self, errand: Errand, analysis: Analysis, desk: Desk) -> None:
        """Have the links of a page ranked and offer them; refuse those that ask not to be followed."""
        shard, strategy, view = desk.shard, desk.strategy, desk.view
        links = [analysis.links[place] for place in analysis.followed]
        unfollowed = [analysis.links[place] for place in analysis.refused]
        reading = Reading(candidate=errand.candidate, links=links, judgement=analysis.judgement, rows=analysis.rows)
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


def found_gone(errand: Errand, visit: VisitRow) -> bool:
    """Tell whether a page that the portal has turned out to be there no more."""
    return errand.candidate.copy is not None and presence(visit) is False


def _same_text(errand: Errand, analysis: Analysis) -> bool:
    """Tell whether a page says what the copy at hand says; pages without words are never the same."""
    copy = errand.candidate.copy
    return copy is not None and copy.digest == analysis.digest != b""


@lru_cache(maxsize=16)
def _learns(kind: type) -> bool:
    # Asking an object for its abilities takes long; most kinds can be told at once that they have this one not.
    return issubclass(kind, Learns)
