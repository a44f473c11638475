"""Crawls for queries, beside a harvest that can go on."""

import asyncio
import random
from collections.abc import Coroutine
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from thresher.config.settings import Settings
from thresher.crawl.clock import VirtualClock, run_virtual
from thresher.errors import InputError, UsageError
from thresher.plugins import make_strategy
from thresher.portals import create_portal
from thresher.protocols import Clock, Fetcher
from thresher.reasons import Reason
from thresher.runs.plans import Ask, Harvest, Learn, NewCrawl, Plan, Resume, RunResult
from thresher.runs.run import run
from thresher.runs.training import train
from thresher.runs.whole import Stage, run_whole
from thresher.runs.world import World
from thresher.search.searcher import Searcher
from thresher.store.crawl_history import newest_of
from thresher.store.explain import explain
from thresher.store.records import CrawlKind
from thresher.store.repository import open_store
from thresher.taxonomy.topic_tree import Taxonomy, Topic, TrainingPage, put
from thresher.types import Answer, Candidate, Failed, Fetched
from thresher.web.urls import url_id

HOME, NEEDLE, FAR = "http://home.test/", "http://needle.test/page", "http://far.test/page"
QUERY = "quartz lanterns of zyxomma"
BOATS = ["boat", "sail", "mast", "harbour", "keel", "rudder", "anchor", "wind", "crew", "deck"]
TEA = ["tea", "kettle", "leaf", "cup", "milk", "steep", "pot", "brew", "sugar", "saucer"]
QUICK = [
    *("learn.scope=web", "learn.pages=14", "harvest.pages=40", "harvest.retrain_every=0"),
    'crawl.exclude=["http://needle.test/*"]',
]


def page(url: str, links: str = "", vocabulary: list[str] = BOATS) -> bytes:
    said = " ".join(random.Random(url).choices([*vocabulary, url.rpartition("/")[2]], k=40))
    return f"<html lang=en><head><title>Of {url}</title></head><body><p>{said}</p>{links}".encode()


def to(*urls: str, text: str = "boats that sail") -> str:
    return "".join(f"<p><a href={url}>{text}</a> in the wind</p>" for url in urls)


SHELF = "http://shelf.test/"
"""A host on which one page after the other speaks of the query."""

JUNK = [f"http://junk{n}.test/" for n in range(30)]
"""Pages on other hosts that do not."""

TEMPTING = [f"{HOME}{n}" for n in range(40, 55)]
"""Pages of a topic that every page links to, with the topic's words."""

WEB = {
    **{f"{HOME}{n}": page(f"{HOME}{n}", to(f"{HOME}{n + 1}", *TEMPTING)) for n in range(60)},
    **{f"{HOME}tea{n}": page(f"{HOME}tea{n}", to(f"{HOME}tea{n + 1}"), TEA) for n in range(20)},
    # One of the first pages names the needle, among much else.
    f"{HOME}2": page(f"{HOME}2", to(*TEMPTING) + f"<p>Some light quartz <a href={NEEDLE}>more</a> of lanterns</p>"),
    NEEDLE: page(NEEDLE, f"<p>The zyxomma: lanterns of quartz. <a href={FAR}>further</a></p>"),
    FAR: page(FAR, "<p>Zyxomma, quartz, lantern</p>"),
    **{
        f"{SHELF}{n}": page(f"{SHELF}{n}", to(f"{SHELF}{n + 1}", text="zyxomma and lanterns") + to(*JUNK))
        for n in range(20)
    },
    **{url: page(url) for url in JUNK},
}


class Killed(BaseException):
    """The end of a process: nothing is written any more."""


class Web:
    """Answers from memory, notes which pages it was asked for, and kills whoever asks once too often."""

    def __init__(self) -> None:
        self.asked: list[str] = []
        self.kills_after = -1
        self.delay = 0

    async def fetch(self, candidate: Candidate) -> Answer:
        url = candidate.url
        if url.endswith("/robots.txt") and self.delay:
            body = f"User-agent: *\nCrawl-delay: {self.delay}\n".encode()
            return Fetched(url=url, status=200, headers=[], body=body, raw=body, mime="text/plain", at=0.0)
        if url.endswith("/robots.txt"):
            return Failed(url=url, reason=Reason.NOT_FOUND, status=404, at=0.0)
        self.kills_after -= 1
        if self.kills_after == 0:
            raise Killed
        self.asked.append(url)
        await asyncio.sleep(0.1)
        if url not in WEB:
            return Failed(url=url, reason=Reason.NOT_FOUND, status=404, at=0.0)
        body = WEB[url]
        return Fetched(url=url, status=200, headers=[], body=body, raw=body, mime="text/html", at=0.0)

    async def close(self) -> None:
        pass


