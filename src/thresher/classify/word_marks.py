"""Words marked by a person: good ones are always features of their topic, bad ones never of it or its siblings."""

from msgspec.structs import replace

from thresher.classify.acceptance import Wishes
from thresher.classify.examples import Family


def with_marks(family: Family, wishes: Wishes) -> Family:
    """Return a family with the stems that a person marked for its children; good stems are never excluded as bad.

    >>> from thresher.classify.acceptance import TopicWishes
    >>> import numpy as np
    >>> family = Family("", ["Tea"], [], np.zeros((0, 1), bool), np.zeros(0, np.int64))
    >>> marked = with_marks(family, {"Tea": TopicWishes(good=("kettl",), bad=("click",))})
    >>> marked.good, sorted(marked.bad)
    ([('kettl',)], ['click'])
    """
    names = [f"{family.parent}/{child}" if family.parent else child for child in family.children]
    good = [wishes[name].good if name in wishes else () for name in names]
    kept = {stem for stems in good for stem in stems}
    bad = frozenset(stem for name in names if name in wishes for stem in wishes[name].bad if stem not in kept)
    return replace(family, good=good, bad=bad)
