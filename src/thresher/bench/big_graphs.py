"""Large graphs for measuring link analysis: a real one without texts, and generated ones."""

import gzip
from pathlib import Path
from typing import Final

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from thresher.errors import InputError

Ids = NDArray[np.int64]

CNR: Final = "webgraph-cnr2000/cnr-2000.adj.gz"
_PAGES_PER_HOST: Final = 500
_REACH: Final = 40.0


class BigGraph(Struct, frozen=True):
    """Edges between nodes 0 … `nodes` − 1, and the host number of each node."""

    name: str
    nodes: int
    sources: Ids
    targets: Ids
    hosts: Ids


def cnr_2000(data: Path | None) -> BigGraph:
    """Return the real web graph of the collection; its pages are sorted by URL, but the URLs are not included.

    The hosts are unknown, so every 500 consecutive pages count as one.
    """
    file = data / CNR if data is not None else None
    if file is None or not file.is_file():
        raise InputError("The collection webgraph-cnr2000 is missing.", "Give the folder of the datasets with --data.")
    with gzip.open(file, "rb") as lines:
        rows = [np.array(line.split(), np.int64) for line in lines]
    sources = np.repeat(np.arange(len(rows)), [len(row) for row in rows])
    return BigGraph("cnr-2000", len(rows), sources, np.concatenate(rows), np.arange(len(rows)) // _PAGES_PER_HOST)


def generated_graph(nodes: int, edges: int, *, seed: int = 0) -> BigGraph:
    """Return a graph with exactly `edges` distinct edges; degrees and host sizes follow power laws.

    Half of the links lead to pages near their source, like those within a site; the rest lead to pages drawn by a power
    law from the whole web.

    >>> graph = generated_graph(1000, 5000)
    >>> len(set(zip(graph.sources.tolist(), graph.targets.tolist())))
    5000
    """
    generator = np.random.default_rng(seed)
    hosts = np.sort((max(1, nodes // 20) * generator.random(nodes) ** 2).astype(np.int64))
    leaders = generator.permutation(nodes)
    keys = np.zeros(0, np.int64)
    while len(keys) < edges:
        number = int(1.2 * (edges - len(keys))) + 100
        sources = leaders[(nodes * generator.random(number) ** 1.5).astype(np.int64)]
        near = (sources + np.rint(generator.standard_cauchy(number) * _REACH).astype(np.int64)) % nodes
        far = leaders[(nodes * generator.random(number) ** 3).astype(np.int64)]
        targets = np.where(generator.random(number) < 0.5, near, far)
        fresh = (sources * nodes + targets)[sources != targets]
        keys = np.sort(np.concatenate([keys, fresh]))
        keys = keys[np.diff(keys, prepend=-1) > 0]
    keys = np.sort(generator.permutation(keys)[:edges])
    return BigGraph(f"generated, seed {seed}", nodes, keys // nodes, keys % nodes, hosts)
