"""Small portals to search in."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from thresher.store.page_records import DocumentRow, LinkRow
from thresher.store.protocol import Store
from thresher.store.records import Batch, CrawlKind
from thresher.store.repository import open_store
from thresher.text.stems import count_stems
from thresher.text.words import words
from thresher.types import Judgement
from thresher.web.urls import host_of, url_id

MODEL = "0123abcd"


def judged(topic: str | None, confidence: float = 1.0) -> Judgement:
    """Return a judgement; pages of no topic are as surely of none."""
    sign = 1.0 if topic is not None else -1.0
    return Judgement(topic=topic, confidence=sign * confidence, probability=0.9, model=MODEL)


def page(
    url: str,
    title: str = "",
    text: str = "",
    *,
    topic: str | None = "Cats",
    links: Sequence[tuple[str, str]] = (),
    language: str = "en",
    at: float = 1_700_000_000.0,
    **more: Any,
) -> DocumentRow:
    """Return a page of English text that a topic has accepted."""
    return DocumentRow(
        **{
            "url_id": url_id(url),
            "url": url,
            "host": host_of(url),
            "at": at,
            "title": title,
            "text": text,
            "terms": dict(count_stems(words(f"{title} {text}"), language)),
            "links": [LinkRow(url_id(target), target, anchor) for target, anchor in links],
            "language": language,
            "mime": "text/html",
            "digest": text.encode(),
            "judgement": judged(topic),
            **more,
        }
    )


def portal_of(folder: Path, *pages: DocumentRow) -> Path:
    """Make a portal with some pages."""
    store = open_store(folder, create=True)
    add(store, *pages)
    store.close()
    return folder


def add(store: Store, *pages: DocumentRow, **more: Any) -> None:
    """Write pages, or whatever else a batch may have."""
    crawl = store.crawls.get() or store.crawls.start(CrawlKind.CRAWL, "breadth-first", {}, at=1.0)
    store.commit(Batch(crawl=crawl.id, at=2.0, documents=list(pages), **more))
