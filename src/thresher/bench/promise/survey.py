"""The survey of a web: all its pages and the links between them, as its answers tell; made once and kept on disk."""

from collections.abc import Callable
from functools import cached_property
from hashlib import blake2b

import msgspec

from thresher.bench.code_digest import code_digest
from thresher.bench.data import cache_folder
from thresher.bench.link_graph import LinkGraph
from thresher.bench.promise.kept_reading import CODE, kept_reader
from thresher.bench.promise.web import PoliteWeb
from thresher.build import recipe_of
from thresher.config.load import load
from thresher.crawl.clock import VirtualClock, run_virtual
from thresher.types import Candidate, Fetched, Page, Redirected
from thresher.web.urls import canonical

_HOPS = 25


class _Kept(msgspec.Struct, frozen=True):
    urls: list[str]
    links: list[list[int]]


class Survey:
    """The pages of a web by number, `urls` in order, and what each links to, behind redirects."""

    def __init__(self, urls: list[str], links: list[list[int]]) -> None:
        self.urls = urls
        self.numbers = {url: number for number, url in enumerate(urls)}
        self._links = links

    @cached_property
    def graph(self) -> LinkGraph:
        """The links between the pages."""
        return LinkGraph.of(self._links)


def survey(web: PoliteWeb, on_progress: Callable[[int, int], None] = lambda *_: None) -> Survey:
    """Return the survey of a web; the first time every page is read, and `on_progress` gets the pages done and all."""
    digest = blake2b(f"{web.digest} {code_digest([*CODE, 'bench/promise/survey.py'])}".encode(), digest_size=12)
    path = cache_folder() / "surveys" / f"{digest.hexdigest()}.msgpack"
    if path.exists():
        kept = msgspec.msgpack.decode(path.read_bytes(), type=_Kept)
    else:
        kept = run_virtual(_surveyed(web, on_progress))
        path.parent.mkdir(parents=True, exist_ok=True)
        working = path.with_suffix(f".{id(kept)}.part")
        working.write_bytes(msgspec.msgpack.encode(kept))
        working.replace(path)
    return Survey(kept.urls, kept.links)


async def _surveyed(web: PoliteWeb, on_progress: Callable[[int, int], None]) -> _Kept:
    settings = load().settings
    reader = kept_reader(recipe_of(settings, ""))
    answers = web.answers(settings, VirtualClock())
    leads: dict[str, str] = {}
    found: dict[str, list[str]] = {}
    urls = web.urls()
    for done, url in enumerate(urls):
        on_progress(done, len(urls))
        answer = await answers.fetch(Candidate(url=url, priority=()))
        if isinstance(answer, Redirected):
            leads[url] = canonical(answer.to) or ""
        page = reader.read(answer) if isinstance(answer, Fetched) else None
        if isinstance(page, Page) and (page.words or page.title):
            found[url] = list(dict.fromkeys(link.url for link in page.links))
    await answers.close()
    held = sorted(found)
    numbers = {url: number for number, url in enumerate(held)}
    links = [
        sorted({number for to in found[url] if (number := numbers.get(_end(to, leads))) is not None} - {own})
        for own, url in enumerate(held)
    ]
    return _Kept(held, links)


def _end(url: str, leads: dict[str, str]) -> str:
    for _ in range(_HOPS):
        if url not in leads:
            return url
        url = leads[url]
    return ""
