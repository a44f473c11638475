"""The report of a round of retraining: what changed for each topic and for stored pages."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, Final

import msgspec
from msgspec import Struct

from thresher.classify.examples import Examples
from thresher.classify.family_model import Child, FamilyModel
from thresher.classify.hierarchical import HierarchicalClassifier
from thresher.reasons import Unkept
from thresher.train.agreement import TopicAgreement
from thresher.types import ParsedPage

WORDS: Final = 8
"""Maximum number of new telling words to name for each topic."""


class Change(Struct, frozen=True):
    """The shares of pages judged correctly before and after adding archetypes.

    `lost` pages were right before and are wrong after, `won` pages the other way round.
    """

    before: float
    after: float
    lost: int
    won: int


class TopicChange(Struct, frozen=True):
    """What a round did to a topic.

    `proposed` says whether archetypes were proposed for it and `kept` whether they teach; if not, `why` is the reason.
    `archetypes` is how many teach it now, and `agreement` the share of the pages accepted by either half of the
    proposals that both accept, None if there were no proposals. `f_before` and `f_after` are its F on a person's pages,
    None if there is none.

    How far its feature space moved: `space_moved` is the share of stems that are only in the old or only in the new
    space, 0 to 1 (a topic shares its space with its siblings); `moved` is the share of its own most telling stems, at
    most 50, that are new, and `new_words` the best of these in their written form.
    """

    topic: str
    proposed: bool
    kept: bool
    why: str
    archetypes: int
    agreement: float | None
    f_before: float | None
    f_after: float | None
    space_moved: float
    moved: float
    new_words: list[str]


class Move(Struct, frozen=True, rename={"before": "from", "after": "to"}):
    """How many pages moved from one topic to another; None is no topic."""

    before: str | None
    after: str | None
    pages: int


class Round(Struct, frozen=True):
    """The result of a round of retraining; `kept` says whether any topic accepted proposals, or there were none.

    `change` is about the `pages` that a person gave, each judged while held out, without archetypes and with them.
    `moves` are those of the `looked_at` stored pages.
    """

    kept: bool
    archetypes: int
    pages: int
    change: Change
    topics: list[TopicChange]
    moves: list[Move]
    looked_at: int

    def as_data(self) -> dict[str, Any]:
        """Return the round as JSON data."""
        data: dict[str, Any] = msgspec.to_builtins(self)
        return data


def change(before: Sequence[bool], after: Sequence[bool]) -> Change:
    """Compare correctness of judgements of the same pages before and after.

    >>> change([True] * 8 + [False] * 2, [False] * 5 + [True] * 5)
    Change(before=0.8, after=0.5, lost=5, won=2)
    """
    pairs = list(zip(before, after, strict=True))
    lost, won = sum(was and not now for was, now in pairs), sum(now and not was for was, now in pairs)
    number = max(1, len(pairs))
    return Change(sum(before) / number, sum(after) / number, lost, won)


def moves(before: HierarchicalClassifier, after: HierarchicalClassifier, pages: Sequence[ParsedPage]) -> list[Move]:
    """Return the pages that another classifier moves, most frequent moves first."""
    judged = Counter((before.classify(page).topic, after.classify(page).topic) for page in pages)
    found = [Move(was, now, number) for (was, now), number in judged.items() if was != now]
    return sorted(found, key=lambda move: (-move.pages, move.before or "", move.after or ""))


def topic_changes(
    before: HierarchicalClassifier,
    after: HierarchicalClassifier,
    archetypes: Examples,
    unkept: Mapping[str, Unkept],
    agreed: Mapping[str, TopicAgreement],
) -> list[TopicChange]:
    """Return what a round did to each topic, in path order."""
    taught = Counter(label for _, label in archetypes)
    topics = sorted(
        f"{parent}/{child.name}" if parent else child.name
        for parent, family in after.families_.items()
        for child in family.children
    )
    spaces = {parent: _moved(before.families_.get(parent), family) for parent, family in after.families_.items()}
    found: list[TopicChange] = []
    for topic in topics:
        was, now = before.child(topic), after.child(topic)
        new = _new_stems(was, now)
        found.append(
            TopicChange(
                topic=topic,
                proposed=topic in agreed,
                kept=topic in agreed and topic not in unkept,
                why=unkept[topic].value if topic in unkept else "",
                archetypes=taught[topic],
                agreement=round(agreed[topic].share, 3) if topic in agreed else None,
                f_before=was.quality.f if was else None,
                f_after=now.quality.f if now else None,
                space_moved=spaces[topic.rpartition("/")[0]],
                moved=len(new) / max(1, len(now.telling)) if now else 0.0,
                new_words=[after.written_.get(stem, stem) for stem in new[:WORDS]],
            )
        )
    return found


def _moved(before: FamilyModel | None, after: FamilyModel) -> float:
    """Return how far the feature space of a family moved; 1 if there was none before."""
    had, now = set(before.terms if before else ()), set(after.terms)
    return len(had ^ now) / max(1, len(had | now))


def _new_stems(before: Child | None, after: Child | None) -> list[str]:
    """Return the telling stems of a topic that are new."""
    had = {feature.stem for feature in before.telling} if before else set()
    return [feature.stem for feature in after.telling if feature.stem not in had] if after else []
