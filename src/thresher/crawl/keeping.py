"""Stores good pages and archive members, or says why not; counts them and offers their links.

If a page has very many links, they are offered in slices, between which the crawl continues.
"""

from collections import deque
from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from thresher.crawl.answer_rows import document_row, visit_row
from thresher.crawl.duplicates import KnownTexts, Original, canonical_row
from thresher.crawl.lists import Lists
from thresher.crawl.pricing import ranked
from thresher.crawl.progress import Counters
from thresher.crawl.slow_lane import MANY_LINKS
from thresher.protocols import Clears, Closes, Learns, Strategy, View
from thresher.reading.analysis import Analysis
from thresher.reading.features import unpacked
from thresher.reasons import Reason
from thresher.shard.protocol import Shard
from thresher.shard.values import Errand, Offer, Outcome
from thresher.store.page_records import DocumentRow, DuplicateKind, DuplicateRow, VisitRow
from thresher.store.presence import presence
from thresher.store.records import Batch
from thresher.store.url_records import UrlState
from thresher.types import Answer, Candidate, Fetched, Reading, Redirected, Unchanged
from thresher.web.urls import url_id

SLICE: Final = 500
"""Links to offer at once if there are very many: they take about ten milliseconds."""


class Offering:
    """Passes offers on to a shard; `MANY_LINKS` candidates or more are offered in slices, the first one immediately.

    `left` are the remaining slices. A page is not committed before all of its links are offered.
    """

    def __init__(self, shard: Shard) -> None:
        self._shard = shard
        self.left: deque[Offer] = deque()

    def offer(self, offers: Sequence[Offer]) -> None:
        """Offer the candidates of a page."""
        if sum(len(offer.candidates) for offer in offers) < MANY_LINKS:
            self._shard.offer(offers)
            return
        self.finish()
        for offer in offers:
            for start in range(0, len(offer.candidates), SLICE):
                self.left.append(replace(offer, candidates=offer.candidates[start : start + SLICE]))
        self.offer_next()

    def offer_next(self) -> None:
        """Offer the next slice, if one is left."""
        if self.left:
            self._shard.offer([self.left.popleft()])

    def finish(self) -> None:
        """Offer all remaining slices."""
        while self.left:
            self.offer_next()


class Context(Struct, eq=False):
    """The context for handling an arrival: shard, strategy and its view, counters, open batch.

    Links are offered through the `offering`.
    """

    shard: Shard
    offering: Offering
    strategy: Strategy
    view: View
    counters: Counters
    batch: Batch


