"""WebKB: one university is crawled, the others teach."""

import gzip
import tarfile
from io import BytesIO
from pathlib import Path

import pytest

from thresher.bench.page_building import build_pages
from thresher.bench.protocol import Draw, draw_task
from thresher.bench.webs.catalogue import expanded, find, parsed
from thresher.bench.webs.webkb import UNIVERSITIES, folded, split_header, webkb
from thresher.errors import InputError

PAGES = [
    (
        "department",
        "cornell",
        "http://www.c.edu",
        '<a href="http://www.c.edu/%7Eann/index.html">Ann</a> <a href="/old/">old</a>',
    ),
    (
        "student",
        "cornell",
        "http://www.c.edu/~ann/",
        '<a href="http://www.w.edu:8080/p">elsewhere</a> <a href="x.ps">x</a>',
    ),
    ("other", "cornell", "http://www.c.edu/old", "Old."),
    ("other", "cornell", "ftp://ftp.c.edu/pub/a.html", "Not for us."),
    ("student", "texas", "http://www.t.edu/~bob", "Bob."),
    ("project", "misc", "http://www.w.edu_8080/p", "A project."),
    ("course", "misc", "http://www.w.edu_8080/p/", "The same again."),
]


@pytest.fixture
def small(tmp_path: Path) -> Path:
    """A collection in the form of the real one, with pages written for it."""
    folder = tmp_path / "data" / "webkb"
    folder.mkdir(parents=True)
    lines = ["class\tuniversity\turl\tmember\tbytes"]
    with tarfile.open(folder / "pages.tar.xz", "w:xz") as tar:
        for kind, university, url, text in PAGES:
            body = f"Server: X\nContent-type: text/html\n\n<title>{kind}</title>{text}".encode()
            name = f"webkb/{kind}/{university}/{url.replace('/', '^')}"
            member = tarfile.TarInfo(name)
            member.size = len(body)
            tar.addfile(member, BytesIO(body))
            lines.append(f"{kind}\t{university}\t{url}\t{name}\t{len(body)}")
    (folder / "index.tsv.gz").write_bytes(gzip.compress("\n".join(lines).encode()))
    return tmp_path / "data"


def test_small_collection(small: Path) -> None:
    web = webkb("cornell", small)
    pages = build_pages(web.collection)
    assert web.served == {"http://www.c.edu/", "http://www.c.edu/~ann/", "http://www.c.edu/old"}
    assert web.home == ("http://www.c.edu/",)
    assert web.labels["http://www.c.edu/~ann/"] == ("student",)
    assert set(web.corpus) == {"http://www.t.edu/~bob", "http://www.w.edu:8080/p", "http://www.w.edu:8080/p/"}
    home = pages.number("http://www.c.edu/")
    assert home is not None
    # Addresses that differ in a final slash, an index page or an escape lead to the page that is held.
    assert [pages.urls[to] for to in pages.graph.after(home)] == ["http://www.c.edu/~ann/", "http://www.c.edu/old"]
    page = pages.page("http://www.c.edu/")
    assert page is not None
    assert (page.title, "Server" in page.words) == ("department", False)
    task = draw_task(web, pages, "student", 0, "normal", Draw(1, 1, 5))
    assert task.examples == ("http://www.t.edu/~bob",)
    assert task.starts == web.home
    assert [pages.urls[n] for n in range(len(pages.urls)) if task.targets[n]] == ["http://www.c.edu/~ann/"]


@pytest.mark.parametrize(
    ("stored", "kind", "body"),
    [
        (b"Date: x\r\nContent-Type: text/plain\r\n\r\nhi", "text/plain", b"hi"),
        (b"<HTML>\n\nhi", "text/html", b"<HTML>\n\nhi"),
        (b"WWW Alert:  not handled\nServer: X\n\nhi", "text/html", b"hi"),
        (b"Server: X\n<html>", "text/html", b"<html>"),
        (b"", "text/html", b""),
    ],
)
def test_stored_headers(stored: bytes, kind: str, body: bytes) -> None:
    assert split_header(stored) == (kind, body)


def test_names() -> None:
    assert expanded("webkb") == [f"webkb-{name}" for name in UNIVERSITIES]
    assert folded("http://a.edu/x/default.htm") == "http://a.edu/x"
    with pytest.raises(InputError, match="harvard"):
        find("webkb-harvard", Path())
    usual = parsed("webkb-cornell").kind.usual
    assert (usual.examples, usual.negatives, usual.budget) == (20, 60, 300)


def test_the_collection_itself(data: Path) -> None:
    pages = {name: len(find(f"webkb-{name}", data).served) for name in UNIVERSITIES}
    assert pages == {"cornell": 857, "texas": 817, "washington": 1198, "wisconsin": 1250}
    for name in UNIVERSITIES:
        web = find(f"webkb-{name}", data)
        assert len(web.home) == 1
        assert not set(web.corpus) & web.served
