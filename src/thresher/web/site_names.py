"""Sites: which pages are published together under one name, and where such a site begins.

A site is a host, a registered domain, or a part of a host below a path. `auto`, the default, uses the host, unless many
publishers share it: blogs and pages on a private suffix of the public suffix list (`ann.github.io`), home directories
(`/~ann/`), and hosts whose first path segment names a publisher, which are listed or recognised during the crawl
(`strategies/websites/platforms.py`). `www.` and the scheme make no difference.
"""

import re
from collections.abc import Collection
from functools import lru_cache
from typing import Final, Literal, TypeAlias

from publicsuffixlist import PublicSuffixList

from thresher.web.urls import host_of, registered_domain

SiteUnit: TypeAlias = Literal["auto", "host", "domain", "path"]

PLATFORMS: Final = ("sites.google.com/site", "sites.google.com/view", "medium.com", "www.geocities.com")
"""Hosts, or folders of hosts, where the next path segment names a publisher."""

_USER: Final = re.compile(r"^~[^/]+$")
_INDEX: Final = re.compile(r"^(?:index|default|home|welcome|main)\.\w{2,5}$", re.IGNORECASE)


def site_of(url: str, unit: SiteUnit = "auto", platforms: Collection[str] = PLATFORMS) -> str:
    """Return the name of the site a canonical URL belongs to.

    `platforms` are hosts, or folders of hosts, where the next path segment names a publisher.

    >>> site_of("http://www.boats.test/x.html"), site_of("https://boats.test/")
    ('boats.test', 'boats.test')
    >>> site_of("http://uni.test/~ann/cv.html"), site_of("http://medium.com/ann/post")
    ('uni.test/~ann', 'medium.com/ann')
    >>> site_of("http://shop.boats.test/x", "domain"), site_of("http://boats.test/a/b", "path")
    ('boats.test', 'boats.test/a')
    """
    host = host_of(url)
    if unit == "host":
        return host
    if unit == "domain":
        return registered_domain(host)
    plain = _plain_host(host)
    folders = folders_of(url)
    if not folders:
        return plain
    if unit == "path" or _USER.match(folders[0]) or host in platforms:
        return f"{plain}/{folders[0]}"
    if len(folders) > 1 and f"{host}/{folders[0]}" in platforms:
        return f"{plain}/{folders[0]}/{folders[1]}"
    return plain


def home_of(url: str, site: str) -> str:
    """Return the expected home page of a site, on the host of one of its pages.

    >>> home_of("http://www.boats.test/a/b.html", "boats.test"), home_of("http://uni.test/~ann/cv", "uni.test/~ann")
    ('http://www.boats.test/', 'http://uni.test/~ann/')
    """
    scheme, _, rest = url.partition("://")
    authority = rest.partition("/")[0]
    folder = site.partition("/")[2]
    if not folder and _plain_host(host_of(url)) != site and host_of(url) != site:
        return f"{scheme}://{site}/"
    return f"{scheme}://{authority}/{folder}/" if folder else f"{scheme}://{authority}/"


def folders_of(url: str) -> list[str]:
    """Return the folders in a URL's path; the last segment counts unless it looks like a file.

    >>> folders_of("http://a.test/x/y/z.html?q=1"), folders_of("http://a.test/ann"), folders_of("http://a.test/")
    (['x', 'y'], ['ann'], [])
    """
    path = url.partition("://")[2].partition("?")[0].partition("/")[2]
    parts = path.split("/")
    last = parts.pop()
    if last and "." not in last:
        parts.append(last)
    return [part for part in parts if part]


def is_home(url: str, site: str) -> bool:
    """Return whether a URL is the home page of its site, or an index page there.

    >>> is_home("http://a.test/index.html", "a.test"), is_home("http://a.test/x.html", "a.test")
    (True, False)
    """
    rest = url.partition("://")[2].partition("/")[2].partition("?")[0]
    folder = site.partition("/")[2]
    if folder and not (rest == folder or rest.startswith(f"{folder}/")):
        return False
    rest = rest[len(folder) :].lstrip("/")
    return not rest or bool(_INDEX.match(rest))


@lru_cache(maxsize=1 << 16)
def _plain_host(host: str) -> str:
    """Return a host without `www.` if a domain remains; on a shared suffix, return the publisher's own domain."""
    if host.startswith("www.") and "." in host[4:]:
        return host[4:]
    own = registered_domain(host)
    return own if _is_shared(own) else host


@lru_cache(maxsize=1)
def _official() -> PublicSuffixList:
    return PublicSuffixList(only_icann=True)


def _is_shared(domain: str) -> bool:
    """Return whether a registered domain is on a suffix of the list's private part, like `ann.github.io`."""
    return _official().privatesuffix(domain) not in (domain, None)
