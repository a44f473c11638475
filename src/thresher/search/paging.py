"""Selects the ranked pages to show, after folding."""

from collections.abc import Mapping

from thresher.search.columns import Columns
from thresher.search.evaluate import Evaluation, PreparedQuery
from thresher.search.folding import LOOKED_AT, Folded, fold
from thresher.search.top_pages import Ranked


def shown_pages(
    evaluation: Evaluation,
    columns: Columns,
    question: PreparedQuery,
    weights: Mapping[str, float],
    number: int,
    page: int,
    *,
    folding: bool,
) -> tuple[Ranked, list[Folded]]:
    """Return the ranked pages, as many as needed, and those shown up to and including a page of results.

    A page has `number` results; `page` counts from 1. One extra result is included if there is one, to show that
    another page follows.
    """
    if not folding:
        ranked = evaluation.best(question, weights, number * page + 1)
        return ranked, [Folded(place) for place in range(len(ranked.rows))]
    ranked = evaluation.best(question, weights, number * (page - 1 + LOOKED_AT) + 1)
    sites = columns["host"][ranked.rows].tolist()
    texts = [columns.originals.get(id_, id_) for id_ in columns["id"][ranked.rows].tolist()]
    return ranked, fold(sites, texts, number, page)


def text_of(columns: Columns, row: int) -> int:
    """Return the id of the page whose text a page has: its own id, or that of its original."""
    id_ = int(columns["id"][row])
    return columns.originals.get(id_, id_)
