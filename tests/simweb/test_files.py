"""Files of the generated web: the same plan, words and links in another form."""

import numpy as np
import pytest
from msgspec.structs import replace

from thresher.documents.analyse import Reader
from thresher.errors import InputError
from thresher.simulate import simulate
from thresher.simweb.answers import answer
from thresher.simweb.file_pages import MEMBER, document_url, file_of, form_of
from thresher.simweb.manifest import digest, manifest_rows
from thresher.simweb.parameters import WebParameters
from thresher.simweb.web import Web
from thresher.types import Fetched, Opened, ParsedPage

PLAIN = WebParameters(pages=300, hosts=10, seed=4, profile="finite")
WITH_FILES = Web(replace(PLAIN, documents=0.3))
WITHOUT = Web(PLAIN)
FILES = [page for page in range(len(WITH_FILES.urls)) if form_of(WITH_FILES, page) != "html"]


def read(reader: Reader, web: Web, page: int) -> ParsedPage:
    url = web.urls[page]
    host = url.split("/")[2]
    told = answer(web, "GET", host, url[len("http://") + len(host) :], 100.0)
    assert told is not None
    mime = dict(told.headers)["Content-Type"].partition(";")[0]
    fetched = Fetched(url=url, status=200, headers=told.headers, body=told.body, raw=told.body, mime=mime, at=0.0)
    found = reader.open(fetched)
    if isinstance(found, Opened):
        (member,) = found.members
        assert member.url == document_url(web, page)
        found = member.page
    assert isinstance(found, ParsedPage)
    return found


def test_documents_change_nothing_of_the_plan() -> None:
    assert digest(WITH_FILES) == digest(WITHOUT)
    assert {form_of(WITH_FILES, page) for page in FILES} == {"pdf", "docx", "zip"}
    assert 0.2 <= len(FILES) / len(WITH_FILES.urls) <= 0.35
    assert not [page for page in range(len(WITHOUT.urls)) if form_of(WITHOUT, page) != "html"]
    forms = [row["form"] for row in manifest_rows(WITH_FILES)]
    assert forms.count("pdf") + forms.count("docx") + forms.count("zip") == len(FILES)


def test_a_file_says_and_links_what_the_page_does() -> None:
    reader = Reader()
    for page in FILES[::6]:
        file, html = read(reader, WITH_FILES, page), read(reader, WITHOUT, page)
        plan = {WITH_FILES.urls[target] for target in WITH_FILES.links(page)}
        assert {link.url for link in file.links} <= plan
        assert {link.url for link in file.links} >= {link.url for link in html.links if "nofollow" not in link.rel}
        shared = sum(min(count, html.terms.get(stem, 0)) for stem, count in file.terms.items())
        assert shared >= 0.9 * sum(file.terms.values()) - 20, "title and links apart, the words are the same"
        assert html.language in ("", file.language)
        assert file.about["author"]
    reader.close()


def test_files_are_the_same_every_time() -> None:
    again = Web(replace(PLAIN, documents=0.3))
    for page in FILES[:5]:
        assert file_of(again, page) == file_of(WITH_FILES, page)


@pytest.mark.slow
def test_a_crawl_finds_the_same_pages_with_files_as_without() -> None:
    stored = set(simulate(WITH_FILES, overrides=["manners.traps=false"]).store.documents.urls())
    plain = set(simulate(WITHOUT, overrides=["manners.traps=false"]).store.documents.urls())
    assert {url.removesuffix(f"!/{MEMBER}") for url in stored} == plain
    assert len(stored) == len(plain)


def test_types_that_are_not_wanted_are_refused() -> None:
    done = simulate(WITH_FILES, overrides=["manners.traps=false", 'network.types={"text/html"=1000000}'])
    assert done.progress.errors["type-refused"] > 0
    assert not [url for url in done.store.documents.urls() if MEMBER in url]


def test_the_share_of_documents_is_checked() -> None:
    with pytest.raises(InputError):
        WebParameters(documents=1.5)
    assert np.isclose(WebParameters(documents=1.0).documents, 1.0)
