"""Keeps a run within the limit on open files: raises the limit if allowed, else fetches less in parallel."""

from collections.abc import Callable

from thresher.build import worker_number
from thresher.config.settings import Settings
from thresher.crawl.open_files import comfortable, fitting, needed, raise_limit
from thresher.errors import UsageError
from thresher.work_faults import FewFiles


def within_open_files(settings: Settings, tell: Callable[[str], None]) -> Settings:
    """Return settings that fit the limit on open files, with fewer parallel fetches if necessary.

    `tell` is called with a sentence about that. Raises UsageError if not even one fetch fits.
    """
    wanted, workers = settings.engine.parallel, worker_number(settings)
    limit = raise_limit(comfortable(wanted, workers))
    parallel = fitting(limit, wanted, workers)
    if parallel == wanted:
        return settings
    least = needed(1, workers)
    if not parallel:
        raise UsageError(
            f"This process can open {max(0, limit)} files, but a crawl needs at least {least}.",
            f"Raise the limit: ulimit -n {needed(wanted, workers)}",
            FewFiles(files=max(0, limit), needed=least),
        )
    tell(
        f"This process can open {limit:,} files, so only {parallel} pages are fetched in parallel "
        f"instead of {wanted} (engine.parallel). Raise the limit: ulimit -n {needed(wanted, workers)}"
    )
    return settings.model_copy(update={"engine": settings.engine.model_copy(update={"parallel": parallel})})
