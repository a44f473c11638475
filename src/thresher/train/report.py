"""What training came to, topic by topic."""

from typing import Any

from msgspec import Struct, structs

from thresher.classify.examples import Examples, families
from thresher.classify.hierarchical import HierarchicalClassifier
from thresher.learn.quality import Quality
from thresher.store.records import ModelRow
from thresher.train.training_pages import UnusedPage

WORDS = 10
"""Telling words shown of a topic."""


class TopicReport(Struct, frozen=True):
    """A topic that was learnt: pages for and against it, stems chosen, and quality on pages that were held out.

    `quality` is None for a topic of one page, which cannot be held out.
    """

    path: str
    pages: int
    negatives: int
    features: int
    quality: Quality | None
    words: list[str]
    warnings: list[str]

    def as_data(self) -> dict[str, Any]:
        """Return the report as JSON data."""
        keys = Quality.__struct_fields__
        measured = structs.asdict(self.quality) if self.quality else dict.fromkeys(keys)
        row = {key: value for key, value in structs.asdict(self).items() if key != "quality"}
        return {"name": self.path.rpartition("/")[2].replace("%2F", "/").replace("%25", "%"), **row, **measured}


class Trained(Struct, frozen=True):
    """What training came to; `negatives` are counted by source, `wanted` is how many there should be."""

    model: ModelRow
    version: str
    pages: int
    topics: list[TopicReport]
    unused: list[UnusedPage]
    negatives: dict[str, int]
    wanted: int
    notices: list[str]


def reports(
    classifier: HierarchicalClassifier, examples: Examples, warnings: dict[str, list[str]]
) -> list[TopicReport]:
    """Return a report for every topic of a fitted classifier, parents before children."""
    found: dict[str, TopicReport] = {}
    for family in families(examples):
        for name, labels in zip(family.children, family.members.T, strict=True):
            path = f"{family.parent}/{name}" if family.parent else name
            child = classifier.child(path)
            if child is not None:
                telling = [classifier.written_.get(feature.stem, feature.stem) for feature in child.telling[:WORDS]]
                found[path] = TopicReport(
                    path=path,
                    pages=child.pages,
                    negatives=int((~labels).sum()),
                    features=child.features,
                    quality=child.quality if child.pages > 1 else None,
                    words=telling,
                    warnings=warnings.get(path, []),
                )
    return [found[path] for path in sorted(found, key=lambda path: path.split("/"))]
