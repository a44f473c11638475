"""The hosts of a generated web: their sizes, roles and names."""

from enum import StrEnum
from random import Random
from typing import Final

import numpy as np
from msgspec import Struct

from thresher.simweb.parameters import WebParameters
from thresher.simweb.site_names import site_names
from thresher.simweb.vocabulary import Vocabulary, zipf

START_HOSTS: Final = 5

_DIRECTORIES: Final = 0.04
_GENERAL: Final = 0.34
_FOREIGN: Final = 0.04
_MIRRORS: Final = 0.03
LAYOUTS: Final = 5
SHAPES: Final = 5


class HostRole(StrEnum):
    """The purpose of a host."""

    GENERAL = "general"
    DIRECTORY = "directory"
    TOPICAL = "topical"
    FOREIGN = "foreign"
    MIRROR = "mirror"


class SimulatedHost(Struct, frozen=True, kw_only=True):
    """A host: its pages are numbered from `first` to `first + size - 1`, starting with its home page.

    `theme` is what it mainly writes about; `layout` and `shape` select the look of its pages and paths. `charset` is
    declared in the header field or, with `charset_in_meta`, only inside the page. `robots` is the kind of its
    robots.txt, `disallowed` the directory that it forbids, and `crawl_delay` (seconds) the delay it asks for. `delay`
    is how many seconds it takes to answer; if it `hangs`, it never does. `busy` hosts sometimes answer some pages with
    503 or 429. `trap` is the kind of its trap, empty if it has none. With `soft_404`, it answers wrong addresses with
    200. `mirror_of` is the number of the host it copies, or -1.
    """

    name: str
    brand: str
    role: HostRole
    first: int
    size: int
    theme: int
    language: str
    layout: int
    shape: int
    charset: str = "utf-8"
    charset_in_meta: bool = False
    robots: str = "missing"
    disallowed: str = ""
    crawl_delay: float = 0.0
    delay: float = 0.0
    hangs: bool = False
    busy: int = 0
    trap: str = ""
    soft_404: bool = False
    mirror_of: int = -1

    @property
    def end(self) -> int:
        """The number after its last page."""
        return self.first + self.size

    @property
    def title(self) -> str:
        """Its brand as pages write it."""
        return self.brand[:1].upper() + self.brand[1:]

    @property
    def unreachable(self) -> bool:
        """Whether a polite crawler can never get a page from it."""
        return self.hangs or self.robots == "error"


def plan_hosts(parameters: WebParameters, vocabulary: Vocabulary) -> list[SimulatedHost]:
    """Return the hosts, general ones and directories first, mirrors last; sizes follow a power law.

    >>> web = WebParameters(pages=400, hosts=20)
    >>> hosts = plan_hosts(web, Vocabulary(web))
    >>> len(hosts), sum(host.size for host in hosts)
    (20, 400)
    """
    rng = np.random.default_rng([parameters.seed, 2])
    roles = _roles(parameters)
    mirrors = roles.count(HostRole.MIRROR)
    reserve = max(mirrors, round(parameters.pages * _MIRRORS)) if mirrors else 0
    sizes = _sizes(rng, parameters.pages - reserve, len(roles) - mirrors)
    originals = _originals(rng, sizes, roles, mirrors, reserve)
    mirrored = [sizes[host] for host in originals]
    # The pages that the mirrors do not use go to the first host, the largest one.
    sizes[0] += reserve - sum(mirrored)
    themes, languages = _themes(rng, parameters, vocabulary, roles, sizes)
    if vocabulary.english is None:
        names = _names(rng, vocabulary.brands, len(roles))
    else:
        directories = [role is HostRole.DIRECTORY for role in roles]
        written = themes + [themes[original] for original in originals]
        names = site_names(vocabulary.english, written, directories, Random(parameters.seed))
    hosts: list[SimulatedHost] = []
    first = 0
    for number, role in enumerate(roles):
        original = originals[number - len(sizes)] if role is HostRole.MIRROR else number
        size = sizes[original]
        hosts.append(
            SimulatedHost(
                name=names[number][0],
                brand=names[original][1],
                role=role,
                first=first,
                size=size,
                theme=themes[original],
                language=languages[original],
                layout=hosts[original].layout if original < number else int(rng.integers(LAYOUTS)),
                shape=hosts[original].shape if original < number else int(rng.integers(SHAPES)),
                mirror_of=original if role is HostRole.MIRROR else -1,
            )
        )
        first += size
    return hosts


