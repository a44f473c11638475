"""The negative examples: their sources, numbers and a sample.

Pages that a person put into OTHERS and pages of sibling topics are negatives. Unlabelled pages are neither: for each
topic, the half least like it counts against it, and all of them show where it ends. General-language documents fill the
gaps.
"""

from collections.abc import Sequence
from typing import Final

from msgspec import Struct

from thresher.classify.background import background
from thresher.classify.examples import Examples
from thresher.classify.hierarchical import HierarchicalClassifier
from thresher.classify.likeness import Topics
from thresher.types import ParsedPage

SAMPLE: Final = 5
"""Number of URLs to show from each source."""


class Source(Struct, frozen=True):
    """A source of negatives: its number of pages, and some of their URLs."""

    pages: int
    sample: list[str] = []


class Negatives(Struct, frozen=True):
    """The negatives of the topics.

    `others` are pages of a person's OTHERS at the top, `siblings` those of the topic with the fewest of them, `met` the
    unlabelled pages, showing those least like any topic, and `background` the general-language documents, whose sample
    is their languages.
    """

    others: Source
    siblings: Source
    met: Source
    background: Source

    def counts(self) -> dict[str, int]:
        """Return the number of pages from each source."""
        return {name: getattr(self, name).pages for name in self.__struct_fields__}

    def samples(self) -> dict[str, list[str]]:
        """Return URLs of pages from each source that has some."""
        found = {name: getattr(self, name).sample for name in self.__struct_fields__}
        return {name: sample for name, sample in found.items() if sample}


def negatives(
    examples: Examples, topics: Topics, met: Sequence[ParsedPage], classifier: HierarchicalClassifier
) -> Negatives:
    """Return the negatives that a classifier was trained with; `met` are unlabelled pages."""
    others = [page.url for page, label in examples if label is None]
    top = {name: pages for name, pages in topics.items() if "/" not in name}
    largest = max(top, key=lambda name: len(top[name]), default="")
    siblings = [page.url for name, pages in top.items() if name != largest for page in pages]
    confidence = {page.url: classifier.classify(page).confidence for page in met}
    general = background(page for page, _ in examples)
    return Negatives(
        others=Source(len(others), others[:SAMPLE]),
        siblings=Source(len(siblings), siblings[:SAMPLE]),
        met=Source(len(met), sorted(confidence, key=lambda url: confidence[url])[:SAMPLE]),
        background=Source(len(general), list(dict.fromkeys(page.language for page in general))),
    )
