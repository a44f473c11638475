"""URLs: WHATWG parsing, one canonical form, hosts, registered domains and 64-bit ids.

The canonical form is what the crawler compares and stores. Its rules, in order: WHATWG parsing (which lower-cases
scheme and host, resolves dots, drops default ports and percent-encodes where necessary); only http and https; drop user
name, password and fragment; decode percent-escapes of unreserved characters and write the rest in upper case; drop
parameters that only track visitors; drop an empty query; drop the final dot of a host. It is idempotent.
"""

import re
from functools import lru_cache
from typing import Final

import ada_url
import xxhash
from publicsuffixlist import PublicSuffixList

from thresher.web.tracking import without_tracking

MAX_URL: Final = 2048
MAX_HOST: Final = 255
INSIDE: Final = "!/"
"""Separates the URL of an archive from the name of a member, which has no URL of its own."""

# A parsed URL without any of these is already canonical.
_UNTIDY = ("#", "%", "@", "?", "./", ".:")
_ESCAPE = re.compile(r"%([0-9A-Fa-f]{2})")
_UNRESERVED = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")


def parse(url: str, base: str | None = None) -> str | None:
    """Return the WHATWG serialisation of a URL, resolved against a base; None if the standard reports failure.

    As in the standard, an invalid base makes every URL fail, and lone surrogates count as U+FFFD.

    >>> parse("../b?x=1#f", "http://A.test:80/a/c/")
    'http://a.test/a/b?x=1#f'
    """
    try:
        return str(ada_url.normalize_url(url) if base is None else ada_url.join_url(base, url))
    except ValueError:
        scalar, scalar_base = _scalars(url), None if base is None else _scalars(base)
        return None if (scalar, scalar_base) == (url, base) else parse(scalar, scalar_base)


def _scalars(text: str) -> str:
    """Join surrogate pairs and replace lone surrogates."""
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def canonical(url: str, base: str | None = None) -> str | None:
    """Return the canonical form of a URL, or None if it is not an http(s) URL.

    >>> canonical("HTTP://User@Example.COM:80/%7ea/./b%2f?#top")
    'http://example.com/~a/b%2F'
    """
    parsed = parse(url, base)
    if parsed is None or not parsed.startswith(("http://", "https://")):
        return None
    for mark in _UNTIDY:
        if mark in parsed:
            return _tidy(parsed)
    return parsed


def _tidy(parsed: str) -> str | None:
    scheme, _, rest = parsed.partition("#")[0].partition("://")
    authority, slash, tail = rest.partition("/")
    host = authority.rpartition("@")[2]
    if host.endswith(".") or ".:" in host:
        name, colon, port = host.partition(":")
        host = name.rstrip(".") + colon + port
    path, mark, query = tidy_escapes(tail).partition("?")
    query = without_tracking(query)
    tail = f"{path}{mark}{query}" if query else path
    result = f"{scheme}://{host}{slash}{tail}"
    # Decoding escapes can reveal dot segments, which the parser resolves: repeat until nothing changes.
    again = parsed if result == parsed else parse(result)
    return again if again is None or again == result else _tidy(again)


def tidy_escapes(text: str) -> str:
    """Decode percent-escapes of unreserved characters and write the others in upper case.

    >>> tidy_escapes("%7ea%2fb")
    '~a%2Fb'
    """
    return _ESCAPE.sub(_tidy_escape, text) if "%" in text else text


def _tidy_escape(match: re.Match[str]) -> str:
    char = chr(int(match[1], 16))
    return char if char in _UNRESERVED else match[0].upper()


def host_of(url: str) -> str:
    """Return the host name of a canonical URL, without its port.

    >>> host_of("http://a.test:8080/x")
    'a.test'
    """
    authority = url.partition("://")[2].partition("/")[0]
    if authority.startswith("["):
        return authority.partition("]")[0] + "]"
    return authority.partition(":")[0]


def site_of(url: str) -> str:
    """Return the site of a page, which is its host; a page without a host, such as a file or a query, is its own site.

    >>> site_of("http://a.test/b"), site_of("file:///a/b"), site_of("query:boats")
    ('a.test', 'file:///a/b', 'query:boats')
    """
    return host_of(url) if "://" in url and not url.startswith("file:") else url


def origin_of(url: str) -> str:
    """Return the scheme, host and port of a canonical URL, the unit of robots.txt.

    >>> origin_of("http://a.test:8080/x")
    'http://a.test:8080'
    """
    scheme, _, after = url.partition("://")
    return f"{scheme}://{after.partition('/')[0]}"


def is_member(url: str, parent: str | None) -> bool:
    """Return whether a URL found on another is that of a document inside it.

    >>> is_member("http://a.test/x.zip!/boats.txt", "http://a.test/x.zip"), is_member("http://a.test/x", None)
    (True, False)
    """
    return parent is not None and url.startswith(parent + INSIDE)


@lru_cache(maxsize=1)
def _suffixes() -> PublicSuffixList:
    return PublicSuffixList()


@lru_cache(maxsize=1 << 16)
def registered_domain(host: str) -> str:
    """Return the registered domain of a host according to the public suffix list, or the host if it has none.

    >>> registered_domain("www.news.example.co.uk"), registered_domain("127.0.0.1")
    ('example.co.uk', '127.0.0.1')
    """
    if host.startswith("[") or host.replace(".", "").isdigit():
        return host
    return _suffixes().privatesuffix(host) or host


@lru_cache(maxsize=1 << 16)
def _host_bits(authority: str) -> int:
    host = host_of(f"://{authority}")
    return (xxhash.xxh3_64_intdigest(host.encode()) & 0xFFFF) << 48


def url_id(url: str) -> int:
    """Return the signed 64-bit id of a canonical URL: 16 bits of its host's hash, then 48 bits of its own.

    URLs of one host are adjacent in every table, so writing a page's links touches few disk pages. Ids are not
    guaranteed to be unique: compare the URL as well.

    >>> url_id("http://a.test/1") >> 48 == url_id("http://a.test/2") >> 48
    True
    """
    # Hosts repeat far more often than URLs, so their hashes are cached.
    value = (
        _host_bits(url.partition("://")[2].partition("/")[0]) | xxhash.xxh3_64_intdigest(url.encode()) & 0xFFFFFFFFFFFF
    )
    return value - (1 << 64) if value >= 1 << 63 else value
