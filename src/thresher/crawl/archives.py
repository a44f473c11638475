"""Archives that arrived: each member is kept like a page that was fetched, or has a reason why it is none."""

from msgspec.structs import replace

from thresher.crawl.budget import Budget
from thresher.crawl.keeping import Desk, Keeper
from thresher.crawl.members import KnownMembers, member_answer, member_errand, member_visit
from thresher.crawl.outcome import outcome_of, visit_row
from thresher.reading.analysis import Analysis, ArchiveAnalysis
from thresher.reasons import Reason
from thresher.shard.values import Errand, Outcome
from thresher.store.page_records import Copied, VisitRow
from thresher.store.url_records import UrlState
from thresher.types import Failed, Fetched


class Archives:
    """Takes archives apart; of their members so many are kept as the `budget` of pages has room for."""

    def __init__(self, keeper: Keeper, known: KnownMembers | None = None, budget: Budget | None = None) -> None:
        self._keeper = keeper
        self._known = known or KnownMembers()
        self._budget = budget or Budget()

    def take(self, errand: Errand, answer: Fetched, archive: ArchiveAnalysis, desk: Desk) -> None:
        """Record an archive and each of its members; what it had and has no more is gone."""
        results = [member.result for member in archive.members]
        noindex = any(isinstance(result, Analysis) and "noindex" in result.robots for result in results)
        visit = replace(visit_row(errand, answer, None), detail=archive.note)
        self._keeper.visit(desk.batch, visit, None if noindex and self._keeper.obey_noindex else answer)
        known = self._known.of(errand.candidate.url)
        before = desk.counters.pages
        for member in archive.members:
            inside = member_errand(errand, member, known)
            known.pop(inside.id, None)
            self._member(inside, member_answer(answer, member), member.result, desk)
        # Where not all of it was read, nothing is known of the rest.
        if known and not archive.note:
            gone = replace(visit, outcome="failed", reason=Reason.NOT_FOUND, detail="its archive has it no more")
            desk.batch.visits += [member_visit(gone, member) for member in known.values()]
            desk.counters.gone += len(known) if errand.candidate.copy is not None else 0
        empty = int(desk.counters.pages == before)
        desk.shard.settle([Outcome(errand=errand, state=UrlState.DONE, pages=empty)])

    def checked(self, errand: Errand, visit: VisitRow, desk: Desk) -> list[Copied]:
        """Record for all stored members what a visit says of their archive, and return them; none for any other page.

        Only an archive that is checked again can have any: it carries the copy at hand.
        """
        if errand.candidate.copy is None:
            return []
        members = list(self._known.of(errand.candidate.url).values())
        desk.batch.visits += [member_visit(visit, member) for member in members]
        return members

    def _member(self, inside: Errand, answer: Fetched, result: Analysis | Failed, desk: Desk) -> None:
        """Record a member: a page, or why it is none."""
        if isinstance(result, Failed):
            desk.batch.visits.append(visit_row(inside, result, None))
            settled = desk.shard.settle([outcome_of(inside, result, UrlState.FAILED)])[0]
            if settled.state is UrlState.FAILED:
                desk.counters.error(result.reason)
        elif self._budget.room(desk.counters.pages) == 0:
            desk.shard.settle([Outcome(errand=inside, state=UrlState.CUT, reason=Reason.BUDGET_SPENT)])
        else:
            self._keeper.keep(inside, answer, result, desk)
