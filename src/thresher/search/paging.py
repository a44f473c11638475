"""Which of the ranked pages are shown, after folding."""

from collections.abc import Mapping

from thresher.search.columns import Columns
from thresher.search.evaluate import Evaluation, Question
from thresher.search.folding import LOOKED_AT, Folded, fold
from thresher.search.top_pages import Ranked


def shown_pages(
    evaluation: Evaluation,
    columns: Columns,
    question: Question,
    weights: Mapping[str, float],
    number: int,
    page: int,
    *,
    folding: bool,
) -> tuple[Ranked, list[Folded]]:
    """Return the ranked pages, as many as are needed, and those of them that are shown up to a page of results.

    There are `number` results on a `page`, which counts from 1. One more is shown if there is one, which tells whether
    another page of results follows.
    """
    if not folding:
        ranked = evaluation.best(question, weights, number * page + 1)
        return ranked, [Folded(place) for place in range(len(ranked.rows))]
    ranked = evaluation.best(question, weights, number * (page - 1 + LOOKED_AT) + 1)
    sites = columns["host"][ranked.rows].tolist()
    texts = [columns.originals.get(id_, id_) for id_ in columns["id"][ranked.rows].tolist()]
    return ranked, fold(sites, texts, number, page)


def text_of(columns: Columns, row: int) -> int:
    """Return the id of the page whose text a page has: its own, or that of the page it repeats."""
    id_ = int(columns["id"][row])
    return columns.originals.get(id_, id_)
