"""What a person should know of the topics before trusting them: too few pages, one that drowns the others, twins."""

from collections.abc import Sequence
from typing import Final

from thresher.classify.examples import parent_of
from thresher.classify.family_model import FEW
from thresher.classify.likeness import Topics, likeness_of_topics
from thresher.types import Page

DOMINANT: Final = 0.5
"""Share of a topic's words in one page from which on that page is named."""

SAME: Final = 0.85
"""Likeness of two siblings from which on they are nearly the same.

Halves of one topic of the generated web are .88 to 1.24 alike, its sibling topics .20 to .71.
"""


def advice(topics: Topics, negatives: Sequence[Page]) -> dict[str, list[str]]:
    """Return sentences for each topic that deserves some; `negatives` are pages of no topic."""
    told: dict[str, list[str]] = {name: _about_pages(pages) for name, pages in topics.items()}
    for (one, other), likeness in _siblings(topics, negatives).items():
        if likeness >= SAME:
            told[one].append(
                f"It is nearly the same as '{other}' (likeness {likeness:.2f}): merge them, or tell them apart."
            )
            told[other].append(
                f"It is nearly the same as '{one}' (likeness {likeness:.2f}): merge them, or tell them apart."
            )
    return {name: sentences for name, sentences in told.items() if sentences}


def _about_pages(pages: Sequence[Page]) -> list[str]:
    sentences: list[str] = []
    if len(pages) < FEW:
        number = "one training page" if len(pages) == 1 else f"{len(pages)} training pages"
        sentences.append(f"It has {number}; with fewer than {FEW} its figures say little.")
    sizes = {page.url: sum(page.terms.values()) for page in pages}
    longest = max(sizes, key=lambda url: sizes[url], default="")
    if len(pages) > 2 and sizes[longest] > DOMINANT * sum(sizes.values()):
        share = sizes[longest] / sum(sizes.values())
        sentences.append(f"One page has {share:.0%} of its words: {longest}")
    return sentences


def _siblings(topics: Topics, negatives: Sequence[Page]) -> dict[tuple[str, str], float]:
    """Return the likeness of every two topics under one parent."""
    found: dict[tuple[str, str], float] = {}
    for parent in {parent_of(name) for name in topics}:
        family = {name: pages for name, pages in topics.items() if parent_of(name) == parent and pages}
        if len(family) > 1:
            rest = [page for name, pages in topics.items() if parent_of(name) == "" for page in pages]
            found |= likeness_of_topics(family, [*rest, *negatives])
    return dict(sorted(found.items()))