class Story:
    """A portal on a web in memory, on virtual time."""

    def __init__(self, portal: Path) -> None:
        tree = Taxonomy()
        for name, prefix in (("Boats", HOME), ("Tea", f"{HOME}tea")):
            tree = put(tree, (name,), Topic(name="", pages=tuple(TrainingPage(f"{prefix}{n}") for n in range(5))))
        create_portal(portal, topics=tree, contact="nobody@example.org", settings="[archive]\nenabled = false\n")
        self.web = Web()
        self.portal = portal
        self.world = World(clock=VirtualClock(), fetcher=self._fetcher, alone=True)

    def _fetcher(self, settings: Settings, clock: Clock) -> Fetcher:
        return self.web

    def train(self) -> None:
        self.do(train(self.portal, QUICK, world=self.world))

    def run(self, plan: Plan) -> RunResult:
        """Run a plan and forget what was asked for before."""
        self.web.asked = []
        outcome: RunResult = self.do(run(plan, world=self.world))
        return outcome

    def kill(self, plan: Plan, after: int) -> None:
        """Begin a plan and end the process when it asks for a page once too often."""
        self.web.kills_after = after
        with pytest.raises(Killed):
            self.run(plan)

    def ask(self, query: str = QUERY, pages: int = 5, **more: Any) -> RunResult:
        return self.run(Ask(self.portal, query, pages, **more))

    def do(self, going: Coroutine[Any, Any, Any]) -> Any:
        return run_virtual(going)


@pytest.fixture
def story(tmp_path: Path) -> Story:
    return Story(tmp_path / "p")


@pytest.fixture
def harvesting(story: Story) -> Story:
    """A portal whose harvest was killed."""
    story.train()
    story.run(Learn(story.portal, QUICK))
    story.kill(Harvest(story.portal, QUICK), after=6)
    return story


def test_what_is_one_click_away_is_found_though_topics_have_many_links_that_wait(harvesting: Story) -> None:
    found = harvesting.ask(pages=5)
    assert {NEEDLE, FAR} <= set(harvesting.web.asked)
    assert (found.crawl.kind, found.crawl.query) == (CrawlKind.ASK, QUERY)
    with closing(open_store(harvesting.portal)) as store:
        assert {row.queue for row in store.urls.waiting(found.crawl.id)} == {""}
    with Searcher(harvesting.portal) as searcher:
        answers = searcher.answers(QUERY, number=3).answers
    assert {answer.url for answer in answers[:2]} == {NEEDLE, FAR}


def test_no_page_is_fetched_that_the_portal_has_and_never_more_than_asked_for(harvesting: Story) -> None:
    with closing(open_store(harvesting.portal)) as store:
        stored = set(store.documents.urls())
    found = harvesting.ask(pages=10)
    assert found.progress.pages == 10
    assert stored.isdisjoint(harvesting.web.asked)
    assert len([url for url in harvesting.web.asked if url in WEB]) <= 10
    again = harvesting.ask(pages=3)
    assert again.crawl.id != found.crawl.id
    assert again.progress.pages == 3


def test_topics_models_and_judgements_stay_as_they_are(harvesting: Story) -> None:
    with closing(open_store(harvesting.portal)) as store:
        urls, models = list(store.documents.urls()), store.models.all()
        judged = [store.documents.judgement(url_id(url)) for url in urls]
    topics = (harvesting.portal / "topics.toml").read_bytes()
    harvesting.ask()
    with closing(open_store(harvesting.portal)) as store:
        assert [store.documents.judgement(url_id(url)) for url in urls] == judged
        assert store.models.all() == models
    assert (harvesting.portal / "topics.toml").read_bytes() == topics


@pytest.mark.slow
def test_a_harvest_goes_on_after_an_ask(harvesting: Story) -> None:
    with closing(open_store(harvesting.portal)) as store:
        harvest = store.crawls.get()
    assert harvest is not None
    assert harvest.kind is CrawlKind.HARVEST
    harvesting.ask()
    harvesting.kill(Ask(harvesting.portal, "kettle with sugar", 9), after=3)
    with pytest.raises(UsageError, match="The last harvest"):
        harvesting.run(Harvest(harvesting.portal, QUICK))
    reached = harvesting.do(run_whole(harvesting.portal, QUICK, world=harvesting.world))
    assert reached is Stage.DONE
    with closing(open_store(harvesting.portal)) as store:
        done = store.crawls.get(harvest.id)
        assert newest_of(store, CrawlKind.HARVEST) == done
    assert done is not None
    assert done.is_over
    assert done.progress.pages > harvest.progress.pages


def test_resume_means_the_ask_that_was_broken_off_and_then_the_harvest(harvesting: Story) -> None:
    harvesting.kill(Ask(harvesting.portal, QUERY, 6), after=3)
    first = harvesting.run(Resume(harvesting.portal))
    assert (first.crawl.kind, first.progress.pages) == (CrawlKind.ASK, 6)
    second = harvesting.run(Resume(harvesting.portal, {"crawl.pages": 12}))
    assert (second.crawl.kind, second.progress.pages) == (CrawlKind.HARVEST, 12)


