"""What every model of two classes must do."""

import numpy as np
import pytest
from scipy.sparse import csr_matrix

from thresher.learn.linear import LinearSvm, Logistic
from thresher.learn.naive_bayes import NaiveBayes
from thresher.learn.one_hidden_layer import OneHiddenLayer

MODELS = [Logistic, LinearSvm, NaiveBayes, OneHiddenLayer]


def drawn(count: int, seed: int = 0) -> tuple[csr_matrix, np.ndarray]:
    """Draw rows of 50 terms, of which the first ten are likelier in the positive class."""
    rng = np.random.default_rng(seed)
    labels = np.arange(count) % 3 == 0
    rates = np.where(np.arange(50) < 10, np.where(labels[:, None], 2.0, 0.5), 1.0)
    counts = rng.poisson(rates).astype(float)
    return csr_matrix(counts / np.maximum(np.linalg.norm(counts, axis=1, keepdims=True), 1)), labels


@pytest.mark.parametrize("kind", MODELS)
def test_learns_and_tells_probabilities(kind: type) -> None:
    rows, labels = drawn(120)
    unseen, truth = drawn(300, seed=1)
    model = kind().fit(rows, labels)
    both = model.predict_proba(unseen)
    assert both.shape == (300, 2)
    assert np.allclose(both.sum(axis=1), 1.0)
    probabilities = both[:, list(model.classes_).index(True)]
    assert (model.predict(unseen) == (probabilities >= 0.5)).all()
    assert ((probabilities >= 0) & (probabilities <= 1)).all()
    assert ((probabilities >= 0.5) == truth).mean() > 0.8
    # Calibrated: the mean probability is near the share of positives.
    assert abs(probabilities.mean() - truth.mean()) < 0.1


@pytest.mark.parametrize("kind", MODELS)
@pytest.mark.parametrize("numbers", [False, True])
def test_is_the_same_twice_with_labels_of_either_kind(kind: type, numbers: bool) -> None:
    rows, labels = drawn(40)
    given = labels.astype(int) if numbers else labels
    first, second = (kind().fit(rows, given).predict_proba(rows) for _ in range(2))
    assert first.tolist() == second.tolist()
    assert first.tolist() == kind().fit(rows, labels).predict_proba(rows).tolist()


@pytest.mark.parametrize("kind", MODELS)
@pytest.mark.parametrize("label", [False, True])
def test_needs_both_classes(kind: type, label: bool) -> None:
    rows, labels = drawn(6)
    with pytest.raises(ValueError, match="both classes"):
        kind().fit(rows, np.full(len(labels), label))


@pytest.mark.parametrize("kind", MODELS)
def test_two_examples_are_enough_to_be_sound(kind: type) -> None:
    rows = csr_matrix([[1.0, 0.0], [0.0, 1.0]])
    likely, unlikely = kind().fit(rows, np.array([True, False])).predict_proba(rows)[:, 1]
    assert 0 < unlikely < likely < 1
