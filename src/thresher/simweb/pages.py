"""The pages of a generated web as columns: what each page is, what it is about and how strongly."""

from enum import IntEnum, IntFlag

import numpy as np
from numpy.typing import NDArray


class PageKind(IntEnum):
    """The kind of a page; `label` is its name in the manifest."""

    CONTENT = 0
    NOISE = 1
    WELCOME = 2
    HUB = 3
    MIRROR = 4
    NEAR_DUPLICATE = 5
    REDIRECT = 6
    ERROR = 7
    TRAP = 8

    @property
    def label(self) -> str:
        """The name of the kind in the manifest.

        >>> PageKind.NEAR_DUPLICATE.label
        'near-duplicate'
        """
        return self.name.lower().replace("_", "-")


class Flag(IntFlag):
    """Other properties of a page."""

    DISALLOWED = 1
    NOINDEX = 2
    NOFOLLOW = 4
    BUSY = 8


class PageTable:
    """One row per page in columns; -1 means none in `topic`, `theme`, `second`, `gate`, `original` and `to`.

    `topic` is the true topic, `theme` where the words come from, and `second` another theme that is mentioned;
    `strength` and `second_strength` are their shares of the words. `words` is the length of the text. `gate` is the
    gate page of an enclave's member, `original` the page it copies, and `to` the target of a redirect. `title` has
    three positions in the table of the theme, and `popularity` is the weight with which others link to the page.
    """

    def __init__(self, count: int) -> None:
        self.count = count
        self.host = np.zeros(count, np.int32)
        self.kind = np.zeros(count, np.uint8)
        self.flags = np.zeros(count, np.uint8)
        self.status = np.full(count, 200, np.int16)
        self.topic = np.full(count, -1, np.int16)
        self.theme = np.full(count, -1, np.int16)
        self.second = np.full(count, -1, np.int16)
        self.strength = np.zeros(count, np.float32)
        self.second_strength = np.zeros(count, np.float32)
        self.words = np.zeros(count, np.int16)
        self.gate = np.full(count, -1, np.int32)
        self.original = np.full(count, -1, np.int32)
        self.to = np.full(count, -1, np.int32)
        self.title = np.zeros((count, 3), np.int16)
        self.popularity = np.zeros(count, np.float32)

    def kind_of(self, page: int) -> PageKind:
        """Return the kind of one page; comparing a number in the column with a kind is ten times slower."""
        return PageKind(int(self.kind[page]))

    def flagged(self, page: int, flag: Flag) -> bool:
        """Return whether a page has a flag."""
        return int(self.flags[page]) & flag.value != 0

    def is_kind(self, *kinds: PageKind) -> NDArray[np.bool_]:
        """Return which pages are of one of the kinds."""
        return np.isin(self.kind, np.array(kinds, np.uint8))

    def has(self, flag: Flag) -> NDArray[np.bool_]:
        """Return which pages have a flag, or any of several joined flags."""
        carried: NDArray[np.bool_] = (self.flags & int(flag)) != 0
        return carried
