"""Other classifiers to compare the topic classifier with."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray

from thresher.bench.labelled_texts import Labelled
from thresher.learn.naive_bayes import NaiveBayes
from thresher.learn.one_hidden_layer import OneHiddenLayer
from thresher.learn.tfidf import TfIdf
from thresher.learn.threads import one_thread

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

Texts = Sequence[Labelled]
Judge = Callable[[Texts], list[str]]
Method = Callable[[Texts], Judge]
Scores = Callable[["csr_matrix"], NDArray[np.float64]]
Learn = Callable[["csr_matrix", NDArray[np.bool_]], Scores]

NONE: Final = ""
"""The label for no topic."""

NETWORK_TERMS: Final = 10_000
"""Terms that the network uses, those in most texts; with all of them, training would take hours."""


def label(text: Labelled) -> str:
    """Return the topic of a text, or `NONE`."""
    return text.topic or NONE


def plain(train: Texts) -> Judge:
    """Train scikit-learn with defaults: `TfidfVectorizer()` and `LinearSVC()`."""
    from sklearn.feature_extraction.text import TfidfVectorizer
    from sklearn.svm import LinearSVC

    weighing = TfidfVectorizer()
    rows = weighing.fit_transform([one.text for one in train])
    machine = LinearSVC(random_state=0).fit(rows, list(map(label, train)))
    return lambda test: [str(said) for said in machine.predict(weighing.transform([one.text for one in test]))]


def plain_stems(train: Texts) -> Judge:
    """Train `LinearSVC()` on all stems, weighted as everywhere in Thresher."""
    from sklearn.svm import LinearSVC

    weighing = _weighing(train, 10_000_000, 1)
    rows = weighing.transform([one.page.terms for one in train])
    machine = LinearSVC(random_state=0).fit(rows, list(map(label, train)))
    return lambda test: [str(said) for said in machine.predict(weighing.transform([one.page.terms for one in test]))]


def naive_bayes(train: Texts) -> Judge:
    """Train one Naive Bayes per topic against the rest; the highest calibrated probability wins."""

    def learn(rows: "csr_matrix", labels: NDArray[np.bool_]) -> Scores:
        model = NaiveBayes().fit(rows, labels)
        return lambda unseen: model.predict_proba(unseen)[:, 1] - 0.5

    return _one_against_rest(train, learn, TfIdf().max_terms)


def network(train: Texts) -> Judge:
    """Train one network with one hidden layer per topic against the rest; the largest output wins."""
    return _one_against_rest(train, lambda rows, labels: OneHiddenLayer().learn(rows, labels).margins, NETWORK_TERMS)


METHODS: Final[dict[str, Method]] = {
    "plain": plain,
    "plain-stems": plain_stems,
    "naive-bayes": naive_bayes,
    "network": network,
}


def _weighing(train: Texts, max_terms: int, min_bags: int = 2) -> TfIdf:
    return TfIdf(min_bags, max_terms).fit([one.page.terms for one in train])


def _one_against_rest(train: Texts, learn: Learn, max_terms: int) -> Judge:
    weighing = _weighing(train, max_terms)
    rows = weighing.transform([one.page.terms for one in train])
    truth = np.array(list(map(label, train)))
    topics = sorted(set(truth.tolist()))
    # For two classes one machine is enough.
    asked = topics[1:] if len(topics) == 2 else topics
    with one_thread():
        machines = [learn(rows, truth == topic) for topic in asked]

    def judge(test: Texts) -> list[str]:
        unseen = weighing.transform([one.page.terms for one in test])
        scores = np.stack([machine(unseen) for machine in machines], axis=1)
        if len(topics) == 2:
            return [topics[int(score > 0)] for score in scores[:, 0].tolist()]
        return [topics[place] for place in scores.argmax(axis=1).tolist()]

    return judge
