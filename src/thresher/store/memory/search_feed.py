"""What the search index reads from the store in memory."""

import math
from collections import Counter
from collections.abc import Iterator, Sequence

from thresher.store.memory.tables import Tables
from thresher.store.page_records import DocumentRow, PageScores
from thresher.store.search_records import PageHead, PageText, SearchablePage


class MemorySearchFeed:
    """What the search index reads from a portal."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables

    def pages(self, since: int) -> Iterator[list[SearchablePage]]:
        """Yield the pages written, judged or found gone after a sequence number, in order and in blocks."""
        with self._tables.lock:
            changed = sorted((seq, id_) for id_, (seq, _) in self._tables.documents.items() if seq > since)
            found = [self._page(seq, id_) for seq, id_ in changed]
        return iter([found] if found else [])

    def _page(self, seq: int, id_: int) -> SearchablePage:
        row, judged = self._tables.documents[id_][1], self._tables.judged(id_)
        return SearchablePage(
            seq=seq,
            id=id_,
            host=row.host,
            at=row.at,
            modified=row.last_modified,
            mime=row.mime,
            size=row.size,
            language=row.language,
            digest=row.digest,
            searchable=_searchable(row),
            topic=judged.topic if judged else None,
            confidence=_known(judged.confidence) if judged else None,
            probability=_known(judged.probability) if judged else None,
            model=judged.model if judged else None,
            state=self._tables.state(id_).value,
        )

    def texts(self, ids: Sequence[int]) -> dict[int, PageText]:
        """Return the words of pages by id; ids without a stored page are absent."""
        with self._tables.lock:
            rows = [self._tables.documents[id_][1] for id_ in ids if id_ in self._tables.documents]
        return {row.url_id: PageText(row.url, row.title, row.text, row.language, dict(row.terms)) for row in rows}

    def heads(self, ids: Sequence[int]) -> dict[int, PageHead]:
        """Return what results show of pages, by id; ids without a stored page are absent."""
        with self._tables.lock:
            rows = [self._tables.documents[id_][1] for id_ in ids if id_ in self._tables.documents]
        return {r.url_id: PageHead(r.url, r.title, r.text, r.preview, r.language, r.robots) for r in rows}

    def anchors(self, id_: int, most: int) -> dict[str, int]:
        """Return the texts of at most `most` links to a page, with counts, taking sources with small ids first.

        Links from pages that are gone or ask not to be indexed are left out.
        """
        with self._tables.lock:
            sources = [self._tables.documents[source][1] for source in sorted(self._tables.sources.get(id_, ()))]
        pages = [page for page in sources if _searchable(page)]
        texts = [link.anchor for page in pages for link in page.links if link.target == id_]
        return dict(sorted(Counter(texts[:most]).items()))

    def targets(self, ids: Sequence[int]) -> dict[int, list[int]]:
        """Return the ids that stored pages link to, by page id, each once and in order."""
        with self._tables.lock:
            rows = [self._tables.documents[id_][1] for id_ in ids if id_ in self._tables.documents]
        return {row.url_id: sorted({link.target for link in row.links}) for row in rows if row.links}

    def scores(self) -> Iterator[list[PageScores]]:
        """Yield the link scores of all pages in order of id, in blocks."""
        with self._tables.lock:
            none = PageScores(0, None, None, None)
            found = [self._tables.scores.get(id_, none._replace(id=id_)) for id_ in sorted(self._tables.documents)]
        return iter([found] if found else [])

    def scores_version(self) -> int:
        """Return a number that changes whenever link analysis writes scores."""
        return self._tables.scores_version


def _searchable(row: DocumentRow) -> bool:
    return row.gone is None and "noindex" not in row.robots


def _known(value: float) -> float | None:
    return None if math.isnan(value) else value
