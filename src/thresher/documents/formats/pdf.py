"""Reads PDF with PDFium: the text of the pages, links from annotations and text, and metadata."""

from typing import Final

from thresher.documents.formats.extract import Extract, statements
from thresher.documents.formats.format import Format
from thresher.documents.formats.limits import Limits, ReaderGaveUp
from thresher.documents.formats.prose import Enough, TextCollector
from thresher.reasons import Reason


def read_pdf(body: bytes, url: str, limits: Limits) -> Extract:
    """Read a PDF, at most `limits.pages` pages; raise Refusal if it is encrypted, broken or has only pictures."""
    # PDFium is large and only needed in the process that reads files.
    from thresher.documents.pdfium_pages import language, open_pdf, say_page

    document = open_pdf(body)
    try:
        prose = TextCollector(limits.words, limits.links)
        number, read = len(document), 0
        try:
            for index in range(min(number, limits.pages)):
                read += say_page(document, index, prose)
        except Enough:
            read += 1
        if number and not read:
            raise ReaderGaveUp(Reason.UNREADABLE, "none of its pages can be opened")
        said = document.get_metadata_dict(skip_empty=True)
        markup = prose.markup(url, said.get("Title", ""), language(document))
    finally:
        document.close()
    if not markup.words:
        raise ReaderGaveUp(Reason.NO_TEXT, f"{number} pages of pictures without text")
    about = statements(
        author=said.get("Author", ""), created=said.get("CreationDate", ""), modified=said.get("ModDate", "")
    )
    return Extract(markup, about)


# PDF readers tolerate leading garbage, so this format is tried last.
PDF: Final = Format(
    name="application/pdf",
    aliases=("application/x-pdf",),
    endings=(".pdf",),
    begins=(b"%PDF-",),
    recognises=lambda head: b"%PDF-" in head,
    forgiving=True,
    text=read_pdf,
)
