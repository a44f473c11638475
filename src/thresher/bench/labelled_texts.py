"""Labelled texts for measuring classifiers: 20 Newsgroups with its own split, and the Ebola pages in five folds."""

from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Final
from urllib.parse import unquote

from msgspec import Struct

from thresher.bench.data import collection
from thresher.documents.analyse import Reader
from thresher.text.stems import count_stems
from thresher.text.words import words
from thresher.types import Failed, Fetched, ParsedPage

FOLDS: Final = 5
TOPIC: Final = "Ebola"


class Labelled(Struct, frozen=True):
    """A page with its stems, its plain text for other tokenizers, and its topic, None for none."""

    page: ParsedPage
    text: str
    topic: str | None


class Fold(Struct, frozen=True):
    """Training and test texts."""

    train: list[Labelled]
    test: list[Labelled]


def newsgroups(data: Path) -> list[Fold]:
    """Return the single fold of 20 Newsgroups: older posts for training, newer ones for testing, headers included."""
    folder = collection("newsgroups20", data)
    parts = [
        [_post(file) for file in sorted((folder / f"20news-bydate-{part}").glob("*/*"))] for part in ("train", "test")
    ]
    return [Fold(*parts)]


def ebola(data: Path) -> list[Fold]:
    """Return five folds of pages about the Ebola outbreak and of related pages that are not about it."""
    folder = collection("ache-ebola", data)
    kinds = [("positive", TOPIC), ("negative", None)]
    return folds([_pages(folder.glob(f"**/{kind}/*"), topic) for kind, topic in kinds])


def folds(classes: Sequence[Sequence[Labelled]], number: int = FOLDS) -> list[Fold]:
    """Return folds with every class distributed evenly.

    >>> page = ParsedPage(url="", title="", words=[], links=[])
    >>> found = folds([[Labelled(page, text, "A") for text in "abc"], [Labelled(page, text, None) for text in "de"]], 2)
    >>> [["".join(one.text for one in part) for part in (fold.train, fold.test)] for fold in found]
    [['be', 'acd'], ['acd', 'be']]
    """
    dealt = [(place % number, one) for members in classes for place, one in enumerate(members)]
    return [
        Fold([one for place, one in dealt if place != fold], [one for place, one in dealt if place == fold])
        for fold in range(number)
    ]


def with_fewer(fold: Fold, each: int) -> Fold:
    """Return a fold with at most `each` training texts per topic, sampled evenly.

    >>> page = ParsedPage(url="", title="", words=[], links=[])
    >>> few = with_fewer(Fold([Labelled(page, text, "A") for text in "abcdef"], []), 3)
    >>> [one.text for one in few.train]
    ['a', 'c', 'e']
    """
    by_topic: dict[str | None, list[Labelled]] = {}
    for one in fold.train:
        by_topic.setdefault(one.topic, []).append(one)
    kept = [texts[:: max(1, len(texts) // each)][:each] for texts in by_topic.values()]
    return Fold([one for texts in kept for one in texts], fold.test)


def tree_of(groups: Iterable[str]) -> dict[str, str]:
    """Return the written path of each group; groups whose names begin alike share a parent topic.

    >>> tree_of(["sci.med", "sci.space", "alt.atheism"])
    {'sci.med': 'sci/sci.med', 'sci.space': 'sci/sci.space', 'alt.atheism': 'alt.atheism'}
    """
    named = list(dict.fromkeys(groups))
    shared = Counter(group.partition(".")[0] for group in named)
    first = {group: group.partition(".")[0] for group in named}
    return {group: f"{first[group]}/{group}" if shared[first[group]] > 1 else group for group in named}


def _post(file: Path) -> Labelled:
    text = file.read_bytes().decode("latin-1")
    terms = count_stems(words(text), "en")
    return Labelled(ParsedPage(url=file.name, title="", words=[], links=[], terms=terms), text, file.parent.name)


def _pages(files: Iterable[Path], topic: str | None) -> list[Labelled]:
    reader = Reader()
    found: list[Labelled] = []
    for file in sorted(files):
        body = file.read_bytes()
        answer = Fetched(url=unquote(file.name), status=200, headers=[], body=body, raw=body, mime="text/html", at=0.0)
        page = reader.read(answer)
        if not isinstance(page, Failed):
            bare = ParsedPage(url=page.url, title="", words=[], links=[], terms=page.terms, language=page.language)
            found.append(Labelled(bare, " ".join([page.title, *page.words]), topic))
    return found
