"""Describes a cluster: distinctive words as written, characteristic sentences, best pages."""

from collections.abc import Mapping, Sequence
from typing import Final

import numpy as np
from msgspec import Struct

from thresher.classify.written_words import written_forms
from thresher.learn.feature_selection import contingencies, mutual_information
from thresher.learn.k_means import Labels
from thresher.organise.topic_pages import Rows, site_counts
from thresher.store.protocol import Store
from thresher.store.search_records import PageHead
from thresher.text.preview import preview
from thresher.text.sentences import sentences
from thresher.text.stems import count_stems
from thresher.text.words import words
from thresher.types import ParsedPage

WORDS: Final = 8
"""Number of distinctive words shown."""

SENTENCES: Final = 2

LOOKED_AT: Final = 30
"""Number of pages in which to look for the written form of a stem, and for sentences."""

_TELLING: Final = 60
_LONGEST: Final = 20_000
_SHORTEST: Final = 3


class ClusterLabel(Struct, frozen=True):
    """Distinctive words, best first, and sentences from the best pages."""

    words: list[str]
    sentences: list[str]


def telling_stems(rows: Rows, labels: Labels, k: int, sites: Sequence[str]) -> list[dict[str, float]]:
    """Return for each cluster the stems that distinguish it from the others, best first.

    The score is the mutual information, times the mean weight in the cluster's pages, times the share of its sites that
    have the stem. Words of menus and tables distinguish pages as well as those of their subject do, but a page hardly
    repeats them, and other sites have other menus.
    """
    decided = np.flatnonzero(labels >= 0)
    members = labels[decided, None] == np.arange(k)
    weights = rows.weights[decided]
    readable = np.array([_is_word(term) for term in rows.terms], np.bool_)
    found = []
    for number, counts in enumerate(contingencies(weights, members)):
        own = np.flatnonzero(members[:, number])
        by_site = site_counts(weights[own], [sites[decided[place]] for place in own])
        spread = np.diff(by_site.tocsc().indptr) / by_site.shape[0]
        heavy = np.asarray(weights[own].sum(axis=0)).ravel() / np.maximum(1.0, counts[0])
        scores = mutual_information(*counts) * heavy * spread * readable
        best = np.argsort(-scores, kind="stable")[:_TELLING].tolist()
        found.append({rows.terms[place]: float(scores[place]) for place in best if scores[place] > 0})
    return found


def _is_word(stem: str) -> bool:
    """Return whether a stem can name a cluster: numbers, versions and single letters cannot.

    >>> [_is_word(stem) for stem in ("boat", "mp3", "海", "v9", "1984", "x")]
    [True, True, True, False, False, False]
    """
    return not stem[0].isdigit() and not (stem.isascii() and len(stem) < _SHORTEST)


def label_of(store: Store, pages: Sequence[int], telling: Mapping[str, float]) -> ClusterLabel:
    """Return the label of a cluster; `pages` are its pages, best first, and `telling` its stems.

    Pages marked nosnippet are not quoted.
    """
    heads = store.search_feed.heads(pages[:LOOKED_AT])
    read = [heads[id_] for id_ in pages[:LOOKED_AT] if id_ in heads]
    texts = [_as_page(head) for head in read]
    seen = {stem for page in texts for stem in count_stems(page.words, page.language)}
    written = written_forms(texts, telling)
    shown = dict.fromkeys(written.get(stem, stem) for stem in telling if stem in seen)
    return ClusterLabel(list(shown)[:WORDS], _sentences(read, telling))


def _as_page(head: PageHead) -> ParsedPage:
    """Return the words of a page with the parts of compounds; the first word of a sentence is in lower case.

    It is capitalised because of where it is, and most words of a title because of what that is.
    """
    found: list[str] = []
    for sentence in sentences(head.text[:_LONGEST]):
        first, *others = words(sentence) or [""]
        found += [part for word in (first.lower(), *others) for part in {word, *word.split("-")} if part]
    return ParsedPage(url="", title="", words=found, links=[], language=head.language)


def _sentences(read: Sequence[PageHead], telling: Mapping[str, float]) -> list[str]:
    """Return the sentences with the most distinctive words for their length, one per page.

    Sentences that several pages share are part of a template and come last.
    """
    told: dict[str, float] = {}
    for head in read:
        if "nosnippet" not in head.robots:
            sentence = preview(head.text, telling, head.language, 1).removeprefix(f"{head.title} ")
            number = len(words(sentence))
            score = sum(telling.get(stem, 0.0) for stem in count_stems(words(sentence), head.language))
            # Text that does not begin like a sentence is the rest of one, or code.
            begun = 0.5 if sentence[:1].islower() else 1.0
            told[sentence] = -1.0 if sentence in told else begun * score / max(1, number) ** 0.5
    told.pop("", None)
    return sorted(told, key=lambda sentence: -told[sentence])[:SENTENCES]


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
