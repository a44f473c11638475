"""Users' verdicts on sites: the topics learn from them, and all sites found so far are judged again."""

from collections.abc import Collection, Sequence
from contextlib import closing
from pathlib import Path

from msgspec.structs import replace

from thresher.classify.examples_file import load_training_set
from thresher.config.settings import Settings
from thresher.plugins import make_strategy
from thresher.runs.sites import learn_sites
from thresher.site_types import SiteChanges, SiteRow, SiteState, SiteVerdict
from thresher.store.crawl_history import newest_of
from thresher.store.model_files import model_path
from thresher.store.protocol import Store
from thresher.store.records import Batch, CrawlKind, CrawlRow
from thresher.store.repository import open_store
from thresher.strategies.websites.strategy import Websites
from thresher.web.urls import url_id


def sites_of(
    store: Store,
    crawl: CrawlRow,
    states: Sequence[SiteState],
    topic: str | None = None,
    bookmarked: Collection[str] = (),
) -> list[SiteRow]:
    """Return the sites of a crawl with users' verdicts, most probable first; some of them are `bookmarked`."""
    said = {verdict.site: verdict for verdict in store.sites.verdicts()}
    rows = [with_verdict(row, said.get(row.site)) for row in store.sites.listed(crawl.id, list(SiteState))]
    wanted = (row for row in rows if row.state in states and topic in (None, row.topic))
    return [replace(row, bookmarked=True) if row.site in bookmarked else row for row in wanted]


def with_verdict(row: SiteRow, verdict: SiteVerdict | None) -> SiteRow:
    """Return a site with a user's latest verdict."""
    if verdict is None:
        return row
    return replace(row, state=SiteState.RELEVANT if verdict.accepted else SiteState.IRRELEVANT, topic=verdict.topic)


def judge_again(portal: Path, settings: Settings, at: float) -> int:
    """Learn the topics again and judge the sites of the latest run; return how many verdicts changed."""
    model = learn_sites(portal, settings)
    with closing(open_store(portal)) as store:
        crawl = newest_of(store, CrawlKind.SITES)
        if crawl is None:
            return 0
        strategy = make_strategy(crawl.strategy, settings.strategy)
        assert isinstance(strategy, Websites)
        strategy.fit(load_training_set(Path(model_path(portal, model))).all())
        rows = [row for row in store.sites.of_crawl(crawl.id) if row.state is not SiteState.OPEN]
        strategy.recall(rows, {})
        changes = SiteChanges([], [])
        changed = 0
        for row in rows:
            if row.state is SiteState.SAME:
                continue
            pages = [(page, _terms(store, page.url)) for page in store.sites.pages(crawl.id, row.site)]
            new, told = strategy.judged_again(row, pages)
            changes.sites.append(new)
            changes.pages.extend(told)
            changed += (new.state, new.topic) != (row.state, row.topic)
        store.commit(Batch(crawl=crawl.id, at=at, sites=changes))
        return changed


def _terms(store: Store, url: str) -> dict[str, int]:
    return store.documents.terms([url_id(url)]).get(url_id(url), {})
