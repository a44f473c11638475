"""Measures how well the main text of pages is extracted, compared with other extractors.

html-eval lists strings that must and must not be in the text. A wanted string counts as a true positive if found and as
a false negative if missing; an unwanted string that is found counts as a false positive. Strings and texts are compared
word by word, so whitespace and punctuation do not matter.
"""

import json
import random
import subprocess
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Final

from msgspec import Struct
from resiliparse.extract.html2text import extract_plain_text

from thresher.bench.html_eval import Expectation, html_eval
from thresher.documents.analyse import Reader
from thresher.documents.encodings import decode
from thresher.errors import InputError
from thresher.text.words import words
from thresher.types import Failed, Fetched

SEED: Final = 1

Extractor = Callable[[Fetched], list[str]]
"""Returns the words of the text that it extracts from a response."""


class TextFigures(Struct, frozen=True):
    """The figures of one extractor on one half of the pages, or on all."""

    extractor: str
    half: str
    pages: int
    precision: float
    recall: float
    f: float


def halves(urls: Iterable[str]) -> Mapping[str, frozenset[str]]:
    """Return the half of the pages for tuning rules, and the half for testing them."""
    ordered = sorted(urls)
    tune = frozenset(random.Random(SEED).sample(ordered, len(ordered) // 2))
    return {"tune": tune, "test": frozenset(ordered) - tune}


def measure_main_text(data: Path, rivals: Path | None = None) -> list[TextFigures]:
    """Return the figures of all extractors; `rivals` is the interpreter of an environment with trafilatura."""
    pages = html_eval(data)
    extractors: dict[str, Extractor] = {
        "thresher": _reader(Reader()),
        "thresher main text": _reader(Reader(main_text=True)),
        "resiliparse main content": _resiliparse,
    }
    if rivals is not None:
        texts = trafilatura_texts(rivals, (pages.answer(url) for url in pages.urls()))
        extractors["trafilatura"] = lambda answer: words(texts[answer.url])
    rows = []
    for name, extract in extractors.items():
        counts = {url: _count(extract(pages.answer(url)), pages.expectation(url)) for url in pages.urls()}
        for half, members in {**halves(counts), "all": frozenset(counts)}.items():
            rows.append(_figures(name, half, [counts[url] for url in members]))
    return rows


def trafilatura_texts(python: Path, answers: Iterable[Fetched]) -> dict[str, str]:
    """Return the texts that trafilatura extracts, by URL; it runs under another interpreter."""
    lines = [json.dumps({"url": answer.url, "html": decode(answer.body, "text/html")[0]}) for answer in answers]
    script = Path(__file__).parent / "rivals" / "trafilatura_text.py"
    try:
        ran = subprocess.run(  # noqa: S603
            [str(python), str(script)], input="\n".join(lines), capture_output=True, text=True, check=True
        )
    except (OSError, subprocess.CalledProcessError) as error:
        raise InputError(
            f"trafilatura cannot be run with '{python}': {error}.",
            "Create an environment that has it, and give its interpreter with --rivals.",
        ) from error
    return {found["url"]: found["text"] for found in map(json.loads, ran.stdout.splitlines())}


def _reader(reader: Reader) -> Extractor:
    def extract(answer: Fetched) -> list[str]:
        page = reader.read(answer)
        return [] if isinstance(page, Failed) else page.words

    return extract


def _resiliparse(answer: Fetched) -> list[str]:
    text, _ = decode(answer.body, "text/html")
    return words(extract_plain_text(text, main_content=True))


def _count(found: list[str], expected: Expectation) -> tuple[int, int, int]:
    """Return true positives, false negatives and false positives."""
    text = " ".join(found)

    def number(strings: tuple[str, ...]) -> int:
        return sum(" ".join(words(string)) in text for string in strings)

    positives = number(expected.wanted)
    return positives, len(expected.wanted) - positives, number(expected.unwanted)


def _figures(name: str, half: str, counts: list[tuple[int, int, int]]) -> TextFigures:
    positives, missing, wrong = (sum(column) for column in zip(*counts, strict=True))
    precision = positives / max(1, positives + wrong)
    recall = positives / max(1, positives + missing)
    return TextFigures(
        name, half, len(counts), precision, recall, 2 * precision * recall / max(1e-9, precision + recall)
    )
