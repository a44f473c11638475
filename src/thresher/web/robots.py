"""robots.txt (RFC 9309): which URLs of an origin a crawler may fetch.

The rules of all groups that name the crawler are merged; the rules for `*` apply only if there is no such group. The
longest rule that matches a path decides; of two equally long ones, `Allow` wins. Like large crawlers, the parser
tolerates a missing colon, common misspellings, blank lines inside a group and unknown lines.

Escapes: a rule's bytes beyond ASCII are escaped, and escapes of characters that need none (`%7E` for `~`) are decoded
in rules and URLs alike. Escaped letters and digits, which large crawlers take as written, are decoded only in rules
that forbid: in case of doubt, a rule that forbids is read broadly and a rule that allows narrowly.

Files in UTF-16, which some editors write, are read as such.

Lines about the use of fetched content (`Content-Usage`, `Content-Signal`) belong to groups like rules, but decide
nothing about fetching.
"""

import codecs
import math
import re
from collections.abc import Iterable, Iterator
from typing import Final

from thresher.web.optout import refusals
from thresher.web.path_patterns import PathPatterns
from thresher.web.urls import tidy_escapes

MAX_ROBOTS: Final = 500 * 1024
"""Bytes of a robots.txt to read; the rest is ignored."""

MAX_LINE: Final = 8 * 2083 - 1
"""Bytes of a line to read; the rest of the line is ignored."""

MAX_SITEMAPS: Final = 1000
MAX_USAGES: Final = 100

_KEYS: Final = {
    "user-agent": "agent",
    "useragent": "agent",
    "user agent": "agent",
    "allow": "allow",
    "disallow": "disallow",
    "dissallow": "disallow",
    "dissalow": "disallow",
    "disalow": "disallow",
    "diasllow": "disallow",
    "disallaw": "disallow",
    "crawl-delay": "delay",
    "sitemap": "sitemap",
    "site-map": "sitemap",
    "content-usage": "content-usage",
    "content-signal": "content-signal",
}
_BOM: Final = b"\xef\xbb\xbf"
_SPACES: Final = " \t\v\f"
_BREAKS: Final = re.compile(rb"[\r\n]+")
_TWO_WORDS: Final = re.compile(r"([^ \t]+)[ \t]+([^ \t]+)")
_TOKEN: Final = re.compile(r"[A-Za-z0-9_-]*")
_HOST: Final = re.compile(r"(?:[^/?#]*:)?//[^/?#]*|[^/?#]+(?=/)")
_ESCAPE: Final = re.compile(r"%[0-9a-fA-F]{2}")
_MARK: Final = re.compile(r"%(2[dDeE]|5[fF]|7[eE])")
_BEYOND_ASCII: Final = re.compile(r"[^\x00-\x7f]")


