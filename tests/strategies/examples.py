"""Examples of a topic of the generated web, read like any other page."""

from thresher.documents import read
from thresher.simweb.render import render
from thresher.simweb.web import Web
from thresher.types import ParsedPage

Examples = list[tuple[ParsedPage, str | None]]


def examples_of(web: Web, positive: int = 10, negative: int = 30) -> Examples:
    """Return pages of the first topic, and pages outside of it as examples of none."""
    topic = web.topics()[0]
    on_topic: Examples = [(_page(web, url), topic) for url in web.examples(topic, positive)]
    return on_topic + [(_page(web, url), None) for url in web.negatives(topic, negative)]


def _page(web: Web, url: str) -> ParsedPage:
    number = web.page(url)
    charset = web.hosts[int(web.pages.host[number])].charset
    return read(render(web, number), f"text/html; charset={charset}", url)
