"""The plain page classifier: one topic or none, by TF·IDF and a linear model with calibrated probabilities.

It follows the protocol for comparing crawling strategies (Pant and Srinivasan, sections 4 and 7): all strategies see
pages through it unless the experiment is about the classifier itself.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final, Literal, Self, get_args

import numpy as np
from numpy.typing import NDArray

from thresher.errors import InputError
from thresher.learn.calibration import sigmoid
from thresher.learn.linear import Linear, LinearSvm, Logistic
from thresher.learn.model_file import load, pack, save, unpack, version_of
from thresher.learn.naive_bayes import NaiveBayes
from thresher.learn.one_hidden_layer import OneHiddenLayer
from thresher.learn.span_margins import SpanMargins
from thresher.learn.term_margins import LinearMargins, NetworkMargins, TermMargins
from thresher.learn.tfidf import TfIdf
from thresher.reasons import Unmet
from thresher.types import Judgement, ParsedPage, Rejection
from thresher.work_faults import ModelUnusable

Model = Literal["logistic", "svm", "naive-bayes", "network"]

FORMAT: Final = 1
"""Version of the model file."""

EVIDENCE: Final = 8
"""Number of words named as evidence for a judgement."""

MAX_TERMS: Final = 200_000


class FlatClassifier:
    """Judges pages and bags of stems against one topic.

    `model` is the kind of classifier; `cost` (C) is the cost of an error for `logistic` and `svm`; a stem counts if it
    occurs in at least `min_pages` of the examples, and at most `max_terms` stems do. Learned: `topic_`, its name, and
    `version_`, a digest of everything learned.

    >>> def page(text):
    ...     return ParsedPage(url="", title="", words=[], links=[], terms={word: 1 for word in text.split()})
    >>> examples = [(page("boat sail wind"), "boats"), (page("boat wind sea"), "boats")]
    >>> examples += [(page("car road wheel"), None), (page("car wheel fuel"), None)]
    >>> judgement = FlatClassifier().fit(examples).classify(page("boat wind"))
    >>> judgement.topic, [word for word, _ in judgement.evidence]
    ('boats', ['boat', 'wind'])
    """

    def __init__(
        self, model: Model = "logistic", cost: float = 1.0, min_pages: int = 2, max_terms: int = 50_000
    ) -> None:
        if model not in get_args(Model):
            raise ValueError(f"the model must be one of {', '.join(get_args(Model))}")
        self.model = model
        self.cost = cost
        self.min_pages = min_pages
        self.max_terms = min(max_terms, MAX_TERMS)
        self.topic_ = ""
        self.version_ = ""
        self._packed = b""
        self._slope = 1.0
        self._offset = 0.0
        self._margins: TermMargins = LinearMargins([], np.zeros(0), np.zeros(0), 0.0)
        self._spans: SpanMargins | None = None

    def fit(self, examples: Sequence[tuple[ParsedPage, str | None]]) -> Self:
        """Learn from pages with their topic; None marks a page without a topic.

        Raises InputError unless there are pages of exactly one topic and pages without a topic.
        """
        return self.fit_bags([(page.terms, topic) for page, topic in examples])

    def fit_bags(self, examples: Sequence[tuple[Mapping[str, int], str | None]]) -> Self:
        """Learn from bags of stems instead of pages, such as the words around links; otherwise like `fit`."""
        topics = {topic for _, topic in examples if topic is not None}
        if len(topics) != 1 or all(topic is not None for _, topic in examples):
            raise InputError(
                f"The classifier got examples of {len(topics)} topics and "
                f"{sum(topic is None for _, topic in examples)} pages without a topic.",
                "Give it pages of one topic and some that do not belong to it.",
            )
        bags = [bag for bag, _ in examples]
        labels = np.array([topic is not None for _, topic in examples])
        weighing = TfIdf(self.min_pages, self.max_terms).fit(bags)
        header, arrays = self._learnt(weighing, labels, bags)
        header |= {"format": FORMAT, "kind": "flat", "topic": topics.pop(), "terms": weighing.terms_}
        self._take(pack(header, {**arrays, "idf": weighing.idf_}))
        return self

    def classify(self, page: ParsedPage) -> Judgement:
        """Return the judgement of a page: the topic if its probability is at least one half."""
        probability = self._probability(page.terms)
        on_topic = probability >= 0.5
        return Judgement(
            topic=self.topic_ if on_topic else None,
            confidence=2.0 * probability - 1.0,
            probability=probability,
            path=(self.topic_,) if on_topic else (),
            evidence=tuple(self._margins.strongest(page.terms, EVIDENCE)),
            model=self.version_,
            rejection=None if on_topic else Rejection(rule=Unmet.BELOW_THRESHOLD, topic=self.topic_),
        )

    def relevance(self, bags: Sequence[Mapping[str, int]]) -> list[float]:
        """Return for each bag of stems the probability that it is on topic."""
        return [self._probability(bag) for bag in bags]

    def subjects(self) -> tuple[str, ...]:
        """Return the topic if spans can be judged, that is, if the model is linear."""
        return () if self.model == "network" else (self.topic_,)

    def log_odds(self, stems: Sequence[str], spans: NDArray[np.int64]) -> NDArray[np.float64]:
        """Return the log-odds of each span (start, end) of the stems, in one column."""
        if self._spans is None:
            self._spans = self._span_margins()
        return self._spans.log_odds(stems, spans)

    def save(self, path: Path) -> None:
        """Write the model to a file atomically."""
        save(path, self._packed)

    def to_bytes(self) -> bytes:
        """Return the fitted model as in its file."""
        return self._packed

    @classmethod
    def load(cls, path: Path) -> "FlatClassifier":
        """Return the classifier of a model file; raise InputError if it is missing, damaged or of another kind."""
        return cls.from_bytes(load(path))

    @classmethod
    def from_bytes(cls, packed: bytes) -> "FlatClassifier":
        """Return the classifier from the result of `to_bytes`; it judges exactly like the original."""
        made = cls()
        made._take(packed)
        return made

    def _probability(self, bag: Mapping[str, int]) -> float:
        return sigmoid(self._slope * self._margins.margin(bag) + self._offset)

    def _learnt(
        self, weighing: TfIdf, labels: NDArray[np.bool_], bags: Sequence[Mapping[str, int]]
    ) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
        """Fit the model; return its numbers and its arrays by name."""
        rows = weighing.transform(bags)
        model: Linear | OneHiddenLayer
        if self.model == "network":
            model = OneHiddenLayer().fit(rows, labels)
            arrays = {"inner": model.inner_, "inner_bias": model.inner_bias_, "outer": model.outer_}
            bias = model.outer_bias_
        else:
            kinds: dict[str, Linear] = {"svm": LinearSvm(self.cost), "naive-bayes": NaiveBayes()}
            model = kinds.get(self.model, Logistic(self.cost)).fit(rows, labels)
            arrays = {"weights": model.weights_}
            bias = model.bias_
        numbers = {"bias": bias, "slope": model.scaling_.slope_, "offset": model.scaling_.offset_}
        return {"model": self.model, **numbers}, arrays

    def _take(self, packed: bytes) -> None:
        """Load a packed model; every part of it is checked."""
        header, arrays = unpack(packed)
        try:
            self._check(header)
            self._margins = _margins(header, arrays)
        except (KeyError, TypeError, ValueError, IndexError) as error:
            raise InputError(
                f"The model file does not contain a flat classifier: {error}.",
                "Train the model again.",
                ModelUnusable(),
            ) from None
        self.model, self.topic_ = header["model"], header["topic"]
        self._slope, self._offset = float(header["slope"]), float(header["offset"])
        self._packed, self.version_ = packed, version_of(packed)
        self._spans = None

    def _span_margins(self) -> SpanMargins:
        header, arrays = unpack(self._packed)
        return SpanMargins(
            header["terms"],
            arrays["idf"],
            arrays["weights"][:, None],
            np.array([float(header["bias"])]),
            np.array([self._slope]),
            np.array([self._offset]),
        )

    def _check(self, header: Mapping[str, Any]) -> None:
        if header["kind"] != "flat" or header["format"] != FORMAT:
            raise ValueError(f"kind {header['kind']!r}, format {header['format']!r}")
        if header["model"] not in get_args(Model) or not isinstance(header["topic"], str):
            raise ValueError("unknown model or topic")
        if not all(isinstance(term, str) for term in header["terms"]) or len(header["terms"]) > MAX_TERMS:
            raise ValueError("its terms are not strings or too many")
        if not np.isfinite([float(header[name]) for name in ("bias", "slope", "offset")]).all() or header["slope"] <= 0:
            raise ValueError("its numbers are out of bounds")


def _margins(header: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]]) -> TermMargins:
    """Return the model in its applied form; raise ValueError if its arrays do not fit."""
    terms, bias = header["terms"], float(header["bias"])
    size = len(terms)
    if header["model"] != "network":
        return LinearMargins(terms, _floats(arrays, "idf", (size,)), _floats(arrays, "weights", (size,)), bias)
    hidden = arrays["outer"].shape[0]
    return NetworkMargins(
        terms,
        _floats(arrays, "idf", (size,)),
        _floats(arrays, "inner", (size, hidden)),
        _floats(arrays, "inner_bias", (hidden,)),
        _floats(arrays, "outer", (hidden,)),
        bias,
    )


def _floats(arrays: Mapping[str, NDArray[Any]], name: str, shape: tuple[int, ...]) -> NDArray[np.float64]:
    array = arrays[name]
    if array.dtype != np.float64 or array.shape != shape or not np.isfinite(array).all():
        raise ValueError(f"the array '{name}' does not fit")
    return array
