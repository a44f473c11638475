"""The pages of a portal and their duplicates, in memory."""

import math
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from operator import attrgetter, itemgetter

from msgspec.structs import replace

from thresher.store.memory.organising import hidden_topics
from thresher.store.memory.tables import Tables
from thresher.store.page_records import (
    AcceptedPage,
    Alike,
    Copied,
    DocumentRow,
    DuplicateKind,
    DuplicateRow,
    KnownPage,
    PageCount,
    VisitRow,
)
from thresher.store.presence import is_good
from thresher.store.simhash_blocks import blocks
from thresher.types import Copy, Judgement


class MemoryDocuments:
    """The pages of the portal."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables

    def document(self, url_id: int) -> DocumentRow | None:
        """Return a page with its text, terms, links and judgement, or None if the portal has no such page."""
        with self._tables.lock:
            if url_id not in self._tables.documents:
                return None
            return replace(self._tables.documents[url_id][1], judgement=self.judgement(url_id))

    def visits(self, url_id: int) -> list[VisitRow]:
        """Return all visits of a URL in all crawls, oldest first."""
        return list(self._tables.visits.get(url_id, ()))

    def terms(self, ids: Sequence[int]) -> dict[int, dict[str, int]]:
        """Return stems with counts by page id; ids without a stored page are absent."""
        with self._tables.lock:
            documents = self._tables.documents
            return {id_: dict(documents[id_][1].terms) for id_ in ids if id_ in documents}

    def inlinks(self, url_id: int) -> list[tuple[str, str]]:
        """Return (URL of the source page, anchor text) of every stored link to a URL, oldest page first."""
        with self._tables.lock:
            sources = self._tables.sources.get(url_id, ())
            pages = sorted((self._tables.documents[source] for source in sources), key=itemgetter(0))
        return [(page.url, link.anchor) for _, page in pages for link in page.links if link.target == url_id]

    def judgement(self, url_id: int) -> Judgement | None:
        """Return the newest judgement of a page, or None if it was never judged."""
        return self._tables.judged(url_id)

    def urls(self) -> Iterator[str]:
        """Yield the URL of every stored page, in order of id."""
        with self._tables.lock:
            found = sorted(self._tables.documents.items())
        return iter([page.url for _, (_, page) in found])

    def counts(self) -> list[PageCount]:
        """Return the number of pages of each topic and kind, without gone pages, largest first."""
        with self._tables.lock:
            judged = self._tables.judged
            counted = Counter(
                (found.topic if (found := judged(id_)) else None, page.mime, page.archive is not None)
                for id_, (_, page) in self._tables.documents.items()
                if page.gone is None
            )
        rows = [PageCount(*kind, pages) for kind, pages in counted.items()]
        return sorted(rows, key=lambda row: (-row.pages, row.topic is not None, row.topic or "", row.mime, row.member))

    def due(self, before: float, limit: int = 0) -> Iterator[KnownPage]:
        """Yield the pages last visited before a wall time, longest ago first; a limit of 0 yields all."""
        with self._tables.lock:
            pages = [page for _, page in self._tables.documents.values()]
            found = [(self._known(page), page.url_id) for page in pages]
        late = sorted((known.visited, id_, known) for known, id_ in found if known.visited < before)
        return iter([known for _, _, known in late[: limit or None]])

    def members(self, archive: str) -> list[Copied]:
        """Return the stored members of an archive that are not gone, in order of id."""
        with self._tables.lock:
            pages = [page for _, page in self._tables.documents.values() if page.archive == archive]
            return sorted(Copied(page.url_id, page.url, page.digest) for page in pages if page.gone is None)

    def rejected(self, limit: int) -> Iterator[str]:
        """Yield the URLs of at most `limit` pages that every topic rejected, least confident first."""
        with self._tables.lock:
            judged = [
                (self._tables.judgements[id_], id_) for id_ in self._tables.documents.keys() & self._tables.judgements
            ]
            found = sorted((j.confidence, id_) for j, id_ in judged if j.topic is None and not math.isnan(j.confidence))
            return iter([self._tables.documents[id_][1].url for _, id_ in found[:limit]])

    def accepted(self, topic: str | None = None, *, limit: int = 0, offset: int = 0) -> Iterator[AcceptedPage]:
        """Yield the pages that a topic or one below it accepted, most confident first."""
        with self._tables.lock:
            hidden = hidden_topics(self._tables) if topic is None else []
            rows = [self._accepted(page, topic) for _, page in self._tables.documents.values()]
            found = [row for row in rows if row is not None and row.topic not in hidden]
        found.sort(key=lambda row: (-row.confidence, row.url_id))
        return iter(found[offset : offset + limit if limit else None])

    def count_accepted(self, topic: str | None = None) -> int:
        """Return how many pages `accepted` yields without a limit."""
        return sum(1 for _ in self.accepted(topic))

    def _accepted(self, page: DocumentRow, topic: str | None) -> AcceptedPage | None:
        """Return the row of a page that a topic or one below it accepted, None for all other pages."""
        judged = self._tables.judged(page.url_id)
        if judged is None or judged.topic is None or math.isnan(judged.confidence):
            return None
        if page.gone is not None or "noindex" in page.robots:
            return None
        if topic is not None and judged.topic != topic and not judged.topic.startswith(f"{topic}/"):
            return None
        visits = [visit for visit in self._tables.visits.get(page.url_id, ()) if visit.url == page.url]
        return AcceptedPage(
            url_id=page.url_id,
            url=page.url,
            title=page.title,
            topic=judged.topic,
            confidence=judged.confidence,
            probability=judged.probability,
            found=min((visit.at for visit in visits if is_good(visit.outcome, visit.reason)), default=page.at),
            state=self._tables.state(page.url_id),
        )

    def _known(self, page: DocumentRow) -> KnownPage:
        visits = [visit for visit in self._tables.visits.get(page.url_id, ()) if visit.url == page.url]
        good = next((visit for visit in reversed(visits) if is_good(visit.outcome, visit.reason)), None)
        copy = Copy(at=page.at)
        if page.gone is None:
            etag, last_modified = (good.etag, good.last_modified) if good else ("", "")
            copy = Copy(etag=etag, last_modified=last_modified, digest=page.digest, at=page.at)
        visited = visits[-1].at if visits else page.at
        return KnownPage(
            url=page.url, visited=visited, copy=copy, depth=page.depth, origin=page.origin, archive=page.archive
        )


class MemoryDuplicates:
    """Pages that repeat others, and the look-ups that find them."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables

    def same_text(self, digest: bytes) -> list[tuple[int, str]]:
        """Return (id, URL) of the stored pages with a digest, oldest first; none for the empty digest."""
        with self._tables.lock:
            ids = self._tables.digests.get(digest, ()) if digest else ()
            found = sorted((self._tables.documents[id_] for id_ in ids), key=itemgetter(0))
        return [(page.url_id, page.url) for _, page in found if page.gone is None]

    def alike(self, simhashes: Collection[int], within: int) -> dict[int, list[Alike]]:
        """Return, for each simhash, the stored pages that differ from it in at most `within` (0 to 3) bits.

        The nearest pages come first, then the oldest. A simhash without such pages is left out.
        """
        found = {simhash: self._alike(simhash, within) for simhash in simhashes}
        return {simhash: pages for simhash, pages in found.items() if pages}

    def _alike(self, simhash: int, within: int) -> list[Alike]:
        with self._tables.lock:
            ids = {id_ for block in blocks(simhash) for id_ in self._tables.blocks.get(block, ())}
            pages = sorted((self._tables.documents[id_] for id_ in ids), key=itemgetter(0))
        found = [
            Alike(page.url_id, page.url, (page.simhash ^ simhash).bit_count(), page.terms)
            for _, page in pages
            if page.gone is None
        ]
        return sorted((page for page in found if page.distance <= within), key=attrgetter("distance"))

    def of(self, url_id: int) -> list[DuplicateRow]:
        """Return what a page repeats, ordered by kind; empty if it is not a duplicate."""
        known = self._tables.duplicates
        return [known[url_id, kind] for kind in sorted(DuplicateKind) if (url_id, kind) in known]

    def pairs(self, kind: DuplicateKind) -> Iterator[tuple[int, int]]:
        """Yield (id, id of the original) of all duplicates of a kind, in order of id."""
        with self._tables.lock:
            rows = [row for row in self._tables.duplicates.values() if row.kind is kind]
        return iter(sorted((row.url_id, row.original) for row in rows))
