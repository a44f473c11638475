"""Fetched archives: each member is stored like a fetched page, or has a reason why it was not.

A member arrives as part of its archive, without a separate request. It has the address `ARCHIVE!/NAME` and is treated
like any page: judged, checked for duplicates, stored, its links ranked. It is committed in one batch with its archive,
so a kill loses both or neither; the WARC archive contains the file once. Visits to the archive show whether the member
still exists.
"""

from collections.abc import Iterator

from msgspec.structs import replace

from thresher.crawl.answer_rows import outcome_of, visit_row
from thresher.crawl.budget import Budget
from thresher.crawl.keeping import Context, Keeper
from thresher.crawl.on_hand import CUT_SHORT
from thresher.reading.analysis import Analysis, ArchiveAnalysis, MemberAnalysis
from thresher.reasons import Reason
from thresher.shard.values import Errand, Inside, Outcome
from thresher.store.page_records import Copied, VisitRow
from thresher.store.protocol import Store
from thresher.store.url_records import UrlState
from thresher.types import Candidate, Copy, Failed, Fetched
from thresher.web.urls import INSIDE, url_id


class KnownMembers:
    """Knows which members of archives are stored."""

    def __init__(self, store: Store | None = None) -> None:
        self._store = store

    def of(self, archive: str) -> dict[int, Copied]:
        """Return the stored members of an archive by their ids; empty if the page is not an archive."""
        return {} if self._store is None else {row.id: row for row in self._store.documents.members(archive)}


class Archives:
    """Unpacks archives; their members are kept as long as the page `budget` lasts."""

    def __init__(self, keeper: Keeper, known: KnownMembers | None = None, budget: Budget | None = None) -> None:
        self._keeper = keeper
        self._known = known or KnownMembers()
        self._budget = budget or Budget()

    def take(self, errand: Errand, answer: Fetched, archive: ArchiveAnalysis, context: Context) -> None:
        """Record an archive and each of its members; members that have disappeared are marked as gone."""
        results = [member.result for member in archive.members]
        noindex = any(isinstance(result, Analysis) and "noindex" in result.robots for result in results)
        visit = replace(visit_row(errand, answer, None), detail=archive.note)
        self._keeper.visit(context.batch, visit, None if noindex and self._keeper.obey_noindex else answer)
        place = len(context.batch.visits) - 1
        known = self._known.of(errand.candidate.url)
        before = context.counters.pages
        for member in archive.members:
            inside = member_errand(errand, member, known)
            known.pop(inside.id, None)
            if not self._member(inside, member_answer(answer, member), member.result, context):
                context.batch.visits[place] = replace(visit, detail=CUT_SHORT)
        # If it was not read completely, nothing is known about the rest.
        if known and not archive.note:
            gone = replace(visit, outcome="failed", reason=Reason.NOT_FOUND, detail="it is no longer in its archive")
            context.batch.visits += [member_visit(gone, member) for member in known.values()]
            context.counters.gone += len(known) if errand.candidate.copy is not None else 0
        empty = int(context.counters.pages == before)
        context.shard.settle([Outcome(errand=errand, state=UrlState.DONE, pages=empty)])

    def checked(self, errand: Errand, visit: VisitRow, context: Context) -> list[Copied]:
        """Record the visit to an archive for all its stored members, and return them; none for any other page.

        Only rechecked archives have a stored copy, so only they can have stored members.
        """
        if errand.candidate.copy is None:
            return []
        members = list(self._known.of(errand.candidate.url).values())
        context.batch.visits += [member_visit(visit, member) for member in members]
        return members

    def reuse(self, errand: Errand, archive: ArchiveAnalysis, context: Context) -> Iterator[tuple[Candidate, Analysis]]:
        """Enter the stored members of a reused archive; yield those that are new to the crawl."""
        for member in archive.members:
            inside = member_errand(errand, member, {})
            if isinstance(member.result, Analysis):
                settled = context.shard.settle([Outcome(errand=inside, state=UrlState.DONE)])[0]
                if settled.state is UrlState.DONE:
                    yield inside.candidate, member.result

    def _member(self, inside: Errand, answer: Fetched, result: Analysis | Failed, context: Context) -> bool:
        """Record a member, or why it is not a page; return whether the budget had room for it."""
        if isinstance(result, Failed):
            context.batch.visits.append(visit_row(inside, result, None))
            settled = context.shard.settle([outcome_of(inside, result, UrlState.FAILED)])[0]
            if settled.state is UrlState.FAILED:
                context.counters.error(result.reason)
        elif self._budget.room(context.counters.pages) == 0:
            context.shard.settle([Outcome(errand=inside, state=UrlState.CUT, reason=Reason.BUDGET_SPENT)])
            return False
        else:
            self._keeper.keep(inside, answer, result, context)
        return True


def member_errand(archive: Errand, member: MemberAnalysis, known: dict[int, Copied]) -> Errand:
    """Return the errand for a member, with the depth, score and queue of its archive.

    If the archive was rechecked, so is the member, with its stored copy.
    """
    before = archive.candidate
    id_ = url_id(member.url)
    copy = Copy(digest=known[id_].digest) if before.copy is not None and id_ in known else None
    candidate = Candidate(
        url=member.url,
        priority=before.priority,
        queue=before.queue,
        depth=before.depth,
        parent=before.url,
        anchor=member.url.rpartition(INSIDE)[2],
        memo=before.memo,
        copy=copy,
    )
    inside = Inside(before.url, member.size)
    return Errand(candidate=candidate, id=id_, host=archive.host, order=archive.order, inside=inside)


def member_answer(archive: Fetched, member: MemberAnalysis) -> Fetched:
    """Return the answer of an archive as the answer of one member, without a body."""
    return replace(archive, url=member.url, mime=member.mime, body=b"", raw=b"")


def member_visit(archive: VisitRow, member: Copied) -> VisitRow:
    """Return the visit to an archive as a visit to one of its stored members."""
    digest = member.digest if archive.outcome == "unchanged" else b""
    return replace(archive, url_id=member.id, url=member.url, digest=digest, archive="", offset=0)
