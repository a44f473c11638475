"""Resolves the references of a page to URLs.

Most references are simple and need no normalisation. These are joined with the base directly; all others go through the
standard URL parser.
"""

import re
from functools import lru_cache
from typing import Final

from thresher.web.urls import MAX_URL, canonical, origin_of, parse

_LABEL: Final = "[a-z0-9]++(?:-[a-z0-9]++)*+"
# The last label begins with a letter: a number would be an IPv4 address.
_HOST: Final = rf"(?:{_LABEL}\.)*+[a-z][a-z0-9]*+"
# No path segment begins with a dot, and the first of a relative path has no colon, which would end a scheme.
_STEP: Final = r"[A-Za-z0-9_~!$&'()*+,;=@-][A-Za-z0-9_~!$&'()*+,;=@.-]*+"
_STEPS: Final = rf"{_STEP}(?:/{_STEP})*+/?+"
_QUERY: Final = r"(?:\?[A-Za-z0-9_~!$&()*+,;=:@/?.-]++)?+"
_ABSOLUTE: Final = re.compile(rf"(https?://{_HOST}/(?:{_STEPS})?+{_QUERY})(?:#|\Z)")
# Anything that begins like a tracking parameter goes through the one place that knows them all.
_TRACKED: Final = re.compile(r"[?&](?:utm_|[a-z]*clid|gclsrc|[gw]braid|igshid|mc_|_hs|mkt_)", re.IGNORECASE)
_RELATIVE: Final = re.compile(rf"(/|(?:\.\./)*+)({_STEPS}{_QUERY})(?:#|\Z)")


class Resolver:
    """Turns the references of one page into canonical URLs.

    >>> Resolver("http://a.test/x/y")("../z#f")
    'http://a.test/z'
    """

    def __init__(self, base: str) -> None:
        self._base = base
        self._known: dict[str, str | None] = {}
        self._folders = _folders(base)

    def __call__(self, href: str) -> str | None:
        """Return the canonical URL of a reference, or None if a crawler cannot follow it."""
        if href in self._known:
            return self._known[href]
        self._known[href] = target = self._resolve(href)
        return target

    def _resolve(self, href: str) -> str | None:
        if len(href) > 2 * MAX_URL:
            return None
        target: str | None
        if "?" in href and _TRACKED.search(href):
            target = canonical(href, self._base)
        elif plain := _ABSOLUTE.match(href):
            target = plain[1]
        elif self._folders and (plain := _RELATIVE.match(href)):
            target = self._beside(plain[1], plain[2])
        elif href.startswith(("http://", "https://")):
            target = _elsewhere(href)
        else:
            target = canonical(href, self._base)
        return target if target is None or len(target) <= MAX_URL else None

    def _beside(self, up: str, rest: str) -> str:
        """Join a plain reference to the folder of the base that it starts from."""
        steps = len(up) // 3
        if up == "/" or steps >= len(self._folders):
            return self._folders[-1] + rest
        return self._folders[steps] + rest


def _folders(base: str) -> list[str]:
    """Return the URLs of the folder of a base and of its parent folders; empty if the base is not an http(s) URL."""
    url = canonical(base)
    if url is None or len(url) > MAX_URL:
        return []
    origin = origin_of(url)
    path = url[len(origin) :].partition("?")[0]
    ends = [place for place, char in enumerate(path) if char == "/"]
    return [origin + path[: end + 1] for end in reversed(ends)]


def usable_base(base: str | None, url: str) -> str:
    """Return what the references of a page are relative to: the base it names if that is usable, or its own URL.

    >>> usable_base("/b/", "http://a.test/x"), usable_base("javascript:", "http://a.test/x")
    ('http://a.test/b/', 'http://a.test/x')
    """
    parsed = parse(base, url) if base is not None and len(base) <= MAX_URL else None
    return parsed if parsed is not None and parsed.startswith(("http:", "https:")) else url


@lru_cache(maxsize=1 << 16)
def _elsewhere(url: str) -> str | None:
    return canonical(url)
