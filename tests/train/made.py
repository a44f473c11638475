"""Short ways to make pages and rows for the tests of training."""

from thresher.store.page_records import DocumentRow, LinkRow
from thresher.types import Judgement, ParsedPage
from thresher.web.urls import host_of, url_id


def page(text: str, url: str = "") -> ParsedPage:
    terms = {word: text.split().count(word) for word in text.split()}
    return ParsedPage(url=url or f"test:{text}", title="", words=text.split(), links=[], terms=terms, language="en")


def row(
    url: str,
    text: str,
    links: tuple[str, ...] = (),
    rel: str = "",
    judgement: Judgement | None = None,
    *,
    title: str = "",
    anchors: tuple[tuple[str, str], ...] = (),
) -> DocumentRow:
    made = page(text)
    return DocumentRow(
        url_id=url_id(url),
        url=url,
        host=host_of(url),
        at=1.0,
        title=title,
        text=text,
        terms=made.terms,
        links=[
            *(LinkRow(url_id(link), link, "", rel) for link in links),
            *(LinkRow(url_id(link), link, anchor) for link, anchor in anchors),
        ],
        language="en",
        digest=f"{url} {text}".encode() if anchors else text.encode(),
        judgement=judgement,
    )


def rejected(confidence: float = -1.0) -> Judgement:
    return Judgement(topic=None, confidence=confidence, probability=0.1)
