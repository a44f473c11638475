"""Published findings on link contexts that a correct implementation should reproduce (Pant and Srinivasan)."""

from typing import Final, Literal

from msgspec import Struct

from thresher.bench.records import CLASSIFIER, PAGES, Training, unusual
from thresher.classify.flat import Model

Kind = Literal["greater", "no-greater", "alike"]
"""What is claimed about the first side: above the second, not above it, or neither above nor below."""

Compared = Literal["harvest_rate", "target_recall"]
BOTH: Final[tuple[Compared, ...]] = ("harvest_rate", "target_recall")


class Side(Struct, frozen=True):
    """A crawler in a comparison: a strategy with its page classifier and training data."""

    strategy: str
    classifier: Model = CLASSIFIER
    training: Training = PAGES

    @property
    def name(self) -> str:
        """The name that its runs have.

        >>> Side("page", "svm").name
        'page, svm'
        """
        return ", ".join([self.strategy, *unusual(self.classifier, self.training)])


class Contrast(Struct, frozen=True):
    """Two sides compared in one measure.

    With `hardest`, the advantage of the first side on the hardest quarter of the topics is compared with that on the
    others.
    """

    kind: Kind
    first: Side
    second: Side
    measure: Compared
    hardest: bool = False


class Claim(Struct, frozen=True):
    """A finding, which holds if all its contrasts hold."""

    key: str
    sentence: str
    contrasts: tuple[Contrast, ...]


PAGE: Final = Side("page")
WINDOWS: Final = tuple(Side(f"window-{size}") for size in (10, 20, 40))
COMBINED: Final = tuple(Side(f"window-{size}-combined") for size in (10, 20, 40))
TREE: Final = Side("tag-tree-combined")
SVM, NETWORK, BAYES = Side("page", "svm"), Side("page", "network"), Side("page", "naive-bayes")
TAUGHT_BY_LINKS: Final = Side("window-40", training="back-links")

CLAIMS: Final = (
    Claim(
        "window-alone",
        "A text window alone is no better than the full page.",
        tuple(Contrast("no-greater", window, PAGE, measure) for measure in BOTH for window in WINDOWS),
    ),
    Claim(
        "window-10",
        "A window of 10 words is worse than wider windows and than the full page.",
        tuple(Contrast("greater", other, WINDOWS[0], measure) for measure in BOTH for other in (*WINDOWS[1:], PAGE)),
    ),
    Claim(
        "window-combined",
        "A window combined with the page beats the full page in harvest rate.",
        tuple(Contrast("greater", combined, PAGE, "harvest_rate") for combined in COMBINED),
    ),
    Claim(
        "tag-tree-combined",
        "The tag tree combined with the page beats the full page in target recall.",
        (Contrast("greater", TREE, PAGE, "target_recall"),),
    ),
    Claim(
        "hardest-quarter",
        "It does so most of all on the hardest quarter of the topics.",
        (Contrast("greater", TREE, PAGE, "target_recall", hardest=True),),
    ),
    Claim(
        "svm-network",
        "A support vector machine and a network guide a crawler equally well.",
        tuple(Contrast("alike", SVM, NETWORK, measure) for measure in BOTH),
    ),
    Claim(
        "svm-naive-bayes",
        "A support vector machine guides it better than Naive Bayes.",
        tuple(Contrast("greater", SVM, BAYES, measure) for measure in BOTH),
    ),
    Claim(
        "network-naive-bayes",
        "A network guides it better than Naive Bayes.",
        tuple(Contrast("greater", NETWORK, BAYES, measure) for measure in BOTH),
    ),
    Claim(
        "back-links",
        "Training on windows around back-links is no better than on full pages.",
        tuple(Contrast("no-greater", TAUGHT_BY_LINKS, Side("window-40"), measure) for measure in BOTH),
    ),
)

ACCURACY: Final = 0.852
"""Five-fold accuracy of the study's support vector machine over 100 topics (± .008)."""
ACCURACY_KEY: Final = "five-fold-accuracy"
ACCURACY_CLAIM: Final = "Five-fold accuracy of the support vector machine is no lower than the study's 85.2 ± 0.8 %."
