"""What a long call came to."""

from collections import Counter
from typing import TYPE_CHECKING

from msgspec import Struct

from thresher.crawl.budget import DONE
from thresher.store.records import Progress

if TYPE_CHECKING:
    # They bring numpy, which a look at a portal can do without.
    from thresher.runs.run_budget import RunAccount
    from thresher.runs.whole import Step


class Report(Struct, frozen=True, kw_only=True):
    """What a crawl or a whole run came to.

    `pages` were stored, `accepted` of them by a topic (None where there are no topics), in `seconds`. `errors` counts
    the URLs that failed by reason. `stopped_because` is `pages`, `time`, `empty`, `harvest-rate`, `interrupted` or
    `requested`; `done` is False where the same call goes on with what is left.

    >>> Report(pages=400, accepted=352, seconds=20.0, stopped_because="pages", done=True)
    Report(400 pages, 352 accepted, 20 s, stopped: pages)
    """

    pages: int
    accepted: int | None = None
    seconds: float = 0.0
    errors: dict[str, int] = {}
    stopped_because: str = ""
    done: bool = True

    def __repr__(self) -> str:
        accepted = f", {self.accepted:,} accepted" if self.accepted is not None else ""
        return f"Report({self.pages:,} pages{accepted}, {self.seconds:,.0f} s, stopped: {self.stopped_because or '-'})"


def report_of_crawl(progress: Progress) -> Report:
    """Return the report of one crawl."""
    return Report(
        pages=progress.pages,
        accepted=progress.accepted,
        seconds=progress.seconds,
        errors=dict(progress.errors),
        stopped_because=progress.stopped_because,
        done=progress.stopped_because in DONE,
    )


def report_of_run(account: "RunAccount", steps: "list[Step]", accepted: int, done: bool) -> Report:
    """Return the report of a whole run: what all its crawls stored, and what the portal has accepted."""
    last = next((step.outcome.progress for step in reversed(steps) if step.outcome is not None), Progress())
    errors = sum((Counter(crawl.progress.errors) for crawl in account.crawls), Counter[str]())
    return Report(
        pages=account.pages,
        accepted=accepted,
        seconds=sum(crawl.progress.seconds for crawl in account.crawls),
        errors=dict(errors),
        stopped_because=last.stopped_because,
        done=done,
    )
