"""The classifier of a topic tree: from the root down, the most confident child accepts the page (Sizov, section 2.3).

At every topic with children, a family of linear support vector machines decides. A page that no child accepts stays
where it is; one that stays at the root is rejected. A topic without pages of its own keeps only pages of which it is
more confident.
"""

import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple, Self

from thresher.classify.acceptance import EMPTY, Rules, TopicWishes, Wishes, refusal
from thresher.classify.background import background
from thresher.classify.examples import Examples, families
from thresher.classify.family_model import Child, FamilyModel, Known
from thresher.classify.folds import site_of
from thresher.classify.held_out import right
from thresher.classify.own_words import ALLOWED, own_terms
from thresher.classify.restraint import fit_restrained
from thresher.classify.sibling_space import SpaceParameters
from thresher.classify.tree_file import TreeModel, pack_tree, unpack_tree
from thresher.classify.word_marks import with_marks
from thresher.classify.word_pairs import with_pairs
from thresher.classify.written_words import written_forms
from thresher.errors import InputError
from thresher.learn.model_file import load, version_of
from thresher.reasons import Unmet
from thresher.types import Judgement, ParsedPage, Rejection
from thresher.work_faults import NoTopics

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

EVIDENCE: Final = 8
"""Number of words named as evidence for a judgement."""


class _Step(NamedTuple):
    """A step down the tree: the best child of a family for a page, and its scores.

    `known` are the words that decided, all words of the page or only its own; `allowed` is the allowance for the
    latter.
    """

    topic: str
    family: FamilyModel
    known: Known
    place: int
    confidence: float
    probability: float
    of_site: float
    allowed: float = 0.0

    @property
    def child(self) -> Child:
        return self.family.children[self.place]


