"""Session ids in URLs: they identify a visitor, not a page, and make every URL new at every visit."""

import re
from typing import Final

# These names mean a session whatever their value.
_SURE: Final = r"phpsessid|jsessionid|aspsessionid[a-z]*|asp\.net_sessionid|cftoken|oscsid|zenid|xtcsid"
# These may also mean a story, a section or a talk: their value decides.
_MAYBE: Final = r"sid|s_id|sess|sessid|sess_id|session|sessionid|session_id"
_SURE_PAIR: Final = re.compile(rf"(?:{_SURE})=[^&;]*", re.IGNORECASE)
_MAYBE_PAIR: Final = re.compile(rf"(?:{_MAYBE})=([A-Za-z0-9_-]{{8,}})", re.IGNORECASE)
_IN_PATH: Final = re.compile(rf";(?:{_SURE}|{_MAYBE})=[^/?;]*", re.IGNORECASE)
# Servers without cookies put it in a separate directory: /(S(k3xv5455gkqlfk55ny2hkd55))/page.aspx
_DIRECTORY: Final = re.compile(r"/\((?:[A-Z]\([A-Za-z0-9_-]{16,}\))+\)(?=/)")
_PAIRS: Final = re.compile(r"(?<=[&;])")
_HINT: Final = re.compile(r"sess|s_?id=|zenid|cftoken|/\(", re.IGNORECASE)
_HEX: Final = re.compile(r"(?=.*[0-9])(?=.*[a-f])[0-9a-f]{8,}|(?=.*[0-9])(?=.*[A-F])[0-9A-F]{8,}|[0-9]{20,}")
_LONG: Final = re.compile(r"[A-Za-z0-9_-]{16,}")
_CHANGE: Final = re.compile(r"[A-Za-z](?=[0-9])|[0-9](?=[A-Za-z])")
_MIXED: Final = 4


def without_session(url: str) -> str:
    """Return a canonical URL without its session ids; a URL without any is returned unchanged.

    >>> without_session("http://a.test/x;jsessionid=0A1B?item=3&sid=9f86d081884c7d65")
    'http://a.test/x?item=3'
    >>> without_session("http://a.test/article?sid=2041&page=2")
    'http://a.test/article?sid=2041&page=2'
    """
    if ("=" not in url and "/(" not in url) or not _HINT.search(url):
        return url
    scheme, slashes, after = url.partition("://")
    host, slash, tail = after.partition("/")
    path, question, query = (slash + tail).partition("?")
    path = _DIRECTORY.sub("", _IN_PATH.sub("", path))
    # Some sites separate pairs with semicolons; remaining pairs keep their separators.
    pairs = _PAIRS.split(query)
    kept = [pair for pair in pairs if not _is_session(pair.rstrip("&;"))]
    if len(kept) < len(pairs):
        query = "".join(kept).rstrip("&;")
    return f"{scheme}{slashes}{host}{path}{question if query else ''}{query}"


def looks_random(value: str) -> bool:
    """Return whether a value looks machine-made and unique: hexadecimal, or a random mix of letters and digits.

    >>> looks_random("9f86d081884c7d65"), looks_random("annual-report-2004"), looks_random("20041231")
    (True, False, False)
    """
    if _HEX.fullmatch(value):
        return True
    return _LONG.fullmatch(value) is not None and len(_CHANGE.findall(value)) >= _MIXED


def _is_session(pair: str) -> bool:
    if _SURE_PAIR.fullmatch(pair):
        return True
    maybe = _MAYBE_PAIR.fullmatch(pair)
    return maybe is not None and looks_random(maybe[1])
