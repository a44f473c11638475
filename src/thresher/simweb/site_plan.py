"""The plan of a web of many small sites: what each publishes, where, and on which pages.

Each site has its own theme or is general. A third of the home pages say next to nothing: they are frames, splash pages
or language choosers. Some sites of a theme write mostly about other things, and some others have a few pages about it.
Some sites share a host, some answer under two names, and some have an endless calendar.
"""

from functools import cached_property, lru_cache
from random import Random
from typing import Final, Literal, NamedTuple

from msgspec import Struct

from thresher.errors import InputError
from thresher.simweb.parameters import WebParameters
from thresher.simweb.vocabulary import Vocabulary

Entrance = Literal["plain", "frames", "splash", "chooser"]
Section = Literal["home", "start", "menu", "about", "product", "news", "contact", "legal", "jobs", "gallery", "links"]
Address = Literal["host", "subdomain", "user", "folder"]

THEMES: Final = 12
"""Number of themes of sites."""

TOPICAL: Final = 0.75
"""Share of the sites that have a theme."""

BARE: Final = 1 / 3
"""Share of the home pages that say next to nothing."""

DIVERSE: Final = 0.3
"""Share of the sites with a theme that write mostly about other things."""

MIXED: Final = 0.4
"""Share of the general sites that have pages about several themes."""

SHARED: Final = 0.2
"""Share of the sites that share their host with others."""

PER_PLATFORM: Final = 40
_LABELS: Final = ("en", "de", "fr")
_SHARED_ADDRESSES: Final[tuple[Address, ...]] = ("subdomain", "user", "folder")
_BARE_ENTRANCES: Final[tuple[Entrance, ...]] = ("frames", "splash", "chooser")
_TRAPS: Final = 0.03
_HOMELESS: Final = 0.02
_TWO_NAMES: Final = 0.15


