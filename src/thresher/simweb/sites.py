"""Lays out sites: which pages a host has, in which order, and what each of them writes about.

Most of a topic's pages on its own hosts are in *enclaves*: a few pages that link to each other and have a link only
from one off-topic page, their gate, which in turn has links only from off-topic pages. The only way to reach them is
tunnelling through two off-topic pages.
"""

from typing import Final

import numpy as np

from thresher.simweb.hosts import HostRole, SimulatedHost
from thresher.simweb.pages import PageKind, PageTable
from thresher.simweb.parameters import WebParameters
from thresher.simweb.vocabulary import THEME_TABLE, Vocabulary

_REDIRECTS: Final = 0.03
_ERRORS: Final = 0.03
_NEAR_DUPLICATES: Final = 0.03
_ENCLAVED: Final = 0.72
_ENCLAVE_SIZES: Final = (3, 8)
_POPULARITY_TAIL: Final = 0.85
_OWN_TOPIC: Final = 0.4
_PARENT_TOPIC: Final = 0.14
_OTHER_TOPIC: Final = 0.06
_MENTIONING: Final = 0.35
_TOPIC_MENTIONS: Final = 0.8
_OFF_TOPIC_MENTIONS: Final = 0.4
_FAINT: Final = 0.02
_ASTRAY: Final = 0.42
"""Share of the topical pages mentioning another theme that write more about it than about their topic."""
_ASTRAY_KEEPS: Final = 0.3
_FAINT_SHARE: Final = (0.01, 0.03)
_PLAIN_SHARE: Final = (0.22, 0.42)
_MENTION_SHARE: Final = (0.01, 0.08)
_SHARES: Final = {
    # For each role: the share of on-topic pages, and of hubs and noise among the others; the rest is off-topic content.
    HostRole.GENERAL: (0.05, 0.02, 0.08),
    HostRole.DIRECTORY: (0.0, 0.45, 0.05),
    HostRole.TOPICAL: (0.78, 0.01, 0.03),
    HostRole.FOREIGN: (0.0, 0.0, 0.08),
}


def plan_pages(parameters: WebParameters, vocabulary: Vocabulary, hosts: list[SimulatedHost]) -> PageTable:
    """Return the pages of all hosts, without mirrors, redirects and errors, which `faults` adds."""
    rng = np.random.default_rng([parameters.seed, 4])
    pages = PageTable(parameters.pages)
    planner = _HostPlanner(rng, parameters, vocabulary, pages)
    for number, host in enumerate(hosts):
        pages.host[host.first : host.end] = number
        if host.role is not HostRole.MIRROR:
            planner.fill(host)
    _write(rng, pages)
    return pages


