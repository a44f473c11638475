"""Describes a cluster: distinctive words as written, characteristic sentences, best pages."""

from collections.abc import Sequence
from typing import Final

import numpy as np
from msgspec import Struct

from thresher.classify.written_words import written_forms
from thresher.learn.feature_selection import contingencies, mutual_information
from thresher.learn.k_means import Labels
from thresher.organise.topic_pages import Rows
from thresher.store.protocol import Store
from thresher.text.preview import preview
from thresher.text.words import words
from thresher.types import ParsedPage

WORDS: Final = 8
"""Number of distinctive words shown."""

SENTENCES: Final = 2

LOOKED_AT: Final = 30
"""Number of pages in which to look for the written form of a stem."""

_TELLING: Final = 60
_LONGEST: Final = 20_000


class ClusterLabel(Struct, frozen=True):
    """Distinctive words, best first, and sentences from the best pages."""

    words: list[str]
    sentences: list[str]


def telling_stems(rows: Rows, labels: Labels, k: int) -> list[dict[str, float]]:
    """Return for each cluster the stems that distinguish it from the others by mutual information, best first."""
    decided = np.flatnonzero(labels >= 0)
    members = labels[decided, None] == np.arange(k)
    found = []
    for counts in contingencies(rows.weights[decided], members):
        scores = mutual_information(*counts)
        best = np.argsort(-scores, kind="stable")[:_TELLING].tolist()
        found.append({rows.terms[place]: float(scores[place]) for place in best if scores[place] > 0})
    return found


def label_of(store: Store, pages: Sequence[int], telling: dict[str, float]) -> ClusterLabel:
    """Return the label of a cluster; `pages` are its pages, best first, and `telling` its stems.

    Pages marked nosnippet are not quoted.
    """
    heads = store.search_feed.heads(pages[:LOOKED_AT])
    read = [heads[id_] for id_ in pages[:LOOKED_AT] if id_ in heads]
    written = written_forms(
        (
            ParsedPage(url="", title=head.title, words=words(head.text[:_LONGEST]), links=[], language=head.language)
            for head in read
        ),
        telling,
    )
    sentences: dict[str, None] = {}
    for head in read:
        if "nosnippet" not in head.robots and len(sentences) < SENTENCES:
            sentences[preview(head.text, telling, head.language, 1)] = None
    sentences.pop("", None)
    shown = dict.fromkeys(written.get(stem, stem) for stem in telling)
    return ClusterLabel(list(shown)[:WORDS], list(sentences))


def names_for(labels: Sequence[ClusterLabel], taken: Sequence[str], number: int = 3) -> list[str]:
    """Return a name for each cluster, made of its best words; all names are different and none is in `taken`.

    >>> names_for([ClusterLabel(["boats", "sails"], []), ClusterLabel([], [])], [])
    ['boats, sails', 'group 2']
    """
    used = {name.lower() for name in taken}
    names = []
    for place, label in enumerate(labels, 1):
        name = wanted = ", ".join(label.words[:number]) or f"group {place}"
        again = 1
        while name.lower() in used:
            again += 1
            name = f"{wanted} {again}"
        used.add(name.lower())
        names.append(name)
    return names
