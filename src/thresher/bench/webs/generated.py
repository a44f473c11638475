"""The generated web for the bench: what a polite and patient crawler would get, without the depths of its traps.

Pages that robots files forbid, unreachable hosts and error pages are not served; links to a redirect lead to its
target; sessions are removed from addresses; busy pages answer at once; only the entry of a trap is there. Labels are
those of original pages, since fetching a copy helps nobody. Synthetic structure flatters learners.
"""

from collections.abc import Sequence
from functools import cached_property
from hashlib import blake2b
from typing import Final, cast

import msgspec
import numpy as np

from thresher.bench.code_digest import code_digest
from thresher.bench.webs.web import BenchWeb, Labels, WebKind, counted
from thresher.simweb.answers import BUSY_SECONDS, answer
from thresher.simweb.fetcher import SimFetcher
from thresher.simweb.pages import Flag, PageKind
from thresher.simweb.parameters import LANGUAGES, Profile, WebParameters
from thresher.simweb.robots_files import robots_file
from thresher.simweb.traps import split_session
from thresher.simweb.web import Web
from thresher.types import Fetched
from thresher.web.urls import host_of

NAME: Final = "generated"
NOTE: Final = "Synthetic structure flatters learners."

_HOPS: Final = 25
_ORIGINAL: Final = frozenset({PageKind.CONTENT, PageKind.NOISE, PageKind.WELCOME, PageKind.HUB})


class Generated:
    """The pages of a generated web."""

    def __init__(self, parameters: WebParameters) -> None:
        self._parameters = parameters
        self.web = Web(parameters)

    @property
    def name(self) -> str:
        """The name under which its parsed pages are stored."""
        return f"{NAME}-{self._parameters.pages}-{self._parameters.seed}"

    @cached_property
    def digest(self) -> str:
        """The digest of the parameters and of the generator."""
        plan = msgspec.json.encode(self._parameters) + code_digest(["simweb"]).encode()
        return blake2b(plan, digest_size=16).hexdigest()

    @cached_property
    def _served(self) -> dict[str, int]:
        pages = self.web.pages
        silent = np.array([host.unreachable or host.hangs for host in self.web.hosts])[pages.host]
        shown = ~pages.is_kind(PageKind.REDIRECT, PageKind.ERROR) & ~pages.has(Flag.DISALLOWED) & ~silent
        return {
            self.web.urls[page]: page for page in sorted(np.flatnonzero(shown).tolist(), key=self.web.urls.__getitem__)
        }

    def urls(self) -> Sequence[str]:
        """Return the URL of every page that is served."""
        return list(self._served)

    def answer(self, url: str) -> Fetched:
        """Return a page as it is when its host is not busy."""
        host = host_of(url)
        target = url.removeprefix(f"http://{host}")
        for now in (0.0, BUSY_SECONDS):
            found = answer(self.web, "GET", host, target, now)
            if found is not None and found.status == 200:
                mime = dict(found.headers).get("Content-Type", "").partition(";")[0].strip().lower()
                return Fetched(
                    url=url, status=200, headers=found.headers, body=found.body, raw=found.body, mime=mime, at=0.0
                )
        raise KeyError(url)

    def held(self, url: str) -> str | None:
        """Return the page that an address leads to, without its session and after redirects."""
        number = self.web.host_numbers.get(host_of(url))
        if number is not None and self.web.hosts[number].trap == "session":
            url = split_session(url)[0]
        for _ in range(_HOPS):
            if url in self._served:
                return url
            page = self.web.page(url)
            if page is None or self.web.pages.kind_of(page) is not PageKind.REDIRECT:
                return None
            url = self.web.urls[int(self.web.pages.to[page])]
        return None

    def labels(self) -> Labels:
        """Return the topic of every original page and its parent topics; none if it is off-topic."""
        labels: dict[str, tuple[str, ...]] = {}
        for url, page in self._served.items():
            if self.web.pages.kind_of(page) in _ORIGINAL:
                parts = (self.web.label(page) or "").split("/")
                labels[url] = tuple("/".join(parts[: end + 1]) for end in range(len(parts)) if parts[0])
        return labels


def generated(
    *,
    pages: int = 10_000,
    hosts: int = 200,
    seed: int = 0,
    profile: str = "mixed",
    depth: int = 2,
    breadth: int = 3,
    locality: float = 0.5,
    languages: str = "+".join(LANGUAGES),
    generation: int = 0,
    documents: float = 0.0,
) -> BenchWeb:
    """Return a generated web from its parameters; languages are joined by a plus."""
    collection = Generated(
        WebParameters(
            pages=pages,
            hosts=hosts,
            seed=seed,
            profile=cast(Profile, profile),
            depth=depth,
            breadth=breadth,
            locality=locality,
            languages=tuple(languages.split("+")),
            generation=generation,
            documents=documents,
        )
    )
    labels, web = collection.labels(), collection.web
    return BenchWeb(
        name=NAME,
        collection=collection,
        served=frozenset(collection.urls()),
        labels=labels,
        corpus=labels,
        topics=counted(labels),
        note=NOTE,
        robots={host.name: body for host in web.hosts for status, body in [robots_file(host)] if status == 200},
        network=lambda clock: SimFetcher(web, clock),
    )


WEB: Final = WebKind(name=NAME, opens=generated, quick=True)
