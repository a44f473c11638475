"""Clustering: base methods, mapping of labels, meta functions, restrictive choices, the number of clusters."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.sparse import csr_matrix, vstack

from thresher.learn.cluster_number import propose_number, silhouette
from thresher.learn.clusterers import SelectingKMeans, SubspaceKMeans, SvdKMeans, in_svd_space
from thresher.learn.error_curve import ErrorCurve, estimate
from thresher.learn.k_means import KMeans, leads, unit_rows
from thresher.learn.label_mapping import Mapping, agreements, mapped, purities
from thresher.learn.meta_clustering import MetaClustering
from thresher.learn.meta_functions import decide, vote_shares
from thresher.learn.restrictive import most_certain, percentiles
from thresher.learn.spreading import in_proportion, spread, told_apart

EACH = 30


def texts(k: int, each: int = EACH, noise: int = 0, seed: int = 0) -> csr_matrix:
    """Return rows about `k` subjects with words of their own and common ones; `noise` rows are about all of them."""
    rng = np.random.default_rng(seed)
    own, common = 12, 20
    rows = np.zeros((k * each + noise, k * own + common))
    for row in range(k * each):
        subject = row // each
        for column in rng.choice(own, 5):
            rows[row, subject * own + column] += 1
        for column in rng.choice(common, 4):
            rows[row, k * own + column] += 1
    for row in range(k * each, len(rows)):
        for column in rng.choice(rows.shape[1], 8):
            rows[row, column] += 1
    return unit_rows(csr_matrix(rows))


def parted(labels: np.ndarray, k: int, each: int = EACH) -> bool:
    """Tell whether each subject has a cluster of its own."""
    groups = [set(labels[place * each : (place + 1) * each].tolist()) for place in range(k)]
    return all(len(group) == 1 for group in groups) and len(set.union(*groups)) == k


@pytest.mark.parametrize("method", [KMeans, SelectingKMeans, SvdKMeans])
def test_every_method_finds_subjects_that_are_there(method: type[KMeans]) -> None:
    rows = vstack([texts(3), csr_matrix((1, 56))]).tocsr()
    found = method(3, seed=1).fit(rows)
    assert parted(found.labels_[:-1], 3)
    assert len(found.confidences_) == rows.shape[0]
    assert found.confidences_[-1] == found.confidences_.min()
    assert np.array_equal(found.labels_, method(3, seed=1).fit(rows).labels_)


def test_a_subspace_is_learned_from_a_sample_and_has_a_place_for_all_rows() -> None:
    rows = vstack([texts(3), csr_matrix((1, 56))]).tocsr()
    found = SubspaceKMeans(3, sample=60, seed=1).fit(rows)
    groups = [
        Counter(found.labels_[place * EACH : (place + 1) * EACH].tolist()).most_common(1)[0] for place in range(3)
    ]
    assert len({label for label, _ in groups}) == 3
    assert all(number >= 0.8 * EACH for _, number in groups)
    assert found.labels_[-1] == -1
    assert np.array_equal(found.labels_, SubspaceKMeans(3, sample=60, seed=1).fit(rows).labels_)
    one, other = SubspaceKMeans(3, share=0.3, seed=1).fit(rows), SubspaceKMeans(3, share=0.3, seed=2).fit(rows)
    assert not np.array_equal(one.confidences_, other.confidences_)
    # Two columns of three can leave too few rows; then all columns count.
    few = csr_matrix(np.eye(3))
    assert sorted(SubspaceKMeans(3, share=0.67).fit(few).labels_.tolist()) == [0, 1, 2]
    with pytest.raises(ValueError, match="rows cannot make"):
        SubspaceKMeans(4).fit(few)
    with pytest.raises(ValueError, match="share"):
        SubspaceKMeans(2, share=0.0)


def test_rows_of_zeros_belong_to_no_cluster_and_too_few_rows_are_refused() -> None:
    rows = vstack([texts(2, 3), csr_matrix((2, 44))]).tocsr()
    assert KMeans(2).fit(rows).labels_[-2:].tolist() == [-1, -1]
    with pytest.raises(ValueError, match="6 rows cannot make 7 clusters"):
        KMeans(7).fit(rows)
    with pytest.raises(ValueError, match="at least 1"):
        KMeans(0)


def test_every_cluster_has_a_row_even_where_most_rows_are_alike() -> None:
    rows = np.vstack([np.tile([1.0, 0.0, 0.0], (20, 1)), [[0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]])
    assert set(KMeans(3, sample=1, starts=3).fit(rows).labels_.tolist()) == {0, 1, 2}


def test_the_space_of_an_svd_has_its_rank_and_small_matrices_are_taken_as_they_are() -> None:
    assert in_svd_space(texts(2), 5).shape == (2 * EACH, 5)
    assert in_svd_space(csr_matrix([[1.0], [0.5]]), 4).shape == (2, 1)


@given(
    arrays(np.int64, st.integers(1, 60), elements=st.integers(0, 3)),
    st.permutations(range(4)),
    st.sampled_from(["assignment", "purity"]),
)
@settings(max_examples=40)
def test_labels_that_only_have_other_names_are_mapped_onto_one_another(
    labels: np.ndarray, names: list[int], mapping: Mapping
) -> None:
    renamed = np.array(names)[labels]
    first, second = mapped(np.array([labels, renamed]), 4, mapping)
    assert np.array_equal(first, second)
    assert len(np.unique(first)) == len(np.unique(labels))


@given(arrays(np.int64, (3, 40), elements=st.integers(-1, 3)))
@settings(max_examples=40)
def test_mapping_renames_the_labels_of_a_method_and_optimal_assignment_agrees_as_much_as_purity(
    clusterings: np.ndarray,
) -> None:
    total = {}
    for mapping in ("assignment", "purity"):
        votes = mapped(clusterings, 4, mapping)
        assert np.array_equal(votes < 0, clusterings < 0)
        for before, after in zip(clusterings, votes, strict=True):
            pairs = {(a, b) for a, b in zip(before.tolist(), after.tolist(), strict=True)}
            assert len(pairs) == len({a for a, _ in pairs}) == len({b for _, b in pairs})
        total[mapping] = agreements(votes).sum()
    two = clusterings[:2]
    assert agreements(mapped(two, 4)).sum() >= agreements(mapped(two, 4, "purity")).sum() - 1e-9


def test_the_purest_cluster_is_matched_first() -> None:
    # As in the source's figure 3.2: a cluster of 13 overlaps two of another method in 4 and 9 documents.
    one = np.array([0] * 13 + [1] * 13)
    other = np.array([0] * 4 + [1] * 9 + [0] * 9 + [1] * 4)
    votes = mapped(np.array([one, other]), 2, "purity")
    assert (votes[0] == votes[1]).sum() == 18
    assert purities(np.array([one, other]), 2).round(3).tolist() == [round(6.25 / 9, 3)] * 2
    with pytest.raises(ValueError, match="too many combinations"):
        purities(np.zeros((9, 4), np.int64), 10)


def test_meta_functions_abstain_where_methods_do_not_agree() -> None:
    votes = np.array([[0, 0, 1, 2, -1], [0, 1, 1, 0, -1], [0, 0, 2, 1, -1]])
    assert decide(votes, 3, "unanimous").labels.tolist() == [0, -1, -1, -1, -1]
    assert decide(votes, 3, "majority").labels.tolist() == [0, 0, 1, -1, -1]
    weighted = decide(votes, 3, "weighted", np.array([0.1, 0.8, 0.1]))
    assert weighted.labels.tolist() == [0, 1, 1, 0, -1]
    assert decide(votes, 3).loss == 0.8
    with pytest.raises(ValueError, match="one weight for each method"):
        vote_shares(votes, 3, np.array([1.0, -1.0, 1.0]))
    with pytest.raises(ValueError, match="one weight for each method"):
        vote_shares(votes, 3, np.array([1.0, np.nan, 1.0]))
    assert decide(votes, 3, "threshold", share=0.6).labels.tolist() == [0, 0, 1, -1, -1]
    assert decide(votes, 3, "threshold", share=0.7).labels.tolist() == [0, -1, -1, -1, -1]
    # Half of the votes decides nothing: the other half may agree on another label.
    assert decide(np.array([[0], [1]]), 2, "threshold", share=0.5).labels.tolist() == [-1]
    with pytest.raises(ValueError, match="share"):
        decide(votes, 3, "threshold", share=0.4)


@given(arrays(np.float64, st.integers(0, 50), elements=st.floats(-5, 5)), st.floats(0, 1))
@settings(max_examples=40)
def test_a_loss_drops_its_share_and_nothing_surer_than_what_it_keeps(confidences: np.ndarray, loss: float) -> None:
    kept = most_certain(confidences, loss)
    assert len(confidences) - kept.sum() == int(np.floor(loss * len(confidences) + 1e-9))
    if kept.any() and not kept.all():
        assert confidences[kept].min() >= confidences[~kept].max()
    assert np.array_equal(np.argsort(percentiles(confidences), kind="stable"), np.argsort(confidences, kind="stable"))


def test_meta_clustering_leaves_open_what_is_about_everything() -> None:
    rows = texts(3, noise=20)
    meta = MetaClustering(3, seed=2).fit(rows)
    assert parted(meta.best_[: 3 * EACH], 3)
    open_ = meta.labels_ < 0
    assert open_[3 * EACH :].mean() > open_[: 3 * EACH].mean()
    by_votes = leads(vote_shares(meta.votes_, 3))[np.argsort(-meta.confidences_)]
    assert np.all(np.diff(by_votes) < 1e-9)
    at_loss = meta.at_loss(20 / rows.shape[0])
    assert (at_loss < 0).sum() == 20
    assert (at_loss[3 * EACH :] < 0).sum() >= 15
    with pytest.raises(ValueError, match="between 0 and 1"):
        meta.at_loss(1.5)


@pytest.mark.parametrize("transductive", [False, True])
def test_what_was_left_open_is_spread_by_what_was_decided(transductive: bool) -> None:
    truth = np.repeat(np.arange(3), EACH)
    labels = np.where(np.arange(len(truth)) % 3 == 0, truth, -1)
    found = spread(texts(3), labels, transductive=transductive)
    assert (found == truth).mean() > 0.95
    assert np.array_equal(found[labels >= 0], truth[labels >= 0])
    with pytest.raises(ValueError, match="at least two labels"):
        spread(texts(3), np.full(len(truth), -1))


@given(arrays(np.float64, (17, 3), elements=st.floats(-2, 2)))
@settings(max_examples=30)
def test_spreading_in_proportion_fills_every_label_to_its_share(margins: np.ndarray) -> None:
    chosen = in_proportion(margins, np.array([0.5, 0.3, 0.2]))
    assert np.abs(np.bincount(chosen, minlength=3) - 17 * np.array([0.5, 0.3, 0.2])).max() < 1


def test_clusters_that_mean_nothing_are_not_told_apart() -> None:
    rows = texts(2)
    truth = np.repeat([0, 1], EACH)
    assert np.mean(told_apart(rows, truth)) > 0.95
    drawn = np.random.default_rng(0).integers(0, 2, len(truth))
    assert np.mean(told_apart(rows, drawn)) < 0.75
    assert told_apart(rows, np.zeros(len(truth), np.int64)) == [True] * len(truth)


@pytest.mark.parametrize("k", [2, 4])
def test_the_number_of_subjects_is_proposed(k: int) -> None:
    proposal = propose_number(texts(k, 40), most=6)
    assert proposal.k == k
    assert proposal.best.stability > 0.9
    assert [one.k for one in proposal.tried] == [2, 3, 4, 5, 6]


def test_too_few_documents_have_no_number_and_one_cluster_no_silhouette() -> None:
    with pytest.raises(ValueError, match="too few documents"):
        propose_number(texts(1, 3))
    assert silhouette(np.eye(3), np.zeros(3, np.int64), 2) == 0.0


def test_an_error_curve_falls_where_the_sure_ones_are_right() -> None:
    curve = ErrorCurve(np.array([0.9, 0.8, 0.8, 0.4, 0.1]), np.array([True, True, False, True, False]))
    assert curve.above(-1.0).error == 0.4
    assert curve.above(0.85).error == 0.0
    assert curve.above(1.0).error is None
    assert curve.threshold_for(0.4) == float("-inf")
    assert curve.threshold_for(0.3) == pytest.approx(0.25)
    assert curve.threshold_for(0.1) == pytest.approx(0.85)
    assert ErrorCurve(np.array([0.5]), np.array([False])).threshold_for(0.1) is None
    assert ErrorCurve(np.zeros(0), np.zeros(0, bool)).threshold_for(0.1) is None
    low, high = estimate(0, 10).interval
    assert low == 0.0 < high < 0.35
