"""Two subjects, pages about them, and classifiers that know them."""

from collections.abc import Sequence
from random import Random

from thresher.classify.examples_file import TrainingSet
from thresher.classify.hierarchical import HierarchicalClassifier
from thresher.text.stems import count_stems
from thresher.text.words import words
from thresher.types import ParsedPage

SUBJECTS = {
    "sailing": "boats sails masts harbours anchors keels rudders regattas skippers tides winds decks",
    "baking": "bread ovens flour yeast dough crusts loaves butter pastry cakes sugar recipes",
    "chess": "pawns rooks bishops castles openings endgames gambits knights checkmates boards queens moves",
}
COMMON = "people often talk about these things when friends meet in town on weekends during long evenings"
WORDS = {subject: words(text) for subject, text in SUBJECTS.items()}


def text_of(subject: str, number: int) -> str:
    """Return a text about a subject: seven words of its own, and eight that any text has."""
    rng = Random(f"{subject}{number}")
    return " ".join([*rng.sample(WORDS[subject], 7), *rng.sample(words(COMMON), 8)])


def page(subject: str, number: int, host: str = "a") -> ParsedPage:
    """Return a page about a subject; the number decides its words, the host its address."""
    return ParsedPage(
        url=f"http://{subject}-{host}.test/{number}",
        title="",
        words=[],
        links=[],
        terms=dict(count_stems(words(text_of(subject, number)), "en")),
        language="en",
    )


def training(topics: dict[str, str], numbers: Sequence[int], host: str = "a") -> TrainingSet:
    """Return training pages: `topics` maps subjects to what a portal calls them."""
    return TrainingSet([(page(subject, n, host), topic) for subject, topic in topics.items() for n in numbers])


def classifier_of(training_set: TrainingSet) -> HierarchicalClassifier:
    """Return a classifier that has learned from training pages."""
    return HierarchicalClassifier().fit(training_set.examples)
