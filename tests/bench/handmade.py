"""Small webs made by hand, whose crawls can be followed with a finger."""

from collections.abc import Mapping, Sequence
from hashlib import blake2b

from thresher.bench.page_building import build_pages
from thresher.bench.page_cache import PageCache
from thresher.bench.webs.web import BenchWeb, Labels, counted
from thresher.types import Fetched

HOST = "http://hand.test/"


def url(name: str) -> str:
    return HOST + name


class HandMade:
    """Pages by name with the names they link to; a page named with a `-` in front has neither title nor words."""

    name = "hand"

    def __init__(self, links: Mapping[str, str], words: Mapping[str, str]) -> None:
        self._links = links
        self._words = words

    @property
    def digest(self) -> str:
        return blake2b(repr((self._links, self._words)).encode(), digest_size=16).hexdigest()

    def urls(self) -> Sequence[str]:
        return sorted(url(name) for name in self._links)

    def answer(self, address: str) -> Fetched:
        name = address.removeprefix(HOST)
        anchors = "".join(f'<a href="{to}">{"" if name[0] == "-" else to}</a> ' for to in self._links[name].split())
        said = "" if name[0] == "-" else f"<title>{name}</title><p>{self._words.get(name, 'plain words')}</p>"
        body = f"{said}{anchors}".encode()
        return Fetched(url=address, status=200, headers=[], body=body, raw=body, mime="text/html", at=0.0)

    def held(self, address: str) -> str | None:
        return address if address.removeprefix(HOST) in self._links else None


def hand_web(
    links: Mapping[str, str],
    topics: Mapping[str, str],
    home: Sequence[str] = (),
    words: Mapping[str, str] | None = None,
) -> BenchWeb:
    """Make a web: `topics` names the topic of labelled pages, `-` for none."""
    pages = HandMade(links, words or {})
    labels: Labels = {url(name): () if topic == "-" else (topic,) for name, topic in topics.items()}
    return BenchWeb(
        name="hand",
        collection=pages,
        served=frozenset(pages.urls()),
        labels=labels,
        corpus=labels,
        topics=counted(labels, 1),
        home=tuple(url(name) for name in home),
    )


def parsed(web: BenchWeb) -> PageCache:
    return build_pages(web.collection)
