"""Explaining a URL: the strategy that accounts for a price is the one the crawl had, with its parameters."""

from collections.abc import Mapping
from typing import Any

import pytest

from tests.store.rows import URL, url_row
from thresher.errors import PluginError
from thresher.store.explain import explain
from thresher.store.memory import MemoryStore
from thresher.store.records import Batch, CrawlKind
from thresher.types import Candidate

PARAMETERS = {"thrifty": {"beta": 0.25}}


class Thrifty:
    """A strategy that accounts for its prices."""

    def __init__(self, beta: float) -> None:
        self.beta = beta

    def read(self, page: Any, judgement: Any) -> list[Any]:
        return []

    def rank(self, reading: Any, view: Any) -> list[Candidate]:
        return []

    def account(self, candidate: Candidate) -> list[tuple[str, float, float]]:
        return [(candidate.url, 1.0, self.beta)]


def make(name: str, parameters: Mapping[str, Mapping[str, Any]]) -> Any:
    if name not in parameters:
        raise PluginError(f"'{name}' is not known.", "Install it.")
    return Thrifty(**parameters[name])


@pytest.mark.parametrize("settings", [{"values": {"strategy": PARAMETERS}}, {"strategy": PARAMETERS}])
def test_the_account_is_given_with_the_parameters_of_the_crawl(settings: dict[str, Any]) -> None:
    store = MemoryStore()
    crawl = store.crawls.start(CrawlKind.CRAWL, "thrifty", settings, at=1.0).id
    store.commit(Batch(crawl=crawl, at=1.0, urls=[url_row(URL)]))
    told = explain(store, URL, make=make)
    assert told is not None
    assert told.account == [(URL, 1.0, 0.25)]


def test_a_strategy_that_is_not_there_any_more_gives_no_account() -> None:
    store = MemoryStore()
    crawl = store.crawls.start(CrawlKind.CRAWL, "thrifty", {"values": {}}, at=1.0).id
    store.commit(Batch(crawl=crawl, at=1.0, urls=[url_row(URL)]))
    told = explain(store, URL, make=make)
    assert told is not None
    assert told.account == []
