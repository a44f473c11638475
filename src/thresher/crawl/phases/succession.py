"""Succession: what one crawl takes over from the one before it.

A harvest goes on where the learning crawl ended. Its pages count as fetched and are not asked for again; each is judged
by the present classifier, and its links are priced by the present strategy as if it had just arrived.
"""

from collections.abc import Iterator

from msgspec import Struct
from msgspec.structs import replace

from thresher.protocols import PageClassifier, Strategy
from thresher.reading.previews import preview_of
from thresher.store.protocol import Store
from thresher.store.stored_page import page_of
from thresher.store.url_records import ANSWERED, UrlRow
from thresher.types import Candidate, Judgement, Link, Page, Reading
from thresher.web.urls import url_id

INHERITED = "inherited"
"""The event that marks a succession as complete; a crawl killed before it takes over again."""


class Estate(Struct, frozen=True):
    """What there is to inherit: the crawl whose pages are taken over, and the classifier that judges them now.

    `hubs` are ids of its best hubs, of whose links the best `links` come first. Of `kin` is a crawl by the same kind of
    strategy: only then does what its pages handed down mean anything. Previews of its pages have so many sentences.
    """

    crawl: int
    classifier: PageClassifier
    hubs: tuple[int, ...] = ()
    links: int = 0
    kin: bool = False
    preview: int = 0

    def rows(self, store: Store) -> Iterator[UrlRow]:
        """Give the URLs that the crawl is done with, in the order of its log, each once; memos only to its kin."""
        seen: set[str] = set()
        for entry in store.log.entries(0, self.crawl):
            if entry.url is None or entry.kind not in ("fetched", "redirected") or entry.url in seen:
                continue
            seen.add(entry.url)
            ident = url_id(entry.url)
            row = store.urls.rows(self.crawl, [ident]).get(ident)
            if row is not None and row.state in ANSWERED:
                yield row if self.kin else replace(row, candidate=replace(row.candidate, memo={}))

    def readings(self, store: Store, strategy: Strategy) -> Iterator[tuple[int, Reading, str]]:
        """Give id, reading and preview of each of its pages."""
        for row in self.rows(store):
            document = store.documents.document(row.id)
            if document is not None:
                page = page_of(document)
                reading = read_again(page, row.candidate, strategy, self.classifier)
                yield row.id, reading, preview_of(page, reading.judgement, self.classifier, self.preview)


def read_again(page: Page, candidate: Candidate, strategy: Strategy, classifier: PageClassifier) -> Reading:
    """Return what a strategy may rank a stored page from, judged anew; links not to be followed are left out."""
    links = [link for link in page.links if "nofollow" not in link.rel]
    judgement: Judgement = classifier.classify(page)
    rows = strategy.read(replace(page, links=links), judgement)
    return Reading(candidate=candidate, links=_plain(links), judgement=judgement, rows=rows)


def _plain(links: list[Link]) -> list[Link]:
    """Return links as they come from an analysis, which leaves out the spans."""
    return [Link(link.url, link.anchor, link.position, link.length, (), link.rel, link.tag) for link in links]
