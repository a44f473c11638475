"""Negative examples that nobody gave: where they come from, and in which order.

A portal wants `train.negatives` pages that are far from every topic. What a person put into OTHERS counts first; then
the pages of sibling topics, but for half of the number at most, since they are far from one topic and not from all;
then, as far as needed, the pages least like any topic among those a few clicks from the training pages, pages that were
met and rejected in earlier crawls, and the packaged background.
"""

from collections.abc import Sequence
from typing import Final

from msgspec import Struct

from thresher.classify.background import background
from thresher.classify.likeness import Topics, least_similar
from thresher.store.page_records import DocumentRow
from thresher.store.protocol import Store
from thresher.store.stored_page import page_of
from thresher.types import Page
from thresher.web.urls import url_id

NEAR: Final = 0.5
"""Share of the pages near the training pages that may serve: the others may well be of the topics."""

PACKAGED: Final = 0.9
"""Share of the packaged texts that may serve: one of them may be about a topic."""


class Supply(Struct, frozen=True):
    """Negatives by source: how many `others` and `siblings` give, and the pages that were supplied besides."""

    others: int
    siblings: int
    neighbours: list[Page] = []
    rejected: list[Page] = []
    background: list[Page] = []

    def pages(self) -> list[Page]:
        """Return the pages that were supplied."""
        return [*self.neighbours, *self.rejected, *self.background]

    def counts(self) -> dict[str, int]:
        """Return the number of pages from each source, in the order they are asked."""
        return {
            "others": self.others,
            "siblings": self.siblings,
            "neighbours": len(self.neighbours),
            "rejected": len(self.rejected),
            "background": len(self.background),
        }


def given(topics: Topics, others: int) -> Supply:
    """Return what is there: OTHERS at the top, and the siblings of the topic that has the fewest of their pages."""
    top = [len(pages) for name, pages in topics.items() if "/" not in name]
    return Supply(others, sum(top) - max(top, default=0))


def missing(supply: Supply, wanted: int) -> int:
    """Return how many negatives are still missing.

    >>> missing(Supply(others=10, siblings=300), wanted=100)
    40
    """
    return max(0, wanted - supply.others - min(supply.siblings, wanted // 2) - len(supply.pages()))


def supplied(
    supply: Supply, wanted: int, topics: Topics, near: Sequence[DocumentRow], store: Store, taken: set[str]
) -> Supply:
    """Return a supply that is as full as it can be; `near` are pages near the training pages, `taken` those in use.

    Pages whose sites reserve them against text mining, that say nothing or that a topic has accepted do not serve.
    """
    usable = [row for row in near if row.url not in taken and _serves(row)]
    neighbours = least_similar(topics, _distinct(usable), missing(supply, wanted), NEAR)
    supply = Supply(supply.others, supply.siblings, neighbours)
    used = taken | {page.url for page in neighbours}
    rejected: list[Page] = []
    if short := missing(supply, wanted):
        rows = (store.documents.document(url_id(url)) for url in store.documents.rejected(short + len(used)))
        rejected = _distinct([row for row in rows if row and row.url not in used and _serves(row)])[:short]
    supply = Supply(supply.others, supply.siblings, neighbours, rejected)
    packaged = least_similar(topics, background(), missing(supply, wanted), PACKAGED)
    return Supply(supply.others, supply.siblings, neighbours, rejected, packaged)


def _serves(row: DocumentRow) -> bool:
    accepted = row.judgement is not None and row.judgement.topic is not None
    return bool(row.terms) and not row.opt_outs and not accepted


def _distinct(rows: Sequence[DocumentRow]) -> list[Page]:
    """Return the pages of rows, of those with the same text the first."""
    return list({row.digest or row.url: page_of(row) for row in reversed(rows)}.values())[::-1]
