"""The quality that is printed of a topic is measured at borders that its pages had no say in."""

import numpy as np
import pytest

from thresher.classify.examples import Family, families
from thresher.classify.family_model import count_matrix, fit_family
from thresher.classify.sibling_space import SiblingSpace, SpaceParameters
from thresher.learn.break_even import break_even
from thresher.learn.quality import quality
from thresher.types import Page


def family(seed: int) -> Family:
    """Return a topic of ten pages that share a few words, against thirty that have them rarely."""
    rng = np.random.default_rng(seed)
    examples: list[tuple[Page, str | None]] = []
    for number in range(40):
        own = rng.binomial(14, 0.15 if number < 10 else 0.02)
        words = [*rng.choice(10, own), *(10 + rng.choice(80, 14 - own))]
        page = Page(url="", title="", words=[], links=[], terms={f"w{word}": 1 for word in words})
        examples.append((page, "A" if number < 10 else None))
    return families(examples)[0]


@pytest.mark.parametrize("seed", range(4))
def test_each_page_is_judged_at_the_border_of_the_other_folds(seed: int) -> None:
    found = family(seed)
    _, counts = count_matrix([page.terms for page in found.pages])
    labels = found.members[:, 0]
    held_out = SiblingSpace().held_out_margins(counts, found.members)
    said = np.zeros(len(labels), bool)
    for fold in range(5):
        inside = held_out.folds == fold
        border = break_even(held_out.margins[~inside, 0], labels[~inside])
        said[inside] = held_out.margins[inside, 0] > border
    fitted = fit_family(found, SpaceParameters())
    assert fitted.model.children[0].quality == quality(labels, said)
    assert ((fitted.held_out[:, 0] > 0) == said).all()


def test_precision_and_recall_are_not_equal_by_construction() -> None:
    """They would be at a border chosen on the very pages it judges."""
    found = [fit_family(family(seed), SpaceParameters()).model.children[0].quality for seed in range(8)]
    assert any(one.precision != one.recall for one in found)
