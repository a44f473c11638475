"""A web of four hosts, made by hand: boats on two of them, cars on one, and one of no topic."""

from collections.abc import Mapping, Sequence
from hashlib import blake2b

from thresher.bench.webs.web import BenchWeb, counted
from thresher.types import Fetched
from thresher.web.urls import host_of

LINKS: Mapping[str, str] = {
    "http://a.test/1": "/2 /3 http://b.test/1",
    "http://a.test/2": "/1 /gone",
    "http://a.test/3": "/2",
    "http://b.test/1": "http://a.test/old http://o.test/1",
    "http://b.test/2": "/1",
    "http://c.test/1": "/2 http://b.test/2 http://nowhere.test/",
    "http://c.test/2": "/1",
    "http://o.test/1": "http://c.test/1",
}
MOVED = {"http://a.test/old": "http://a.test/3"}
TOPICS = {"a.test": "boats", "b.test": "boats", "c.test": "cars"}
WORDS = {"boats": "boat sail wind mast", "cars": "car road wheel brake"}


class HandHosts:
    """The pages; an old address has moved."""

    name = "hand-hosts"

    @property
    def digest(self) -> str:
        return blake2b(repr((LINKS, MOVED)).encode(), digest_size=16).hexdigest()

    def urls(self) -> Sequence[str]:
        return sorted(LINKS)

    def answer(self, url: str) -> Fetched:
        words = WORDS.get(TOPICS.get(host_of(url), ""), "nothing much")
        anchors = " ".join(f'<a href="{to}">link {number}</a>' for number, to in enumerate(LINKS[url].split()))
        body = f"<title>{url}</title><p>{words}</p>{anchors}".encode()
        headers = [("Content-Type", "text/html; charset=utf-8")]
        return Fetched(url=url, status=200, headers=headers, body=body, raw=body, mime="text/html", at=0.0)

    def held(self, url: str) -> str | None:
        return url if url in LINKS else MOVED.get(url)


def hand_hosts() -> BenchWeb:
    pages = HandHosts()
    labels = {url: tuple(filter(None, [TOPICS.get(host_of(url), "")])) for url in LINKS}
    return BenchWeb(
        name="hand-hosts",
        collection=pages,
        served=frozenset(pages.urls()),
        labels=labels,
        corpus=labels,
        topics=counted(labels, 1),
        robots={"a.test": b"User-agent: *\nCrawl-delay: 4\n"},
    )
