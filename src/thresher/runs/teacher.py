"""Retraining beside a crawl, in a process of its own: fetching never waits for it."""

import asyncio
import contextlib
import sys
from asyncio.subprocess import PIPE
from pathlib import Path
from typing import Final

import msgspec

from thresher.build import make_analyser
from thresher.classify.hierarchical import HierarchicalClassifier
from thresher.config.settings import Settings
from thresher.crawl.phases.schooling import Lesson, Schooling, Teacher
from thresher.crawl.phases.timetable import Timetable
from thresher.portals import model_path
from thresher.protocols import Clock
from thresher.reading.renewable import RenewableAnalyser
from thresher.store.records import CrawlRow
from thresher.train.retraining import Told

CHILD: Final = "thresher.train.retraining_child"


class ChildTeacher:
    """Starts a process that retrains the portal, and gives the crawl's workers the model it has written."""

    def __init__(
        self, portal: Path, crawl: CrawlRow, settings: Settings, analyser: RenewableAnalyser, clock: Clock
    ) -> None:
        self._portal = portal
        self._crawl = crawl
        self._settings = settings
        self._analyser = analyser
        self._clock = clock

    async def teach(self) -> Lesson:
        """Return what came of a retraining; one that failed leaves everything as it was."""
        overrides = msgspec.json.encode(self._crawl.settings["overrides"]).decode()
        # In a session of its own, Ctrl-C at the terminal does not reach it; it ends when its input does.
        child = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", CHILD, str(self._portal), overrides),
            stdin=PIPE,
            stdout=PIPE,
            start_new_session=True,
        )
        assert child.stdout is not None
        try:
            out = await child.stdout.read()
            await child.wait()
        except asyncio.CancelledError:
            with contextlib.suppress(ProcessLookupError):
                child.kill()
            await child.wait()
            raise
        try:
            told = msgspec.json.decode(out, type=Told)
        except msgspec.MsgspecError:
            return Lesson(detail={"error": f"the retraining ended with code {child.returncode}"})
        if not told.kept:
            return Lesson(detail=told.detail)
        path = model_path(self._portal, told.file)
        await self._analyser.renew(await make_analyser(self._settings, self._crawl.strategy, self._clock, path))
        return Lesson(
            HierarchicalClassifier.load(Path(path)), tuple(told.hubs), self._settings.harvest.hub_links, told.detail
        )


def make_schooling(settings: Settings, taught_at: int | None, teacher: Teacher) -> Schooling | None:
    """Return the schooling of a crawl that had so many pages when it was last retrained; None for one that never is."""
    timetable = Timetable(every=settings.harvest.retrain_every, below=settings.harvest.retrain_below)
    if taught_at is None or timetable == Timetable():
        return None
    return Schooling(teacher, timetable, taught_at)
