"""Portals of real pages with known labels, for measuring ranking quality."""

import re
from collections.abc import Iterable, Sequence
from contextlib import closing
from pathlib import Path
from random import Random
from typing import Final

from thresher.bench.data import collection
from thresher.bench.page_cache import PageCache
from thresher.bench.webs.web import BenchWeb
from thresher.classify.hierarchical import HierarchicalClassifier
from thresher.link_analysis import analyse_links
from thresher.store.page_records import DocumentRow, LinkRow
from thresher.store.protocol import Store
from thresher.store.records import Batch, CrawlKind
from thresher.store.repository import open_store
from thresher.text.stems import count_stems
from thresher.text.words import words
from thresher.types import Judgement, ParsedPage
from thresher.web.urls import host_of, url_id

EXAMPLES: Final = 10
"""Training pages per topic."""

OTHERS: Final = 60
"""Negative training pages."""

_BLOCK: Final = 64
_NEWSGROUPS: Final = "newsgroups20"
_SUBJECT: Final = re.compile(r"^Subject:\s*(.*)$", re.MULTILINE | re.IGNORECASE)
_REPLY: Final = re.compile(r"^(\s*(re|fwd?)\s*:\s*)+", re.IGNORECASE)


def web_portal(folder: Path, web: BenchWeb, pages: PageCache, topics: Sequence[str], seed: int = 0) -> set[str]:
    """Create a portal of all pages of a web, judged by a classifier trained on a few pages per topic.

    Links are analysed. Returns the URLs that the classifier has learned from.
    """
    examples = _examples(web, pages, topics, seed)
    classifier = HierarchicalClassifier().fit(examples)
    with closing(open_store(folder, create=True)) as store:
        rows = (_row(page, classifier.classify(page)) for url in pages.urls if (page := pages.page(url)) is not None)
        _write(store, rows)
        analyse_links(store)
    return {page.url for page, _ in examples}


def _examples(web: BenchWeb, pages: PageCache, topics: Sequence[str], seed: int) -> list[tuple[ParsedPage, str | None]]:
    rng = Random(f"{web.name}/search/{seed}")
    chosen: list[tuple[str, str | None]] = []
    for topic in topics:
        # A page of two topics would be an example of both.
        own = sorted(url for url, labels in web.labels.items() if set(labels) & set(topics) == {topic} and url in pages)
        chosen += [(url, topic) for url in rng.sample(own, min(EXAMPLES, len(own)))]
    others = sorted(url for url, labels in web.labels.items() if not set(labels) & set(topics) and url in pages)
    chosen += [(url, None) for url in rng.sample(others, min(OTHERS, len(others)))]
    return [(page, label) for url, label in chosen if (page := pages.page(url)) is not None]


def _row(page: ParsedPage, judgement: Judgement) -> DocumentRow:
    return DocumentRow(
        url_id=url_id(page.url),
        url=page.url,
        host=host_of(page.url),
        at=0.0,
        title=page.title,
        text=" ".join(page.words),
        terms=page.terms,
        links=[LinkRow(url_id(link.url), link.url, link.anchor) for link in page.links],
        language=page.language,
        digest=page.digest,
        simhash=page.simhash,
        judgement=judgement,
    )


def newsgroup_portal(folder: Path, data: Path, most: int) -> dict[str, str]:
    """Create a portal of posts without their headers; return the subjects by URL, without replies.

    Only subjects that occur once are included.
    """
    found: dict[str, list[str]] = {}
    rows: list[DocumentRow] = []
    files = sorted((collection(_NEWSGROUPS, data) / "20news-bydate-test").glob("*/*"))
    for file in Random(_NEWSGROUPS).sample(files, min(most, len(files))):
        head, _, body = file.read_text("latin-1").partition("\n\n")
        subject = _SUBJECT.search(head)
        url = f"http://{file.parent.name}.test/{file.name}"
        rows.append(_post(url, body))
        if subject and not _REPLY.match(subject[1]):
            found.setdefault(subject[1].strip(), []).append(url)
    with closing(open_store(folder, create=True)) as store:
        _write(store, rows)
    return {urls[0]: subject for subject, urls in sorted(found.items()) if len(urls) == 1}


def _post(url: str, body: str) -> DocumentRow:
    return DocumentRow(
        url_id=url_id(url),
        url=url,
        host=host_of(url),
        at=0.0,
        title="",
        text=body,
        terms=count_stems(words(body), "en"),
        links=[],
        language="en",
        digest=url.encode(),
    )


def _write(store: Store, rows: Iterable[DocumentRow]) -> None:
    crawl = store.crawls.start(CrawlKind.CRAWL, "breadth-first", {}, at=0.0)
    block: list[DocumentRow] = []
    for row in rows:
        block.append(row)
        if len(block) == _BLOCK:
            store.commit(Batch(crawl=crawl.id, at=0.0, documents=block))
            block = []
    store.commit(Batch(crawl=crawl.id, at=0.0, documents=block))
