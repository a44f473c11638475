"""Measures the five-fold cross-validated accuracy of page classifiers.

Each draw takes some pages of the topic and twice as many others, as Pant and Srinivasan did (section 11), and splits
them into five folds; each fold is judged by a classifier trained on the other four.
"""

import os
from collections.abc import Sequence
from pathlib import Path
from random import Random
from statistics import fmean
from typing import Final

import msgspec
from msgspec import Struct

from thresher.bench.page_cache import PageCache
from thresher.bench.webs.web import BenchWeb
from thresher.classify.flat import FlatClassifier, Model
from thresher.errors import InputError
from thresher.types import ParsedPage

FOLDS: Final = 5
EXAMPLES: Final = 20
DRAWS: Final = 5
NEGATIVES: Final = 2
"""Negative pages per page of the topic."""
SUFFIX: Final = ".accuracy.json"
LARGEST: Final = 2**24
"""Size limit of an accuracy file in bytes."""


class Accuracy(Struct, frozen=True, kw_only=True):
    """The share of unseen pages that a classifier judges as labelled, over several draws of a topic."""

    web: str
    topic: str
    classifier: str
    examples: int
    draws: int
    accuracy: float


def five_fold(
    web: BenchWeb, pages: PageCache, topic: str, classifier: Model, examples: int = EXAMPLES, draws: int = DRAWS
) -> Accuracy:
    """Return the five-fold accuracy of a classifier on a topic; draws are numbered from 0 and reproducible."""
    known = sorted(url for url in web.corpus if url in pages)
    inside = [url for url in known if topic in web.corpus[url]]
    outside = [url for url in known if topic not in web.corpus[url]]
    if examples < FOLDS or len(inside) < examples or len(outside) < NEGATIVES * examples:
        raise InputError(
            f"'{web.name}' has {len(inside)} pages of '{topic}' and {len(outside)} others: {examples} and twice as "
            "many cannot be drawn and split into five folds.",
            f"Choose --examples between {FOLDS} and {len(inside)}.",
        )
    found = []
    for draw in range(draws):
        rng = Random(f"{web.name}/{topic}/{draw}/accuracy")
        drawn = [(page, topic) for url in rng.sample(inside, examples) if (page := pages.page(url)) is not None]
        others = rng.sample(outside, NEGATIVES * examples)
        found.append(_accuracy(drawn, [(page, None) for url in others if (page := pages.page(url))], classifier))
    return Accuracy(
        web=web.name, topic=topic, classifier=classifier, examples=examples, draws=draws, accuracy=fmean(found)
    )


def write_accuracies(directory: Path, found: Sequence[Accuracy]) -> Path:
    """Write accuracies to a directory, creating it if needed, and return the file.

    Existing accuracies are kept, unless they have the same web, topic, classifier and draws.
    """
    directory.mkdir(parents=True, exist_ok=True)
    path = directory / f"five-fold{SUFFIX}"
    everything = [*read_accuracies(directory), *found]
    kept = {(one.web, one.topic, one.classifier, one.examples, one.draws): one for one in everything}
    beside = path.with_name(f"{path.name}.{os.getpid()}.part")
    beside.write_bytes(msgspec.json.encode(list(kept.values())))
    beside.replace(path)
    return path


def read_accuracies(directory: Path) -> list[Accuracy]:
    """Read the accuracies in a directory; none if there are none."""
    found: list[Accuracy] = []
    for path in sorted(directory.glob(f"*{SUFFIX}")):
        try:
            if path.stat().st_size > LARGEST:
                raise InputError(f"'{path}' is too large for a file of accuracies.", "Remove it from the directory.")
            found += msgspec.json.decode(path.read_bytes(), type=list[Accuracy])
        except (OSError, msgspec.DecodeError) as wrong:
            raise InputError(f"'{path}' contains no accuracies: {wrong}.", "Remove it, or measure again.") from wrong
    return found


def _accuracy(
    inside: Sequence[tuple[ParsedPage, str | None]], outside: Sequence[tuple[ParsedPage, str | None]], classifier: Model
) -> float:
    right = 0
    for fold in range(FOLDS):
        unseen = [*inside[fold::FOLDS], *outside[fold::FOLDS]]
        seen = [one for part in (inside, outside) for place, one in enumerate(part) if place % FOLDS != fold]
        judge = FlatClassifier(classifier).fit(seen)
        right += sum(judge.classify(page).topic == topic for page, topic in unseen)
    return right / (len(inside) + len(outside))
