"""Members of archives: documents that came inside of another answer, without a request of their own.

A member has the address `ARCHIVE!/NAME` and is a page like any other: judged, stored, a duplicate or not, its links
ranked. It is entered in the crawl together with its archive, in one batch, so that a kill loses both or none; the
archive of answers holds the archive once. Whether it is still there, visits of its archive tell.
"""

from msgspec.structs import replace

from thresher.reading.analysis import MemberAnalysis
from thresher.shard.values import Errand, Inside
from thresher.store.page_records import Copied, VisitRow
from thresher.store.protocol import Store
from thresher.types import Candidate, Copy, Fetched
from thresher.web.urls import INSIDE, url_id


class KnownMembers:
    """Tells which members of archives are stored."""

    def __init__(self, store: Store | None = None) -> None:
        self._store = store

    def of(self, archive: str) -> dict[int, Copied]:
        """Return the stored members of an archive by their ids; none where it is no archive."""
        return {} if self._store is None else {row.id: row for row in self._store.documents.members(archive)}


def member_errand(archive: Errand, member: MemberAnalysis, known: dict[int, Copied]) -> Errand:
    """Return the errand that a member stands for: as deep, as dear and in the same queue as its archive.

    Where the archive was checked again, so is the member: it carries the copy at hand.
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
    """Return the answer of an archive as if it had been the member's alone; it has no bytes of its own."""
    return replace(archive, url=member.url, mime=member.mime, body=b"", raw=b"")


def member_visit(archive: VisitRow, member: Copied) -> VisitRow:
    """Return the visit of an archive as one of a member that is stored."""
    digest = member.digest if archive.outcome == "unchanged" else b""
    return replace(archive, url_id=member.id, url=member.url, digest=digest, archive="", offset=0)
