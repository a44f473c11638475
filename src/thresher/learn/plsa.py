"""Probabilistic latent semantic analysis of words and links together (PLSI and PHITS; Cohn and Hofmann, 2001).

Every document is a mixture of a few aspects, and each aspect has its own words and links: P(word | document) = Σ P(word
| aspect) · P(aspect | document), and the same for links. Both are fitted at once, words with the weight `text` and
links with the rest. Tempered EM softens the assignment to aspects by a power β below 1, which is lowered in steps, so
that the model does not memorise single documents.

At a fixed β, an iteration never lowers (1/β) · Σ n · log Σ (P(word | aspect) · P(aspect | document))^β, which is the
log-likelihood at β = 1.
"""

from typing import TYPE_CHECKING, Final, Self

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from scipy.sparse import csc_matrix

Floats = NDArray[np.float64]

_LEAST: Final = 1e-12


class Plsa:
    """Models the words and links of documents by `aspects`.

    `text` is the weight of words relative to links. `iterations` are made at β = 1, and as many after each cooling by
    the factor `cooling`, while β is at least `coolest`. Learned: `words_` and `links_` with a column per aspect, and
    `mixtures_` with a row per document; every column and every row sums to 1.
    """

    def __init__(
        self,
        aspects: int = 8,
        text: float = 0.5,
        iterations: int = 10,
        cooling: float = 0.9,
        coolest: float = 0.8,
        seed: int = 0,
    ) -> None:
        if aspects < 1 or not 0 <= text <= 1 or iterations < 1 or not 0 < cooling < 1 or not 0 < coolest <= 1:
            raise ValueError("aspects and iterations must be at least 1, text, cooling and coolest between 0 and 1")
        self.aspects = aspects
        self.text = text
        self.iterations = iterations
        self.cooling = cooling
        self.coolest = coolest
        self.seed = seed
        self.words_: Floats = np.zeros((0, aspects))
        self.links_: Floats = np.zeros((0, aspects))
        self.mixtures_: Floats = np.zeros((0, aspects))

    def fit(self, words: "csc_matrix", links: "csc_matrix") -> Self:
        """Learn from counts or weights, a column per document; both matrices have the same documents."""
        rng = np.random.default_rng(self.seed)
        self.words_ = _shares(rng.random((words.shape[0], self.aspects)) + 1.0)
        self.links_ = _shares(rng.random((links.shape[0], self.aspects)) + 1.0)
        self.mixtures_ = _shares(rng.random((words.shape[1], self.aspects)).T + 1.0).T
        return self.fit_more(words, links)

    def fit_more(self, words: "csc_matrix", links: "csc_matrix", iterations: int = 0) -> Self:
        """Continue learning with more documents, words or links appended to the matrices; these start uniformly."""
        self.words_ = _longer(self.words_, words.shape[0])
        self.links_ = _longer(self.links_, links.shape[0])
        fresh = np.full((words.shape[1] - len(self.mixtures_), self.aspects), 1.0 / self.aspects)
        self.mixtures_ = np.vstack([self.mixtures_, fresh])
        parts = self._parts(words, links)
        for beta in self._temperatures():
            for _ in range(iterations or self.iterations):
                self.mixtures_ = self._step(parts, beta, self.mixtures_, learn=True)
        return self

    def fold_in(self, words: "csc_matrix", links: "csc_matrix", iterations: int = 5) -> Floats:
        """Return the mixtures of other documents, a row per document, without learning from them."""
        mixtures = np.full((words.shape[1], self.aspects), 1.0 / self.aspects)
        parts = self._parts(words, links)
        for _ in range(iterations):
            mixtures = self._step(parts, 1.0, mixtures, learn=False)
        return mixtures

    def likelihood(self, words: "csc_matrix", links: "csc_matrix", beta: float = 1.0) -> float:
        """Return what an iteration at β never lowers; at β = 1 the weighted log-likelihood."""
        total = 0.0
        for counts, weight, shares in self._parts(words, links):
            entries = counts.tocoo()
            held = _product(shares() ** beta, self.mixtures_**beta, entries.row, entries.col)
            total += weight * float(entries.data @ np.log(np.maximum(held, _LEAST**2))) / beta
        return total

    def _temperatures(self) -> list[float]:
        found, beta = [], 1.0
        while beta >= self.coolest:
            found.append(beta)
            beta *= self.cooling
        return found

    def _parts(self, words: "csc_matrix", links: "csc_matrix") -> list[tuple["csc_matrix", float, "_Shares"]]:
        return [
            (words.tocsc(), self.text, _Shares(self, "words_")),
            (links.tocsc(), 1.0 - self.text, _Shares(self, "links_")),
        ]

    def _step(
        self, parts: list[tuple["csc_matrix", float, "_Shares"]], beta: float, mixtures: Floats, *, learn: bool
    ) -> Floats:
        """Perform one EM iteration and return the new mixtures; with `learn`, also update words and links."""
        cooled = mixtures**beta
        gathered = np.zeros_like(mixtures)
        found: list[tuple[_Shares, Floats]] = []
        for counts, weight, shares in parts:
            if counts.nnz == 0 or not weight:
                continue
            own = shares() ** beta
            columns = np.repeat(np.arange(counts.shape[1]), np.diff(counts.indptr))
            held = np.maximum(_product(own, cooled, counts.indices, columns), _LEAST**2)
            ratio = counts.copy()
            ratio.data = counts.data / held
            gathered += weight * (cooled * (ratio.T @ own))
            found.append((shares, own * (ratio @ cooled)))
        if learn:
            for shares, expected in found:
                shares.set(_shares(expected))
        totals = gathered.sum(axis=1, keepdims=True)
        uniform = 1.0 / self.aspects
        moved: Floats = np.where(totals > 0, gathered / np.where(totals > 0, totals, 1.0), uniform)
        return moved


class _Shares:
    """The words or the links of the aspects."""

    def __init__(self, model: Plsa, name: str) -> None:
        self._model = model
        self._name = name

    def __call__(self) -> Floats:
        found: Floats = getattr(self._model, self._name)
        return found

    def set(self, shares: Floats) -> None:
        setattr(self._model, self._name, shares)


def _shares(table: Floats) -> Floats:
    """Return a table whose columns sum to 1; a column of zeros becomes uniform."""
    totals = table.sum(axis=0, keepdims=True)
    found: Floats = np.where(totals > 0, table / np.where(totals > 0, totals, 1.0), 1.0 / max(1, len(table)))
    return found


def _longer(shares: Floats, rows: int) -> Floats:
    """Return shares with more rows, each starting with the mean of the existing ones."""
    more = rows - len(shares)
    if more <= 0:
        return shares
    return _shares(np.vstack([shares, np.full((more, shares.shape[1]), 1.0 / max(1, len(shares)))]))


def _product(rows: Floats, columns: Floats, row: NDArray[np.int32], column: NDArray[np.int64]) -> Floats:
    """Return the product of two tables at the given positions only."""
    found: Floats = np.einsum("ij,ij->i", rows[row], columns[column])
    return found