class SiteWebParameters(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a web of sites is made from; `traps` adds endless calendars."""

    sites: int = 2400
    seed: int = 0
    traps: bool = True

    def __post_init__(self) -> None:
        if not 40 <= self.sites <= 200_000 or not 0 <= self.seed < 2**63:
            raise InputError(f"A web cannot have {self.sites} sites.", "Give a number from 40 to 200000.")


class PagePlan(NamedTuple):
    """A page of a site: `path` follows the site's folder; `theme` is -1 for none, `strength` the share of its words."""

    section: Section
    path: str
    theme: int
    strength: float
    words: int


class Site(Struct, frozen=True):
    """A site: its theme (-1 for none), its address, and its habits.

    `root` is the path of its home page. `label` is the language of its menus; `opaque` sites number their pages.
    `other_name` is a second host under which it answers, with the same pages if it `mirrors`, else by redirect.
    """

    number: int
    theme: int
    second: int
    brand: str
    host: str
    root: str
    address: Address
    entrance: Entrance
    diverse: bool
    size: int
    label: str
    opaque: bool
    layout: int
    trap: bool
    homeless: bool
    other_name: str
    mirrors: bool

    @property
    def home(self) -> str:
        """The address of its home page."""
        return f"http://{self.host}{self.root}"


class SitePlan:
    """All sites of a web, planned from the parameters alone."""

    def __init__(self, parameters: SiteWebParameters) -> None:
        self.parameters = parameters
        words = WebParameters(
            pages=2 * parameters.sites,
            hosts=parameters.sites,
            seed=parameters.seed,
            depth=1,
            breadth=THEMES,
            languages=("en",),
        )
        self.vocabulary = Vocabulary(words)
        self.topics = list(self.vocabulary.tree.paths)
        rng = Random(parameters.seed * 2 + 1)
        self.sites = [self._site(number, rng) for number in range(parameters.sites)]

    @cached_property
    def by_theme(self) -> dict[int, list[int]]:
        """The numbers of the sites of each theme."""
        found: dict[int, list[int]] = {}
        for site in self.sites:
            found.setdefault(site.theme, []).append(site.number)
        return found

    @lru_cache(maxsize=4096)  # noqa: B019
    def pages(self, number: int) -> list[PagePlan]:
        """Return the pages of a site, its home page first."""
        return _pages(self.sites[number], Random(self.parameters.seed * 1_000_003 + number), THEMES)

    @lru_cache(maxsize=4096)  # noqa: B019
    def friends(self, number: int) -> list[int]:
        """Return the sites that a site links to: half of them with its theme, well-known ones more often."""
        site = self.sites[number]
        rng = Random(self.parameters.seed * 7_000_003 + number)
        alike = self.by_theme[site.theme] if site.theme >= 0 else range(len(self.sites))
        wanted = 4 + int(rng.random() * 14)
        drawn = [_popular(alike if rng.random() < 0.5 else range(len(self.sites)), rng) for _ in range(wanted)]
        return list(dict.fromkeys(friend for friend in drawn if friend != number))

    def _site(self, number: int, rng: Random) -> Site:
        brand = self.vocabulary.brands[number]
        theme = int(rng.random() * THEMES) if rng.random() < TOPICAL else -1
        shared = rng.random() < SHARED
        address: Address = "host"
        platform = number // (3 * PER_PLATFORM * 5)
        if shared:
            address = _SHARED_ADDRESSES[int(rng.random() * 3)]
        host, root = _place(brand, address, platform)
        bare = rng.random() < BARE
        entrance = _BARE_ENTRANCES[int(rng.random() * 3)] if bare else "plain"
        other = rng.random()
        return Site(
            number=number,
            theme=theme,
            second=int(rng.random() * THEMES) if (rng.random() < (MIXED if theme < 0 else 0.1)) else -1,
            brand=brand,
            host=host,
            root=root,
            address=address,
            entrance=entrance,
            diverse=theme >= 0 and rng.random() < DIVERSE,
            size=max(6, min(150, int(rng.lognormvariate(2.9, 0.6)))),
            label=_LABELS[int(rng.random() * 3)],
            opaque=rng.random() < 0.4,
            layout=int(rng.random() * 4),
            trap=rng.random() < _TRAPS and self.parameters.traps,
            homeless=rng.random() < _HOMELESS,
            other_name=host.removeprefix("www.") if address == "host" and other < _TWO_NAMES else "",
            mirrors=other < _TWO_NAMES / 3,
        )


def _place(brand: str, address: Address, platform: int) -> tuple[str, str]:
    """Return host and root of a site."""
    match address:
        case "host":
            return f"www.{brand}.test", "/"
        case "subdomain":
            return f"{brand}.blogs{platform}.test", "/"
        case "user":
            return f"www.members{platform}.test", f"/~{brand}/"
        case _:
            return f"www.pages{platform}.test", f"/{brand}/"


def _popular(sites: "list[int] | range", rng: Random) -> int:
    """Draw a site; the first ones are the best known."""
    return sites[int(len(sites) * rng.random() ** 1.6)]


def _pages(site: Site, rng: Random, themes: int) -> list[PagePlan]:
    """Return the pages of a site in menu order."""
    pages: list[PagePlan] = []

    def add(section: Section, theme: int, strength: tuple[float, float], words: tuple[int, int]) -> None:
        share = strength[0] + rng.random() * (strength[1] - strength[0])
        number = words[0] + int(rng.random() * (words[1] - words[0]))
        pages.append(
            PagePlan(section, "" if section == "home" else _path(site, section, len(pages)), theme, share, number)
        )

    own = site.theme
    if site.entrance == "plain":
        add("home", own, (0.06, 0.2), (40, 140))
    else:
        add("home", -1, (0.0, 0.0), (0, 1) if site.entrance == "frames" else (2, 10))
        if site.entrance == "frames":
            add("menu", -1, (0.0, 0.0), (0, 1))
        add("start", own, (0.06, 0.2), (40, 140))
    add("about", own, (0.12, 0.3), (100, 260))
    add("contact", own, (0.02, 0.1), (30, 70))
    add("legal", own, (0.0, 0.04), (150, 320))
    add("links", own, (0.05, 0.2), (20, 60))
    if rng.random() < 0.5:
        add("jobs", own, (0.02, 0.1), (80, 200))
    while len(pages) < site.size:
        draw = rng.random()
        if draw < 0.1:
            add("gallery", -1, (0.0, 0.0), (2, 12))
        elif draw < (0.3 if site.diverse else 0.65):
            theme = site.second if site.second >= 0 and rng.random() < (0.7 if own < 0 else 0.3) else own
            add("product", theme, (0.15, 0.35), (60, 200))
        else:
            stays = rng.random() < (0.25 if site.diverse else 0.6)
            theme = own if stays else int(rng.random() * themes) if rng.random() < 0.6 else -1
            add("news", theme, (0.05, 0.25), (80, 260))
    return pages


def _path(site: Site, section: Section, number: int) -> str:
    if site.opaque:
        return f"p{number}.html" if site.layout % 2 else f"page?id={number}"
    return f"{NAMES[site.label][section].lower().replace(' ', '-')}{number}.html"


NAMES: Final[dict[str, dict[str, str]]] = {
    "en": {
        "start": "Welcome",
        "menu": "Menu",
        "about": "About us",
        "product": "Products",
        "news": "News",
        "contact": "Contact",
        "legal": "Terms",
        "jobs": "Jobs",
        "gallery": "Gallery",
        "links": "Links",
    },
    "de": {
        "start": "Startseite",
        "menu": "Auswahl",
        "about": "Wir ueber uns",
        "product": "Produkte",
        "news": "Aktuelles",
        "contact": "Kontakt",
        "legal": "Impressum",
        "jobs": "Stellen",
        "gallery": "Bilder",
        "links": "Verweise",
    },
    "fr": {
        "start": "Accueil",
        "menu": "Plan",
        "about": "Qui sommes nous",
        "product": "Produits",
        "news": "Actualites",
        "contact": "Contact",
        "legal": "Mentions legales",
        "jobs": "Emplois",
        "gallery": "Photos",
        "links": "Liens",
    },
}
"""What menus call the sections, by language."""
