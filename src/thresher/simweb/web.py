"""The planned web: every host, page and link, ready to be rendered, served and judged.

Its difficulty is fixed and tested (`tests/simweb/test_difficulty.py`), on webs of about 5,000 mixed pages:

- a TF·IDF linear SVM with ten examples of each exact topic and 60 negatives has a macro-F of .80 to .92 over all
  topics and "none" (measured .85 to .88; it needs at least some 30 negatives to know what off-topic means);
- breadth-first has at most .40 of the oracle's area under the target-recall curve to 1,000 pages, as a mean over the
  topics (measured about .05 from the start pages and .27 to .36 from five examples);
- at least a fifth of every topic's targets lie behind two or more off-topic clicks (measured .5 to .7 as a mean).

Webs in English (`words="english"`) are tested for the first of these.

Synthetic structure flatters learners: no figure measured here says how a strategy does on the real web.
"""

from functools import cached_property

import numpy as np

from thresher.errors import InputError
from thresher.simweb.addresses import plan_addresses
from thresher.simweb.behaviour import behave
from thresher.simweb.citations import citation_links
from thresher.simweb.faults import plan_faults
from thresher.simweb.graph import Ints, Links, Mask, assemble
from thresher.simweb.hosts import START_HOSTS, HostRole, SimulatedHost, plan_hosts
from thresher.simweb.pages import Flag, PageKind, PageTable
from thresher.simweb.parameters import WebParameters
from thresher.simweb.reach import reachable_pages
from thresher.simweb.sites import plan_pages
from thresher.simweb.structure import structural_links
from thresher.simweb.vocabulary import Vocabulary


class Web:
    """A planned web; pages are numbered, and columns describe them.

    `hosts` are in the order of their pages; `pages` has the columns, `urls` the address of every page and `graph` the
    links between pages. Planning is a pure function of the parameters.

    >>> web = Web(WebParameters(pages=300, hosts=12, seed=1, profile="clean"))
    >>> len(web.urls), len(web.topics()), web.page("http://nowhere.test/") is None
    (300, 12, True)
    """

    def __init__(self, parameters: WebParameters) -> None:
        self.parameters = parameters
        self.vocabulary = Vocabulary(parameters)
        self.tree = self.vocabulary.tree
        self.hosts: list[SimulatedHost] = behave(parameters, plan_hosts(parameters, self.vocabulary))
        self.pages: PageTable = plan_pages(parameters, self.vocabulary, self.hosts)
        plan_faults(parameters, self.hosts, self.pages)
        self.urls: list[str] = plan_addresses(parameters, self.vocabulary, self.hosts, self.pages)
        rng = np.random.default_rng([parameters.seed, 7])
        batches = [
            *structural_links(rng, self.pages, self.hosts),
            *citation_links(rng, parameters, self.tree, self.hosts, self.pages),
        ]
        self.graph: Links = assemble(rng, self.pages, self.hosts, batches)
        self.host_numbers: dict[str, int] = {host.name: number for number, host in enumerate(self.hosts)}
        self._numbers: dict[str, int] = {url: page for page, url in enumerate(self.urls)}

    def page(self, url: str) -> int | None:
        """Return the number of a page by its canonical URL, or None if no planned page has it."""
        return self._numbers.get(url)

    def links(self, page: int) -> list[int]:
        """Return the numbers of the pages a page links to, in page order, without a trap's own links."""
        return self.graph.of(page)

    def topics(self) -> list[str]:
        """Return the paths of all topics, parents before their sub-topics."""
        return list(self.tree.paths)

    def label(self, page: int) -> str | None:
        """Return the true topic path of a page, or None if it is off-topic."""
        topic = int(self.pages.topic[page])
        return self.tree.paths[topic] if topic >= 0 else None

    def labels(self) -> dict[str, str | None]:
        """Return the true topic path of every page answered with 200, None for off-topic pages."""
        return {self.urls[page]: self.label(page) for page in np.flatnonzero(self.pages.status == 200).tolist()}

    def start_pages(self) -> list[str]:
        """Return the home pages a crawl without examples starts from, all of them off-topic."""
        return [self.urls[page] for page in self._starts]

    def examples(self, topic: str, n: int, seed: int = 0, *, exact: bool = False) -> list[str]:
        """Draw `n` different targets of a topic, `exact` without those below it; raise InputError if too few."""
        targets = self._targets(topic)
        if exact:
            targets = targets[self.pages.topic[targets] == self.tree.number(topic)]
        if len(targets) < n:
            raise InputError(
                f"The topic '{topic}' has {len(targets)} pages, fewer than the {n} examples asked for.",
                "Ask for fewer examples or generate a web with more pages.",
            )
        rng = np.random.default_rng([self.parameters.seed, 11, seed, self.tree.number(topic)])
        return [self.urls[page] for page in rng.choice(targets, n, replace=False).tolist()]

    def negatives(self, topic: str, n: int, seed: int = 0) -> list[str]:
        """Draw `n` different pages outside a topic that a crawler may fetch."""
        pages = np.flatnonzero(self._fetchable & ~self._inside(topic))
        rng = np.random.default_rng([self.parameters.seed, 12, seed, self.tree.number(topic)])
        return [self.urls[page] for page in rng.choice(pages, min(n, len(pages)), replace=False).tolist()]

    def targets(self, topic: str) -> list[str]:
        """Return what a focused crawl should find: originals in or below the topic that may be fetched."""
        return [self.urls[page] for page in self._targets(topic).tolist()]

    @cached_property
    def reachable(self) -> Mask:
        """Which pages a polite crawler reaches if it follows all links from the start pages."""
        return reachable_pages(self.hosts, self.pages, self.graph, self._starts)

    @cached_property
    def _starts(self) -> list[int]:
        general = [host.first for host in self.hosts[:START_HOSTS] if host.role is HostRole.GENERAL]
        return general or [0]

    @cached_property
    def _fetchable(self) -> Mask:
        silent = np.array([host.unreachable for host in self.hosts])[self.pages.host]
        original = self.pages.is_kind(PageKind.CONTENT, PageKind.NOISE, PageKind.WELCOME, PageKind.HUB)
        return np.asarray(original & ~self.pages.has(Flag.DISALLOWED) & ~silent)

    def _inside(self, topic: str) -> Mask:
        return np.isin(self.pages.topic, self.tree.within(self.tree.number(topic)))

    def _targets(self, topic: str) -> Ints:
        return np.flatnonzero(self._fetchable & self._inside(topic))
