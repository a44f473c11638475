"""A site being read: the evidence of its pages so far, and what it links to."""

from collections.abc import Sequence
from typing import Any, Final

from msgspec import Struct

from thresher.site_types import SiteEnd, SitePageRow, SiteRow, SiteState

FLOOR: Final = 0.01
"""Lower bound for the probability by which the worth of a site's links is divided."""

MOST_TARGETS: Final = 400
"""Maximum number of linked sites remembered while a site is open."""


MOST_HUBS: Final = 3
"""Number of waiting pages of an open site remembered as the most likely to link to other sites."""


class Hub(Struct, frozen=True):
    """A waiting page of an open site that probably links to other sites, with its score as such."""

    score: float
    url: str
    depth: int
    tokens: tuple[int, ...]


class LinkedSite(Struct):
    """Another site that an open one links to: its home page, a linked page, and the linking pages' probabilities."""

    home: str
    entry: str
    anchor: str
    parent: str
    pages: list[float]


class OpenSite(Struct, kw_only=True):
    """A site while it is being read.

    `evidence` sums up the evidence of its pages for each class, in logarithms. `pages` counts the pages read and
    `texts` those with enough text; `links` is the sum of LinkRank. `followed` has the tokens and the evidence of pages
    found by links from other pages. `targets` are the other sites it links to, by name, and `hubs` its waiting pages
    that probably link to more. `depth` is that of its home page.
    """

    name: str
    home: str
    evidence: list[float]
    pages: int = 0
    texts: int = 0
    links: float = 0.0
    followed: list[tuple[tuple[int, ...], list[float] | None]] = []
    targets: dict[str, LinkedSite] = {}
    hubs: list[Hub] = []
    posterior: list[float] = []
    depth: int = 0

    def add(self, evidence: Sequence[float] | None, tokens: tuple[int, ...], links: float) -> None:
        """Add a page: its evidence (None if it has too little text), how it was found, and the worth of its links."""
        self.pages += 1
        self.links += links
        if evidence is not None:
            self.texts += 1
            self.evidence = [one + other for one, other in zip(self.evidence, evidence, strict=True)]
        if tokens:
            self.followed.append((tokens, list(evidence) if evidence is not None else None))

    def remember_hub(self, hub: Hub) -> None:
        """Remember a waiting page if it is among the most likely ones to link to other sites."""
        if any(known.url == hub.url for known in self.hubs):
            return
        self.hubs = sorted([*self.hubs, hub], key=lambda one: -one.score)[:MOST_HUBS]

    def best(self) -> int:
        """Return the number of the most likely topic of the site; "other" is not a topic."""
        return max(range(len(self.posterior) - 1), key=lambda number: self.posterior[number])

    def relevance(self) -> float:
        """Return the probability that the site belongs to some topic."""
        return 1.0 - self.posterior[-1]

    def link_rank(self) -> float:
        """Return how much the links read so far are worth relative to how likely the site is relevant."""
        return self.links / max(self.relevance(), FLOOR)

    def row(self, topics: Sequence[str], end: SiteEnd | None = None, found: int = 0) -> SiteRow:
        """Return the site as it is stored; with an `end`, as it was decided."""
        if not self.texts and end is None:
            return SiteRow(site=self.name, home=self.home, pages=self.pages)
        best = self.best()
        state = SiteState.OPEN
        if end is not None:
            relevant = self.texts > 0 and self.posterior[best] >= max(self.posterior)
            state = SiteState.RELEVANT if relevant else SiteState.IRRELEVANT
        return SiteRow(
            site=self.name,
            home=self.home,
            topic=topics[best] if self.texts else "",
            posterior=round(self.posterior[best], 4) if self.texts else 0.0,
            pages=self.pages,
            texts=self.texts,
            state=state,
            end=end,
            found=found,
        )

    def page_row(self, url: str, confidences: Sequence[float]) -> SitePageRow:
        """Return the page read last as it is stored."""
        return SitePageRow(
            site=self.name,
            number=self.pages,
            url=url,
            confidences=tuple(round(share, 4) for share in confidences),
            posterior=round(self.posterior[self.best()], 4),
        )

    def state(self) -> dict[str, Any]:
        """Return what its rows in the store do not say: its links, its depth, its posterior, and how it was read."""
        return {
            "pages": self.pages,
            "links": self.links,
            "depth": self.depth,
            "posterior": list(self.posterior),
            "followed": [[list(tokens), evidence] for tokens, evidence in self.followed],
            "hubs": [[hub.score, hub.url, hub.depth, list(hub.tokens)] for hub in self.hubs],
            "targets": {name: [target.home, *target.pages] for name, target in self.targets.items()},
        }

    def restore(self, state: dict[str, Any]) -> None:
        """Restore a saved state; pages added after it was saved keep their worth."""
        if self.pages == state["pages"]:
            self.posterior = list(state.get("posterior", ())) or self.posterior
        self.links = state["links"] + max(0, self.pages - state["pages"])
        self.depth = state["depth"]
        self.followed = [(tuple(tokens), evidence) for tokens, evidence in state.get("followed", ())]
        self.hubs = [Hub(score, url, depth, tuple(tokens)) for score, url, depth, tokens in state.get("hubs", ())]
        # The queue holds the rest of what is known about a target.
        self.targets = {
            name: LinkedSite(home, "", "", self.home, list(pages)) for name, (home, *pages) in state["targets"].items()
        }
