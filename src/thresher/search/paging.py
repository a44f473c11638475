"""Which of the ranked pages are shown, after folding."""

from collections.abc import Mapping
from typing import Final

from thresher.search.columns import Columns
from thresher.search.evaluate import Evaluation, Question
from thresher.search.folding import Folded, fold
from thresher.search.top_pages import Ranked

_FOLDED_FROM: Final = 5
"""How many times as many pages are ranked as are shown, since some are folded."""


def shown_pages(
    evaluation: Evaluation,
    columns: Columns,
    question: Question,
    weights: Mapping[str, float],
    wanted: int,
    *,
    folding: bool,
) -> tuple[Ranked, list[Folded]]:
    """Return the ranked pages, as many as are needed, and those of them that are shown.

    More than `wanted` are shown where there are more, so that it can be told whether a further page of results follows.
    """
    number = wanted * (_FOLDED_FROM if folding else 1) + 1
    while True:
        ranked = evaluation.best(question, weights, number)
        if not folding:
            return ranked, [Folded(place) for place in range(len(ranked.rows))]
        sites = columns["host"][ranked.rows].tolist()
        texts = [columns.originals.get(id_, id_) for id_ in columns["id"][ranked.rows].tolist()]
        shown = fold(sites, texts, wanted + 1)
        if len(shown) > wanted or len(ranked.rows) < number:
            return ranked, shown
        number *= _FOLDED_FROM


def text_of(columns: Columns, row: int) -> int:
    """Return the id of the page whose text a page has: its own, or that of the page it repeats."""
    id_ = int(columns["id"][row])
    return columns.originals.get(id_, id_)
