"""Edges as compressed sparse rows, without duplicates, built in linear time."""

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

Ids = NDArray[np.int64]


def adjacency(sources: NDArray[Any], targets: NDArray[Any], nodes: int) -> "csr_matrix":
    """Return the matrix with 1 in row s and column t for each edge from s to t; columns rise within a row.

    >>> adjacency(np.array([0, 2, 0]), np.array([1, 0, 1]), 3).toarray().tolist()
    [[0.0, 1.0, 0.0], [0.0, 0.0, 0.0], [1.0, 0.0, 0.0]]
    """
    from scipy.sparse import csr_matrix

    # The constructor distributes edges to rows by counting, so the edges need not be sorted as a whole.
    matrix = csr_matrix((np.ones(len(sources)), (sources, targets)), shape=(nodes, nodes))
    matrix.data.fill(1.0)
    return matrix


def neighbours(matrix: "csr_matrix", nodes: Ids) -> tuple[Ids, Ids]:
    """Return the edges of some rows of a matrix: for each edge, the position of its row in `nodes`, and its column.

    >>> matrix = adjacency(np.array([0, 2, 0]), np.array([1, 0, 2]), 3)
    >>> rows, columns = neighbours(matrix, np.array([2, 0]))
    >>> rows.tolist(), columns.tolist()
    ([0, 1, 1], [0, 1, 2])
    """
    starts = matrix.indptr[nodes].astype(np.int64)
    lengths = matrix.indptr[nodes + 1] - starts
    rows = np.repeat(np.arange(len(nodes)), lengths)
    shift = np.repeat(starts - (np.cumsum(lengths) - lengths), lengths)
    return rows, matrix.indices[shift + np.arange(len(rows))].astype(np.int64)
