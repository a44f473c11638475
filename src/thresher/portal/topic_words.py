"""The words of a topic: score, number of pages, a sentence with the word, and whether it is marked good or bad."""

import re
from itertools import islice
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from thresher.portal.library import Library
from thresher.store.portal_records import ListOrder, PageSelection
from thresher.taxonomy.topic_tree import Taxonomy, found, parsed, put
from thresher.text.preview import BAR
from thresher.train.stored_pages import find
from thresher.types import Failed

SHOWN: Final = 50
"""Maximum number of words shown."""

_TEXTS: Final = 20
"""Maximum number of pages searched for sentences."""

_AROUND: Final = 120
_PLACES: Final = 10
"""Maximum number of occurrences checked in one text."""


class WorkshopWord(Struct, frozen=True):
    """A word of a topic; `mark` is good, bad or empty; `sentence` has three parts with the word in the middle."""

    word: str
    stem: str
    score: float
    pages: int
    mark: str
    sentence: tuple[str, str, str] | None


def workshop(library: Library, topic: str) -> list[WorkshopWord]:
    """Return the characteristic words of a topic, best first, then marked words that are not among them."""
    classifier, known = library.classifier(), library.topics().get(parsed(topic))
    child = classifier.child(topic) if classifier is not None else None
    if known is None:
        return []
    texts = _texts(library, topic)
    told = child.telling[:SHOWN] if child is not None else []
    written = {one.stem: (classifier.written_.get(one.stem, one.stem) if classifier else one.stem) for one in told}
    rows = [
        WorkshopWord(
            written[one.stem],
            one.stem,
            one.score,
            one.pages,
            _mark(known, written[one.stem]),
            sentence(written[one.stem], texts),
        )
        for one in told
    ]
    shown = {row.word for row in rows}
    for word in (*known.good, *known.bad):
        if word not in shown:
            rows.append(WorkshopWord(word, "", 0.0, 0, _mark(known, word), sentence(word, texts)))
    return rows


def marked(tree: Taxonomy, topic: str, word: str, mark: str) -> Taxonomy:
    """Return the topics with a word of one of them marked good or bad; an empty mark removes it."""
    path = parsed(topic)
    one = found(tree, path)
    good = tuple(known for known in one.good if known != word)
    bad = tuple(known for known in one.bad if known != word)
    if mark == "good":
        good = (*good, word)
    elif mark == "bad":
        bad = (*bad, word)
    return put(tree, path, replace(one, good=good, bad=bad))


def sentence(word: str, texts: list[str]) -> tuple[str, str, str] | None:
    """Return the first sentence with a word in three parts, or None if there is none; menus come last.

    >>> sentence("kettle", ["Home | Kettle | Cups. Put the kettle on. Wait."])
    ('Put the ', 'kettle', ' on')
    """
    pattern = re.compile(rf"(?i)\b{re.escape(word)}\b")
    in_menu: tuple[str, str, str] | None = None
    for text in texts:
        for match in islice(pattern.finditer(text), _PLACES):
            before = re.split(r"[.!?\n]", text[max(0, match.start() - _AROUND) : match.start()])[-1]
            after = re.split(r"[.!?\n]", text[match.end() : match.end() + _AROUND])[0]
            told = (before.lstrip(), match[0], after.rstrip())
            if BAR not in before + after:
                return told
            in_menu = in_menu or told
    return in_menu


def _mark(topic: object, word: str) -> str:
    good, bad = getattr(topic, "good", ()), getattr(topic, "bad", ())
    return "good" if word in good else "bad" if word in bad else ""


def _texts(library: Library, topic: str) -> list[str]:
    """Return the texts of a topic's training pages and of the best pages found for it."""
    texts: list[str] = []
    known = library.topics().get(parsed(topic))
    for page in known.pages[:_TEXTS] if known else ():
        rows = find(library.store, page.url)
        texts += [] if isinstance(rows, Failed) else [row.text for row in rows[:1]]
    ids = library.store.catalogue.ids(PageSelection(topics=(topic,)), ListOrder.BEST, _TEXTS)
    texts += [head.text for head in library.store.search_feed.heads(ids).values()]
    return texts
