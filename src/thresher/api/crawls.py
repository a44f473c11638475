"""The crawls of a portal: starting and resuming them, and reading their log."""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from thresher.api.crawl_work import carry_out
from thresher.api.overrides import Settings, limits_of, overrides_of
from thresher.api.own_strategies import strategy_name
from thresher.api.reports import Report
from thresher.api.waiting import ShowProgress
from thresher.errors import InputError
from thresher.store.crawl_history import latest_crawl, resumable_crawl
from thresher.store.protocol import Store
from thresher.store.records import CrawlKind, CrawlRow, CrawlState, LogEntry

if TYPE_CHECKING:
    from thresher.api.asking import Asked
    from thresher.protocols import Strategy


class Crawls:
    """Starts and resumes the crawls of a portal; get it from `portal.crawls`.

    All of them stop cleanly on Ctrl-C, raising `KeyboardInterrupt`, and return a `Report`. `pages` and `hours` limit a
    crawl; `settings` and `progress` are those of `Portal.crawl`. A crawl that could be resumed is not replaced unless
    `fresh` is given: UsageError says how to continue it.
    """

    def __init__(self, path: Path, store: Callable[[], Store]) -> None:
        self._path = path
        self._store = store

    def __repr__(self) -> str:
        return f"Crawls({str(self._path)!r})"

    def start(
        self,
        *,
        pages: int | None = None,
        hours: float | None = None,
        strategy: "str | type[Strategy] | None" = None,
        fresh: bool = False,
        replay: Sequence[str] = (),
        settings: Settings | None = None,
        progress: ShowProgress = None,
    ) -> Report:
        """Crawl from the start pages, or crawl the WARC or ARC files (or folders of them) in `replay` instead."""
        from thresher.runs.plans import NewCrawl

        overrides = _overrides(settings, pages, hours, strategy)
        return carry_out(NewCrawl(self._path, overrides, fresh, list(replay)), progress)

    def start_or_resume(
        self,
        *,
        pages: int | None = None,
        hours: float | None = None,
        strategy: "str | type[Strategy] | None" = None,
        fresh: bool = False,
        settings: Settings | None = None,
        progress: ShowProgress = None,
    ) -> Report:
        """Continue an unfinished crawl with the same strategy if there is one, else start; see `Portal.crawl`."""
        overrides = _overrides(settings, pages, hours, strategy)
        unfinished = None if fresh else self._unfinished(overrides)
        if unfinished is not None:
            return self.resume(pages=pages, hours=hours, crawl=unfinished, settings=overrides, progress=progress)
        return self.start(fresh=True, settings=overrides, progress=progress)

    def learn(
        self,
        *,
        pages: int | None = None,
        hours: float | None = None,
        fresh: bool = False,
        settings: Settings | None = None,
        progress: ShowProgress = None,
    ) -> Report:
        """Crawl near the training pages for more training material."""
        from thresher.runs.plans import Learn

        return carry_out(Learn(self._path, _overrides(settings, pages, hours), fresh), progress)

    def harvest(
        self,
        *,
        pages: int | None = None,
        hours: float | None = None,
        until: str | None = None,
        strategy: "str | type[Strategy] | None" = None,
        fresh: bool = False,
        from_hubs: bool = False,
        settings: Settings | None = None,
        progress: ShowProgress = None,
    ) -> Report:
        """Crawl wherever the topics lead, retraining on the way; `until` ends it, as in `"harvest<0.1"`.

        A `fresh` harvest begins with the start pages; with `from_hubs`, it takes over the pages of the previous harvest
        and follows the links of the best hubs first.
        """
        from thresher.runs.plans import Harvest

        ends = [f"harvest.until={until}"] if until is not None else []
        overrides = [*_overrides(settings, pages, hours, strategy), *ends]
        return carry_out(Harvest(self._path, overrides, fresh, from_hubs=from_hubs), progress)

    def resume(
        self,
        *,
        pages: int | None = None,
        hours: float | None = None,
        adopt: bool = False,
        crawl: int = 0,
        settings: Settings | None = None,
        progress: ShowProgress = None,
    ) -> Report:
        """Continue a crawl where it stopped, by default the latest, with the settings it began with.

        `pages` counts from the start of the crawl. `adopt` uses the portal's current settings. The crawl keeps its
        strategy, whatever the `settings` say.
        """
        from thresher.runs.plans import Resume

        overrides = overrides_of(settings)
        return carry_out(Resume(self._path, limits_of(pages, hours), adopt, crawl, overrides=overrides), progress)

    def refresh(
        self,
        *,
        pages: int = 0,
        older_than: float = 0.0,
        hours: float = 0.0,
        settings: Settings | None = None,
        progress: ShowProgress = None,
    ) -> Report:
        """Check whether stored pages have changed, oldest visit first, and mark those that are gone.

        0 `pages` checks all, 0 `hours` sets no limit. `older_than` selects pages not visited for that many days.
        """
        from thresher.runs.plans import Refresh

        plan = Refresh(self._path, pages=pages, days=older_than, hours=hours, overrides=overrides_of(settings))
        return carry_out(plan, progress)

    def ask(
        self,
        query: str,
        *,
        pages: int = 300,
        hours: float = 0.0,
        number: int = 10,
        seeds: Sequence[str] = (),
        fresh: bool = False,
        settings: Settings | None = None,
        progress: ShowProgress = None,
    ) -> "Asked":
        """Crawl for a query and return the pages that answer it best; see `thresher ask`."""
        from thresher.api.asking import ask

        return ask(
            self._path,
            query,
            pages=pages,
            hours=hours,
            number=number,
            seeds="\n".join(seeds) or None,
            fresh=fresh,
            settings=settings,
            progress=progress,
        )

    def latest(self) -> CrawlRow | None:
        """Return the latest crawl, or None if there is none yet."""
        return latest_crawl(self._store())

    def log(self, *, since: int = 0, crawl: int | None = None) -> Iterator[LogEntry]:
        """Yield visits and events in order: those after a sequence number, of all crawls or of one.

        Raises InputError if there is no such crawl.
        """
        store = self._store()
        if crawl is not None and store.crawls.get(crawl) is None:
            raise InputError(f"There is no crawl {crawl} in {self._path}.", "Leave it out for all of them.")
        return store.log.entries(since, crawl)

    def _unfinished(self, overrides: list[str]) -> int | None:
        """Return the unfinished crawl that these settings would continue, or None if a new one has to start."""
        from thresher.config.load import load

        last = resumable_crawl(self._store())
        if last is None or last.kind is not CrawlKind.CRAWL or last.progress.state is CrawlState.FINISHED:
            return None
        return last.id if last.strategy == load(self._path, overrides).settings.crawl.strategy else None


def _overrides(
    settings: Settings | None,
    pages: int | None,
    hours: float | None,
    strategy: "str | type[Strategy] | None" = None,
) -> list[str]:
    """Return the settings, limits and strategy of a call as overrides."""
    return [*overrides_of(settings), *overrides_of(limits_of(pages, hours)), *chosen(strategy)]


def chosen(strategy: "str | type[Strategy] | None") -> list[str]:
    """Return the settings that choose a strategy.

    >>> chosen("random(seed=7)")
    ['crawl.strategy=random(seed=7)']
    """
    if strategy is None:
        return []
    name, importable = strategy_name(strategy)
    given: list[Any] = [f"crawl.strategy={name}"]
    # Other processes cannot import such a class, so pages are read in this process.
    return given if importable else [*given, "engine.workers=0"]
