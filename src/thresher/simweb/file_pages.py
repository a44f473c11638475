"""Pages of a generated web that are files: the same words and links as the page would have as HTML."""

from random import Random
from typing import Final, Literal
from urllib.parse import urljoin

from thresher.simweb.ageing import news
from thresher.simweb.anchors import Anchor, page_anchors
from thresher.simweb.files.pdf_writer import write_pdf
from thresher.simweb.files.text_runs import Draft, TextRun
from thresher.simweb.files.word_writer import write_word
from thresher.simweb.files.zip_writer import write_zip
from thresher.simweb.graph import LinkPosition
from thresher.simweb.pages import Flag, PageKind
from thresher.simweb.prose import Prose, write_prose
from thresher.simweb.render import title_of
from thresher.simweb.text import randomness
from thresher.simweb.web import Web

Form = Literal["html", "pdf", "docx", "zip"]

MEMBER: Final = "text.docx"
"""The one file in an archive."""

_MIME: Final = {
    "pdf": "application/pdf",
    "docx": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    "zip": "application/zip",
}
_PDF: Final = 0.45
_DOCX: Final = 0.8


def form_of(web: Web, page: int) -> Form:
    """Return the form in which a page is served: a `documents` share of the plain pages are files.

    Home pages, hubs and welcome pages are HTML, as are copies and pages with session ids or robots directives.
    """
    share = web.parameters.documents
    if not share or not _may_be_file(web, page):
        return "html"
    rng = Random(f"{web.parameters.seed} {page} form")
    if rng.random() >= share:
        return "html"
    draw = rng.random()
    return "pdf" if draw < _PDF else "docx" if draw < _DOCX else "zip"


def file_of(web: Web, page: int, version: int = 0) -> tuple[str, bytes]:
    """Return the MIME type and bytes of a page that is a file; `version` counts its changes."""
    form = form_of(web, page)
    draft = _draft(web, page, version)
    body = write_pdf(draft) if form == "pdf" else write_word(draft)
    return _MIME[form], write_zip({MEMBER: body}) if form == "zip" else body


def document_url(web: Web, page: int) -> str:
    """Return the address of a page's document: its own, or that of the member if the page is an archive."""
    return web.urls[page] + (f"!/{MEMBER}" if form_of(web, page) == "zip" else "")


def _may_be_file(web: Web, page: int) -> bool:
    host = web.hosts[int(web.pages.host[page])]
    number = web.host_numbers[host.name]
    copied = any(other.mirror_of == number for other in web.hosts)
    plain = web.pages.kind_of(page) in (PageKind.CONTENT, PageKind.NOISE) and page != host.first
    asks = web.pages.flagged(page, Flag.NOINDEX | Flag.NOFOLLOW)
    return plain and not asks and not copied and host.trap != "session"


def _draft(web: Web, page: int, version: int) -> Draft:
    rng = randomness(web, page)
    prose = write_prose(web, page, rng)
    anchors = page_anchors(web, page, rng)
    host = web.hosts[int(web.pages.host[page])]
    paragraphs = _text(prose, anchors[LinkPosition.TEXT], web.urls[page], rng)
    for place in (LinkPosition.LIST, LinkPosition.TABLE, LinkPosition.NAVIGATION, LinkPosition.FOOTER):
        paragraphs += [[_link(anchor, web.urls[page])] for anchor in anchors[place]]
    if version:
        paragraphs.append([TextRun(news(web, page, version))])
    title = title_of(web, page, host)
    return Draft(title, [[TextRun(title)], *paragraphs], host.title, host.language)


def _text(prose: Prose, anchors: list[Anchor], base: str, rng: Random) -> list[list[TextRun]]:
    """Return the sentences of a page, five per paragraph, with their share of the links at their ends."""
    said = prose.sentences(rng)
    paragraphs: list[list[TextRun]] = []
    for number, sentence in enumerate(said):
        if number % 5 == 0:
            paragraphs.append([])
        share = -(-len(anchors) // (len(said) - number))
        parts = prose.appended(sentence, anchors[:share])
        paragraphs[-1] += [TextRun(part) if isinstance(part, str) else _link(part, base) for part in parts]
        anchors = anchors[share:]
    return paragraphs


def _link(anchor: Anchor, base: str) -> TextRun:
    """Return a link with its absolute address; a nofollow link becomes plain text, because a file cannot express it."""
    return TextRun(anchor.text, "" if anchor.nofollow else urljoin(base, anchor.href))
