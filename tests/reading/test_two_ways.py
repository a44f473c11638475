"""A page means the same to every strategy whether it has just been fetched or comes out of the repository."""

import os
import random
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path

import pytest

from thresher.analysers import taught
from thresher.bench.webs.catalogue import collection_of
from thresher.classify.hierarchical import HierarchicalClassifier
from thresher.crawl.answer_rows import document_row
from thresher.documents.analyse import Reader
from thresher.plugins import STRATEGIES, make_strategy
from thresher.reading.analysis import Analysis, PageAnalyser
from thresher.shard.values import Errand
from thresher.store.records import Batch, CrawlKind
from thresher.store.repository import open_store
from thresher.store.stored_page import page_of
from thresher.types import Candidate, Failed, Fetched, ParsedPage
from thresher.web.urls import host_of, url_id

READER = Reader()


def analyser(
    name: str, classifier: HierarchicalClassifier, examples: Sequence[tuple[ParsedPage, str | None]]
) -> PageAnalyser:
    return PageAnalyser(READER, taught(make_strategy(name), name, classifier, examples), classifier, preview=3)


def stored_and_given_back(
    folder: Path, answers: Sequence[Fetched], by: PageAnalyser
) -> Iterator[tuple[Fetched, ParsedPage]]:
    """Store pages as a crawl does, and give them back."""
    with closing(open_store(folder, create=True)) as store:
        crawl = store.crawls.start(CrawlKind.CRAWL, "breadth-first", {}, 0.0).id
        kept: dict[str, Fetched] = {}
        for answer in answers:
            analysis = by.run(answer)
            if isinstance(analysis, Analysis):
                own = Candidate(url=answer.url, priority=())
                errand = Errand(candidate=own, id=url_id(answer.url), host=host_of(answer.url))
                store.commit(Batch(crawl=crawl, at=0.0, documents=[document_row(errand, answer, analysis)]))
                kept[answer.url] = answer
        for url, answer in kept.items():
            document = store.documents.document(url_id(url))
            assert document is not None
            yield answer, page_of(document)


def compared(folder: Path, answers: Sequence[Fetched], names: Sequence[str]) -> tuple[int, int]:
    """Hold both ways against each other; return how many pages and links that were."""
    read = [page for answer in answers if not isinstance(page := READER.read(answer), Failed)]
    examples = [(page, "Even" if number % 2 else None) for number, page in enumerate(read[:40])]
    classifier = HierarchicalClassifier().fit(examples)
    ways = {name: analyser(name, classifier, examples) for name in names}
    pages = links = 0
    for answer, stored in stored_and_given_back(folder, answers, ways[names[0]]):
        pages += 1
        for name, way in ways.items():
            fetched = way.run(answer)
            assert isinstance(fetched, Analysis)
            assert way.run(stored) == fetched, (name, answer.url)
        links += len(stored.links)
    return pages, links


@pytest.mark.slow
def test_all_strategies_read_generated_pages_alike(tmp_path: Path) -> None:
    collection = collection_of("generated(pages=300;hosts=12;seed=4)")
    urls = sorted(collection.urls())
    answers = [collection.answer(url) for url in random.Random(1).sample(urls, 24)]
    pages, links = compared(tmp_path, answers, list(STRATEGIES))
    assert pages > 20
    assert links > 200


@pytest.mark.slow
@pytest.mark.parametrize("name", ["webkb-texas", "manuals"])
def test_strategies_read_real_pages_alike(name: str, tmp_path: Path) -> None:
    data = Path(os.environ.get("THRESHER_DATA", "no-data"))
    if not data.is_dir():
        pytest.skip("THRESHER_DATA names no folder with the public collections")
    collection = collection_of(f"warc:{data / 'manuals/manuals.warc.gz'}" if name == "manuals" else name, data)
    urls = sorted(collection.urls())
    answers = [collection.answer(url) for url in random.Random(1).sample(urls, 80)]
    pages, links = compared(tmp_path, answers, ["default", "tag-tree", "link-classifier"])
    assert pages > 60
    assert links > 500
