"""The features of a portal's classifier, and reclassifying all stored pages."""

import time
from collections.abc import Callable
from contextlib import ExitStack, closing
from pathlib import Path
from typing import TYPE_CHECKING, TypedDict

from thresher.errors import InputError, command
from thresher.portals import load_topics
from thresher.store.repository import open_store, require_portal
from thresher.taxonomy.topic_tree import found, parsed, written

if TYPE_CHECKING:
    from thresher.train.reclassifying import Reclassified


class FeatureRow(TypedDict):
    """A stem that identifies a topic, the word it is usually written as, and how many training pages have it."""

    stem: str
    word: str
    score: float
    pages: int


class Features(TypedDict):
    """The best features of a topic by a measure (`mi`, `ig`, `chi2` or `cmi`); `chosen` is how many the model uses."""

    portal: str
    topic: str
    model: str
    measure: str
    chosen: int
    features: list[FeatureRow]


Move = TypedDict("Move", {"from": str | None, "to": str | None, "pages": int})
Move.__doc__ = "How many pages moved between two topics; null is no topic."


class Reclassification(TypedDict):
    """All pages classified by the current model, and which of them changed topic."""

    portal: str
    model: str
    pages: int
    accepted: int
    moves: list[Move]


def features_of(path: Path, topic: str) -> Features:
    """Return the stems that best identify a topic; raise InputError if the model does not have it."""
    from thresher.models import load_classifier

    with closing(open_store(path, read_only=True)) as store:
        classifier = load_classifier(path, store)
    name = written(parsed(topic))
    child = classifier.child(name)
    if child is None:
        found(load_topics(path), parsed(topic))
        raise InputError(f"The topic '{name}' is not in the model.", f"Train again: {command('train', path)}")
    return {
        "portal": str(path),
        "topic": name,
        "model": classifier.version_,
        "measure": classifier.parameters.measure,
        "chosen": child.features,
        "features": [
            {
                "stem": feature.stem,
                "word": classifier.written_.get(feature.stem, feature.stem),
                "score": feature.score,
                "pages": feature.pages,
            }
            for feature in child.telling
        ],
    }


def reclassify_pages(path: Path, progress: Callable[[int], None] = lambda _: None) -> Reclassification:
    """Classify all stored pages again; `progress` is called with how many are done.

    Raises PortalBusy during a crawl, and InputError if the portal was never trained.
    """
    from thresher.config.load import load
    from thresher.models import load_classifier
    from thresher.store.locks import CrawlLock
    from thresher.train.reclassifying import reclassify

    with ExitStack() as stack:
        require_portal(path)
        stack.enter_context(CrawlLock(path))
        store = stack.enter_context(closing(open_store(path)))
        classifier = load_classifier(path, store)
        preview = load(path).settings.reading.preview
        done = reclassify(store, classifier, progress, at=time.time(), preview=preview)
    return {
        "portal": str(path),
        "model": classifier.version_,
        "pages": done.pages,
        "accepted": done.accepted,
        "moves": moves_of(done),
    }


def moves_of(done: "Reclassified") -> list[Move]:
    """Return how many pages changed between which topics, most pages first."""
    moves = sorted(done.moves.items(), key=lambda item: (-item[1], str(item[0])))
    return [{"from": before, "to": now, "pages": number} for (before, now), number in moves]