def _roles(parameters: WebParameters) -> list[HostRole]:
    hosts = parameters.hosts
    foreign = len(parameters.languages) - 1
    each_foreign = max(1, round(hosts * _FOREIGN)) if hosts >= 4 * (1 + foreign) else 0
    mirrors = max(1, round(hosts * _MIRRORS)) if parameters.profile == "mixed" and hosts >= 10 else 0
    directories = max(1, round(hosts * _DIRECTORIES)) if hosts >= 6 else 0
    general = max(1, round(hosts * _GENERAL))
    topical = hosts - general - directories - foreign * each_foreign - mirrors
    return (
        [HostRole.GENERAL] * general
        + [HostRole.DIRECTORY] * directories
        + [HostRole.TOPICAL] * topical
        + [HostRole.FOREIGN] * (foreign * each_foreign)
        + [HostRole.MIRROR] * mirrors
    )


def _sizes(rng: np.random.Generator, pages: int, hosts: int) -> list[int]:
    """Distribute pages by a power law with noise; the start hosts are the largest."""
    weights = zipf(hosts, 5.0, 1.15) * rng.lognormal(0.0, 0.6, hosts)
    weights = np.sort(weights)[::-1]
    weights[START_HOSTS:] = rng.permutation(weights[START_HOSTS:])
    sizes = 1 + np.floor(weights / weights.sum() * (pages - hosts)).astype(int)
    sizes[0] += pages - int(sizes.sum())
    return [int(size) for size in sizes]


def _originals(
    rng: np.random.Generator, sizes: list[int], roles: list[HostRole], mirrors: int, reserve: int
) -> list[int]:
    """Choose the hosts to mirror, so that the copies fit into the reserved pages."""
    chosen: list[int] = []
    left = reserve
    for host in rng.permutation(np.arange(1, len(sizes))).tolist():
        waiting = mirrors - len(chosen)
        small_enough = sizes[host] <= left - (waiting - 1) * min(sizes)
        if waiting and roles[host] in (HostRole.GENERAL, HostRole.TOPICAL) and host >= START_HOSTS and small_enough:
            chosen.append(host)
            left -= sizes[host]
    smallest = sorted(range(1, len(sizes)), key=lambda host: sizes[host])
    return chosen + [host for host in smallest if host not in chosen][: mirrors - len(chosen)]


def _themes(
    rng: np.random.Generator,
    parameters: WebParameters,
    vocabulary: Vocabulary,
    roles: list[HostRole],
    sizes: list[int],
) -> tuple[list[int], list[str]]:
    """Give each host a theme: topical ones the leaf topic with the fewest pages so far, others an interest."""
    main, *foreign = parameters.languages
    filled = dict.fromkeys(rng.permutation(vocabulary.tree.leaves()).tolist(), 0)
    themes: list[int] = []
    languages: list[str] = []
    for number, size in enumerate(sizes):
        language = foreign[number % len(foreign)] if roles[number] is HostRole.FOREIGN else main
        if roles[number] is HostRole.TOPICAL:
            theme = min(filled, key=lambda leaf: filled[leaf])
            filled[theme] += size
        else:
            theme = int(rng.choice(vocabulary.interests[language]))
        themes.append(theme)
        languages.append(language)
    return themes, languages


def _names(rng: np.random.Generator, brands: list[str], count: int) -> list[tuple[str, str]]:
    """Return (host name, brand) pairs; about every fifth host is a sub-domain of a domain shared with others."""
    shared = brands[count : count + max(1, count // 20)]
    names = []
    for number, kind in enumerate(rng.integers(0, 10, count).tolist()):
        brand = brands[number]
        domain = shared[int(rng.integers(len(shared)))]
        name = (
            f"www.site{number}.test" if kind < 3
            else f"www.{brand}.test" if kind < 5
            else f"{brand}.test" if kind < 7
            else f"{brand}-{brands[-1 - number % 32]}.test" if kind < 8
            else f"{brand}.{domain}.test"
        )  # fmt: skip
        names.append((name, brand))
    return names