class _HostPlanner:
    """Fills the pages of one host after another and balances the topics over all of them."""

    def __init__(
        self, rng: np.random.Generator, parameters: WebParameters, vocabulary: Vocabulary, pages: PageTable
    ) -> None:
        self.rng = rng
        self.profile = parameters.profile
        self.vocabulary = vocabulary
        self.tree = vocabulary.tree
        self.pages = pages
        self.leaves = self.tree.leaves()
        self.siblings = {
            leaf: [other for other in self.leaves if self.tree.top(other) == self.tree.top(leaf)]
            for leaf in self.leaves
        }
        self.filled = dict.fromkeys(self.leaves, 0)

    def fill(self, host: SimulatedHost) -> None:
        """Lay out a host: home page, plain pages, enclaves behind their gates, a trap's entry, copies, faults."""
        rest = host.size - 1
        copies = self._some(rest, _NEAR_DUPLICATES) if self.profile == "mixed" else 0
        redirects = self._some(rest, _REDIRECTS) if self.profile != "clean" else 0
        errors = self._some(rest, _ERRORS) if self.profile != "clean" else 0
        trap = int(host.trap in ("calendar", "growing") and rest > 0)
        good = max(0, rest - copies - redirects - errors - trap)
        self._put(host.first, PageKind.WELCOME, host.theme)
        at = self._fill_good(host, host.first + 1, good)
        for kind, count in (
            (PageKind.TRAP, trap),
            (PageKind.NEAR_DUPLICATE, copies),
            (PageKind.REDIRECT, redirects),
            (PageKind.ERROR, errors),
        ):
            for _ in range(min(count, host.end - at)):
                self._put(at, kind, -1)
                at += 1

    def _some(self, count: int, share: float) -> int:
        return int(count * share + self.rng.random())

    def _fill_good(self, host: SimulatedHost, at: int, count: int) -> int:
        on_topic, hubs, noise = _SHARES[host.role]
        topical = self._some(count, on_topic)
        enclaves = self._enclaves(round(topical * _ENCLAVED), count - topical) if host.role is HostRole.TOPICAL else []
        plain = count - sum(enclaves) - len(enclaves)
        draws = self.rng.random(plain)
        free = topical - sum(enclaves)
        share = free / plain if plain else 0.0
        leaf = -1
        for index, draw in enumerate(draws.tolist()):
            if index % 6 == 0:
                leaf = self._leaf(host)
            if draw < share:
                self._put(at, PageKind.CONTENT, self._topic(leaf), topical=True)
            elif draw < share + (1 - share) * hubs:
                self._put(at, PageKind.HUB, self._pick(self.leaves))
            elif draw < share + (1 - share) * (hubs + noise):
                self._put(at, PageKind.NOISE, -1)
            else:
                self._put(at, PageKind.CONTENT, self._interest(host))
            at += 1
        for size in enclaves:
            at = self._fill_enclave(host, at, size)
        return at

    def _enclaves(self, members: int, gates: int) -> list[int]:
        """Return the sizes of enclaves for this many members; empty if no page is left for their gates."""
        sizes: list[int] = []
        low, high = _ENCLAVE_SIZES
        while members >= low and len(sizes) < gates:
            size = min(members, int(self.rng.integers(low, high + 1)))
            sizes.append(size)
            members -= size
        return sizes

    def _fill_enclave(self, host: SimulatedHost, at: int, size: int) -> int:
        leaf = self._leaf(host)
        self._put(at, PageKind.WELCOME, leaf)
        for member in range(at + 1, at + 1 + size):
            self._put(member, PageKind.CONTENT, self._topic(leaf), topical=True)
            self.pages.gate[member] = at
        return at + 1 + size

    def _put(self, page: int, kind: PageKind, theme: int, topical: bool = False) -> None:
        self.pages.kind[page] = kind
        self.pages.theme[page] = theme
        if topical:
            self.pages.topic[page] = theme
            self.filled[theme] = self.filled.get(theme, 0) + 1
        if kind is PageKind.CONTENT and self.rng.random() < _MENTIONING:
            self.pages.second[page] = self._mentioned(theme, topical)

    def _mentioned(self, theme: int, topical: bool) -> int:
        """Choose what else a page mentions: another topic or an interest in the same language."""
        language = self.vocabulary.language[theme]
        share = _TOPIC_MENTIONS if topical else _OFF_TOPIC_MENTIONS
        if language == self.vocabulary.language[0] and self.rng.random() < share:
            return self._pick(self.leaves)
        return self._pick(self.vocabulary.interests[language])

    def _leaf(self, host: SimulatedHost) -> int:
        """Choose what a few pages of a host are about: its own topic, or a nearby one with few pages."""
        if host.role is not HostRole.TOPICAL:
            return self._pick(self.leaves)
        if self.rng.random() < _OWN_TOPIC:
            return host.theme
        return min(self.siblings[host.theme], key=lambda leaf: self.filled[leaf])

    def _topic(self, leaf: int) -> int:
        draw = self.rng.random()
        parent = self.tree.parents[leaf]
        if draw < _PARENT_TOPIC and parent >= 0:
            return parent
        return self._pick(self.siblings[leaf]) if draw > 1 - _OTHER_TOPIC else leaf

    def _interest(self, host: SimulatedHost) -> int:
        own = host.theme if host.role is not HostRole.TOPICAL and self.rng.random() < 0.5 else -1
        return own if own >= 0 else self._pick(self.vocabulary.interests[host.language])

    def _pick(self, choices: list[int]) -> int:
        return choices[int(self.rng.integers(len(choices)))]


def _write(rng: np.random.Generator, pages: PageTable) -> None:
    """Decide how much each page says and how clearly."""
    count = pages.count
    content = pages.is_kind(PageKind.CONTENT)
    welcome = pages.is_kind(PageKind.WELCOME)
    hub = pages.is_kind(PageKind.HUB)
    draw = rng.random(count)
    faint, astray = draw < _FAINT, (draw > 1.0 - _ASTRAY) & (pages.second >= 0) & (pages.topic >= 0)
    strength = np.where(faint, rng.uniform(*_FAINT_SHARE, count), rng.uniform(*_PLAIN_SHARE, count))
    told = np.where(astray, strength * _ASTRAY_KEEPS, strength)
    pages.strength[:] = np.where(content, told, np.where(welcome | hub, _FAINT_SHARE[0], 0.0))
    mention = np.where(astray, strength, rng.uniform(*_MENTION_SHARE, count))
    pages.second_strength[:] = np.where(pages.second >= 0, mention, 0.0)
    length = np.clip(rng.lognormal(5.35, 0.5, count), 80, 640)
    pages.words[:] = np.where(welcome | hub, rng.integers(40, 110, count), length)
    pages.title[:] = rng.integers(0, THEME_TABLE, (count, 3))
    # A Pareto tail: very many pages link to a few pages.
    pages.popularity[:] = np.clip((1.0 - rng.random(count)) ** -_POPULARITY_TAIL, 1.0, 1000.0)
