"""A web of two subjects in memory, a portal on it and its runs on virtual time; a run can be killed at any request."""

import asyncio
import hashlib
import random
from collections.abc import Coroutine, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

from thresher.config.settings import Settings
from thresher.crawl.clock import VirtualClock, run_virtual
from thresher.portals import create_portal
from thresher.protocols import Clock, Fetcher
from thresher.reasons import Reason
from thresher.runs.run_budget import RunAccount, RunBudget, account_of
from thresher.runs.training import Watch
from thresher.runs.whole import FinishedStage, Stage, run_whole
from thresher.runs.world import World
from thresher.store.crawl_history import all_crawls
from thresher.store.records import CrawlRow, LogEntry, Progress
from thresher.store.repository import open_store
from thresher.taxonomy.topic_tree import Taxonomy, Topic, TrainingPage, put
from thresher.types import Answer, Candidate, Failed, Fetched, Redirected, Unchanged

SUBJECTS = {
    "Boats": ["boat", "sail", "mast", "harbour", "keel", "rudder", "anchor", "wind", "crew", "deck"],
    "Tea": ["tea", "kettle", "leaf", "cup", "milk", "steep", "pot", "brew", "sugar", "saucer"],
}
HOSTS = 6
"""Hosts of each subject."""

Answers = Mapping[str, str | bytes]
"""URL → a page, or where it redirects to."""


def page(url: str, links: Sequence[str] = (), subject: str = "Boats") -> bytes:
    """Return a page of a few dozen words, others for every address."""
    said = " ".join(random.Random(url).choices([*SUBJECTS[subject], url.rpartition("/")[2]], k=40))
    lines = "".join(f"<p><a href={link}>{SUBJECTS[subject][0]} and more</a></p>" for link in links)
    return f"<html lang=en><title>Of {url}</title><p>{said}</p>{lines}".encode()


def address(subject: str, number: int) -> str:
    """Return the URL of a page of a subject."""
    return f"http://{subject.lower()}{number % HOSTS}.test/{number}"


def linked(pages: int = 150) -> dict[str, str | bytes]:
    """Return pages of both subjects, each of which links to a few others of its own."""
    return {
        address(subject, number): page(
            address(subject, number),
            [address(subject, (number * step + 1) % pages) for step in (1, 2, 3)],
            subject,
        )
        for subject in SUBJECTS
        for number in range(pages)
    }


class Killed(BaseException):
    """The end of a process: nothing is written any more."""


class SmallWeb:
    """Answers from memory, notes what it was asked for, and kills whoever makes one request too many."""

    def __init__(self, answers: Answers) -> None:
        self.answers = dict(answers)
        self.asked: list[Candidate] = []
        self.kills_after = -1
        self._clock = VirtualClock()

    async def fetch(self, candidate: Candidate) -> Answer:
        self.kills_after -= 1
        if self.kills_after == 0:
            raise Killed
        self.asked.append(candidate)
        await asyncio.sleep(0.1)
        url, at = candidate.url, self._clock.wall()
        found = self.answers.get(url)
        if found is None:
            return Failed(url=url, reason=Reason.NOT_FOUND, status=404, at=at)
        if isinstance(found, str):
            return Redirected(url=url, to=found, status=301, at=at)
        tag = hashlib.sha256(found).hexdigest()
        if candidate.copy is not None and candidate.copy.etag == tag:
            return Unchanged(url=url, at=at, copy=candidate.copy)
        fields = [("Content-Type", "text/html"), ("ETag", tag)]
        return Fetched(url=url, status=200, headers=fields, body=found, raw=found, mime="text/html", at=at)

    async def close(self) -> None:
        pass

    def pages(self) -> list[str]:
        """Return the pages it was asked for, in order; robots files and pages that cannot exist are none."""
        return [candidate.url for candidate in self.asked if not candidate.url.endswith(("/robots.txt", ".html"))]


class SmallPortal:
    """A portal of two topics, with four training pages each, on a small web."""

    def __init__(self, directory: Path, answers: Answers | None = None, settings: str = "") -> None:
        tree = Taxonomy()
        for subject in SUBJECTS:
            pages = tuple(TrainingPage(address(subject, number)) for number in range(4))
            tree = put(tree, (subject,), Topic(name="", pages=pages))
        kept = f"[archive]\nenabled = false\n[learn]\nscope = 'web'\n{settings}"
        create_portal(directory, topics=tree, contact="nobody@example.org", settings=kept)
        self.directory = directory
        self.web = SmallWeb(linked() if answers is None else answers)
        self.world = World(clock=VirtualClock(), fetcher=self._fetcher, alone=True)
        self.told: list[str] = []
        self.shown: list[Progress] = []
        self.steps: list[FinishedStage] = []

    def _fetcher(self, settings: Settings, clock: Clock) -> Fetcher:
        return self.web

    @property
    def watch(self) -> Watch:
        """What is told of the stages goes to `told`, and the progress of their crawls to `shown`."""
        return Watch(stage=self.told.append, note=self.told.append, progress=self.shown.append)

    def run(self, pages: int | None = None, *overrides: str, **options: Any) -> Stage:
        """Make a whole run with a budget of pages."""
        budget = RunBudget(pages, options.pop("hours", None))
        stage: Stage = self.do(
            run_whole(
                self.directory, overrides, self.watch, self.steps.append, budget=budget, world=self.world, **options
            )
        )
        return stage

    def kill(self, after: int, pages: int, *overrides: str) -> None:
        """Make a whole run that is killed at a request."""
        self.web.kills_after = after
        try:
            self.run(pages, *overrides)
        except Killed:
            return
        finally:
            self.web.kills_after = -1
        raise AssertionError("it ended before it could be killed")

    def do(self, going: Coroutine[Any, Any, Any]) -> Any:
        """Do something on virtual time."""
        return run_virtual(going)

    def crawls(self) -> list[CrawlRow]:
        """Return all crawls of the portal."""
        with closing(open_store(self.directory, read_only=True)) as store:
            return all_crawls(store)

    def account(self) -> RunAccount:
        """Return the run that the portal is in."""
        with closing(open_store(self.directory, read_only=True)) as store:
            return account_of(store)

    def log(self) -> list[LogEntry]:
        """Return the log of all crawls."""
        with closing(open_store(self.directory, read_only=True)) as store:
            return list(store.log.entries())

    def stored(self) -> int:
        """Return how many pages all crawls have counted."""
        return sum(crawl.progress.pages for crawl in self.crawls())
