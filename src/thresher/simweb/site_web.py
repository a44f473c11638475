"""A web of many small sites that answers like its servers, with the ground truth about every site.

Its difficulty is fixed and tested (`tests/simweb/test_site_web.py`): 5 to 10 % of the sites belong to a theme, a third
of the home pages say next to nothing, and the theme of a site cannot be recognised by its home page alone. Synthetic
structure flatters learners: no figure measured here says how a method does on the real web.
"""

from collections.abc import Mapping, Sequence
from random import Random
from typing import Final

from thresher.simweb.answers import SimAnswer
from thresher.simweb.site_plan import NAMES, PagePlan, Site, SitePlan, SiteWebParameters
from thresher.simweb.vocabulary import BASE_TABLE, THEME_TABLE

_VAGUE: Final = ("more", "click here", "next", "read on", "details")
_FOCUS: Final = 40
_HTML: Final = ("Content-Type", "text/html; charset=utf-8")
_MENU: Final = ("about", "product", "news", "contact", "legal", "links", "jobs", "gallery")


class SiteWeb:
    """A planned web of sites; `host_numbers` has its host names, and `plan` is the ground truth.

    >>> web = SiteWeb(SiteWebParameters(sites=60, seed=1))
    >>> site = web.plan.sites[0]
    >>> web.answer("GET", site.host, site.root).status in (200, 404), web.site_number(site.home)
    (True, 0)
    """

    def __init__(self, parameters: SiteWebParameters) -> None:
        self.parameters = parameters
        self.plan = SitePlan(parameters)
        self._roots: dict[str, dict[str, int]] = {}
        self._aliases: dict[str, int] = {}
        for site in self.plan.sites:
            self._roots.setdefault(site.host, {})[site.root.strip("/")] = site.number
            if site.other_name and site.other_name != site.host:
                self._aliases[site.other_name] = site.number
        self.host_numbers: dict[str, int] = {name: place for place, name in enumerate([*self._roots, *self._aliases])}

    def topics(self) -> list[str]:
        """Return the names of the themes."""
        return self.plan.topics

    def start_pages(self) -> list[str]:
        """Return home pages of well-known sites."""
        return [site.home for site in self.plan.sites[:5]]

    def site_number(self, url: str) -> int | None:
        """Return the number of the site that a URL belongs to, or None for a platform's own pages and unknown hosts."""
        host, _, path = url.partition("://")[2].partition("/")
        if host in self._aliases:
            return self._aliases[host]
        roots = self._roots.get(host, {})
        return roots.get(path.partition("/")[0].partition("?")[0], roots.get("") if "" in roots else None)

    def relevant(self, topic: str) -> set[int]:
        """Return the numbers of the sites of a theme."""
        return set(self.plan.by_theme.get(self.plan.topics.index(topic), ()))

    def bookmarks(self, topics: Sequence[str], number: int = 10, others: int = 30) -> str:
        """Return a bookmark file with a folder of sites for each topic, and a folder of other sites."""
        rng = Random(self.parameters.seed)
        with_home = [site for site in self.plan.sites if not site.homeless]
        wanted = {self.plan.topics.index(topic) for topic in topics}
        lines = ["<!DOCTYPE NETSCAPE-Bookmark-file-1>", "<DL><p>"]
        for name in (*topics, "OTHERS"):
            theme = self.plan.topics.index(name) if name in topics else None
            fit = [site for site in with_home if (site.theme not in wanted if theme is None else site.theme == theme)]
            drawn = rng.sample(fit, min(others if theme is None else number, len(fit)))
            lines += [f"<DT><H3>{name}</H3>", "<DL><p>"]
            lines += [f'<DT><A HREF="{site.home}">{site.brand}</A>' for site in drawn]
            lines.append("</DL><p>")
        return "\n".join([*lines, "</DL><p>", ""])

    def answer(
        self, method: str, host: str, target: str, now: float = 0.0, conditions: Mapping[str, str] | None = None
    ) -> SimAnswer | None:
        """Return the answer to a request, or None if there is no such host."""
        if host not in self.host_numbers:
            return None
        if target == "/robots.txt":
            return _said(404, "No such file.")
        site = self._found(host, target)
        if site is None:
            return (
                _said(200, f"<title>{host}</title><p>Here many people have their pages.")
                if target == "/"
                else _said(404, "There is no such page.")
            )
        if host == site.other_name != site.host and not site.mirrors:
            return SimAnswer(301, [("Location", f"http://{site.host}{target}"), ("Content-Length", "0")])
        body = self._body(site, target.removeprefix(site.root))
        return _said(200, body) if body is not None else _said(404, "There is no such page.")

    def _found(self, host: str, target: str) -> Site | None:
        number = self.site_number(f"http://{host}{target}")
        if number is None or not target.startswith(self.plan.sites[number].root):
            return None
        return self.plan.sites[number]

    def _body(self, site: Site, path: str) -> str | None:
        pages = self.plan.pages(site.number)
        if site.trap and path.startswith("calendar?day="):
            day = int(path.partition("=")[2]) if path.partition("=")[2].isdigit() else 0
            return f"<title>Day {day}</title><p>Nothing is planned. <a href='calendar?day={day + 1}'>Next day</a>"
        if path in ("", "index.html"):
            return None if site.homeless else self._page(site, pages, 0)
        return next((self._page(site, pages, place) for place, page in enumerate(pages) if page.path == path), None)

    def _page(self, site: Site, pages: list[PagePlan], place: int) -> str:
        """Return a page as HTML."""
        page, rng = pages[place], Random((self.parameters.seed * 31 + site.number) * 4099 + place)
        title = site.brand.capitalize() if place == 0 else f"{site.brand.capitalize()} {place}"
        head = f"<html lang={site.label}><head><title>{title}</title></head>"
        if page.section == "home" and site.entrance == "frames":
            return f"{head}<frameset cols='20%,*'><frame src='{pages[1].path}'><frame src='{pages[2].path}'></frameset>"
        if page.section == "home" and site.entrance == "splash":
            return f"{head}<body><img src=logo.gif><br><a href='{pages[1].path}'>Enter</a></body></html>"
        if page.section == "home" and site.entrance == "chooser":
            flags = " | ".join(f"<a href='{pages[1].path}'>{name}</a>" for name in ("English", "Deutsch", "Français"))
            return f"{head}<body><h1>{site.brand}</h1>{flags}</body></html>"
        menu = self._menu(site, pages, rng)
        main = self._text(site, page, rng)
        inner = self._inner(site, pages, place, rng)
        outer = self._outer(site, page, rng)
        if site.layout % 2:
            return f"{head}<body><div class=nav>{menu}</div><h1>{title}</h1>{main}<ul>{inner}</ul>{outer}</body></html>"
        return f"{head}<body><h1>{title}</h1>{main}<ul>{inner}</ul>{outer}<hr><p class=foot>{menu}</p></body></html>"

    def _menu(self, site: Site, pages: list[PagePlan], rng: Random) -> str:
        firsts: dict[str, PagePlan] = {}
        for page in pages:
            firsts.setdefault(page.section, page)
        order = list(_MENU)
        Random(site.number).shuffle(order)
        links = [f"<a href='{firsts[name].path}'>{NAMES[site.label][name]}</a>" for name in order if name in firsts]
        home = "" if site.root == "/" else site.root
        return " | ".join([f"<a href='{home or '/'}'>{site.brand}</a>", *links])

    def _text(self, site: Site, page: PagePlan, rng: Random) -> str:
        words = self._words(page, rng)
        lines = [" ".join(words[at : at + 12]) for at in range(0, len(words), 12)]
        return "".join(f"<p>{line.capitalize()}." for line in lines)

    def _words(self, page: PagePlan, rng: Random) -> list[str]:
        """Return the words of a page: common ones, some of its theme, and words typical of its section."""
        vocabulary = self.plan.vocabulary
        base = vocabulary.base["en"]
        words = [base[int(rng.random() * BASE_TABLE)] for _ in range(page.words)]
        usual = {"contact": 0, "legal": 1, "jobs": 2}.get(page.section)
        if usual is not None:
            _scatter(words, vocabulary.tables[vocabulary.interests["en"][usual]], 0.3, rng)
        if page.theme >= 0:
            _scatter(words, vocabulary.tables[page.theme], page.strength, rng)
        elif page.section in ("product", "news", "about", "home", "start"):
            interest = vocabulary.interests["en"][3 + int(rng.random() * (len(vocabulary.interests["en"]) - 3))]
            _scatter(words, vocabulary.tables[interest], page.strength, rng)
        return words

    def _inner(self, site: Site, pages: list[PagePlan], place: int, rng: Random) -> str:
        """Return the links in the text of a page to other pages of its site."""
        page = pages[place]
        alike = [other for other in pages if other.section == page.section and other.path != page.path]
        wanted = alike[:20] if page.section in ("product", "news", "gallery") else []
        wanted += [pages[int(rng.random() * len(pages))] for _ in range(int(rng.random() * 3))]
        items = []
        for other in wanted:
            said = (
                rng.choice(_VAGUE)
                if rng.random() < 0.3 or other.section == "home"
                else NAMES[site.label][other.section]
            )
            items.append(f"<li><a href='{other.path or site.root}'>{said}</a>")
        if site.trap:
            items.append("<li><a href='calendar?day=1'>Calendar</a>")
        return "".join(items)

    def _outer(self, site: Site, page: PagePlan, rng: Random) -> str:
        """Return the links of a page to other sites."""
        friends = self.plan.friends(site.number)
        if page.section == "links":
            shown = friends
        elif page.section in ("news", "about", "home", "start"):
            shown = [friend for friend in friends if rng.random() < 0.1]
        else:
            shown = []
        return "".join(
            f"<p><a href='{self._address(friend, rng)}'>{self.plan.sites[friend].brand}</a>" for friend in shown
        )

    def _address(self, number: int, rng: Random) -> str:
        site = self.plan.sites[number]
        host = site.other_name if site.other_name and rng.random() < 0.5 else site.host
        pages = self.plan.pages(number)
        deep = site.homeless or rng.random() < 0.25
        return f"http://{host}{site.root}{pages[1 + int(rng.random() * (len(pages) - 1))].path if deep else ''}"


def _scatter(words: list[str], table: list[str], share: float, rng: Random) -> None:
    """Replace a share of the words with words of a theme: few different ones, repeated as authors do."""
    count = len(words)
    replaced = int(count * share + 0.5)
    focus = [table[int(rng.random() * THEME_TABLE)] for _ in range(min(_FOCUS, replaced))]
    for _ in range(replaced):
        words[int(rng.random() * count)] = focus[int(rng.random() * rng.random() * len(focus))]


def _said(status: int, body: str) -> SimAnswer:
    data = body.encode()
    return SimAnswer(status, [_HTML, ("Content-Length", str(len(data)))], data)
