"""An accepted page as the JSON object that programs get."""

import math
from collections.abc import Iterable, Iterator
from typing import Final, TypedDict

import msgspec

from thresher.store.page_records import AcceptedPage

KEYS: Final = ("url", "title", "topic", "confidence", "probability", "found", "state")


class PageData(TypedDict):
    """An accepted page; `found` is in seconds since 1970, `probability` is null if the classifier gives none."""

    url: str
    title: str
    topic: str
    confidence: float
    probability: float | None
    found: float
    state: str


def page_object(page: AcceptedPage) -> PageData:
    """Return the object of a page."""
    return {
        "url": page.url,
        "title": page.title,
        "topic": page.topic,
        "confidence": page.confidence,
        "probability": None if math.isnan(page.probability) else page.probability,
        "found": page.found,
        "state": page.state.value,
    }


def json_lines(pages: Iterable[AcceptedPage]) -> Iterator[str]:
    """Yield one line of JSON for each page."""
    for page in pages:
        yield msgspec.json.encode(page_object(page)).decode() + "\n"
