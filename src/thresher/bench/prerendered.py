"""A generated web rendered to bytes once, on loopback addresses, so all crawlers get the same cheap responses.

Each host of the web becomes an address `127.x.y.z`, so a crawler needs no name service, no mapping and no special case
for a single host; all listen on the same port.
"""

import re
from typing import Final

from msgspec.structs import replace

from thresher.simweb.answers import answer
from thresher.simweb.robots_files import PATH, robots_file
from thresher.simweb.web import Web

_HOST: Final = re.compile(r"//([a-z0-9.-]+\.test)(?![a-z0-9.-])")
_FIRST: Final = 1 << 16 | 1

Answers = dict[str, dict[bytes, bytes]]
"""Complete HTTP responses, head and body, by address and request target."""


def address_of(number: int) -> str:
    """Return the address of a host by number.

    >>> address_of(0), address_of(300)
    ('127.1.0.1', '127.1.1.45')
    """
    place = _FIRST + number
    return f"127.{place >> 16 & 255}.{place >> 8 & 255}.{place & 255}"


class Prerendered:
    """All responses of a web on one port.

    >>> from thresher.simweb.parameters import WebParameters
    >>> rendered = Prerendered(Web(WebParameters(pages=40, hosts=2, profile="clean")), port=8099)
    >>> rendered.start_pages[0], sorted(rendered.answers)
    ('http://127.1.0.1:8099/', ['127.1.0.1', '127.1.0.2'])
    """

    def __init__(self, web: Web, port: int) -> None:
        self._origins = {host.name: f"//{address_of(number)}:{port}" for number, host in enumerate(web.hosts)}
        self.start_pages = [self._moved(url) for url in web.start_pages()]
        self.urls = [self._moved(url) for url in web.urls]
        self.answers: Answers = {}
        for number, host in enumerate(web.hosts):
            # Every host has rules to obey, but none excludes a page, so all crawlers may fetch the same pages.
            rules = robots_file(replace(host, robots="partial", disallowed="/private/"))[1]
            plain = [("Content-Type", "text/plain; charset=utf-8")]
            own = self.answers[address_of(number)] = {PATH.encode(): _message(200, plain, rules)}
            for page in range(host.first, host.end):
                target = web.urls[page].removeprefix(f"http://{host.name}")
                own[target.encode()] = self._answer(web, host.name, target)

    def _moved(self, text: str) -> str:
        """Return a text with every host of the web replaced by its address."""
        return _HOST.sub(lambda found: self._origins.get(found[1], found[0]), text)

    def _answer(self, web: Web, host: str, target: str) -> bytes:
        found = answer(web, "GET", host, target, 0.0)
        if found is None:
            raise ValueError(f"There is no host {host}.")
        # Latin-1 preserves every byte of any encoding that contains ASCII.
        body = self._moved(found.body.decode("latin-1")).encode("latin-1")
        fields = [(name, self._moved(value)) for name, value in found.headers if name != "Content-Length"]
        return _message(found.status, fields, body)


def _message(status: int, fields: list[tuple[str, str]], body: bytes) -> bytes:
    lines = [f"HTTP/1.1 {status} -", *(f"{name}: {value}" for name, value in fields)]
    return "\r\n".join([*lines, f"Content-Length: {len(body)}", "", ""]).encode("latin-1") + body
