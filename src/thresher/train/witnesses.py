"""Witnesses: classifiers trained on parts of the examples, which must agree on a page before it becomes an archetype.

A handful of examples leaves no pages for testing. But a page of the topic is one whichever example is left out, and
whichever half of the words is used; a page that depends on either is a guess.
"""

from collections.abc import Sequence
from typing import Final, Self
from zlib import crc32

from msgspec.structs import replace

from thresher.classify.acceptance import Rules, Wishes
from thresher.classify.examples import Examples
from thresher.classify.folds import site_of
from thresher.classify.hierarchical import HierarchicalClassifier
from thresher.classify.sibling_space import SpaceParameters
from thresher.types import ParsedPage

PARTS: Final = 4
"""Number of parts of the examples; each is left out by one witness."""

SURE: Final = 1.0
"""Minimum confidence of each witness; a page at the border of a topic is no example of it."""

MET: Final = 600
"""Maximum number of unlabelled pages shown to witnesses; more only take time."""


class Witnesses:
    """Classifiers that lack a part of the examples or half of the words; `parameters` and `rules` are theirs.

    Learned: `without_part_`, a classifier for each part left out (none if every topic has one page), and `of_half_`,
    two classifiers that each know one half of the stems.
    """

    def __init__(self, parameters: SpaceParameters | None = None, rules: Rules | None = None) -> None:
        self.parameters = parameters
        self.rules = rules or Rules()
        self.without_part_: list[HierarchicalClassifier] = []
        self.of_half_: list[HierarchicalClassifier] = []

    def fit(self, examples: Examples, wishes: Wishes | None = None, met: Sequence[ParsedPage] = ()) -> Self:
        """Learn from a person's pages; `met` are unlabelled pages."""
        shown = met[:: max(1, -(-len(met) // MET))]
        parts = parts_of(examples)
        self.without_part_ = [
            self._fitted(
                [one for one, own in zip(examples, parts, strict=True) if own != part], wishes, shown, self.rules
            )
            for part in sorted({part for part in parts if part >= 0})
        ]
        self.of_half_ = [
            self._fitted(
                [(half_of(page, half), label) for page, label in examples],
                wishes,
                [half_of(page, half) for page in shown],
                replace(self.rules, min_features=self.rules.min_features // 2),
            )
            for half in (0, 1)
        ]
        return self

    def agree(self, page: ParsedPage, topic: str) -> bool:
        """Return whether every witness confidently assigns a page to a topic."""
        halves = (classifier.classify(half_of(page, half)) for half, classifier in enumerate(self.of_half_))
        wholes = (classifier.classify(page) for classifier in self.without_part_)
        return all(
            judged.topic == topic and judged.confidence > SURE
            for judgements in (halves, wholes)
            for judged in judgements
        )

    def _fitted(
        self, examples: Examples, wishes: Wishes | None, met: Sequence[ParsedPage], rules: Rules
    ) -> HierarchicalClassifier:
        # Half of the words may lack every indicator that a person asks for.
        languages = {topic: replace(asked, indicators=()) for topic, asked in (wishes or {}).items()}
        return HierarchicalClassifier(self.parameters, rules).fit(examples, languages, met=met)


def parts_of(examples: Examples) -> list[int]:
    """Return the part of each example: whole sites if a topic has several, otherwise single pages.

    The part is -1 for the only page of a topic and for pages without a topic, which no witness lacks.

    >>> page = ParsedPage(url="", title="", words=[], links=[])
    >>> parts_of([(page, "A"), (page, "A"), (page, "B"), (page, None)])
    [0, 1, -1, -1]
    """
    parts = [-1] * len(examples)
    topics = sorted({label for _, label in examples if label is not None})
    for topic in topics:
        places = [place for place, (_, label) in enumerate(examples) if label == topic]
        sites = list(dict.fromkeys(site_of(examples[place][0]) for place in places))
        if len(places) < 2:
            continue
        for number, place in enumerate(places):
            group = sites.index(site_of(examples[place][0])) if len(sites) > 1 else number
            parts[place] = group % PARTS
    return parts


def half_of(page: ParsedPage, half: int) -> ParsedPage:
    """Return a page with the stems of one half, 0 or 1; a stem is always in the same half."""
    return replace(page, terms={stem: count for stem, count in page.terms.items() if crc32(stem.encode()) & 1 == half})
