"""Sort-friendly URL keys (SURT), the order of web-archive indexes.

The host is reversed, so pages of one domain are adjacent. Scheme, `www.`, case, the order of query parameters and a
final slash are ignored. Two URLs may share a key, so each row has the URL itself.
"""

import re
from typing import Final

from thresher.web.urls import canonical

_WWW: Final = re.compile(r"www\d*\.(?=.)")
_ADDRESS: Final = re.compile(r"[\d.]+")


def surt(url: str) -> str:
    """Return the key of a URL; anything but an http URL is its own key.

    >>> surt("https://www.Example.co.uk:8080/A/b/?y=2&x=1"), surt("http://10.0.0.1/")
    ('uk,co,example:8080)/a/b?x=1&y=2', '10.0.0.1)/')
    """
    known = canonical(url)
    if known is None:
        return re.sub(r"\s", "%20", url)
    authority, _, rest = known.partition("://")[2].lower().partition("/")
    path, _, query = rest.partition("?")
    key = f"{_reversed(authority)})/{path.rstrip('/')}"
    return f"{key}?{'&'.join(sorted(query.split('&')))}" if query else key


def _reversed(authority: str) -> str:
    host, colon, port = authority.rpartition(":")
    if not colon or authority.endswith("]"):
        host, colon, port = authority, "", ""
    host = _WWW.sub("", host, count=1) if _WWW.match(host) else host
    if not host.startswith("[") and not _ADDRESS.fullmatch(host):
        host = ",".join(reversed(host.split(".")))
    return f"{host}{colon}{port}"
