"""Training on the pages a portal has: which are missing, what there is to learn from, and what comes of it."""

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Final

from msgspec import Struct

from thresher.classify.acceptance import Rules
from thresher.classify.examples_file import TrainingSet
from thresher.classify.hierarchical import HierarchicalClassifier
from thresher.classify.sibling_space import SpaceParameters
from thresher.config.settings import Settings, TrainSettings
from thresher.documents.analyse import Reader
from thresher.models import save_model
from thresher.reading.following import following
from thresher.store.neighbourhood import neighbourhood
from thresher.store.page_records import DocumentRow, LinkRow
from thresher.store.protocol import Store
from thresher.store.stored_page import page_of
from thresher.taxonomy.topic_tree import Taxonomy
from thresher.train.advice import advice
from thresher.train.changed_topics import topics_digest
from thresher.train.labelled_urls import labelled_urls, pages_by_topic, queries, wishes
from thresher.train.local_files import is_file
from thresher.train.negatives import NEAR, Supply, given, missing, supplied
from thresher.train.report import Trained, reports
from thresher.train.stored_pages import find
from thresher.train.training_pages import TrainingPages, gather, require_pages
from thresher.types import Candidate, Failed, Page
from thresher.web.urls import canonical

CLICKS: Final = 3
"""How far from the training pages negatives are looked for."""

ENOUGH: Final = 0.1
"""Share of the pages looked for that may be lacking: training again does not fetch for the sake of a few."""


class Material(Struct, frozen=True):
    """What a person gave to learn from.

    `gathered` are the training pages at hand, `examples` these and the queries, each with its label, `topics` the pages
    that each topic is learnt from, and `supply` how many negatives there are among them.
    """

    gathered: TrainingPages
    examples: list[tuple[Page, str | None]]
    topics: dict[str, list[Page]]
    supply: Supply


class NearbyPages(Struct, frozen=True):
    """Stored pages near the training pages; where too few, how many are `missing` and addresses to fetch them from."""

    pages: list[DocumentRow]
    missing: int = 0
    unknown: list[Candidate] = []


def missing_pages(store: Store, taxonomy: Taxonomy) -> list[Candidate]:
    """Return the training pages of topics that the portal does not have; files of this machine need not be fetched."""
    addresses = [canonical(one.url) for one in labelled_urls(taxonomy) if not is_file(one.url)]
    lacking = [url for url in dict.fromkeys(addresses) if url and isinstance(find(store, url), Failed)]
    return [Candidate(url=url, priority=(1.0,)) for url in lacking]


def collect(portal: Path, store: Store, taxonomy: Taxonomy, reader: Reader, settings: Settings) -> Material:
    """Return what there is to learn the topics from; raises InputError where one is left without a page."""
    gathered = gather(store, labelled_urls(taxonomy), reader, settings)
    examples = [*gathered.examples, *queries(taxonomy, settings.reading.language)]
    topics = pages_by_topic(taxonomy, examples)
    require_pages(str(portal), topics, gathered.unused)
    return Material(gathered, examples, topics, given(topics, sum(label is None for _, label in examples)))


def nearby_pages(store: Store, material: Material, settings: Settings) -> NearbyPages:
    """Return pages near the training pages, as far as negatives are missing and the settings let them be looked for."""
    chosen = settings.train
    short = missing(material.supply, chosen.negatives)
    if not short or not chosen.explore:
        return NearbyPages([])
    wanted = min(chosen.explore, round(short / NEAR))
    obey = settings.manners.nofollow
    around = neighbourhood(store, material.gathered.rows, CLICKS, wanted, partial(_followed, obey_nofollow=obey))
    lacking = wanted - len(around.pages)
    if lacking <= ENOUGH * wanted or not around.unknown:
        return NearbyPages(around.pages)
    return NearbyPages(around.pages, lacking, around.unknown)


def fit_topics(
    portal: Path,
    store: Store,
    taxonomy: Taxonomy,
    settings: Settings,
    material: Material,
    near: Sequence[DocumentRow],
    at: float,
) -> Trained:
    """Fit a classifier to the material, supply the negatives it lacks, write it down and tell how good it is.

    `near` are stored pages near the training pages, `at` is wall time.
    """
    taken = {page.url for page, _ in material.examples}
    supply = supplied(material.supply, settings.train.negatives, material.topics, near, store, taken)
    examples = [*material.examples, *((page, None) for page in supply.pages())]
    asked = wishes(taxonomy, material.topics, settings.reading.language)
    classifier = _classifier(settings.train).fit(examples, asked)
    held = TrainingSet(examples, right=classifier.right_)
    model = save_model(portal, store, classifier, held, at=at, topics=topics_digest(taxonomy))
    far = [page for page, label in examples if label is None]
    return Trained(
        model=model,
        version=classifier.version_,
        pages=len(material.gathered.examples),
        topics=reports(classifier, examples, advice(material.topics, far, asked)),
        unused=material.gathered.unused,
        negatives=supply.counts(),
        wanted=settings.train.negatives,
        notices=_notices(material.gathered.rows, supply, settings.train.negatives),
    )


def _followed(row: DocumentRow, *, obey_nofollow: bool) -> list[LinkRow]:
    """Return the links of a stored page that a crawl would follow."""
    return [row.links[place] for place in following(page_of(row), obey_nofollow=obey_nofollow).followed]


def _classifier(chosen: TrainSettings) -> HierarchicalClassifier:
    return HierarchicalClassifier(
        SpaceParameters(
            features=chosen.features,
            measure=chosen.measure,
            candidates=chosen.candidates,
            weighting=chosen.weighting,
        ),
        Rules(threshold=chosen.threshold, min_features=chosen.min_features, min_indicators=chosen.min_indicators),
    )


def _notices(rows: Sequence[DocumentRow], supply: Supply, wanted: int) -> list[str]:
    notices: list[str] = []
    if short := missing(supply, wanted):
        notices.append(f"{short} of {wanted} negatives are missing: add pages of other subjects to OTHERS.")
    reserved = sum(bool(row.opt_outs) for row in rows)
    if reserved:
        notices.append(
            f"The sites of {reserved} training pages reserve them against text mining; keep the model private."
        )
    return notices