class Keeper:
    """Keeps pages that could be read.

    With `obey_noindex`, pages that ask not to be indexed are not stored. Without `follow`, no link of a page is
    followed. `lists` takes feeds, if they are wanted. `archived` says whether answers are kept for the archive. `texts`
    knows the texts already seen; with `drop_duplicates`, a page with exactly the text of another is not stored, but its
    links are still offered: identical texts can have different links, and known links cost nothing. `lessons`, if
    given, receives pages marked noindex, for training without storing them.
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
        lessons: list[DocumentRow] | None = None,
    ) -> None:
        self._lessons = lessons
        self._archived = archived
        self._texts = texts or KnownTexts()
        self._drop_duplicates = drop_duplicates
        self._follow = follow
        self._lists = lists
        self.obey_noindex = obey_noindex

    def keep(self, errand: Errand, answer: Fetched, analysis: Analysis, context: Context) -> Reason | None:
        """Record a readable page and offer its links; return a reason if the shard says that it is not a page."""
        original = self._texts.original(analysis.digest, errand.id)
        same = self._is_same(errand, analysis)
        unkept = self._why_unkept(errand, analysis, original, same)
        judgement = analysis.judgement
        topic = judgement.topic if unkept is None and judgement is not None else None
        new = original is None and bool(analysis.digest)
        if unkept is Reason.NOINDEX:
            new = new and not self._texts.is_passed_over(analysis.digest)
        settled = context.shard.settle(
            [
                Outcome(
                    errand=errand,
                    state=UrlState.DONE,
                    # Pages that ask not to be kept use up a host's quota like any other.
                    pages=1,
                    accepted=int(topic is not None),
                    topic=topic or "",
                    new=int(new),
                    digest=analysis.digest,
                    terms=analysis.terms,
                )
            ]
        )[0]
        if settled.state is not UrlState.DONE:
            return settled.reason
        if unkept is not Reason.NOINDEX and not same:
            # What is known of the stored copy stays true if nothing has changed.
            self._note_repetition(errand, analysis, original, context.batch)
        visit = visit_row(errand, answer, analysis, unkept)
        self.visit(context.batch, visit, None if errand.inside or unkept is Reason.NOINDEX else answer)
        context.counters.gone += found_gone(errand, visit)
        self._store(errand, answer, analysis, unkept, settled.usage, same, context)
        self._offer_links(errand.candidate, analysis, context)
        return None

    def reuse(self, candidate: Candidate, analysis: Analysis, context: Context) -> None:
        """Process a stored page as if it had just arrived: judge it again and offer its links."""
        context.counters.reused += 1
        self.follow_again(candidate, analysis, context)

    def follow_again(self, candidate: Candidate, analysis: Analysis, context: Context) -> None:
        """Keep the new judgement of a stored page, and offer its links."""
        if analysis.judgement is not None:
            page = url_id(candidate.url)
            context.batch.judgements[page] = analysis.judgement
            context.batch.previews[page] = analysis.preview
        self._offer_links(candidate, analysis, context)

    def visit(self, batch: Batch, visit: VisitRow, answer: Answer | None) -> None:
        """Add a visit, with its answer if that is kept for the archive."""
        if self._archived and isinstance(answer, Fetched | Redirected | Unchanged):
            batch.exchanges[len(batch.visits)] = answer
        batch.visits.append(visit)

    def _is_same(self, errand: Errand, analysis: Analysis) -> bool:
        """Return whether a page has the same text and directives as the stored copy; pages without words never do."""
        copy = errand.candidate.copy
        if copy is None or copy.digest != analysis.digest or not analysis.digest:
            return False
        return self._texts.asks_the_same(errand.id, analysis.robots, analysis.links)

    def _why_unkept(self, errand: Errand, analysis: Analysis, original: Original | None, same: bool) -> Reason | None:
        """Return why a page must not be stored, or None if it may be."""
        if self.obey_noindex and "noindex" in analysis.robots:
            return Reason.NOINDEX
        if original is None or not self._drop_duplicates or same:
            return None
        # A page that is already in the portal is updated anyway.
        known = errand.candidate.copy is not None or self._texts.is_stored(errand.id)
        return None if known else Reason.DUPLICATE

    def _note_repetition(self, errand: Errand, analysis: Analysis, original: Original | None, batch: Batch) -> None:
        """Record which page this one repeats, by its canonical link and by its text."""
        url = errand.candidate.url
        hint = canonical_row(errand.id, url, analysis.links)
        if hint is not None:
            batch.duplicates.append(hint)
        if original is not None and self._drop_duplicates:
            batch.duplicates.append(
                DuplicateRow(
                    url_id=errand.id,
                    url=url,
                    original=original.id,
                    original_url=original.url,
                    kind=DuplicateKind.DIGEST,
                )
            )

    def _store(
        self,
        errand: Errand,
        fetched: Fetched,
        analysis: Analysis,
        unkept: Reason | None,
        usage: tuple[str, ...],
        same: bool,
        context: Context,
    ) -> None:
        """Store a page, unless there is a reason not to or it is the `same` as the stored copy, and count it."""
        counters = context.counters
        if unkept is None:
            if not same:
                context.batch.documents.append(document_row(errand, fetched, analysis, usage))
            self._texts.store(analysis.digest, Original(errand.id, errand.candidate.url))
            counters.page(analysis.judgement)
            if errand.candidate.copy is not None:
                counters.checked(changed=not same)
        elif unkept is Reason.DUPLICATE:
            counters.duplicate()
        else:
            self._texts.pass_over(analysis.digest)
            if self._lessons is not None:
                self._lessons.append(document_row(errand, fetched, analysis, usage))

    def _offer_links(self, candidate: Candidate, analysis: Analysis, context: Context) -> None:
        """Let the strategy learn from a page, and offer its links; nofollow links are offered with that reason."""
        strategy, view = context.strategy, context.view
        if _has(type(strategy), Learns) and isinstance(strategy, Learns):
            strategy.observe(candidate, analysis.judgement)
        if not self._follow:
            return
        offers = [Offer(link_candidates(candidate, analysis, strategy, view))]
        if self._lists is not None and analysis.lists:
            lists = [analysis.links[place] for place in analysis.lists]
            offers += self._lists.follow(lists, candidate, strategy, view)
        refused = [analysis.links[place] for place in analysis.refused]
        if refused:
            depth, url = candidate.depth + 1, candidate.url
            offers.append(
                Offer(
                    [
                        Candidate(url=link.url, priority=(), depth=depth, parent=url, anchor=link.anchor)
                        for link in refused
                    ],
                    Reason.NOFOLLOW,
                )
            )
        context.offering.offer(offers)
        _close_queues(context)


def _close_queues(context: Context) -> None:
    """Close or clear the queues that the strategy is done with, after entering the links still to be offered."""
    strategy, view = context.strategy, context.view
    closed: list[str] = []
    cleared: list[str] = []
    if _has(type(strategy), Closes) and isinstance(strategy, Closes):
        closed += strategy.close_queues(view)
    if _has(type(strategy), Clears) and isinstance(strategy, Clears):
        cleared += strategy.clear_queues(view)
    if closed or cleared:
        context.offering.finish()
    for queue in closed:
        context.shard.close(queue)
    for queue in cleared:
        context.shard.close(queue, for_good=False)


def link_candidates(candidate: Candidate, analysis: Analysis, strategy: Strategy, view: View) -> list[Candidate]:
    """Return the scored candidates for the links of a page that may be followed."""
    links = [analysis.links[place] for place in analysis.followed]
    features = unpacked(strategy, analysis.features)
    reading = Reading(candidate=candidate, links=links, judgement=analysis.judgement, features=features)
    return ranked(strategy, reading, view)


def found_gone(errand: Errand, visit: VisitRow) -> bool:
    """Return whether a visit found that a stored page is gone."""
    return errand.candidate.copy is not None and presence(visit) is False


@lru_cache(maxsize=64)
def _has(kind: type, ability: type) -> bool:
    # Protocol checks are slow, so the result is cached by type.
    return issubclass(kind, ability)
