"""Generated and archived webs, and finding webs by name."""

from pathlib import Path

import pytest

from thresher.bench.page_building import build_pages
from thresher.bench.webs.catalogue import find, web_names
from thresher.bench.webs.generated import Generated, generated
from thresher.errors import InputError, PluginError
from thresher.simweb.pages import Flag, PageKind
from thresher.simweb.parameters import WebParameters
from thresher.store.archive.warc_archive import WarcArchive
from thresher.types import Fetched, Redirected


@pytest.fixture(scope="module")
def mixed() -> Generated:
    return Generated(WebParameters(pages=900, hosts=30, seed=4, profile="mixed"))


def test_generated_pages_are_what_a_polite_crawler_gets(mixed: Generated) -> None:
    for url in mixed.urls():
        page = mixed.web.page(url)
        assert page is not None
        assert not mixed.web.pages.flagged(page, Flag.DISALLOWED)
        assert mixed.answer(url).status == 200
        assert mixed.held(url) == url
    assert mixed.urls() == sorted(set(mixed.urls()))


def test_generated_redirects_and_sessions_lead_to_pages(mixed: Generated) -> None:
    web = mixed.web
    redirects = [url for page, url in enumerate(web.urls) if web.pages.kind_of(page) is PageKind.REDIRECT]
    assert redirects
    ends = [mixed.held(url) for url in redirects]
    assert any(ends)
    assert {end for end in ends if end} <= set(mixed.urls())
    sessions = [host.name for host in web.hosts if host.trap == "session"]
    served = next(url for url in mixed.urls() if url.split("/")[2] in sessions and "?" not in url)
    assert mixed.held(f"{served}?sid=0a1b") == served
    assert mixed.held("http://nowhere.test/") is None


def test_generated_labels_are_those_of_originals(mixed: Generated) -> None:
    labels = mixed.labels()
    copies = [url for url in mixed.urls() if mixed.web.pages.kind_of(mixed.web.page(url) or 0) is PageKind.MIRROR]
    assert copies
    assert not set(copies) & set(labels)
    for url, topics in labels.items():
        assert (mixed.web.label(mixed.web.page(url) or 0) or "") == (topics[-1] if topics else "")
    deep = next(topics for topics in labels.values() if len(topics) == 2)
    assert deep[1].startswith(f"{deep[0]}/")


def test_generated_links_are_those_of_the_plan() -> None:
    web = generated(pages=200, hosts=8, profile="clean")
    pages = build_pages(web.collection)
    assert isinstance(web.collection, Generated)
    plan = web.collection.web
    for url in web.served:
        number, page = pages.number(url), plan.page(url)
        assert number is not None
        assert page is not None
        linked = {pages.urls[to] for to in pages.graph.after(number)}
        assert linked == {plan.urls[to] for to in plan.links(page)} & set(pages.urls) - {url}
    assert web.note


def test_parameters_of_a_generated_web() -> None:
    assert find("generated(seed=3;hosts=8;pages=200)").name == "generated(hosts=8;pages=200;seed=3)"
    for name in ("generated(pages=many)", "generated(size=3)", "generated(pages=1)"):
        with pytest.raises((InputError, PluginError)):
            find(name)
    assert find("generated(pages=200;hosts=8;languages=en+de)").collection.web.parameters.languages == ("en", "de")  # type: ignore[attr-defined]


def test_an_archive_is_a_web(tmp_path: Path) -> None:
    def page(name: str, text: str) -> Fetched:
        body = text.encode()
        headers = [("Content-Type", "text/html")]
        return Fetched(
            url=f"http://a.test/{name}", status=200, headers=headers, body=body, raw=body, mime="text/html", at=1.0
        )

    moved = Redirected(
        url="http://a.test/old", to="http://a.test/b", status=301, at=1.0, headers=[("Location", "http://a.test/b")]
    )
    archive = WarcArchive(tmp_path / "w")
    archive.append([page("", '<title>A</title><a href="old">b</a>'), page("b", "<p>Boats"), moved])
    archive.close()
    [file] = (tmp_path / "w").glob("*.warc.gz")
    labels = tmp_path / "labels.tsv"
    labels.write_text("http://a.test/old\tboats\nhttp://a.test/\n")
    web = find(f"warc:{file};labels={labels}")
    assert web.labels == {"http://a.test/": (), "http://a.test/b": ("boats",)}
    assert web.served == {"http://a.test/", "http://a.test/b"}
    pages = build_pages(web.collection)
    assert [pages.urls[to] for to in pages.graph.after(0)] == ["http://a.test/b"]
    assert find(web.name).labels == web.labels
    assert find(f"warc:{file}").labels == {}
    # Other labels are other data; labels that are lost are told.
    assert len({web.collection.digest, find(f"warc:{file}").collection.digest}) == 2
    more = tmp_path / "more.tsv"
    more.write_text("http://a.test/b\tboats\n\nhttp://a.test/gone\tboats\nno address\n")
    other = find(f"warc:{file};labels={more}")
    assert other.collection.digest != web.collection.digest
    assert (web.note, other.note[:7]) == ("", "2 lines")
    with pytest.raises(InputError, match="topic"):
        find(f"warc:{file}").named(["boats"])
    with pytest.raises(InputError, match="no topic with at least"):
        web.named([])
    with pytest.raises(InputError):
        find(f"warc:{tmp_path / 'none.warc'}")


@pytest.mark.parametrize(
    ("name", "remedy"),
    [
        ("wikispedia", "Did you mean 'wikispeedia'?"),
        ("webkb-ithaca", "Did you mean"),
        ("webkb", "Choose one of them: webkb-cornell, "),
        ("wikispeedia", "--data"),
        ("wikispeedia:x", "wikispeedia"),
        ("warc", "warc:FILE"),
        ("warc:a.warc;label=b", "Did you mean 'labels'?"),
        ("webkb-cornell(seed=1)", "It takes: none"),
    ],
)
def test_webs_that_are_not_there(name: str, remedy: str) -> None:
    with pytest.raises((InputError, PluginError)) as wrong:
        find(name)
    assert remedy in wrong.value.remedy
    assert "wikispeedia" in web_names()
