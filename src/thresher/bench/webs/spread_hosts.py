"""Spreads the pages of one host over many: the same pages and links with other addresses.

The rule is fixed. Half of the hosts, rounded up, belong to subjects, in proportion to the pages of each, largest
subjects first if hosts are few; the other half is mixed. Two thirds of the pages of a subject with hosts are placed
randomly on these; all other pages are placed randomly on mixed hosts. The URL of a page seeds the draw, and host names
reveal nothing.
"""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cached_property
from hashlib import blake2b
from html import unescape
from random import Random
from typing import Final

from msgspec.structs import replace

from thresher.bench.webs.web import Collection
from thresher.types import Fetched
from thresher.web.urls import canonical, host_of

PURE: Final = 2 / 3
"""Share of a subject's pages that are on hosts of the subject."""

_HREF: Final = re.compile(rb"""(<(?:a|area|link)\b[^>]*?\bhref\s*=\s*)("[^"]*"|'[^']*')""", re.IGNORECASE)


class SpreadPages:
    """A collection of one host spread over `hosts`; `subjects` maps URLs to the subjects of pages that have one."""

    def __init__(self, base: Collection, subjects: Mapping[str, str], hosts: int) -> None:
        self._base = base
        self._names = spread(base.urls(), subjects, hosts)
        self._hosts = hosts

    @property
    def name(self) -> str:
        """The name under which its parsed pages are stored."""
        return f"{self._base.name}-{self._hosts}-hosts"

    @cached_property
    def digest(self) -> str:
        """The digest of the pages and their placement."""
        places = repr(sorted(self._names.items()))
        return blake2b(f"{self._base.digest} {places}".encode(), digest_size=16).hexdigest()

    @cached_property
    def _originals(self) -> dict[str, str]:
        return dict(sorted((self.renamed(url), url) for url in self._base.urls()))

    def renamed(self, url: str) -> str:
        """Return the new address of a page; other addresses are unchanged."""
        host = self._names.get(url)
        return url if host is None else url.replace(host_of(url), host, 1)

    def urls(self) -> Sequence[str]:
        """Return the URL of every page."""
        return list(self._originals)

    def answer(self, url: str) -> Fetched:
        """Return a page with links to the new addresses."""
        answer = self._base.answer(self._originals[url])
        body = _HREF.sub(lambda found: found[1] + self._linked(found[2], answer.url), answer.body)
        return replace(answer, url=url, body=body, raw=body)

    def held(self, url: str) -> str | None:
        """Return the URL itself if it is served."""
        return url if url in self._originals else None

    def _linked(self, quoted: bytes, page: str) -> bytes:
        """Return the reference of a link, with its quotes, as written on the new host."""
        written, _, fragment = unescape(quoted[1:-1].decode("utf-8", "replace")).partition("#")
        to = canonical(written, page) if written else None
        if to is None or to not in self._names:
            return quoted
        return f'"{self.renamed(to)}{"#" if fragment else ""}{fragment}"'.encode()


def spread(urls: Sequence[str], subjects: Mapping[str, str], hosts: int) -> dict[str, str]:
    """Return the host of each page.

    >>> sorted(set(spread([f"http://a.test/{n}" for n in range(20)], {}, 3).values()))
    ['h000.test', 'h001.test', 'h002.test']
    """
    names = [f"h{number:03}.test" for number in range(hosts)]
    order = Random(f"hosts/{hosts}").sample(names, hosts)
    sizes = Counter(subjects[url] for url in urls if url in subjects)
    shares = shared_out(sizes, (hosts + 1) // 2 if sizes else 0)
    pure: dict[str, list[str]] = {}
    for subject in sorted(shares, key=lambda name: (-sizes[name], name)):
        pure[subject], order = order[: shares[subject]], order[shares[subject] :]
    return {url: _drawn(url, pure.get(subjects.get(url, ""), []), order) for url in urls}


def shared_out(sizes: Mapping[str, int], hosts: int) -> dict[str, int]:
    """Return the number of hosts per subject: in proportion, largest first, at least one each while there are any.

    >>> shared_out({"a": 60, "b": 30, "c": 10}, 2), shared_out({"a": 60, "b": 30, "c": 10}, 10)
    ({'a': 1, 'b': 1}, {'a': 6, 'b': 3, 'c': 1})
    """
    largest = sorted(sizes, key=lambda name: (-sizes[name], name))[:hosts]
    found = dict.fromkeys(largest, 1)
    for _ in range(hosts - len(found) if found else 0):
        # The next host goes to the subject with most pages per host.
        poorest = max(largest, key=lambda name: (sizes[name] / found[name], name))
        found[poorest] += 1
    return found


def _drawn(url: str, pure: Sequence[str], mixed: Sequence[str]) -> str:
    rng = Random(url)
    chosen = pure if pure and (not mixed or rng.random() < PURE) else mixed
    return chosen[rng.randrange(len(chosen))]
