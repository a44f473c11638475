"""Links and scores of the store in memory."""

from array import array
from collections.abc import Iterable, Iterator, Sequence

from thresher.store.memory.tables import Tables
from thresher.store.page_records import LinkedPage, LinkedPages, PageScores
from thresher.store.redirect_targets import redirect_targets
from thresher.web.urls import url_id


class MemoryLinkGraph:
    """The links of the portal."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables

    def pages(self) -> Iterator[list[LinkedPage]]:
        """Yield the pages that are not gone, in order of id."""
        with self._tables.lock:
            found = [
                self._linked(id_) for id_, (_, page) in sorted(self._tables.documents.items()) if page.gone is None
            ]
        return iter([found] if found else [])

    def page_columns(self) -> Iterator[LinkedPages]:
        """Yield the same column by column, for readers of millions of pages."""
        return (LinkedPages(*zip(*block, strict=True)) for block in self.pages())

    def edges(self) -> Iterator["array[int]"]:
        """Yield the links of all stored pages as signed 64-bit numbers: source, target, source, target, …"""
        with self._tables.lock:
            pages = [page for _, page in self._tables.documents.values()]
        ends = sorted((link.target, page.url_id) for page in pages for link in page.links)
        return iter([array("q", [id_ for target, source in ends for id_ in (source, target)])] if ends else [])

    def outlinks(self, ids: Sequence[int]) -> dict[int, list[str]]:
        """Return the URLs that stored pages link to, by page id: each URL once, in page order."""
        with self._tables.lock:
            pages = [self._tables.documents[id_][1] for id_ in ids if id_ in self._tables.documents]
        return {page.url_id: list(dict.fromkeys(link.target_url for link in page.links)) for page in pages}

    def inlinks(self, ids: Sequence[int], most: int) -> dict[int, list[tuple[int, str]]]:
        """Return (id, URL) of at most `most` stored pages that link to each id, smallest ids first."""
        with self._tables.lock:
            first = {id_: sorted(self._tables.sources.get(id_, ()))[:most] for id_ in ids}
            documents = self._tables.documents
            return {id_: [(source, documents[source][1].url) for source in found] for id_, found in first.items()}

    def redirects(self) -> Iterator[tuple[int, int]]:
        """Yield (id, target id) of every URL that redirects, according to its newest redirect."""
        with self._tables.lock:
            visits = [visit for visits in self._tables.visits.values() for visit in visits]
        told = [(visit.url_id, visit.to) for visit in visits if visit.outcome == "redirected"]
        return redirect_targets([(id_, to) for id_, to in told if to is not None])

    def entries(self, crawls: Sequence[int]) -> Iterator[tuple[int, int | None]]:
        """Yield the URLs that crawls were given, and stored pages that they did not find on a stored page."""
        with self._tables.lock:
            rows = [row for crawl in crawls for row in self._tables.urls.get(crawl, {}).values()]
            stored = set(self._tables.documents)
        for row in rows:
            parent = row.candidate.parent
            found_on = None if parent is None else url_id(parent)
            if found_on is None or (row.id in stored and found_on not in stored):
                yield row.id, found_on

    def _linked(self, id_: int) -> LinkedPage:
        page, judged = self._tables.documents[id_][1], self._tables.judgements.get(id_)
        return LinkedPage(id_, page.host, judged.topic if judged else None, judged.confidence if judged else None)


class MemoryScores:
    """Link-analysis results of pages; they survive when a page is written again."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables

    def keep(self, scores: Iterable[PageScores]) -> None:
        """Write scores; ids without a stored page are skipped."""
        for row in scores:
            with self._tables.lock:
                if row.id in self._tables.documents:
                    self._tables.scores[row.id] = row
        self._tables.scores_version += 1

    def of(self, ids: Sequence[int]) -> dict[int, PageScores]:
        """Return link scores by page id; ids without a stored page are absent."""
        with self._tables.lock:
            stored = [id_ for id_ in ids if id_ in self._tables.documents]
            return {id_: self._tables.scores.get(id_, PageScores(id_, None, None, None)) for id_ in stored}
