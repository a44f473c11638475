"""Reclassifies the stored pages of a portal with the classifier in use."""

from collections import Counter
from collections.abc import Callable
from typing import Final

from msgspec import Struct

from thresher.classify.hierarchical import HierarchicalClassifier
from thresher.errors import InputError
from thresher.reading.analysis import preview_of
from thresher.store.crawl_history import latest_crawl
from thresher.store.event_kinds import EventKind
from thresher.store.protocol import Store
from thresher.store.records import Batch, EventRow
from thresher.train.surroundings import seen_page
from thresher.types import Judgement
from thresher.web.urls import url_id
from thresher.work_faults import NoPages

BATCH: Final = 256
"""Number of pages judged between two commits."""


class Reclassified(Struct, frozen=True):
    """The result of judging all pages again; `moves` counts (old topic, new topic), None for rejected.

    Pages that were never judged before count as previously rejected.
    """

    pages: int
    accepted: int
    moves: dict[tuple[str | None, str | None], int]


def reclassify(
    store: Store,
    classifier: HierarchicalClassifier,
    on_progress: Callable[[int], None] | None = None,
    *,
    at: float,
    preview: int = 0,
) -> Reclassified:
    """Judge every stored page and store the judgements; earlier ones are kept.

    Pages that a person has decided about keep their topics.

    `at` is wall time. Previews are made again with `preview` sentences; 0 removes them.
    """
    crawl = latest_crawl(store)
    if crawl is None:
        raise InputError("There are no pages to classify.", "Crawl first.", NoPages())
    moves: Counter[tuple[str | None, str | None]] = Counter()
    judged: dict[int, Judgement] = {}
    previews: dict[int, str] = {}
    pages = accepted = 0
    settled = store.decisions.settled()
    for url in list(store.documents.urls()):
        document = store.documents.document(url_id(url))
        if document is None:
            continue
        page = seen_page(store, document, classifier.parameters)
        now = classifier.classify(page)
        before = document.judgement.topic if document.judgement else None
        topic = settled[document.url_id].topic if document.url_id in settled else now.topic
        pages += 1
        accepted += topic is not None
        if before != topic:
            moves[before, topic] += 1
        judged[document.url_id] = now
        previews[document.url_id] = preview_of(page, now, classifier, preview)
        if len(judged) >= BATCH:
            store.commit(Batch(crawl=crawl.id, at=at, judgements=judged, previews=previews))
            judged, previews = {}, {}
            if on_progress is not None:
                on_progress(pages)
    detail = {"pages": pages, "moved": sum(moves.values()), "model": classifier.version_}
    event = EventRow(at=at, kind=EventKind.RECLASSIFIED, detail=detail)
    store.commit(Batch(crawl=crawl.id, at=at, judgements=judged, previews=previews, events=[event]))
    return Reclassified(pages, accepted, dict(moves))
