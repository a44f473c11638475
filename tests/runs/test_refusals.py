"""What one crawl has refused to follow, no later crawl asks for: from training to harvest, refresh and ask."""

import asyncio
import io
import random
import zipfile
from collections.abc import Coroutine
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from thresher.config.load import load
from thresher.config.settings import Settings
from thresher.crawl.clock import VirtualClock, run_virtual
from thresher.models import load_classifier
from thresher.portals import create_portal
from thresher.protocols import Clock, Fetcher
from thresher.reasons import Reason
from thresher.runs.plans import Ask, Harvest, Learn, Plan, Refresh, Resume, RunResult
from thresher.runs.run import run
from thresher.runs.training import train
from thresher.runs.world import World
from thresher.search.searcher import Searcher
from thresher.store.records import CrawlKind
from thresher.store.repository import open_store
from thresher.taxonomy.topic_tree import Taxonomy, Topic, TrainingPage, put
from thresher.train.reclassifying import reclassify
from thresher.train.retraining import retrain_portal
from thresher.types import Answer, Candidate, Failed, Fetched
from thresher.web.urls import url_id

HOME, SHY, LIST, OPEN, NEVER = (f"http://{name}.test/" for name in ("home", "shy", "list", "open", "never"))
BOATS = ["boat", "sail", "mast", "harbour", "keel", "rudder", "anchor", "wind", "crew", "deck"]
TEA = ["tea", "kettle", "leaf", "cup", "milk", "steep", "pot", "brew", "sugar", "saucer"]
QUICK = ["learn.scope=web", "learn.pages=45", "harvest.pages=12"]

Sent = tuple[bytes, list[tuple[str, str]]]
"""A page, and the header fields it is sent with."""


def page(url: str, head: str = "", links: str = "", vocabulary: list[str] = BOATS) -> bytes:
    """Return a page of a few dozen words, others for every address."""
    said = " ".join(random.Random(url).choices([*vocabulary, url.rpartition("/")[2]], k=40))
    return f"<html lang=en><head><title>Of {url}</title>{head}</head><body><p>{said}</p>{links}".encode()


def to(*urls: str, rel: str = "") -> str:
    mark = f" rel='{rel}'" if rel else ""
    return "".join(f"<p><a href={url}{mark}>boats that sail</a> in the wind</p>" for url in urls)


def feed(url: str) -> str:
    return f"<link rel=alternate type=application/rss+xml href={url}>"


def packed(files: dict[str, bytes]) -> bytes:
    whole = io.BytesIO()
    with zipfile.ZipFile(whole, "w") as archive:
        for name, body in files.items():
            archive.writestr(zipfile.ZipInfo(name), body)
    return whole.getvalue()


NOFOLLOW = "<meta name=robots content=nofollow>"
MARKED = (
    to(f"{NEVER}link", rel="nofollow")
    + to(f"{NEVER}ugc", rel="ugc nofollow")
    + to(f"{NEVER}sponsored", rel="nofollow sponsored")
    + to(f"{OPEN}ugc", rel="ugc")
    + to(f"{OPEN}sponsored", rel="sponsored")
    + to(f"{LIST}private/page")
)
BOX = {
    "one.html": page("one", NOFOLLOW, to("two.html", f"{NEVER}inside")),
    "two.html": page("two", "", to("one.html", "three.html", f"{OPEN}inside")),
}
REFUSING: dict[str, Sent] = {
    f"{SHY}meta": (page(f"{SHY}meta", NOFOLLOW + feed(f"{NEVER}meta-feed"), to(f"{NEVER}meta")), []),
    f"{SHY}named": (page(f"{SHY}named", "<meta name=thresher content=none>", to(f"{NEVER}named")), []),
    f"{SHY}header": (page(f"{SHY}header", "", to(f"{NEVER}header")), [("X-Robots-Tag", "nofollow")]),
    f"{SHY}links": (page(f"{SHY}links", feed(f"{NEVER}feed"), MARKED), []),
    f"{SHY}unkept": (page(f"{SHY}unkept", "<meta name=robots content=noindex>", to(f"{OPEN}unkept")), []),
    f"{SHY}box.zip": (packed(BOX), []),
}
WEB: dict[str, Sent] = {
    **REFUSING,
    **{
        f"{HOME}{n}": (page(f"{HOME}{n}", "", to(f"{HOME}{n + 1}", f"{HOME}{n + 9}", *REFUSING)), []) for n in range(80)
    },
    **{f"{HOME}tea{n}": (page(f"{HOME}tea{n}", "", to(f"{HOME}tea{n + 1}"), TEA), []) for n in range(12)},
    **{f"{OPEN}{name}": (page(f"{OPEN}{name}"), []) for name in ("ugc", "sponsored", "unkept", "inside")},
    f"{LIST}robots.txt": (b"User-agent: *\nDisallow: /private", []),
}
WELCOME = {*REFUSING, *(f"{OPEN}{name}" for name in ("ugc", "sponsored", "unkept", "inside"))}


