"""A small portal for the tests of its web pages: plain, or with all the hostility a web and its readers can send."""

import time
from pathlib import Path
from typing import Any

from argon2 import PasswordHasher
from fastapi import FastAPI
from starlette.testclient import TestClient

from tests.store.rows import url_row
from thresher.accounts import Accounts
from thresher.config.load import load
from thresher.portal.app import make_app
from thresher.portal.form_tokens import form_token
from thresher.portals import create_portal
from thresher.store.page_records import DocumentRow, LinkRow, PageScores, VisitRow
from thresher.store.peer_records import PeerRow, PeerState
from thresher.store.portal_records import Role
from thresher.store.protocol import Store
from thresher.store.records import Batch, CrawlKind
from thresher.store.repository import open_store
from thresher.store.url_records import UrlState
from thresher.taxonomy.topic_tree import Taxonomy, Topic, TrainingPage, put, written
from thresher.types import Judgement
from thresher.web.urls import canonical, host_of, url_id

QUICK = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)
"""A hash that costs nothing: tests sign in often."""

PASSWORD = "a long enough password"

PAYLOADS = (
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(2)>',
    "'><svg onload=alert(3)>",
    "</title></textarea></style><script>alert(4)</script>",
    "{{7*7}}<b onmouseover=alert(5)>",
    "javascript:alert(6)",
    '=HYPERLINK("http://evil.example")',
    "]]><x/>\u202e\x00",
)
HOSTILE = "".join(PAYLOADS)


def page(url: str, topic: str | None, *, title: str = "", preview: str = "", **more: Any) -> DocumentRow:
    """Return an accepted page, or a rejected one where there is no topic."""
    address = canonical(url)
    assert address is not None
    links = [LinkRow(url_id(to), to, anchor) for to, anchor in more.pop("links", ())]
    judged = Judgement(
        topic=topic,
        confidence=more.pop("confidence", 0.5),
        probability=more.pop("probability", 0.9),
        path=tuple(topic.split("/")) if topic else (),
        evidence=more.pop("evidence", (("kettle", 0.7), ("forum", -0.1))),
        model="0123456789abcdef",
        border=0.1,
    )
    fields = {
        "at": time.time(),
        "text": f"{title}. {preview}",
        "terms": {"tea": 2},
        "mime": "text/html",
        "size": 14_000,
    }
    return DocumentRow(
        url_id=url_id(address),
        url=address,
        host=host_of(address),
        title=title,
        preview=preview,
        links=links,
        judgement=judged,
        **{**fields, **more},
    )


def topics(*, hostile: bool = False) -> Taxonomy:
    """Return the topics Tea with Green below it, and Boats."""
    extra = HOSTILE if hostile else ""
    tree = put(Taxonomy(), (f"Tea{extra}",), Topic(name="", note=f"All about tea.{extra}"))
    seeds = (TrainingPage("http://seed.test/", f"Seed{extra}"),)
    tree = put(tree, (f"Tea{extra}", f"Green{extra}"), Topic(name="", pages=seeds))
    return put(tree, ("Boats",), Topic(name="", pages=seeds))


def fill(store: Store, *, hostile: bool = False) -> list[DocumentRow]:
    """Write a few pages with links, visits and the way they were found; return them."""
    extra = HOSTILE if hostile else ""
    tea, green = written((f"Tea{extra}",)), written((f"Tea{extra}", f"Green{extra}"))
    seed, off = "http://seed.test/", "http://off.test/"
    about = {"author": f"Ann{extra}", "created": f"2024{extra}", "modified": f"2025{extra}"} if hostile else {}
    first = page(
        "http://a.test/pots/round?x='<q>",
        green,
        title=f"Round pots{extra}",
        preview=f"A pot of tea.{extra}",
        confidence=0.9,
        probability=0.97,
        links=[("http://b.test/", f"to b{extra}"), ("http://nowhere.test/", "gone")],
        evidence=((f"kettle{extra}", 0.7), (f"forum{extra}", -0.1), (f"site a.test{extra}", 0.2)),
        about=about,
        language=f"en{extra}" if hostile else "en",
        mime=f"text/html{extra}" if hostile else "text/html",
        last_modified=f"Mon{extra}" if hostile else "",
        encoding=extra,
    )
    rows = [
        first,
        page("http://b.test/", tea, title=f"Tea houses{extra}", links=[(first.url, f"pots{extra}")], probability=0.85),
        page("http://b.test/boats", "Boats", title="Sailing", probability=0.65, confidence=0.2),
        page("http://b.test/row", "Boats", title="Rowing", probability=0.3, confidence=0.1, mime="application/pdf"),
        page(off, None, title=f"Off the topic{extra}", links=[(first.url, f"pots{extra}")]),
        page("http://secret.test/", tea, title="Secret", robots=("noindex",)),
        page("http://quiet.test/", "Boats", title="Quiet", preview="Not to quote", robots=("nosnippet", "noarchive")),
    ]
    crawl = store.crawls.start(CrawlKind.HARVEST, "default", {}, at=time.time()).id
    urls = [
        url_row(seed, state=UrlState.DONE, order=1),
        url_row(off, parent=seed, anchor=f"out{extra}", state=UrlState.DONE, order=2),
        url_row(first.url, parent=off, anchor=f"round{extra}", state=UrlState.DONE, order=3),
    ]
    visits = [VisitRow(url_id=row.url_id, url=row.url, at=row.at, outcome="fetched", digest=b"x") for row in rows]
    store.commit(Batch(crawl=crawl, at=time.time(), urls=urls, visits=visits, documents=rows))
    if hostile:
        store.peers.put(
            PeerRow(key="ab" * 32, name=f"Peer{extra}", address=f"http://{extra}", state=PeerState.ASKED, since=1.0)
        )
    store.scores.keep([PageScores(first.url_id, 0.2, 0.5, 0.1), PageScores(rows[1].url_id, 0.7, None, 0.1)])
    return rows


class Made:
    """A portal in a folder, its application, and a browser without scripts."""

    def __init__(self, folder: Path, *, hostile: bool = False, settings: str = "", pages: bool = True) -> None:
        self.folder = folder
        create_portal(folder, "http://seed.test/\n", topics(hostile=hostile), settings=settings)
        self.store = open_store(folder)
        self.rows = fill(self.store, hostile=hostile) if pages else []
        self.accounts = Accounts(self.store, QUICK)
        self.app: FastAPI = make_app(folder, self.store, load(folder).settings, accounts=self.accounts)
        self.client = self.browser()

    def browser(self) -> TestClient:
        """Return a browser that nobody has used yet."""
        return TestClient(self.app, base_url="http://127.0.0.1:8080", follow_redirects=False)

    def signed_in(self, role: Role, name: str = "") -> TestClient:
        """Return a browser that is signed in with a role."""
        user = self.accounts.add(name or f"{role.value}{time.time_ns()}", PASSWORD, role)
        assert user is not None
        browser = self.browser()
        browser.cookies.set("thresher_session", self.accounts.sign_in(user), domain="127.0.0.1")
        return browser

    def close(self) -> None:
        """Give the store back."""
        self.store.close()


def token_for(browser: TestClient) -> str:
    """Return the token that a browser's forms have; a new one gets its cookie first."""
    if "thresher_session" not in browser.cookies and "thresher_visitor" not in browser.cookies:
        browser.get("/propose")
    return form_token(browser.cookies.get("thresher_session") or browser.cookies["thresher_visitor"])
