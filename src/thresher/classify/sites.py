"""Classifies whole sites by the pages read so far (Ester, Kriegel and Schubert, 4.3.3).

After every page, the probability of a class C is proportional to Pr[C] · Π Pr[p|C, err], which allows for errors of the
page classifier: Pr[p|C, err] = Pr[p|C](1 - err) + Pr[p|not C] err. Everything is summed in logarithms. The prior Pr[C]
is the share of such sites so far. It never outweighs half of the evidence needed for a decision, or it would lock in:
if few sites are relevant, none would ever be found.
"""

import math
from collections.abc import Sequence
from typing import Final

LEAST_ERROR: Final = 0.01
MOST_ERROR: Final = 0.45
SMOOTHING: Final = 2.0
"""Number of sites of each kind that the prior starts with."""


class SiteClassifier:
    """Turns the confidences of pages into the probabilities of classes for their site; the last class is "other".

    `classes` is the number of classes, `error` the share of pages that the page classifier gets wrong, `threshold` the
    probability at which a site counts as decided.

    >>> sites = SiteClassifier(2, error=0.1, threshold=0.9)
    >>> evidence = sites.evidence([0.9, 0.1])
    >>> [round(p, 2) for p in sites.posterior(evidence, sites.prior([0], 0))]
    [0.82, 0.18]
    """

    def __init__(self, classes: int, error: float, threshold: float = 0.9) -> None:
        if classes < 2 or not 0.5 < threshold < 1:
            raise ValueError("there must be at least two classes, and the threshold must be between 0.5 and 1")
        self.classes = classes
        self.threshold = threshold
        self.error = min(max(error, LEAST_ERROR), MOST_ERROR)
        self.most_evidence = math.log((1.0 - self.error) * (classes - 1) / self.error)
        """The most that one page can contribute to a class."""
        self._most = 0.5 * math.log(threshold / (1.0 - threshold))

    def evidence(self, confidences: Sequence[float]) -> list[float]:
        """Return what a page adds to the log-probability of each class: its confidences, corrected for the error."""
        spread = self.error / (self.classes - 1)
        return [math.log(share * (1.0 - self.error) + (1.0 - share) * spread + 1e-12) for share in confidences]

    def prior(self, relevant: Sequence[int], other: int) -> list[float]:
        """Return the logarithms, up to a constant, of each class's share among the sites decided so far.

        `relevant` counts the sites of each topic, `other` the rest.
        """
        base = math.log(other + SMOOTHING)
        shares = [math.log(found + SMOOTHING / len(relevant)) - base for found in relevant]
        return [*(min(max(share, -self._most), self._most) for share in shares), 0.0]

    def posterior(self, evidence: Sequence[float], prior: Sequence[float]) -> list[float]:
        """Return the probability of each class from all the evidence and the prior; they sum to 1."""
        logs = [one + other for one, other in zip(evidence, prior, strict=True)]
        top = max(logs)
        grown = [math.exp(value - top) for value in logs]
        whole = sum(grown)
        return [value / whole for value in grown]

    def is_sure(self, posterior: Sequence[float]) -> bool:
        """Return whether some class is probable enough to decide the site."""
        return max(posterior) >= self.threshold
