"""Judges the pages of a trial again, with a classifier trained on the same bookmarks and fetched pages.

This measures a change of the classifier in seconds instead of a whole run. The fetched pages are those in the record.
"""

from collections.abc import Mapping, Sequence

import msgspec
from msgspec import Struct

from thresher.bench.page_cache import PageCache
from thresher.bench.promise.cells import Cell
from thresher.bench.promise.figures import TopicFigures, by_topic, macro
from thresher.bench.promise.judged_sample import drawn_pages, judged_by
from thresher.bench.promise.kept_reading import KeptReader, kept_reader
from thresher.bench.promise.records import PromiseRecord
from thresher.bench.promise.scenario import scenario_of
from thresher.bench.promise.truth import Truth, once, truth
from thresher.bench.webs.web import BenchWeb
from thresher.build import recipe_of
from thresher.classify.hierarchical import HierarchicalClassifier
from thresher.config.load import load
from thresher.config.settings import Settings
from thresher.taxonomy.from_bookmarks import from_bookmarks
from thresher.train.labelled_urls import labelled_urls
from thresher.train.met_pages import evenly_drawn
from thresher.train.surroundings import NEIGHBOURS, widened
from thresher.train.training import parameters_of, untrained
from thresher.types import ParsedPage
from thresher.web.urls import canonical, host_of


class RejudgedTrial(Struct, frozen=True, kw_only=True):
    """How well the fetched pages of a trial are judged, excluding bookmarks; shares are between 0 and 1.

    `right` and `wrong` count labelled accepted pages. Figures are means over topics: on hosts with a bookmark
    (`home_hosts`), on those without (`new_hosts`), and on a sample of labelled pages on hosts without a bookmark,
    fetched or not (`sample`). Shares are None if undefined.
    """

    cell: str
    split: str
    seed: int
    right: int
    wrong: int
    precision_home_hosts: float | None
    recall_home_hosts: float | None
    right_new_hosts: int
    wrong_new_hosts: int
    precision_new_hosts: float | None
    recall_new_hosts: float | None
    f_new_hosts: float | None
    sample_precision: float | None
    sample_recall: float | None
    sample_f: float | None
    topics_new_hosts: list[TopicFigures]


def rejudge_trial(
    record: PromiseRecord, web: BenchWeb, pages: PageCache, overrides: Sequence[str] = (), sample: int = 1000
) -> RejudgedTrial:
    """Train the topics of a trial on its bookmarks and all pages it fetched, and judge these pages.

    `overrides` are `key=value` settings; `sample` is the number of further labelled pages of the web to judge.
    """
    cell = msgspec.convert(record.cell, Cell)
    scenario = scenario_of(cell, web, pages, record.run.seed)
    known = truth(scenario, record.run.budget)
    settings = load(overrides=overrides).settings
    reader = kept_reader(recipe_of(settings, ""))
    fetched = _read(once([fetch.url for fetch in record.log]), web, reader)
    classifier = learned(scenario.bookmarks, fetched, web, reader, settings)
    around = FetchedAround(fetched)
    accepted = judged_by(classifier, (widened(page, classifier.parameters, around) for page in fetched.values()))
    urls = list(fetched)
    home = by_topic([url for url in urls if host_of(url) in known.home_hosts()], accepted, known)
    away = by_topic(urls, accepted, known, new_hosts=True)
    drawn = drawn_pages(scenario, known, overrides, sample)
    judged = macro(by_topic([page.url for page in drawn], judged_by(classifier, drawn), known, new_hosts=True))
    right, wrong = _counted(urls, accepted, known)
    right_away, wrong_away = _counted([url for url in urls if host_of(url) not in known.home_hosts()], accepted, known)
    at_home, elsewhere = macro(home), macro(away)
    return RejudgedTrial(
        cell=record.run.cell,
        split=record.run.split,
        seed=record.run.seed,
        right=right,
        wrong=wrong,
        precision_home_hosts=at_home.precision,
        recall_home_hosts=at_home.recall,
        right_new_hosts=right_away,
        wrong_new_hosts=wrong_away,
        precision_new_hosts=elsewhere.precision,
        recall_new_hosts=elsewhere.recall,
        f_new_hosts=elsewhere.f,
        sample_precision=judged.precision,
        sample_recall=judged.recall,
        sample_f=judged.f,
        topics_new_hosts=away,
    )


class FetchedAround:
    """The neighbours of a page among those that a trial fetched."""

    def __init__(self, pages: Mapping[str, ParsedPage]) -> None:
        self._pages = pages
        self._leading: dict[str, list[tuple[str, str]]] = {}
        for url, page in pages.items():
            for link in page.links:
                self._leading.setdefault(link.url, []).append((url, link.anchor))

    def anchors(self, page: ParsedPage) -> Sequence[tuple[str, str]]:
        """Return (URL, anchor text) of the links to a page."""
        return self._leading.get(page.url, [])

    def neighbours(self, page: ParsedPage) -> Sequence[Mapping[str, int]]:
        """Return the stems of pages that link to a page or that it links to."""
        urls = once([*(url for url, _ in self.anchors(page)), *(link.url for link in page.links)])
        return [self._pages[url].terms for url in urls if url in self._pages and url != page.url][:NEIGHBOURS]


def learned(
    bookmarks: bytes, fetched: Mapping[str, ParsedPage], web: BenchWeb, reader: KeptReader, settings: Settings
) -> HierarchicalClassifier:
    """Return the classifier a run would learn from its bookmarks and fetched pages, without archetypes and answers."""
    parameters, around = parameters_of(settings.train), FetchedAround(fetched)
    wanted = [(canonical(one.url), one.label) for one in labelled_urls(from_bookmarks(bookmarks).taxonomy)]
    urls = once([url for url, _ in wanted if url is not None])
    at_hand = {**_read([url for url in urls if url not in fetched], web, reader), **fetched}
    given = [
        (widened(at_hand[url], parameters, around), label)
        for url, label in wanted
        if url in at_hand and at_hand[url].terms
    ]
    taken = {page.url for page, _ in given}
    seen = {url: widened(page, parameters, around) for url, page in fetched.items() if url not in taken}
    met = evenly_drawn(seen, seen.get)
    return untrained(settings.train).fit(given, met=met)


def _read(urls: Sequence[str], web: BenchWeb, reader: KeptReader) -> dict[str, ParsedPage]:
    found = ((url, reader.read(web.collection.answer(url))) for url in urls if url in web.served)
    return {url: page for url, page in found if isinstance(page, ParsedPage)}


def _counted(urls: Sequence[str], accepted: Mapping[str, str], known: Truth) -> tuple[int, int]:
    """Return how many labelled accepted pages are right and wrong."""
    taken = [url for url in urls if url in accepted and url in known.of and url not in known.examples]
    right = sum(known.is_of(url, accepted[url]) for url in taken)
    return right, len(taken) - right
