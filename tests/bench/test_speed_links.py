"""Graphs for measuring link analysis, and the measurement itself on a small one."""

import gzip
from pathlib import Path

import numpy as np
import pytest

from thresher.bench.big_graphs import CNR, cnr_2000, generated_graph
from thresher.bench.speed_links import measure_links
from thresher.errors import InputError


def test_a_generated_graph_is_that_of_its_seed() -> None:
    first, again, other = (generated_graph(500, 3000, seed=seed) for seed in (1, 1, 2))
    assert np.array_equal(first.sources, again.sources)
    assert np.array_equal(first.targets, again.targets)
    assert not np.array_equal(first.targets, other.targets)
    assert len(set(zip(first.sources.tolist(), first.targets.tolist(), strict=True))) == 3000
    assert min(first.sources.min(), first.targets.min()) >= 0
    assert max(first.sources.max(), first.targets.max()) < 500


def test_degrees_follow_a_power_law() -> None:
    graph = generated_graph(5000, 40_000)
    arriving = np.sort(np.bincount(graph.targets, minlength=5000))[::-1]
    assert arriving[:50].sum() > 0.05 * arriving.sum()
    assert arriving[0] > 20 * np.median(arriving)


def test_a_graph_of_lines_is_read(tmp_path: Path) -> None:
    file = tmp_path / CNR
    file.parent.mkdir()
    file.write_bytes(gzip.compress(b"1 2\n\n0\n"))
    graph = cnr_2000(tmp_path)
    assert (graph.nodes, graph.sources.tolist(), graph.targets.tolist()) == (3, [0, 0, 2], [1, 2, 0])


def test_without_the_collection_there_is_a_plain_word() -> None:
    with pytest.raises(InputError, match="webgraph-cnr2000"):
        cnr_2000(None)


def test_a_graph_comes_back_from_the_repository_whole() -> None:
    figures = measure_links(generated_graph(300, 2000))
    assert (figures.nodes, figures.edges) == (300, 2000)
    assert figures.loading > 0
