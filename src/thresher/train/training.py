"""Trains on the pages of a portal: finds missing ones, collects the training data, and fits the classifier."""

from collections.abc import Sequence
from pathlib import Path

from msgspec import Struct

from thresher.classify.acceptance import Rules
from thresher.classify.examples_file import TrainingSet, load_training_set
from thresher.classify.hierarchical import HierarchicalClassifier
from thresher.classify.sibling_space import SpaceParameters
from thresher.config.learning_settings import TrainSettings
from thresher.config.settings import Settings
from thresher.documents.analyse import Reader
from thresher.models import load_classifier, save_model, used_model
from thresher.store.model_files import model_path
from thresher.store.page_records import DocumentRow
from thresher.store.protocol import Store
from thresher.store.records import ArchetypeState
from thresher.taxonomy.topic_tree import Taxonomy
from thresher.train.advice import advice
from thresher.train.agreement import Labelled
from thresher.train.changed_topics import topics_digest
from thresher.train.judging import judging
from thresher.train.labelled_urls import is_negative, labelled_urls, pages_by_topic, queries, wishes
from thresher.train.local_files import is_file
from thresher.train.met_pages import met_pages
from thresher.train.negatives import Negatives, negatives
from thresher.train.report import Trained, reports
from thresher.train.round import Teaching, taught_by_topic, without_loss
from thresher.train.stored_pages import find
from thresher.train.surroundings import StoredAround, widened
from thresher.train.training_pages import TrainingPages, gather, left_out
from thresher.types import Candidate, Failed, ParsedPage
from thresher.web.urls import canonical


class Material(Struct, frozen=True):
    """The training material from a person.

    `gathered` are the available training pages, `examples` these and the queries, each with its label, `topics` the
    pages that each topic is learned from, `warnings` a sentence for each topic that has none and is left out.
    """

    gathered: TrainingPages
    examples: list[tuple[ParsedPage, str | None]]
    topics: dict[str, list[ParsedPage]]
    warnings: list[str] = []


def missing_pages(store: Store, taxonomy: Taxonomy) -> list[Candidate]:
    """Return the training pages of topics that the portal does not have; local files need not be fetched."""
    addresses = [canonical(one.url) for one in labelled_urls(taxonomy) if not is_file(one.url)]
    lacking = [url for url in dict.fromkeys(addresses) if url and isinstance(find(store, url), Failed)]
    return [Candidate(url=url, priority=(1.0,)) for url in lacking]


def collect(
    portal: Path,
    store: Store,
    taxonomy: Taxonomy,
    reader: Reader,
    settings: Settings,
    lessons: Sequence[DocumentRow] = (),
) -> Material:
    """Return the material to learn the topics from; raise InputError if no topic has a page.

    `lessons` are pages that were fetched for training and ask not to be kept.
    """
    gathered = gather(store, labelled_urls(taxonomy), reader, settings, lessons)
    parameters, around = parameters_of(settings.train), StoredAround(store)
    seen = [(widened(page, parameters, around), label) for page, label in gathered.examples]
    examples = [*seen, *queries(taxonomy, settings.reading.language)]
    topics = pages_by_topic(taxonomy, examples)
    warnings = left_out(str(portal), topics, gathered.unused)
    taught = {name: pages for name, pages in topics.items() if pages}
    # Negative examples of a topic are useless without the topic.
    useful = [(page, label) for page, label in examples if label is None or _topic_of(label) in ("", *taught)]
    return Material(gathered, useful, taught, warnings)


def _topic_of(label: str) -> str:
    """Return the topic that a label refers to, also for negative examples; "" for all topics."""
    return label.rpartition("/")[0] if is_negative(label) else label


def fit_topics(
    portal: Path,
    store: Store,
    taxonomy: Taxonomy,
    settings: Settings,
    material: Material,
    at: float,
    *,
    fresh: bool = False,
) -> Trained:
    """Fit a classifier to the material and to earlier archetypes, write it, and return a report on its quality.

    Unlabelled pages, and archetypes of topics that still exist, continue to teach, unless `fresh` asks for a person's
    pages alone. `at` is wall time.
    """
    examples = material.examples
    before = load_classifier(portal, store) if store.models.newest() is not None else None
    met = [] if fresh else met_pages(store, {page.url for page, _ in examples}, parameters_of(settings.train))
    asked = {
        name: wish
        for name, wish in wishes(taxonomy, material.topics, settings.reading.language).items()
        if name in material.topics
    }
    alone = untrained(settings.train).fit(examples, asked, met=met)
    earlier = [] if fresh or before is None else _earlier(portal, store, material)
    classifier, archetypes = without_loss(alone, examples, Teaching(earlier=earlier), met)
    held = TrainingSet(examples, archetypes, classifier.right_)
    counts = taught_by_topic(archetypes)
    report = {"archetypes": len(archetypes), "by_topic": counts, "pages": len(examples)} if archetypes else None
    judge = None if fresh else judging(store, classifier)
    pricing = classifier if judge else None
    classifier = judge or classifier
    model = save_model(portal, store, classifier, held, report, at=at, topics=topics_digest(taxonomy), pricing=pricing)
    told_from = negatives(examples, material.topics, met, classifier)
    return Trained(
        model=model,
        version=classifier.version_,
        pages=len(material.gathered.examples),
        topics=reports(classifier, examples, advice(material.topics, met, asked), before),
        unused=material.gathered.unused,
        negatives=told_from,
        archetypes=counts,
        notices=[*material.warnings, *_notices(material.gathered.rows, told_from)],
    )


def _earlier(portal: Path, store: Store, material: Material) -> Labelled:
    """Return the archetypes of the model in use whose topics still exist, without those a person rejected."""
    training_set = load_training_set(Path(model_path(portal, used_model(portal, store).file)))
    rows = store.archetypes.all()
    out = {(row.url, row.topic) for row in rows if row.state is ArchetypeState.REJECTED}
    given = {page.url for page, _ in material.examples}
    return [
        (page, label)
        for page, label in training_set.archetypes
        if label in material.topics and page.url not in given and (page.url, label) not in out
    ]


def untrained(chosen: TrainSettings) -> HierarchicalClassifier:
    """Return an unfitted classifier according to the settings."""
    return HierarchicalClassifier(
        parameters_of(chosen),
        Rules(threshold=chosen.threshold, min_features=chosen.min_features, min_indicators=chosen.min_indicators),
    )


def parameters_of(chosen: TrainSettings) -> SpaceParameters:
    """Return the feature-space parameters in the settings."""
    return SpaceParameters(
        features=chosen.features,
        measure=chosen.measure,
        candidates=chosen.candidates,
        weighting=chosen.weighting,
        vote=chosen.vote,
        pairs=chosen.pairs,
        anchors=chosen.anchors,
        neighbours=chosen.neighbours,
    )


def _notices(rows: Sequence[DocumentRow], told_from: Negatives) -> list[str]:
    notices: list[str] = []
    if not (told_from.others.pages or told_from.siblings.pages or told_from.met.pages):
        notices.append(
            "There is only general language to compare the topic with: its boundary is a guess until a crawl has "
            "found other pages, or until you put some into OTHERS."
        )
    reserved = sum(bool(row.opt_outs) for row in rows)
    if reserved:
        notices.append(f"The sites of {reserved} training pages have opted out of text mining; keep the model private.")
    return notices
