"""Adapts a fitted classifier to answers about single pages, without fitting it again.

Each topic's border is shifted and its weights are changed as little as the answers require. Features, the scale of
confidences and everything known about sites stay the same, so pages unlike those in the answers hardly move, and a few
answers cannot do what a fit to a few more pages can: move every border.
"""

from typing import TYPE_CHECKING, Final

import numpy as np
from msgspec.structs import replace
from numpy.typing import NDArray

from thresher.classify.examples import Examples
from thresher.classify.family_model import FamilyModel, Known
from thresher.classify.folds import site_of
from thresher.classify.hierarchical import HierarchicalClassifier
from thresher.classify.own_words import ALLOWED, own_terms
from thresher.classify.word_pairs import with_pairs
from thresher.learn.corrected_odds import correction
from thresher.learn.model_file import version_of
from thresher.types import ParsedPage

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

SHIFT: Final = 0.5
"""How far answers are expected to shift the border of a topic, in log-odds."""

CHANGE: Final = 2.0
"""How far answers are expected to move a page with the same words, in log-odds."""

NO: Final = 0.5
"""What an answer against a topic counts, compared with one for it.

People are asked about doubtful pages, and refuse many of them. Counted in full, these answers raise precision but cost
recall.
"""

FLATTEST: Final = 0.01
"""Minimum slope of the log-odds of a topic over its confidence; below it, confidences say nothing."""

MOST: Final = 500
"""Maximum number of answers that count, the latest ones: time grows with their number cubed."""


def adapted(classifier: HierarchicalClassifier, answers: Examples) -> HierarchicalClassifier:
    """Return a classifier like another that agrees better with answers: pages with their topic, None for no topic.

    An answer concerns the top of the tree and each topic on the way to its own. Without answers, the result judges
    like the original.
    """
    answers = answers[-MOST:]
    if classifier.parameters.pairs:
        answers = [(with_pairs(page), label) for page, label in answers]
    made = classifier.unfitted()
    made.wishes_ = dict(classifier.wishes_)
    for parent, family in classifier.families_.items():
        here = [(page, _below(label, parent)) for page, label in answers if _concerns(label, parent)]
        made.families_[parent] = _adapted_family(family, here) if here else family
    made.version_ = version_of(made.to_bytes())
    return made


def _concerns(label: str | None, parent: str) -> bool:
    """Return whether an answer says something about the children of a topic."""
    return not parent or (label is not None and f"{label}/".startswith(f"{parent}/"))


def _below(label: str | None, parent: str) -> str | None:
    """Return the name of the child of a topic that a label leads to, None if it leads to none."""
    rest = (label or "").removeprefix(parent).strip("/")
    return rest.partition("/")[0] or None


def _adapted_family(family: FamilyModel, answers: Examples) -> FamilyModel:
    rows, confidences = _seen(family, [page for page, _ in answers])
    weights, children = family.weights.copy(), list(family.children)
    for place, child in enumerate(family.children):
        labels = np.array([label == child.name for _, label in answers], bool)
        slope = max(child.slope, FLATTEST)
        odds = slope * confidences[:, place] + child.offset
        found = correction(odds, labels, np.where(labels, 1.0, NO), rows, shift=SHIFT, change=CHANGE)
        weights[:, place] += child.spread / slope * found.weights
        nearer = found.shift / slope
        children[place] = replace(child, border=child.border - nearer, mean_confidence=child.mean_confidence + nearer)
    return FamilyModel(
        family.terms, family.idf, weights, family.biases, children, family.relative, family.site_evidence
    )


def _seen(family: FamilyModel, pages: list[ParsedPage]) -> "tuple[csr_matrix, NDArray[np.float64]]":
    """Return the features of pages that decide about them, and their confidences for each child."""
    from scipy.sparse import csr_matrix

    found: list[Known] = []
    confidences = np.zeros((len(pages), len(family.children)))
    for number, page in enumerate(pages):
        known, site = family.known(page.terms), site_of(page)
        confidences[number] = family.judge(known, site).confidences
        if (own := own_terms(page)) is not page.terms:
            best = int(confidences[number].argmax())
            own_known = family.known(own)
            by_own = family.judge(own_known, site, ALLOWED).confidences
            if by_own[best] < confidences[number, best]:
                known, confidences[number] = own_known, by_own
        found.append(known)
    starts = np.cumsum([0, *(len(known.places) for known in found)])
    columns = np.concatenate([known.places for known in found])
    values = np.concatenate([known.weights for known in found])
    return csr_matrix((values, columns, starts), (len(pages), len(family.terms))), confidences
