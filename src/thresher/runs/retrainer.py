"""Retrains in a separate process during a crawl, so fetching never waits; on virtual time, in this process."""

import asyncio
import contextlib
import sys
from asyncio.subprocess import PIPE
from pathlib import Path
from typing import Final

import msgspec

from thresher.classify.hierarchical import HierarchicalClassifier
from thresher.config.settings import Settings
from thresher.crawl.phases.retraining import Retrainer, Retraining, RetrainingResult, Timetable
from thresher.faults import Unforeseen
from thresher.reading.workers import RenewableAnalyser
from thresher.runs.world import REAL, World
from thresher.store.model_files import model_path
from thresher.store.records import CrawlRow
from thresher.train.retraining import RetrainingReport
from thresher.train.retraining_child import retrained

CHILD: Final = "thresher.train.retraining_child"


class PortalRetrainer:
    """Retrains the portal and passes the new model to the crawl's analysers."""

    def __init__(
        self, portal: Path, crawl: CrawlRow, settings: Settings, analyser: RenewableAnalyser, world: World = REAL
    ) -> None:
        self._portal = portal
        self._crawl = crawl
        self._settings = settings
        self._analyser = analyser
        self._world = world

    async def retrain(self, pages: int) -> RetrainingResult:
        """Return the result of a retraining; a failure leaves everything unchanged."""
        overrides = self._crawl.settings["overrides"]
        if self._world.alone:
            result = retrained(self._portal, overrides, self._world.clock.wall(), pages)
        else:
            result = await self._in_child(msgspec.json.encode(overrides).decode(), pages)
        if not result.file:
            return RetrainingResult(detail=result.detail, logged=result.logged)
        path = model_path(self._portal, result.file)
        await self._analyser.renew(await self._world.analyser(self._settings, self._crawl.strategy, path))
        return RetrainingResult(
            HierarchicalClassifier.load(Path(path)),
            tuple(result.hubs),
            self._settings.harvest.hub_links,
            result.detail,
            result.logged,
        )

    async def _in_child(self, overrides: str, pages: int) -> RetrainingReport:
        # A separate session keeps Ctrl-C from reaching it; it ends when its input is closed.
        child = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", CHILD, str(self._portal), overrides, str(pages)),
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
            return msgspec.json.decode(out, type=RetrainingReport)
        except msgspec.MsgspecError:
            fault = msgspec.to_builtins(Unforeseen())
            return RetrainingReport(
                detail={"error": f"the retraining ended with code {child.returncode}", "fault": fault}
            )


def make_retraining(settings: Settings, trained_at: int | None, retrainer: Retrainer) -> Retraining | None:
    """Return the retraining of a crawl, or None if it has none; `trained_at` is the page count at the last one."""
    timetable = Timetable(
        every=settings.harvest.retrain_every,
        below=settings.harvest.retrain_below,
        first=settings.harvest.retrain_first,
    )
    if trained_at is None or not (timetable.every or timetable.below):
        return None
    return Retraining(retrainer, timetable, trained_at)
