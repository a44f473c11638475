"""The status of a portal: its latest crawl, its topics and the model in use."""

from collections import Counter
from pathlib import Path

from thresher.api.crawl_summary import CrawlSummary, crawl_summary
from thresher.portals import is_demo, load_topics
from thresher.reasons import Reason
from thresher.runs.run_budget import account_of
from thresher.store.crawl_history import latest_crawl
from thresher.store.locks import holder
from thresher.store.protocol import Store
from thresher.store.records import CrawlRow, CrawlState, ModelRow, Progress
from thresher.taxonomy.example_sites import topics_of_one_site
from thresher.train.changed_topics import topics_changed


class Status(CrawlSummary):
    """As for `crawl`, for the latest crawl.

    `topics_changed` is true if the topics have changed since training. `wrong_languages` counts the pages rejected by
    language, `topics` the stored pages of each topic. `model`, `step` and `trained` (seconds since 1970) are null
    before training; `rounds` counts the rounds of retraining behind the model and `archetypes` the crawled pages that
    each topic was trained on. `demo` marks the portal of a demo. `advice` is what would help a topic most. `run_pages`
    counts the pages of the whole run so far. `process` is the ID of the crawling process, null if there is none.
    """

    topics_changed: bool
    wrong_languages: dict[str, int]
    topics: dict[str, int]
    model: str | None
    step: int | None
    trained: float | None
    rounds: int
    archetypes: dict[str, int]
    demo: bool
    advice: dict[str, str]
    run_pages: int
    process: int | None


def status_of(path: Path, store: Store) -> Status:
    """Return the status of a portal and its latest crawl; a running crawl whose process is gone counts as killed."""
    crawl = latest_crawl(store)
    progress = crawl.progress if crawl is not None else Progress(state=CrawlState.STOPPED)
    running = holder(path)
    newest = store.models.newest()
    summary = crawl_summary(str(path), crawl, progress)
    if crawl is not None and running is None and progress.state in (CrawlState.RUNNING, CrawlState.PAUSED):
        summary = {**summary, "state": "stopped", "stopped_because": "killed"}
    return {
        **summary,
        "topics_changed": topics_changed(path, store),
        "wrong_languages": _wrong_languages(store, crawl),
        "topics": _pages_of_topics(store),
        "model": Path(newest.file).stem if newest else None,
        "step": newest.step if newest else None,
        "trained": newest.at if newest else None,
        "rounds": sum(1 for row in store.models.all() if "change" in (row.report or {}) and not row.rolled_back),
        "archetypes": _archetypes(newest),
        "demo": is_demo(path),
        "advice": topics_of_one_site(load_topics(path)),
        "run_pages": account_of(store).pages,
        "process": running.pid if running else None,
    }


def _pages_of_topics(store: Store) -> dict[str, int]:
    """Return how many stored pages each topic has, sorted by path."""
    found: Counter[str] = Counter()
    for row in store.documents.counts():
        if row.topic is not None:
            found[row.topic] += row.pages
    return dict(sorted(found.items()))


def _archetypes(newest: ModelRow | None) -> dict[str, int]:
    """Return how many crawled pages each topic of a model was trained on."""
    report = (newest.report if newest else None) or {}
    # Reports of earlier versions have the numbers with each topic.
    earlier = {row["topic"]: row["archetypes"] for row in report.get("topics", []) if row["archetypes"]}
    found: dict[str, int] = report.get("by_topic", earlier)
    return found


def _wrong_languages(store: Store, crawl: CrawlRow | None) -> dict[str, int]:
    """Return how many pages were rejected in each language, `unknown` for undetected ones."""
    if crawl is None or Reason.WRONG_LANGUAGE.value not in crawl.progress.errors:
        return {}
    return {code or "unknown": number for code, number in store.log.details(crawl.id, Reason.WRONG_LANGUAGE).items()}
