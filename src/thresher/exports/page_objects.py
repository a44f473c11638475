"""An accepted page as the JSON object that programs get."""

import math
from collections.abc import Iterable, Iterator
from typing import Any, Final

import msgspec

from thresher.store.page_records import AcceptedPage

KEYS: Final = ("url", "title", "topic", "confidence", "probability", "found", "state")


def page_object(page: AcceptedPage) -> dict[str, Any]:
    """Return the object of a page: `found` is in seconds since the epoch, an unknown `probability` is None."""
    found: dict[str, Any] = {key: getattr(page, key) for key in KEYS}
    return found | {
        "probability": None if math.isnan(page.probability) else page.probability,
        "state": page.state.value,
    }


def json_lines(pages: Iterable[AcceptedPage]) -> Iterator[str]:
    """Give one line of JSON for each page."""
    for page in pages:
        yield msgspec.json.encode(page_object(page)).decode() + "\n"
