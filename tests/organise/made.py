"""A small portal whose pages are about known subjects."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random

from thresher.portals import create_portal
from thresher.store.page_records import DocumentRow
from thresher.store.protocol import Store
from thresher.store.records import Batch, CrawlKind
from thresher.store.repository import open_store
from thresher.taxonomy.topic_tree import Taxonomy, Topic, TrainingPage, put
from thresher.text.stems import count_stems
from thresher.text.words import words
from thresher.types import Judgement
from thresher.web.urls import host_of, url_id

SUBJECTS = {
    "sailing": words("boats sails masts harbours anchors keels rudders regattas skippers tides winds decks"),
    "baking": words("bread ovens flour yeast dough crusts loaves butter pastry cakes sugar recipes"),
    "chess": words("pawns rooks bishops castles openings endgames gambits knights checkmates boards queens moves"),
}
COMMON = words("people often talk about these things when friends meet in town on weekends during long evenings")
EACH = 24


def text_of(subject: str, number: int) -> str:
    """Return two sentences about a subject."""
    rng = Random(f"{subject}{number}")
    own = rng.sample(SUBJECTS[subject], 7)
    said = [*rng.sample(COMMON, 4), *own[:4]], [*rng.sample(COMMON, 4), *own[4:]]
    return " ".join(f"{' '.join(part).capitalize()}." for part in said)


def page(subject: str, number: int, topic: str, confidence: float = 1.0, text: str = "") -> DocumentRow:
    """Return a stored page about a subject."""
    url = f"http://{subject}.test/{number}"
    told = text or text_of(subject, number)
    return DocumentRow(
        url_id=url_id(url),
        url=url,
        host=host_of(url),
        at=1.0,
        title=f"About {subject} {number}",
        text=told,
        terms=dict(count_stems(words(told), "en")),
        links=[],
        language="en",
        mime="text/html",
        digest=url.encode(),
        judgement=Judgement(
            topic=topic, confidence=confidence, probability=0.9, path=tuple(topic.split("/")), model="made"
        ),
    )


def pastimes(each: int = EACH) -> list[DocumentRow]:
    """Return pages of all subjects in one topic."""
    return [page(subject, number, "Pastimes") for subject in SUBJECTS for number in range(each)]


def fill(store: Store, pages: list[DocumentRow]) -> None:
    """Store pages."""
    crawl = store.crawls.start(CrawlKind.CRAWL, "breadth-first", {}, at=0.0)
    store.commit(Batch(crawl=crawl.id, at=1.0, documents=pages))


@contextmanager
def portal(folder: Path, pages: list[DocumentRow], topics: tuple[str, ...] = ("Pastimes",)) -> Iterator[Store]:
    """Make a portal with pages, and give its store."""
    tree = Taxonomy()
    for topic in topics:
        path = tuple(topic.split("/"))
        tree = put(tree, path, Topic(name=path[-1], pages=(TrainingPage(f"http://seed.test/{topic}"),)))
    create_portal(folder, topics=tree)
    store = open_store(folder)
    try:
        fill(store, pages)
        yield store
    finally:
        store.close()
