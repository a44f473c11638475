"""First start: from bookmarks, links or words to a crawl."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from starlette.testclient import TestClient

from tests.portal.made import Made, token_for
from thresher.config.load import load
from thresher.errors import ErrorData
from thresher.portal.gathering import added, from_links, gathered, tidied
from thresher.portal.security import LARGER
from thresher.portal.work import InTheWay
from thresher.portals import load_topics
from thresher.store.decisions import DecisionKind, DecisionRow
from thresher.store.portal_records import Role
from thresher.store.work_records import WorkKind, WorkRow
from thresher.taxonomy.topic_tree import Taxonomy

BOOKMARKS = b"""<!DOCTYPE NETSCAPE-Bookmark-file-1><DL><DT><H3>Tea</H3><DL><DT><A HREF="http://t.test/">T</A>
<DT><H3>Green</H3><DL><DT><A HREF="http://g.test/">G</A></DL></DL><DT><H3>Cars</H3><DL>
<DT><A HREF="http://c.test/">C</A></DL></DL>"""


def paths(tree: Taxonomy) -> list[str]:
    return ["/".join(path) for path, _ in tree.walk()]


def test_a_bookmark_file_links_and_words_become_topics() -> None:
    tree = gathered(
        BOOKMARKS, "my marks.html", "Boats\nhttp://b.test/\nwww.b2.test\n\nhttps://b3.test/x", "solar power", "P"
    )
    assert paths(tree) == ["Tea", "Tea/Green", "Cars", "Boats", "solar power"]
    boats = tree.get(("Boats",))
    assert boats is not None
    assert [page.url for page in boats.pages] == ["http://b.test/", "https://www.b2.test/", "https://b3.test/x"]
    words = tree.get(("solar power",))
    assert words is not None
    assert words.query == "solar power"
    assert gathered(b"", "", " \n", "", "P") == Taxonomy()
    assert paths(gathered(b"http://x.test/\n", "list.txt", "", "", "P")) == ["P"]


def test_what_is_given_twice_comes_together() -> None:
    tree = added(
        from_links("A\nhttp://a.test/", "P"), from_links("A\nhttp://a.test/\nhttp://b.test/\nB\nhttp://c.test", "P")
    )
    first = tree.get(("A",))
    assert first is not None
    assert [page.url for page in first.pages] == ["http://a.test/", "http://b.test/"]


def test_topics_are_renamed_and_left_out() -> None:
    tree = gathered(BOOKMARKS, "b.html", "", "", "P")
    fresh, renamed = tidied(tree, {("Tea",): "Infusions", ("Tea", "Green"): "Verde", ("Cars",): "Infusions "}, set())
    assert sorted(paths(fresh)) == ["Cars", "Infusions", "Infusions/Verde"]
    assert renamed == [(("Tea", "Green"), ("Tea", "Verde")), (("Tea",), ("Infusions",))]
    fresh, renamed = tidied(tree, {("Tea",): "  "}, {("Tea", "Green"), ("Cars",), ("None",)})
    assert (paths(fresh), renamed) == (["Tea"], [])


@given(st.binary(max_size=300), st.text(max_size=200), st.text(max_size=100))
def test_no_file_and_no_text_is_an_error(file: bytes, links: str, words: str) -> None:
    tree = gathered(file, "f.html", links, words, "P")
    for path, _ in tree.walk():
        assert all(name.strip() for name in path)


@pytest.fixture
def empty(tmp_path: Path) -> "tuple[Made, TestClient, str]":
    made = Made(tmp_path / "empty", pages=False)
    (made.folder / "topics.toml").unlink()
    admin = made.signed_in(Role.ADMIN, "anna")
    return made, admin, token_for(admin)


def test_from_bookmarks_to_a_crawl_in_three_forms(
    empty: "tuple[Made, TestClient, str]", monkeypatch: pytest.MonkeyPatch
) -> None:
    made, admin, token = empty
    asked: list[WorkRow] = []
    monkeypatch.setattr(made.app.state.bench, "start", lambda row: asked.append(row) or row)
    assert 'href="/start"' in admin.get("/").text
    assert " disabled" in admin.get("/start").text
    assert "First create topics with links" in admin.get("/start").text
    assert admin.post("/start/go", data={"token": token}).status_code == 409
    sent = admin.post("/start/import", data={"token": token}, files={"file": ("b.html", BOOKMARKS, "text/html")})
    assert sent.headers["location"].startswith("/start?done=imported&deed=")
    text = admin.get(sent.headers["location"]).text
    assert "The topics were added." in text
    assert "3 topics with 3 pages as examples" in text
    assert 'value="Tea/Green"' in text
    form = {"token": token, "path": ["Tea", "Cars"], "name": ["Infusions", "Cars"], "drop": ["Cars"]}
    led = admin.post("/start/tidy", data=form).headers["location"]
    assert paths(load_topics(made.folder)) == ["Infusions", "Infusions/Green"]
    admin.post("/manage/undo", data={"token": token, "number": led.rpartition("=")[2], "back": "/start"})
    assert paths(load_topics(made.folder)) == ["Tea", "Tea/Green", "Cars"]
    early = admin.post("/start/go", data={"token": token})
    assert early.status_code == 409
    assert "First save your e-mail or web address" in early.text
    wrong = admin.post("/start/contact", data={"token": token, "contact": "nobody"})
    assert wrong.status_code == 400
    assert 'value="nobody"' in wrong.text
    admin.post("/start/contact", data={"token": token, "contact": "a@b.example", "title": 'My "tea"'})
    settings = load(made.folder).settings
    assert (settings.network.contact, settings.portal.title) == ("a@b.example", 'My "tea"')
    assert "My &#34;tea&#34;" in admin.get("/start").text
    assert admin.post("/start/go", data={"token": token, "pages": "500"}).headers["location"] == "/crawl"
    assert [(row.kind, row.pages, row.user) for row in asked] == [(WorkKind.RUN, 500, "anna")]
    monkeypatch.setattr(made.app.state.bench, "start", lambda row: InTheWay(error=ErrorData("x")))
    assert admin.post("/start/go", data={"token": token}).status_code == 409
    made.close()


def test_decisions_follow_topics_that_are_renamed_on_the_way(made: Made) -> None:
    admin, row = made.signed_in(Role.ADMIN, "anna"), made.rows[0]
    token = token_for(admin)
    made.store.decisions.add(
        DecisionRow(page=row.url_id, url=row.url, kind=DecisionKind.MOVED, at=1.0, shown="Boats", topic="Tea/Green")
    )
    form = {"token": token, "path": ["Tea", "Tea/Green"], "name": ["Infusions", "Verde"]}
    led = admin.post("/start/tidy", data=form).headers["location"]
    assert made.store.decisions.settled()[row.url_id].topic == "Infusions/Verde"
    assert made.client.get("/t/Tea/Green", follow_redirects=False).headers["location"] == "/t/Infusions/Verde"
    admin.post("/manage/undo", data={"token": token, "number": led.rpartition("=")[2]})
    assert made.store.decisions.settled()[row.url_id].topic == "Tea/Green"
    assert made.client.get("/t/Infusions/Verde", follow_redirects=False).headers["location"] == "/t/Tea/Green"


def test_an_upload_has_its_limit_and_nothing_useful_is_said(empty: "tuple[Made, TestClient, str]") -> None:
    made, admin, token = empty
    large = b"x" * (LARGER["/start/import"] + 1)
    assert admin.post("/start/import", data={"token": token}, files={"file": ("b.html", large)}).status_code == 413
    nothing = admin.post("/start/import", data={"token": token}, files={"file": ("b.html", b"")})
    assert nothing.status_code == 400
    assert "It contains no links or words" in nothing.text
    assert not (made.folder / "topics.toml").exists()
    words = admin.post("/start/import", data={"token": token, "words": "green tea"})
    assert words.status_code == 303
    assert made.signed_in(Role.REVIEWER).get("/start").status_code == 403
    made.close()
