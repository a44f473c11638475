"""Kinds of links within a site, and an order that learns which kinds lead to significant pages.

A link is described by its tag path (the elements around it, such as `nav ul li`), by its place (a menu, a list or
running text; how deep in the markup, and at the top or the bottom of the page) and by the words of its anchor and
address, in any language. When a site has been decided, each followed link is rewarded by how clearly its target
supported the decision. Tag paths are the arms of a bandit: rarely tried ones get a bonus (UCB1).

The same description of links also predicts which pages link to other sites. A site that has turned out to be relevant
is read on for its links, and these pages come first.
"""

import math
import re
from bisect import bisect_left
from collections.abc import Sequence
from typing import Any, Final

import xxhash

from thresher.strategies.link_evidence import TOKENS
from thresher.strategies.token_model import TokenModel
from thresher.text.words import words
from thresher.types import Link, ParsedPage

BONUS: Final = 0.3
"""The weight of the bonus for rarely tried kinds of links."""

MANY_SITES: Final = 5
"""Number of new sites that a page links to if it counts as a full success."""

MOST_TOKENS: Final = 11
_WORD: Final = re.compile(r"[^\W\d_]{3,}")
_DEEPEST: Final = 8


def tokens_of(page: ParsedPage, links: Sequence[Link]) -> list[tuple[int, ...]]:
    """Return the tokens of some links on a page, the tag path first."""
    positions = sorted(link.position for link in page.links)
    length = max(1, len(page.words))
    return [_tokens(link, positions, length) for link in links]


def _tokens(link: Link, positions: list[int], length: int) -> tuple[int, ...]:
    place = f"{_place(link, positions)} {_third(link.position, length)}"
    found = [_number(f"tags {link.path}"), _number(f"place {place}")]
    found += [_number(f"anchor {word.lower()}") for word in words(link.anchor)[:4]]
    path = link.url.partition("://")[2].partition("/")[2].lower()
    found += [_number(f"path {word}") for word in _WORD.findall(path)[-4:]]
    found.append(_number(f"depth {min(path.count('/'), 5)} {'?' in path}"))
    return tuple(dict.fromkeys(found))[:MOST_TOKENS]


def _place(link: Link, positions: list[int]) -> str:
    """Return the kind of passage a link is in, judging by the number of words per link."""
    around = next((span for span in link.spans if span[1] - span[0] > link.length), None)
    if around is None:
        return f"bare {min(len(link.spans), _DEEPEST)}"
    number = bisect_left(positions, around[1]) - bisect_left(positions, around[0])
    share = (around[1] - around[0]) / max(1, number)
    kind = "text" if number < 3 or share > 12 else "list" if share > 4 else "menu"
    return f"{kind} {min(len(link.spans), _DEEPEST)}"


def _third(position: int, length: int) -> str:
    return "top" if position < 0.2 * length else "bottom" if position > 0.8 * length else "middle"


def _number(text: str) -> int:
    return xxhash.xxh3_64_intdigest(text.encode()) % TOKENS


class LinkOrder:
    """Learns which kinds of links lead to significant pages, and which to other sites; `rate` is the step size.

    >>> order = LinkOrder()
    >>> for _ in range(30):
    ...     order.learn((1, 2), 1.0)
    ...     order.learn((3, 2), 0.0)
    >>> order.score((1, 2)) > order.score((3, 2))
    True
    """

    def __init__(self, rate: float = 0.5) -> None:
        self._words = TokenModel(rate)
        self._hubs = TokenModel(rate)
        self._tried: dict[int, int] = {}
        self._tries = 0

    def score(self, tokens: Sequence[int]) -> float:
        """Return the score of a link: its log-odds, plus a bonus for rarely tried tag paths."""
        if not tokens:
            return 0.0
        tried = self._tried.get(tokens[0], 0)
        return self._words.score(list(tokens), 1) + BONUS * math.sqrt(math.log(1 + self._tries) / (1 + tried))

    def learn(self, tokens: Sequence[int], reward: float) -> None:
        """Record what a link led to: a `reward` of 1 for a decisive page, 0 for a misleading one."""
        if not tokens:
            return
        self._words.learn(list(tokens), 1, 0.0, reward)
        self._tried[tokens[0]] = self._tried.get(tokens[0], 0) + 1
        self._tries += 1

    def hub_score(self, tokens: Sequence[int]) -> float:
        """Return the score of a link as a way to pages with links to other sites, in log-odds."""
        return self._hubs.score(list(tokens), 1)

    def learn_hub(self, tokens: Sequence[int], sites: int) -> None:
        """Record that a link led to a page with links to a number of `sites` not linked to before."""
        if tokens:
            self._hubs.learn(list(tokens), 1, 0.0, min(1.0, sites / MANY_SITES))

    def state(self) -> dict[str, Any]:
        """Return everything learned."""
        return {
            "words": self._words.state(),
            "hubs": self._hubs.state(),
            "tried": sorted(self._tried.items()),
            "tries": self._tries,
        }

    def restore(self, state: dict[str, Any]) -> None:
        """Restore a saved state."""
        self._words.restore(state["words"])
        if "hubs" in state:
            self._hubs.restore(state["hubs"])
        self._tried = {int(token): int(number) for token, number in state["tried"]}
        self._tries = int(state["tries"])
