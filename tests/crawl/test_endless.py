"""A generated web with calendars, sessions and growing paths: it has no end, but a crawl of it does."""

import pytest

from thresher.simulate import simulate
from thresher.simweb.parameters import WebParameters
from thresher.simweb.web import Web


@pytest.mark.slow
def test_crawl_of_an_endless_web_ends_by_itself() -> None:
    web = Web(WebParameters(pages=1200, hosts=40, seed=5))
    done = simulate(web, pages=6000)
    assert done.progress.stopped_because == "empty"
    assert {reason for reason in done.progress.refused if reason.startswith("trap-")} >= {"trap-calendar"}
    fetched = set(done.store.documents.urls())
    wanted = {url for url in web.labels() if web.reachable[web.page(url) or 0]}
    assert len(fetched & wanted) >= 0.95 * len(wanted)


@pytest.mark.slow
def test_without_the_rules_it_does_not_end() -> None:
    web = Web(WebParameters(pages=1200, hosts=40, seed=5))
    # Pages that are not stored use up no budget: without the rules only this makes it end at all.
    overrides = ["manners.traps=false", "reading.duplicates=false"]
    assert simulate(web, pages=2500, overrides=overrides).progress.stopped_because == "pages"
