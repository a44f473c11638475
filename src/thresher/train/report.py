"""The training report, topic by topic."""

from collections.abc import Mapping
from typing import Any

from msgspec import Struct, structs

from thresher.classify.examples import Examples, families
from thresher.classify.hierarchical import HierarchicalClassifier
from thresher.counting import counted
from thresher.learn.quality import Quality
from thresher.notebook_html import paragraph, table
from thresher.store.records import ModelRow
from thresher.train.negatives import Negatives
from thresher.train.training_pages import UnusedPage

WORDS = 10
"""Number of telling words shown for a topic."""


class TopicReport(Struct, frozen=True):
    """A trained topic: pages for and against it, stems chosen, and quality on held-out pages.

    `quality` is None for a topic with one page, which cannot be held out; its pages come from `sites` sites, and are
    held out by site if there are several. `f_before` is the F of the previous model, None if there was none.
    """

    path: str
    pages: int
    sites: int
    negatives: int
    features: int
    quality: Quality | None
    f_before: float | None
    words: list[str]
    warnings: list[str]

    def as_data(self) -> dict[str, Any]:
        """Return the report as JSON data."""
        keys = Quality.__struct_fields__
        measured = structs.asdict(self.quality) if self.quality else dict.fromkeys(keys)
        row = {key: value for key, value in structs.asdict(self).items() if key != "quality"}
        return {"name": self.path.rpartition("/")[2].replace("%2F", "/").replace("%25", "%"), **row, **measured}


class Trained(Struct, frozen=True):
    """The result of training; `negatives` are the negative examples, `fetched` the number of pages fetched for it.

    `archetypes` is the number of earlier archetypes that teach each topic.
    """

    model: ModelRow
    version: str
    pages: int
    topics: list[TopicReport]
    unused: list[UnusedPage]
    negatives: Negatives
    notices: list[str]
    fetched: int = 0
    archetypes: Mapping[str, int] = {}

    def __repr__(self) -> str:
        left = f", {len(self.unused):,} unused" if self.unused else ""
        return f"<trained {counted(len(self.topics), 'topic')} on {counted(self.pages, 'page')}{left}>"

    def _repr_html_(self) -> str:
        rows = [
            [one.path, f"{one.pages:,}", "–" if one.quality is None else f"{one.quality.f:.2f}", ", ".join(one.words)]
            for one in self.topics
        ]
        warnings = [f"{one.path}: {warning}" for one in self.topics for warning in one.warnings]
        head = ["topic", "pages", "F on held-out pages", "telling words"]
        return paragraph(repr(self)[1:-1]) + table(head, rows) + paragraph(*self.notices, *warnings)


def reports(
    classifier: HierarchicalClassifier,
    examples: Examples,
    warnings: dict[str, list[str]],
    before: HierarchicalClassifier | None = None,
) -> list[TopicReport]:
    """Return a report for every topic of a fitted classifier, parents before children.

    A topic whose quality is lower than with the classifier `before` gets a warning.
    """
    found: dict[str, TopicReport] = {}
    for family in families(examples):
        for name, labels in zip(family.children, family.members.T, strict=True):
            path = f"{family.parent}/{name}" if family.parent else name
            child = classifier.child(path)
            if child is not None:
                earlier = before.child(path) if before else None
                f_before = earlier.quality.f if earlier else None
                telling = [classifier.written_.get(feature.stem, feature.stem) for feature in child.telling[:WORDS]]
                found[path] = TopicReport(
                    path=path,
                    pages=child.pages,
                    sites=child.sites,
                    negatives=int((~labels).sum()),
                    features=child.features,
                    quality=child.quality if child.pages > 1 else None,
                    f_before=f_before,
                    words=telling,
                    warnings=[*warnings.get(path, []), *_fallen(f_before, child.quality.f)],
                )
    return [found[path] for path in sorted(found, key=lambda path: path.split("/"))]


def _fallen(before: float | None, now: float | None) -> list[str]:
    """Return a warning if the F of a topic is lower than with the previous model."""
    if before is None or (now or 0.0) >= before:
        return []
    return [f"Its F has fallen from {before:.2f} to {now or 0.0:.2f} since it was last trained."]