class RobotsRules:
    """The rules of one origin for one crawler.

    `crawl_delay` is in seconds, None if the file asks for none; `sitemaps` are the URLs as written, each once; `usages`
    are (kind, path pattern, opt-outs) of the lines about use.

    >>> rules = parse_robots(b"User-agent: *\\nDisallow: /private\\nCrawl-delay: 2", "Thresher/0.1")
    >>> rules.allowed("http://a.test/private/x"), rules.allowed("http://a.test/"), rules.crawl_delay
    (False, True, 2.0)
    """

    def __init__(
        self,
        allow: Iterable[str] = (),
        disallow: Iterable[str] = (),
        crawl_delay: float | None = None,
        sitemaps: Iterable[str] = (),
        usages: Iterable[tuple[str, str, list[str]]] = (),
    ) -> None:
        self.crawl_delay = crawl_delay
        self.sitemaps = list(sitemaps)
        allow, disallow = set(allow), set(disallow)
        self._free = not disallow
        self._usages = [(kind, PathPatterns([(_unmarked(path), len(path))]), refused) for kind, path, refused in usages]
        self._allow = PathPatterns((form, len(form)) for rule in allow for form in _allowing(_unmarked(rule)))
        self._disallow = PathPatterns(
            (form, len(_unmarked(rule))) for rule in disallow for form in {_unmarked(rule), _normal(rule)}
        )

    def allowed(self, url: str) -> bool:
        """Return whether a URL of the origin may be fetched; it must be escaped, as every canonical URL is."""
        if self._free:
            return True
        path = _unmarked(_path(url))
        if path == "/robots.txt":
            return True
        forbidding = self._disallow.longest(path)
        if "%" in path or not path.isascii():
            forbidding = max(forbidding, self._disallow.longest(_normal(path)))
        return forbidding == 0 or forbidding <= self._allow.longest(path)

    def usage(self, url: str) -> tuple[str, ...]:
        """Return the opt-outs that the file states for a URL: for each kind, those of the longest matching path.

        >>> parse_robots(b"User-agent: *\\nContent-Usage: / train-ai=n", "Thresher").usage("http://a.test/x")
        ('content-usage:train-ai=n',)
        """
        if not self._usages:
            return ()
        path = _unmarked(_path(url))
        found: dict[str, tuple[int, list[str]]] = {}
        for kind, pattern, refused in self._usages:
            length = pattern.longest(path)
            best, before = found.get(kind, (1, []))
            if length >= best:
                found[kind] = length, refused if length > best else before + refused
        return tuple(dict.fromkeys(signal for _, signals in found.values() for signal in signals))


def _path(url: str) -> str:
    """Return the path and query of a URL, which rules apply to."""
    host = _HOST.match(url)
    path = (url[host.end() :] if host else url).partition("#")[0]
    return path if path.startswith("/") else "/" + path


def _normal(path: str) -> str:
    """Escape characters beyond ASCII and normalise all escapes."""
    return tidy_escapes(_escape(path))


def _unmarked(path: str) -> str:
    """Decode the escapes of `-`, `.`, `_` and `~`, which mean the same with and without."""
    return _MARK.sub(lambda m: chr(int(m[1], 16)), path) if "%" in path else path


def _escape(path: str) -> str:
    if path.isascii():
        return path
    return _BEYOND_ASCII.sub(lambda m: "".join(f"%{byte:02X}" for byte in m[0].encode("utf-8", "replace")), path)


def _allowing(rule: str) -> Iterator[str]:
    """Yield the forms of an allowing rule: allowing the index file of a directory allows the directory."""
    yield rule
    slash = rule.rfind("/")
    if rule.startswith("/index.htm", slash):
        yield rule[: slash + 1] + "$"


class _Group:
    """The rules collected for one name."""

    def __init__(self) -> None:
        self.named = False
        self.allow: list[str] = []
        self.disallow: list[str] = []
        self.delay: float | None = None
        self.usages: list[tuple[str, str, list[str]]] = []

    def use(self, kind: str, value: str) -> None:
        """Process a line about use: an optional path, and what is allowed there."""
        path, _, rest = value.partition(" ") if value.startswith("/") else ("/", "", value)
        if len(self.usages) < MAX_USAGES:
            self.usages.append((kind, _rule(path), refusals(kind, rest)))

    def wait(self, value: str) -> None:
        """Process a crawl delay; the longest counts."""
        try:
            delay = float(value)
        except ValueError:
            return
        if math.isfinite(delay) and delay >= 0:
            self.delay = max(delay, self.delay or 0.0)


def _as_utf_8(body: bytes) -> bytes:
    """Convert a UTF-16 or UTF-32 file to UTF-8. Without a BOM, alternating zeros reveal UTF-16."""
    start = body[:64]
    if start.startswith((codecs.BOM_UTF32_LE, codecs.BOM_UTF32_BE)):
        encoding = "utf-32"
    elif start.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        encoding = "utf-16"
    elif len(start) > 3 and 0 not in start[::2] and not any(start[1::2]):
        encoding = "utf-16-le"
    elif len(start) > 3 and 0 not in start[1::2] and not any(start[::2]):
        encoding = "utf-16-be"
    else:
        return body
    return body[: 4 * MAX_ROBOTS + 4].decode(encoding, "replace").encode("utf-8", "replace")