def test_stored_pages_are_explained_by_the_crawl_that_found_them(harvesting: Story) -> None:
    with closing(open_store(harvesting.portal)) as store:
        url = f"{HOME}41"
        before = explain(store, url)
    found = harvesting.ask()
    with closing(open_store(harvesting.portal)) as store:
        after = explain(store, url)
        assert before is not None
        assert after is not None
        assert before.row is not None
        assert (after.crawl, after.row, after.path) == (before.crawl, before.row, before.path)
        needle = explain(store, NEEDLE, make=make_strategy)
    assert needle is not None
    assert needle.row is not None
    assert (needle.crawl, needle.row.candidate.parent) == (found.crawl.id, f"{HOME}2")
    assert sum(adds for _, _, adds in needle.account) == pytest.approx(needle.row.candidate.priority[0], abs=1e-3)


@pytest.mark.parametrize("after", [1, 2, 4])
def test_asked_again_after_a_kill_it_goes_on(harvesting: Story, after: int) -> None:
    harvesting.kill(Ask(harvesting.portal, QUERY, 8), after=after)
    with closing(open_store(harvesting.portal)) as store:
        begun = store.crawls.get()
    assert begun is not None
    other = harvesting.ask("saucers of sugar", pages=2)
    assert other.crawl.id != begun.id
    found = harvesting.ask(pages=8)
    assert (found.crawl.id, found.progress.pages) == (begun.id, 8)
    with closing(open_store(harvesting.portal)) as store:
        assert {NEEDLE, FAR} <= set(store.documents.urls())


def test_one_that_is_over_or_given_up_begins_anew(harvesting: Story) -> None:
    harvesting.kill(Ask(harvesting.portal, QUERY, 8), after=6)
    with closing(open_store(harvesting.portal)) as store:
        begun = store.crawls.get()
    assert begun is not None
    assert harvesting.ask(pages=2, fresh=True).crawl.id == begun.id + 1
    assert harvesting.ask(pages=2).crawl.id == begun.id + 2


def test_a_portal_without_topics_and_its_own_seeds(tmp_path: Path, story: Story) -> None:
    portal = tmp_path / "bare"
    create_portal(portal, f"{HOME}1\n", contact="nobody@example.org", settings="[archive]\nenabled = false\n")
    found = story.run(Ask(portal, QUERY, 4))
    assert story.web.asked[0] == f"{HOME}1"
    assert NEEDLE in story.web.asked
    assert found.progress.accepted is None
    # Start pages of the ask alone are there also after a kill before the first page.
    story.web.kills_after = 1
    plan = Ask(portal, "kettle", 3, seeds=[f"{HOME}tea3"])
    with pytest.raises(Killed):
        story.run(plan)
    again = story.run(Ask(portal, "kettle", 3))
    assert again.progress.pages == 3
    assert f"{HOME}tea3" in story.web.asked


def test_a_plain_crawl_is_not_refused_for_an_ask_that_was_broken_off(tmp_path: Path, story: Story) -> None:
    portal = tmp_path / "bare"
    create_portal(portal, f"{HOME}1\n", contact="nobody@example.org", settings="[archive]\nenabled = false\n")
    story.kill(Ask(portal, QUERY, 4), after=2)
    assert story.run(NewCrawl(portal, ["crawl.pages=3"])).progress.pages == 3
    assert story.run(Ask(portal, QUERY, 4)).progress.pages == 4


def test_a_query_without_words_and_a_portal_without_pages_are_refused(tmp_path: Path, story: Story) -> None:
    with pytest.raises(InputError, match="no searchable words"):
        story.ask("?! the")
    portal = tmp_path / "empty"
    create_portal(portal, contact="nobody@example.org")
    with pytest.raises(InputError, match="no pages to start from"):
        story.run(Ask(portal, QUERY, 4))


def shelved(portal: Path) -> Path:
    """Make a portal that starts at the shelf."""
    create_portal(portal, f"{SHELF}0\n", contact="nobody@example.org", settings="[archive]\nenabled = false\n")
    return portal


def test_an_ask_waits_for_the_host_of_the_best_page_while_others_are_open(tmp_path: Path, story: Story) -> None:
    best = [f"{SHELF}{n}" for n in range(4)]
    story.run(Ask(shelved(tmp_path / "patient"), QUERY, 4, overrides=["focus.discovery=0"]))
    assert story.web.asked == best
    hasty = [f"crawl.strategy=query(text={QUERY})", "crawl.pages=4", "crawl.scope=web"]
    story.run(NewCrawl(shelved(tmp_path / "hasty"), hasty))
    assert story.web.asked != best, "without waiting, other hosts would have been asked"


def test_it_does_not_wait_for_ever(tmp_path: Path, story: Story) -> None:
    story.web.delay = 60
    found = story.run(Ask(shelved(tmp_path / "slow"), QUERY, 10))
    assert found.progress.pages == 10
    assert found.progress.seconds < 10 * 60
    assert 1 < sum(url.startswith(SHELF) for url in story.web.asked) < 10


def test_more_is_fetched_at_once_where_a_person_says_so(tmp_path: Path, story: Story) -> None:
    portal = shelved(tmp_path / "many")
    one = story.run(Ask(portal, QUERY, 8))
    many = story.run(Ask(portal, QUERY, 8, overrides=["engine.parallel=9"], fresh=True))
    assert many.progress.pages == one.progress.pages == 8
    assert many.progress.seconds < one.progress.seconds
    assert sum(url.startswith(SHELF) for url in story.web.asked) < 8
