"""html-eval: pages of news sites and blogs with strings that must, and must not, be in their main text."""

import json
from functools import cached_property
from pathlib import Path
from typing import Any, Final

from msgspec import Struct

from thresher.bench.data import collection
from thresher.errors import InputError
from thresher.types import Fetched

NAME: Final = "html-eval"


class Expectation(Struct, frozen=True):
    """Strings that the main text of a page must and must not contain."""

    wanted: tuple[str, ...]
    unwanted: tuple[str, ...]


class HtmlEval:
    """The pages by their URLs; `folder` is the unpacked archive."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    @cached_property
    def _entries(self) -> dict[str, Any]:
        try:
            found = json.loads((self._folder / "evaldata.json").read_bytes())
        except (OSError, ValueError) as error:
            raise InputError(
                f"The expectations of {NAME} cannot be read: {error}.", "Unpack the archive again."
            ) from error
        return dict(sorted(found.items()))

    def urls(self) -> list[str]:
        """Return the URL of every page, sorted."""
        return list(self._entries)

    def answer(self, url: str) -> Fetched:
        """Return a page as a server would have sent it; the reader has to detect its encoding."""
        name = Path(self._entries[url]["file"]).name
        body = next(
            path for folder in ("eval", "cache") if (path := self._folder / folder / name).exists()
        ).read_bytes()
        headers = [("Content-Type", "text/html")]
        return Fetched(url=url, status=200, headers=headers, body=body, raw=body, mime="text/html", at=0.0)

    def expectation(self, url: str) -> Expectation:
        """Return what is expected of a page's main text."""
        entry = self._entries[url]
        return Expectation(tuple(entry.get("with") or ()), tuple(entry.get("without") or ()))


def html_eval(data: Path) -> HtmlEval:
    """Return the collection from the folder of all collections."""
    return HtmlEval(collection(NAME, data))
