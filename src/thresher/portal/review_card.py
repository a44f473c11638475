"""The card that a reviewer sees of a page: the question, an excerpt, the words for and against."""

import re
from collections.abc import Sequence
from typing import Final

from msgspec import Struct

from thresher.classify.hierarchical import HierarchicalClassifier
from thresher.portal.copies import may_be_shown
from thresher.portal.ids import page_name
from thresher.portal.library import Library
from thresher.store.decisions import DecisionRow, DoubtfulPage
from thresher.store.page_records import DocumentRow
from thresher.store.stored_page import page_of
from thresher.web.urls import host_of

WORDS: Final = 4
"""Number of words shown for and against a topic."""

LIKELY: Final = 9
"""Number of topics with a digit key for moving a page."""

_QUOTED: Final = 500
_SITE: Final = "site "


class Card(Struct, frozen=True):
    """A page and the question about it.

    `asked` is the topic in question, and `accepted` whether the page is in it now. `quote` is an excerpt in pieces,
    each with whether it is marked. `likely` lists the topics it might belong to, most likely first. `said` is the
    number of earlier decisions about it.
    """

    page: DocumentRow
    name: str
    host: str
    asked: str
    accepted: bool
    probability: float | None
    quote: list[tuple[str, bool]]
    speaks_for: list[str]
    speaks_against: list[str]
    likely: list[str]
    has_copy: bool
    said: int


def make_card(library: Library, doubt: DoubtfulPage) -> Card | None:
    """Return the card of a page, or None if the portal no longer has it or may not show it."""
    page = library.store.documents.document(doubt.id)
    if page is None or "noindex" in page.robots:
        return None
    judged = page.judgement
    evidence = [(word, weight) for word, weight in (judged.evidence if judged else ()) if not word.startswith(_SITE)]
    speaks_for = [word for word, weight in evidence if weight > 0][:WORDS]
    text = "" if "nosnippet" in page.robots else page.preview or page.text[:_QUOTED]
    return Card(
        page=page,
        name=page_name(page.url_id),
        host=host_of(page.url),
        asked=doubt.topic,
        accepted=doubt.accepted,
        probability=judged.probability if judged else None,
        quote=marked(text, speaks_for),
        speaks_for=speaks_for,
        speaks_against=[word for word, weight in evidence if weight < 0][:WORDS],
        likely=_likely(library, page, doubt.topic),
        has_copy=may_be_shown(page),
        said=sum(_holds(row) for row in library.store.decisions.of_page(page.url_id)),
    )


def _holds(row: DecisionRow) -> bool:
    return row.undone is None and row.kind.judges


def marked(text: str, words: Sequence[str]) -> list[tuple[str, bool]]:
    """Split a text into pieces, with the given words marked.

    >>> marked("Hot tea, teapot.", ["tea"])
    [('Hot ', False), ('tea', True), (', teapot.', False)]
    """
    if not words:
        return [(text, False)]
    wanted = "|".join(re.escape(word) for word in words)
    pieces = re.split(rf"(?i)\b({wanted})\b", text)
    return [(piece, place % 2 == 1) for place, piece in enumerate(pieces) if piece]


def _likely(library: Library, page: DocumentRow, asked: str) -> list[str]:
    """Return the topics that a page might belong to, most likely first, without the one in question."""
    classifier, known = library.classifier(), library.overview().nodes
    ranked = likeliest(classifier, page) if classifier is not None else []
    return [topic for topic in dict.fromkeys([*ranked, *known]) if topic in known and topic != asked][:LIKELY]


def likeliest(classifier: HierarchicalClassifier, page: DocumentRow) -> list[str]:
    """Return all topics of a classifier, most likely first for a page; a topic never comes before its parent."""
    read = page_of(page)
    scored: list[tuple[float, str]] = []
    above: dict[str, float] = {"": 0.0}
    for parent in sorted(classifier.families_):
        family = classifier.families_[parent]
        confidences = family.judge(family.known(read.terms), host_of(page.url)).confidences
        for child, confidence in zip(family.children, confidences.tolist(), strict=True):
            name = f"{parent}/{child.name}" if parent else child.name
            above[name] = min(above.get(parent, 0.0), confidence) if parent else confidence
            scored.append((above[name], name))
    return [name for _, name in sorted(scored, key=lambda found: (-found[0], found[1]))]