def _fields(body: bytes) -> Iterator[tuple[str, str]]:
    """Yield (kind, value) of the known lines; each byte becomes the character with the same number."""
    body = _as_utf_8(body).replace(b"\0", b"")
    if len(body) > MAX_ROBOTS:
        # Drop the line that the limit cuts: half a rule can mean the opposite.
        body = body[: max(body.rfind(b"\n", 0, MAX_ROBOTS), body.rfind(b"\r", 0, MAX_ROBOTS), 0)]
    mark = next((n for n in (3, 2, 1) if body.startswith(_BOM[:n])), 0)
    for raw in _BREAKS.split(body[mark:]):
        line = raw[:MAX_LINE].decode("latin-1").partition("#")[0].strip(_SPACES)
        key, colon, value = line.partition(":")
        if not colon:
            pair = _TWO_WORDS.fullmatch(line)
            if pair is None:
                continue
            key, value = pair.groups()
        kind = _KEYS.get(key.strip(_SPACES).lower())
        if kind is not None:
            yield kind, value.strip(_SPACES)


def parse_robots(body: bytes, agent: str) -> RobotsRules:
    """Parse a robots.txt for a crawler, whose name is `agent` up to its first slash; never raise.

    >>> parse_robots(b"Sitemap: http://a.test/map.xml", "Thresher").sitemaps
    ['http://a.test/map.xml']
    """
    name = agent.partition("/")[0].strip().lower()
    mine, everyone, outside = _Group(), _Group(), _Group()
    current: list[_Group] = []
    sitemaps: dict[str, None] = {}
    in_rules = named = False
    for kind, value in _fields(body):
        if kind == "agent":
            named = True
            if in_rules:
                current, in_rules = [], False
            if value == "*" or value.startswith(("* ", "*\t")):
                current.append(everyone)
            elif name and _TOKEN.match(value)[0].lower() == name:  # type: ignore[index]
                mine.named = True
                current.append(mine)
        elif kind == "sitemap":
            if len(sitemaps) < MAX_SITEMAPS:
                sitemaps[value.encode("latin-1").decode("utf-8", "replace")] = None
        elif kind == "delay":
            for group in current:
                group.wait(value)
        elif kind.startswith("content-"):
            # Many files state it above all groups, which can only be meant for everyone.
            for group in current or ([] if named else [outside]):
                group.use(kind, value.replace("\t", " "))
        else:
            in_rules = True
            rule = _rule(value)
            for group in current if rule else ():
                (group.allow if kind == "allow" else group.disallow).append(rule)
    group = mine if mine.named else everyone
    return RobotsRules(group.allow, group.disallow, group.delay, sitemaps, outside.usages + group.usages)


def _rule(value: str) -> str:
    """Escape the bytes beyond ASCII in a rule and write its escapes in upper case."""
    if not value.isascii():
        value = _BEYOND_ASCII.sub(lambda m: f"%{ord(m[0]):02X}", value)
    return _ESCAPE.sub(lambda m: m[0].upper(), value)


def rules_for(status: int, body: bytes, agent: str) -> RobotsRules:
    """Return the rules that follow from the answer to a request for robots.txt.

    A file is parsed. Any other answer below 500 means that there is none and everything is allowed; 5xx and an
    unreachable server (status 0) forbid everything, and so does 429, which asks the crawler to slow down.

    >>> rules_for(404, b"", "Thresher").allowed("http://a.test/"), rules_for(0, b"", "Thresher").allowed("http://a.test/")
    (True, False)
    """
    if 200 <= status < 300:
        return parse_robots(body, agent)
    return RobotsRules() if 300 <= status < 500 and status != 429 else RobotsRules(disallow=["/"])


def allowed(body: bytes, agent: str, url: str) -> bool:
    """Return whether a robots.txt lets a crawler fetch a URL.

    >>> allowed(b"User-agent: thresher\\nDisallow: /*.pdf$", "Thresher/0.1", "http://a.test/x.pdf")
    False
    """
    return parse_robots(body, agent).allowed(url)