class Killed(BaseException):
    """The end of a process: nothing is written any more."""


class Web:
    """Answers from memory, notes what it was asked for, and kills whoever asks once too often."""

    def __init__(self) -> None:
        self.asked: list[str] = []
        self.clock = VirtualClock()
        self.kills_after = -1

    async def fetch(self, candidate: Candidate) -> Answer:
        url = candidate.url
        self.kills_after -= 1
        if self.kills_after == 0:
            raise Killed
        self.asked.append(url)
        await asyncio.sleep(0.1)
        if url.endswith("/robots.txt") and url not in WEB:
            return Failed(url=url, reason=Reason.NOT_FOUND, status=404, at=self.clock.wall())
        # What nobody may ask for would be there for whoever asks.
        body, headers = WEB.get(url, (page(url), []))
        mime = "application/zip" if url.endswith(".zip") else "text/plain" if url.endswith(".txt") else "text/html"
        fields = [("Content-Type", mime), *headers]
        return Fetched(url=url, status=200, headers=fields, body=body, raw=body, mime=mime, at=self.clock.wall())

    async def close(self) -> None:
        pass

    def unwelcome(self) -> list[str]:
        """Return the requests that should not have been made."""
        return [url for url in self.asked if url.startswith((NEVER, f"{LIST}private", f"{SHY}box.zip!"))]


class Story:
    """A portal on a web in memory, on virtual time."""

    def __init__(self, portal: Path) -> None:
        tree = Taxonomy()
        for name, prefix in (("Boats", HOME), ("Tea", f"{HOME}tea")):
            tree = put(tree, (name,), Topic(name="", pages=tuple(TrainingPage(f"{prefix}{n}") for n in range(5))))
        settings = "[archive]\nenabled = false\n"
        create_portal(portal, "\n".join(REFUSING), tree, contact="nobody@example.org", settings=settings)
        self.web = Web()
        self.portal = portal
        self.world = World(clock=VirtualClock(), fetcher=self._fetcher, alone=True)

    def _fetcher(self, settings: Settings, clock: Clock) -> Fetcher:
        return self.web

    def train(self) -> None:
        self._do(train(self.portal, QUICK, world=self.world))

    def run(self, plan: Plan) -> RunResult:
        outcome: RunResult = self._do(run(plan, world=self.world))
        return outcome

    def _do(self, going: Coroutine[Any, Any, Any]) -> Any:
        return run_virtual(going)


@pytest.fixture
def story(tmp_path: Path) -> Story:
    """Return a portal that was trained and has learnt."""
    found = Story(tmp_path / "p")
    found.train()
    found.run(Learn(found.portal, QUICK))
    assert set(found.web.asked) >= WELCOME
    assert found.web.unwelcome() == []
    return found


@pytest.mark.slow
def test_no_later_crawl_asks_for_what_an_earlier_one_refused(story: Story) -> None:
    portal, web = story.portal, story.web
    with closing(open_store(portal)) as store:
        retrain_portal(portal, store, load(portal, QUICK).settings, 0.0)
        assert reclassify(store, load_classifier(portal, store), at=1.0).pages > 20
    web.kills_after = 6
    with pytest.raises(Killed):
        story.run(Harvest(portal, QUICK))
    harvested = story.run(Resume(portal))
    assert harvested.progress.pages == 12
    assert harvested.crawl.predecessor
    with closing(open_store(portal)) as store:
        for name in ("meta", "header", "link", "ugc", "inside"):
            row = store.urls.rows(harvested.crawl.id, [url_id(NEVER + name)])[url_id(NEVER + name)]
            assert row.reason is Reason.NOFOLLOW, "the harvest has read the page, and says why it does not follow"
        inherited = [entry for entry in store.log.entries(0, harvested.crawl.id) if entry.kind == "inherited"]
        assert [entry.detail["raised"] > 0 for entry in inherited] == [True]
    story.run(Refresh(portal, pages=20))
    assert web.unwelcome() == []


def test_documents_of_archives_that_answer_a_query_are_not_asked_for(story: Story) -> None:
    inside = f"{SHY}box.zip!/two.html"
    with Searcher(story.portal) as searcher:
        assert inside in [answer.url for answer in searcher.answers("two", number=20).answers]
    found = story.run(Ask(story.portal, "two", pages=10))
    assert found.crawl.kind is CrawlKind.ASK
    assert found.progress.pages <= 10
    assert story.web.unwelcome() == []
