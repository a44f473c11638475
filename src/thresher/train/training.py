"""Training on the pages a portal has: which are missing, what there is to learn from, and what comes of it."""

from collections.abc import Sequence
from pathlib import Path

from msgspec import Struct

from thresher.classify.acceptance import Rules
from thresher.classify.examples_file import TrainingSet
from thresher.classify.hierarchical import HierarchicalClassifier
from thresher.classify.sibling_space import SpaceParameters
from thresher.config.settings import Settings, TrainSettings
from thresher.documents.analyse import Reader
from thresher.models import load_classifier, save_model
from thresher.store.page_records import DocumentRow
from thresher.store.protocol import Store
from thresher.taxonomy.topic_tree import Taxonomy
from thresher.train.advice import advice
from thresher.train.changed_topics import topics_digest
from thresher.train.labelled_urls import labelled_urls, pages_by_topic, queries, wishes
from thresher.train.local_files import is_file
from thresher.train.met_pages import met_pages
from thresher.train.negatives import Negatives, negatives
from thresher.train.report import Trained, reports
from thresher.train.stored_pages import find
from thresher.train.training_pages import TrainingPages, gather, require_pages
from thresher.types import Candidate, Failed, Page
from thresher.web.urls import canonical


class Material(Struct, frozen=True):
    """What a person gave to learn from.

    `gathered` are the training pages at hand, `examples` these and the queries, each with its label, `topics` the pages
    that each topic is learnt from.
    """

    gathered: TrainingPages
    examples: list[tuple[Page, str | None]]
    topics: dict[str, list[Page]]


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
    return Material(gathered, examples, topics)


def fit_topics(
    portal: Path, store: Store, taxonomy: Taxonomy, settings: Settings, material: Material, at: float
) -> Trained:
    """Fit a classifier to the material and to pages met earlier, write it down and tell how good it is.

    `at` is wall time.
    """
    examples = material.examples
    before = load_classifier(portal, store) if store.models.newest() is not None else None
    met = met_pages(store, {page.url for page, _ in examples})
    asked = wishes(taxonomy, material.topics, settings.reading.language)
    classifier = _classifier(settings.train).fit(examples, asked, met=met)
    held = TrainingSet(examples, right=classifier.right_)
    model = save_model(portal, store, classifier, held, at=at, topics=topics_digest(taxonomy))
    told_from = negatives(examples, material.topics, met, classifier)
    return Trained(
        model=model,
        version=classifier.version_,
        pages=len(material.gathered.examples),
        topics=reports(classifier, examples, advice(material.topics, met, asked), before),
        unused=material.gathered.unused,
        negatives=told_from,
        notices=_notices(material.gathered.rows, told_from),
    )


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


def _notices(rows: Sequence[DocumentRow], told_from: Negatives) -> list[str]:
    notices: list[str] = []
    if not (told_from.others.pages or told_from.siblings.pages or told_from.met.pages):
        notices.append(
            "There is nothing but general language to tell the topic from: where it ends is a guess until a crawl has "
            "met other pages, or until you put some into OTHERS."
        )
    reserved = sum(bool(row.opt_outs) for row in rows)
    if reserved:
        notices.append(
            f"The sites of {reserved} training pages reserve them against text mining; keep the model private."
        )
    return notices
