"""Learns from browsing sessions which paths lead to useful pages (Liu, Janssen and Milios, 2006).

The hidden state is the number of clicks to a useful page; transitions along links are counted in the sessions. The
observation is the words of a page, which logistic regression compares with the pages at each distance, or, as in the
paper, the cluster of the page in a latent space of words, where the useful pages form one cluster.
"""

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final, Literal, Self, get_args

import numpy as np
from numpy.typing import NDArray

from thresher.learn.clusters import XMeans, unit_rows
from thresher.learn.hmm import HiddenMarkov
from thresher.learn.lsi import LatentSpace
from thresher.learn.threads import one_thread
from thresher.sessions.session import UNREACHED, Session

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

Floats = NDArray[np.float64]
Seen = Literal["words", "clusters"]

LONGEST: Final = 20
"""Maximum length of a stem."""

FEWEST: Final = 3
CLUSTERS: Final = 8
"""Minimum and maximum number of clusters of pages that are not useful."""

RAREST: Final = 0.001
"""Minimum probability of words at any distance: a model of a few pages is never certain."""

_ITERATIONS: Final = 300


class PathTerms:
    """Weights tf · (log2(N / df) + 1) in rows of length one. Learned: `columns_` and `idf_`."""

    def __init__(self, max_terms: int = 10_000) -> None:
        self.max_terms = max_terms
        self.columns_: dict[str, int] = {}
        self.idf_: Floats = np.zeros(0)

    def fit(self, bags: Sequence[Mapping[str, int]]) -> Self:
        """Learn which stems count and how rare they are."""
        having = Counter(stem for bag in bags for stem in {term[:LONGEST] for term in bag})
        kept = sorted(sorted(having, key=lambda stem: (-having[stem], stem))[: self.max_terms])
        self.columns_ = {stem: column for column, stem in enumerate(kept)}
        self.idf_ = np.array([math.log2(len(bags) / having[stem]) + 1.0 for stem in kept])
        return self

    def transform(self, bags: Sequence[Mapping[str, int]]) -> "csr_matrix":
        """Return a row for each bag."""
        from scipy.sparse import csr_matrix

        starts, columns, values = [0], list[int](), list[float]()
        for bag in bags:
            row: dict[int, float] = {}
            for term, count in bag.items():
                column = self.columns_.get(term[:LONGEST])
                if column is not None:
                    row[column] = row.get(column, 0.0) + count * float(self.idf_[column])
            length = math.sqrt(sum(value * value for value in row.values())) or 1.0
            columns += row
            values += [value / length for value in row.values()]
            starts.append(len(columns))
        shape = (len(bags), len(self.columns_))
        return csr_matrix((np.array(values), np.array(columns, np.int64), np.array(starts, np.int64)), shape)


class PathModel:
    """A model of the paths to useful pages, learned from sessions.

    There are `states` distances: 0 to `states` − 2 clicks, and more or unreachable. `dimensions` is that of the latent
    space, 0 for the words themselves. A page joins the cluster of most of its `neighbours` nearest pages. `smoothing`
    is added to all counts. `seen` is the observation, words or cluster. Learned: `hmm_` and `clusters_`, the number of
    clusters including that of the useful pages.
    """

    def __init__(
        self,
        states: int = 4,
        dimensions: int = 50,
        neighbours: int = 5,
        smoothing: float = 0.1,
        seed: int = 0,
        seen: str = "words",
    ) -> None:
        if seen not in get_args(Seen):
            raise ValueError(f"seen must be one of {', '.join(get_args(Seen))}")
        if states < 2 or dimensions < 0 or neighbours < 1 or smoothing < 0:
            raise ValueError("states must be at least 2, neighbours at least 1, dimensions and smoothing not negative")
        self.states = states
        self.dimensions = dimensions
        self.neighbours = neighbours
        self.smoothing = smoothing
        self.seed = seed
        self.seen = seen
        self.clusters_ = 1
        self.hmm_ = HiddenMarkov(states, 1, smoothing)
        self._terms = PathTerms()
        self._space = LatentSpace(max(1, dimensions))
        self._known: Floats = np.zeros((0, 0))
        self._labels: NDArray[np.int64] = np.zeros(0, np.int64)
        self._distances: Any = None

    def fit(self, session: Session) -> Self:
        """Learn from a session with at least one useful page; raise ValueError if it has none."""
        if not session.useful:
            raise ValueError("a session without useful pages has no paths to learn")
        bags = [page.terms for page in session.pages]
        rows = self._terms.fit(bags).transform(bags)
        with one_thread():
            if self.dimensions:
                self._space = LatentSpace(self.dimensions, seed=self.seed).fit(rows.T.tocsc())
            self._known = self._places(rows)
            self._labels = np.zeros(len(bags), np.int64)
            others = np.setdiff1d(np.arange(len(bags)), session.useful)
            found = XMeans(FEWEST, CLUSTERS, self.seed).fit(self._known[others])
        self._labels[others] = found.labels_ + 1
        self.clusters_ = found.number_ + 1
        far = self.states - 1
        hidden = [far if hops == UNREACHED else min(hops, far) for hops in session.distances()]
        # With all pages at the same distance, words cannot tell distances apart.
        self._distances = _classifier(rows, hidden) if self.seen == "words" and len(set(hidden)) > 1 else None
        self.hmm_ = HiddenMarkov(self.states, self.clusters_, self.smoothing).fit(
            [(hidden[source], hidden[target]) for source, target in session.links],
            list(zip(hidden, self._labels.tolist(), strict=True)),
        )
        return self

    def observe(self, terms: Mapping[str, int]) -> Floats:
        """Return the likelihood of the observation in each state, up to a factor."""
        if self.seen == "clusters":
            seen: Floats = self.hmm_.emissions_[:, self.cluster(terms)]
            return seen
        # A state without pages in the sessions is neither likely nor unlikely.
        found: Floats = np.full(self.states, 1.0 / self.states)
        if self._distances is not None:
            found[self._distances.classes_] = self._distances.predict_proba(self._terms.transform([terms]))[0]
        return found.clip(RAREST)

    def cluster(self, terms: Mapping[str, int]) -> int:
        """Return the cluster of a page; 0 is that of the useful pages."""
        near = self._known @ self._places(self._terms.transform([terms]))[0]
        most = min(self.neighbours, len(near))
        best = np.argpartition(-near, most - 1)[:most]
        # Ties between clusters are decided by the nearer pages.
        votes = np.bincount(self._labels[best], weights=1.0 + 1e-6 * near[best], minlength=self.clusters_)
        return int(votes.argmax())

    def nearness(self, terms: Mapping[str, int]) -> float:
        """Return the cosine of a page with the most similar useful page."""
        near = self._known[self._labels == 0] @ self._places(self._terms.transform([terms]))[0]
        return float(near.max(initial=0.0))

    def _places(self, rows: "csr_matrix") -> Floats:
        if not self.dimensions:
            return np.asarray(rows.toarray())
        return unit_rows(self._space.fold_in(rows.T.tocsc()))


def _classifier(rows: "csr_matrix", hidden: Sequence[int]) -> Any:
    """Return a classifier of distances; all have the same weight, so probabilities are likelihoods up to a factor."""
    from sklearn.linear_model import LogisticRegression

    with one_thread():
        return LogisticRegression(class_weight="balanced", max_iter=_ITERATIONS).fit(rows, hidden)
