"""Reading rendered pages with a real HTML parser."""

from selectolax.lexbor import LexborHTMLParser

from thresher.simweb.render import render
from thresher.simweb.web import Web
from thresher.web.urls import canonical


def html(web: Web, page: int) -> str:
    return render(web, page).decode(web.hosts[int(web.pages.host[page])].charset)


def text_of(markup: str) -> str:
    tree = LexborHTMLParser(markup)
    for node in tree.css("script, style"):
        node.decompose()
    return tree.root.text(separator=" ")


def links_of(markup: str, base: str) -> list[tuple[str, str, bool]]:
    """Return (canonical URL, anchor text, nofollow) of every link."""
    found = []
    for node in LexborHTMLParser(markup).css("a[href]"):
        url = canonical(node.attributes["href"] or "", base)
        assert url is not None
        found.append((url, node.text().strip(), node.attributes.get("rel") == "nofollow"))
    return found