class HierarchicalClassifier:
    """Judges pages against a tree of topics.

    `parameters` say how feature spaces and classifiers are learned, `rules` when a page is accepted. Learned:
    `families_`, a model for each topic with children by its written path ("" is the root), `wishes_`, `written_`, the
    written forms of stems if different, `version_`, and `right_`: for each example, whether it was judged correctly
    while held out, known only after fitting.

    >>> def page(text):
    ...     return ParsedPage(url="", title="", words=[], links=[], terms={word: 1 for word in text.split()})
    >>> boats = [(page(f"boat sail wind {extra}"), "Boats") for extra in ("sea", "mast")]
    >>> cars = [(page(f"car road wheel {extra}"), "Cars") for extra in ("fuel", "brake")]
    >>> judged = HierarchicalClassifier().fit(boats + cars).classify(page("boat wind sail"))
    >>> judged.topic, judged.path, judged.confidence > 0
    ('Boats', ('Boats',), True)
    """

    def __init__(self, parameters: SpaceParameters | None = None, rules: Rules | None = None) -> None:
        self.parameters = parameters or SpaceParameters()
        self.rules = rules or Rules()
        self.families_: dict[str, FamilyModel] = {}
        self.wishes_: dict[str, TopicWishes] = {}
        self.written_: dict[str, str] = {}
        self.version_ = ""
        self.right_: list[bool] = []

    def fit(
        self,
        examples: Examples,
        wishes: Wishes | None = None,
        archetypes: Examples = (),
        met: Sequence[ParsedPage] = (),
    ) -> Self:
        """Learn from pages with the written path of their topic; None marks pages without a topic.

        `archetypes` are pages found by a crawl that teach like the others but do not widen a topic; quality, confidence
        and `right_` are measured on the others alone (Sizov, section 2.2.4). `met` are unlabelled pages: they show how
        common words are and where topics end. Raises InputError if there is no topic.
        """
        if self.parameters.pairs:
            examples = [(with_pairs(page), label) for page, label in examples]
            archetypes = [(with_pairs(page), label) for page, label in archetypes]
            met = [with_pairs(page) for page in met]
        given = [*examples, *archetypes]
        general = [(page, None) for page in background(page for page, _ in given)]
        found = families([*given, *general])
        if not found:
            raise InputError("There are no training pages with a topic.", "Give every topic a few pages.", NoTopics())
        self.families_, held_out = {}, []
        self.wishes_ = dict(wishes or {})
        for family in found:
            inside = [page for page in met if not family.parent or self._under(page, family.parent)]
            taught = (family.places >= len(examples)) & (family.places < len(given))
            fitted = fit_restrained(with_marks(family, self.wishes_), self.parameters, taught, inside)
            self.families_[family.parent] = fitted.model
            held_out.append(fitted.held_out)
        self.right_ = right(len(examples), found, held_out, self.rules.threshold)
        stems = {stem for family in self.families_.values() for stem in family.terms}
        known = {stem: form for stem, form in self.written_.items() if stem in stems}
        self.written_ = known | written_forms((page for page, _ in given), stems)
        self.version_ = version_of(self.to_bytes())
        return self

    def unfitted(self) -> "HierarchicalClassifier":
        """Return a classifier with the same parameters and rules that knows only the written forms of stems.

        Stored training pages have stems but no words, so a classifier fitted to them could not learn these again.
        """
        made = HierarchicalClassifier(self.parameters, self.rules)
        made.written_ = dict(self.written_)
        return made

    def _under(self, page: ParsedPage, topic: str) -> bool:
        """Return whether the topics known so far lead a page to a topic."""
        reached = self.classify(page).topic or ""
        return reached == topic or reached.startswith(f"{topic}/")

    def to_bytes(self) -> bytes:
        """Return everything learned as bytes; the same classifier gives the same bytes."""
        return pack_tree(TreeModel(self.parameters, self.rules, self.wishes_, self.families_, self.written_))

    @classmethod
    def from_bytes(cls, packed: bytes) -> "HierarchicalClassifier":
        """Return the classifier from the result of `to_bytes`; raise InputError if the bytes are not one."""
        model = unpack_tree(packed)
        made = cls(model.parameters, model.rules)
        made.families_, made.wishes_, made.written_ = model.families, model.wishes, model.written
        made.version_ = version_of(packed)
        return made

    @classmethod
    def load(cls, file: Path) -> "HierarchicalClassifier":
        """Return the classifier of a model file; raise InputError if it is missing or damaged."""
        return cls.from_bytes(load(file))

    def classify(self, page: ParsedPage) -> Judgement:
        """Return the judgement of a page; a rejected page has the confidence of its closest topic."""
        if self.parameters.pairs:
            page = with_pairs(page)
        site = site_of(page)
        taken, rejected, rejection = self._way(page, site)
        nearest = taken[-1] if taken else rejected
        while taken and self._doubtful(taken[-1]):
            nearest = taken.pop()
            rejection = Rejection(rule=Unmet.BELOW_THRESHOLD, topic=nearest.topic, needed=self.rules.threshold + EMPTY)
        nearest = taken[-1] if taken else nearest
        if nearest is None:
            return Judgement(topic=None, confidence=0.0, probability=1.0, model=self.version_)
        evidence, border = self._grounds(nearest, site)
        return Judgement(
            topic=taken[-1].topic if taken else None,
            confidence=nearest.confidence,
            probability=math.prod(step.probability for step in taken) if taken else nearest.probability,
            path=tuple(step.child.name for step in taken),
            evidence=evidence,
            model=self.version_,
            border=round(border, 4),
            rejection=None if taken else rejection,
        )

    def _way(self, page: ParsedPage, site: str) -> "tuple[list[_Step], _Step | None, Rejection | None]":
        """Return the steps of a page down the tree, the first step it does not take, and why."""
        taken: list[_Step] = []
        topic, own = "", own_terms(page)
        while (family := self.families_.get(topic)) is not None:
            known = family.known(page.terms)
            step = self._step(topic, family, known, site)
            if own is not page.terms:
                step = min(step, self._own_step(step, family.known(own), site), key=lambda one: one.confidence)
            name = step.topic
            refused = refusal(page, name, step.confidence, len(known.places), self.rules, self.wishes_.get(name))
            if refused is not None:
                return taken, step, refused
            taken.append(step)
            topic = name
        return taken, None, None

    def _step(self, topic: str, family: FamilyModel, known: Known, site: str) -> "_Step":
        """Return the step to the most confident child of a topic."""
        scores = family.judge(known, site)
        best = int(scores.confidences.argmax())
        name = f"{topic}/{family.children[best].name}" if topic else family.children[best].name
        confidence, probability = float(scores.confidences[best]), float(scores.probabilities[best])
        return _Step(name, family, known, best, confidence, probability, float(scores.of_site[best]))

    def _own_step(self, step: "_Step", own: Known, site: str) -> "_Step":
        """Return the same step judged by the page's own words."""
        scores = step.family.judge(own, site, ALLOWED)
        confidence, probability = float(scores.confidences[step.place]), float(scores.probabilities[step.place])
        return step._replace(known=own, confidence=confidence, probability=probability, allowed=ALLOWED)

    def _doubtful(self, step: "_Step") -> bool:
        """Return whether a topic whose children all rejected the page is too unsure to keep it."""
        below = step.topic in self.families_
        return below and step.child.empty and not step.confidence > self.rules.threshold + EMPTY

    def _grounds(self, step: "_Step", site: str) -> tuple[tuple[tuple[str, float], ...], float]:
        """Return the words that matter most at a step, with the site if it is known, and what they must outweigh."""
        family = step.family
        evidence = family.evidence(step.known, step.place, EVIDENCE)
        border = family.border(step.place) - step.of_site - step.allowed
        if family.site_evidence.knows(site):
            evidence, border = [(f"site {site}", step.of_site), *evidence], border + step.of_site
        return tuple((self.written_.get(stem, stem), round(weight, 4)) for stem, weight in evidence), border

    def child(self, topic: str) -> Child | None:
        """Return what was learned about a topic by its written path, None if it was not trained."""
        parent, _, name = topic.rpartition("/")
        family = self.families_.get(parent)
        return next((child for child in family.children if child.name == name), None) if family else None

    def telling(self, topic: str) -> dict[str, float]:
        """Return the stems that speak best for a topic, with their scores by the measure of its feature space."""
        parent, _, name = topic.rpartition("/")
        family = self.families_.get(parent)
        names = [child.name for child in family.children] if family else []
        return family.telling(names.index(name)) if family and name in names else {}

    def subjects(self) -> tuple[str, ...]:
        """Return the topics at the top of the tree."""
        return tuple(child.name for child in self.families_[""].children)

    def log_odds(self, stems: Sequence[str], spans: "NDArray[np.int64]") -> "NDArray[np.float64]":
        """Return the log-odds of each span (start, end) of the stems, a column per topic at the top."""
        return self.families_[""].span_margins.log_odds(stems, spans)

    def relevance(self, bags: Sequence[Mapping[str, int]]) -> list[float]:
        """Return for each bag of stems the probability of the most likely topic at the top of the tree."""
        root = self.families_[""]
        return [float(root.judge(root.known(bag)).probabilities.max()) for bag in bags]
