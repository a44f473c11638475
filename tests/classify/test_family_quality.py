"""What is said of a topic is measured on pages that had no say: of other sites where it has several."""

import numpy as np
import pytest

from thresher.classify.examples import Family, families
from thresher.classify.family_fitting import fit_family
from thresher.classify.sibling_space import SpaceParameters
from thresher.types import ParsedPage


def family(seed: int, sites: int = 40) -> Family:
    """Return a topic of ten pages that share a few words, against thirty that have them rarely."""
    rng = np.random.default_rng(seed)
    examples: list[tuple[ParsedPage, str | None]] = []
    for number in range(40):
        own = rng.binomial(14, 0.25 if number < 10 else 0.02)
        words = [*rng.choice(10, own), *(10 + rng.choice(80, 14 - own))]
        url = f"http://{number % sites}.test/{number}"
        page = ParsedPage(url=url, title="", words=[], links=[], terms={f"w{word}": 1 for word in words})
        examples.append((page, "A" if number < 10 else None))
    return families(examples)[0]


@pytest.mark.parametrize("seed", range(4))
def test_quality_is_that_of_the_held_out_confidences(seed: int) -> None:
    found = family(seed)
    fitted = fit_family(found, SpaceParameters())
    said, labels = fitted.held_out[:, 0] > 0, found.members[:, 0]
    quality = fitted.model.children[0].quality
    assert quality.recall == pytest.approx((said & labels).sum() / labels.sum())
    assert quality.precision == pytest.approx((said & labels).sum() / max(1, said.sum()))


def test_precision_and_recall_are_not_equal_by_construction() -> None:
    """They would be at a border chosen on the very pages it judges."""
    found = [fit_family(family(seed), SpaceParameters()).model.children[0].quality for seed in range(8)]
    assert any(one.precision != one.recall for one in found)


def test_archetypes_teach_and_are_not_asked() -> None:
    found = family(1)
    archetypes = np.zeros(40, bool)
    archetypes[5:10] = True
    child = fit_family(found, SpaceParameters(), archetypes).model.children[0]
    assert child.pages == 10
    assert child.quality.recall in {share / 5 for share in range(6)}
