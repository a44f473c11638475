"""Where the border of a topic is put."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from thresher.learn.break_even import break_even

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
