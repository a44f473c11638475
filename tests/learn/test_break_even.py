"""Where the border of a topic is put."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from thresher.learn.break_even import borders_of_others, break_even

EXAMPLES = st.lists(
    st.tuples(st.integers(-1000, 1000), st.booleans()), min_size=1, max_size=30, unique_by=lambda x: x[0]
)


@given(EXAMPLES)
def test_as_many_lie_beyond_as_belong_to_the_topic(examples: list[tuple[int, bool]]) -> None:
    margins = np.array([margin for margin, _ in examples], float)
    labels = np.array([label for _, label in examples])
    border = break_even(margins, labels)
    if labels.all() or not labels.any():
        assert border == 0.0
    else:
        assert (margins > border).sum() == labels.sum()


@given(EXAMPLES, st.integers(2, 4), st.floats(-2000, 2000))
def test_the_margin_of_an_example_does_not_move_its_own_border(
    examples: list[tuple[int, bool]], folds: int, other: float
) -> None:
    margins = np.array([margin for margin, _ in examples], float)
    labels = np.array([label for _, label in examples])
    places = np.arange(len(examples)) % folds
    borders = borders_of_others(margins, labels, places)
    rest = labels[places != 0]
    if not rest.any() or rest.all():
        assert borders[0] == break_even(margins, labels)
        return
    moved = margins.copy()
    moved[0] = other
    assert borders_of_others(moved, labels, places)[places == 0].tolist() == borders[places == 0].tolist()
    assert borders[0] == break_even(margins[places != 0], rest)
