"""Document frequencies by language: a few examples in another language do not teach that language."""

import numpy as np
from scipy.sparse import csr_matrix

from thresher.classify.sibling_space import SPOKEN, SiblingSpace, TrainingCounts


def documents(french: int, languages: bool = True) -> TrainingCounts:
    """Return pages that have a word of their language; French ones and those with a third word are of the topic."""
    english = 3 * SPOKEN
    rows = [[1, 0, row % 2] for row in range(english)] + [[0, 1, row % 2] for row in range(french)]
    members = np.array([[bool(one or two)] for _, one, two in rows])
    spoken = np.array(["en"] * english + ["fr"] * french) if languages else None
    return TrainingCounts(
        csr_matrix(rows), members, np.zeros(len(rows), bool), csr_matrix((0, 3)), languages=spoken, met_languages=None
    )


def rarity(found: SiblingSpace) -> dict[int, float]:
    """Return the inverse document frequency of each column that is in the space."""
    return dict(zip(found.columns_.tolist(), found.idf_.tolist(), strict=True))


def test_a_word_that_every_page_of_a_language_has_is_common() -> None:
    known, unknown = (rarity(SiblingSpace().fit(documents(SPOKEN, languages))) for languages in (True, False))
    assert known[1] == 0 < unknown[1]
    # A word of the subject is as rare as before.
    assert known[2] > 0.9 * unknown[2]


def test_a_handful_of_pages_says_nothing_of_a_language() -> None:
    known, unknown = (rarity(SiblingSpace().fit(documents(SPOKEN - 1, languages))) for languages in (True, False))
    assert known[1] == unknown[1]


def test_pages_of_a_fold_keep_their_languages() -> None:
    some = documents(SPOKEN).some(np.array([0, 3 * SPOKEN]), np.zeros(0, np.int64))
    assert some.languages is not None
    assert some.languages.tolist() == ["en", "fr"]
