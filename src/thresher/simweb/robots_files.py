"""The robots.txt files of hosts: missing, open, partly closed, with a delay, malformed or failing."""

from typing import Final

from thresher.simweb.hosts import SimulatedHost
from thresher.simweb.site_lists import SITEMAP, publishes

PATH: Final = "/robots.txt"

_PARTIAL: Final = """# Robots of {brand}
User-agent: greedybot
Disallow: /

User-agent: *
Disallow: {directory}
Disallow: /search
Allow: /
"""

_DELAY: Final = """User-agent: *
Crawl-delay: {delay}
Disallow: /search
"""

# A byte order mark, lines without a colon, unknown fields, odd case and spacing: a parser has to ignore all of it.
_BROKEN: Final = """\ufeff# {brand}\r
this line says nothing\r
<<<<<< robots\r
Nonsense: 12; yes\r
USER-AGENT :   *   # everyone\r
disallow:{directory}   # not for machines\r
Disallow /everything-without-a-colon\r
Colour: green\r
"""


def robots_file(host: SimulatedHost) -> tuple[int, bytes]:
    """Return the status and body of a host's robots.txt; the body is empty for an error."""
    if host.robots == "missing":
        return 404, b""
    if host.robots == "error":
        return 500, b""
    lists = f"Sitemap: http://{host.name}{SITEMAP}\n" if publishes(host) else ""
    if host.robots == "open":
        return 200, f"User-agent: *\n{'Disallow:' if host.first % 2 else 'Allow: /'}\n{lists}".encode()
    text = {"partial": _PARTIAL, "delay": _DELAY, "broken": _BROKEN}[host.robots]
    filled = text.format(brand=host.brand, directory=host.disallowed, delay=host.crawl_delay)
    return 200, (filled + lists).encode()
