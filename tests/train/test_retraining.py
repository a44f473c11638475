"""Archetypes from what a store holds: link analysis, rules, a person's verdicts, and judging anew."""

import pytest
from msgspec.structs import replace

from tests.train.made import page
from thresher.classify.examples_file import TrainingSet
from thresher.classify.hierarchical import HierarchicalClassifier
from thresher.link_analysis import analyse_links
from thresher.store.memory import MemoryStore
from thresher.store.page_records import DocumentRow, LinkRow
from thresher.store.records import ArchetypeRow, ArchetypeState, Batch
from thresher.train.archetype_choice import ArchetypeRules, Grounds, best_hubs, choose, training_ids
from thresher.train.reclassifying import reclassify
from thresher.train.retraining import grounds_of, hold_round, propose, teaching_pages
from thresher.types import ParsedPage
from thresher.web.urls import host_of, url_id

GIVEN = ["http://seed1.test/", "http://seed2.test/"]
HUB, LONELY = "http://hub.test/", "http://lonely.test/"
GOOD = [f"http://good{n}.test/" for n in range(4)]
SAILING = "boat sail mast keel wind harbour rudder hull crew tide anchor port"
OFF = [f"http://off{n}.test/" for n in range(4)]


def training_set() -> TrainingSet:
    boats = [
        "boat sail mast keel wind rudder hull crew tide",
        "boat sail harbour keel wave anchor hull crew port",
        "boat mast harbour wind deck rudder anchor tide port",
    ]
    tea = ["tea leaf kettle cup milk", "tea leaf kettle pot sugar", "tea cup pot brew milk"]
    found: list[tuple[ParsedPage, str | None]] = [
        (page(text, url), "Boats") for text, url in zip(boats, [*GIVEN, ""], strict=True)
    ]
    found += [(page(text, f"http://none{n}.test/"), None) for n, text in enumerate(tea)]
    return TrainingSet(found)


def row(url: str, text: str, links: list[str], classifier: HierarchicalClassifier) -> DocumentRow:
    return DocumentRow(
        url_id=url_id(url),
        url=url,
        host=host_of(url),
        at=1.0,
        title=text,
        text=text,
        terms=page(text).terms,
        links=[LinkRow(url_id(link), link, "") for link in links],
        language="en",
        digest=url.encode(),
        judgement=classifier.classify(page(text)),
    )


def store_with(classifier: HierarchicalClassifier) -> MemoryStore:
    store = MemoryStore()
    crawl = store.crawls.start("learn", "test", {}, 0.0)
    rows = [row(url, SAILING, [], classifier) for url in GOOD]
    rows += [row(url, "tea kettle cup", [], classifier) for url in OFF]
    rows.append(row(LONELY, "boat sail mast keel wind wave", [], classifier))
    rows.append(row(HUB, "boat sail mast deck", [*GOOD, *GIVEN, *OFF], classifier))
    rows.append(row("http://hub2.test/", "boat keel mast wave", [*GOOD, HUB], classifier))
    rows += [row(url, "boat sail mast keel wind", [GOOD[0]], classifier) for url in GIVEN]
    store.commit(Batch(crawl=crawl.id, at=1.0, documents=rows))
    return store


def taught() -> tuple[HierarchicalClassifier, TrainingSet, MemoryStore]:
    given = training_set()
    classifier = HierarchicalClassifier().fit(given.examples)
    return classifier, TrainingSet(given.examples, right=classifier.right_), store_with(classifier)


def grounds() -> tuple[Grounds, MemoryStore]:
    classifier, given, store = taught()
    return grounds_of(store, classifier, given), store


def chosen(store: MemoryStore, found: Grounds, rules: ArchetypeRules | None = None) -> set[int]:
    return {archetype.page for archetype in choose(store, analyse_links(store), found, rules or ArchetypeRules())}


def test_archetypes_have_links_and_the_words_of_the_topic_and_are_no_training_pages() -> None:
    found, store = grounds()
    pages = chosen(store, found)
    assert {url_id(url) for url in GOOD} <= pages
    assert not pages & {url_id(url) for url in [*OFF, *GIVEN]}
    assert url_id(LONELY) not in pages
    assert url_id(LONELY) in chosen(store, found, ArchetypeRules(admit_all=True))


def test_a_page_that_nobody_calls_by_a_word_of_the_topic_does_not_teach() -> None:
    found, store = grounds()
    document = store.documents.document(url_id(GOOD[0]))
    assert document is not None
    store.commit(Batch(crawl=1, at=2.0, documents=[replace(document, title="Welcome")]))
    pages = chosen(store, found)
    assert url_id(GOOD[0]) not in pages
    assert url_id(GOOD[1]) in pages


def test_where_a_person_confirms_neither_witnesses_nor_a_second_view_are_needed() -> None:
    found, store = grounds()
    document = store.documents.document(url_id(GOOD[0]))
    assert document is not None
    store.commit(Batch(crawl=1, at=2.0, documents=[replace(document, title="Welcome")]))
    assert url_id(GOOD[0]) in chosen(store, found, ArchetypeRules(confirm=False))


def test_a_page_that_its_site_reserves_does_not_teach() -> None:
    found, store = grounds()
    document = store.documents.document(url_id(GOOD[0]))
    assert document is not None
    store.commit(Batch(crawl=1, at=2.0, documents=[replace(document, opt_outs=("tdm-reservation",))]))
    assert url_id(GOOD[0]) not in chosen(store, found)


def test_training_pages_of_a_topic_are_those_below_it_too() -> None:
    addresses = [("http://a.test", "A/B"), ("http://b.test/", "AB"), ("query:q", "A")]
    given = TrainingSet([(page("x", url), label) for url, label in addresses])
    assert training_ids(given, "A") == {url_id("http://a.test/")}
    assert training_ids(given, None) == {url_id("http://a.test/"), url_id("http://b.test/")}


def test_the_best_hub_is_the_page_that_links_to_the_good_ones() -> None:
    _, _, store = taught()
    assert best_hubs(analyse_links(store), 1)[0] in {url_id(HUB), url_id("http://hub2.test/")}
    assert best_hubs(analyse_links(store), 0) == []


@pytest.mark.slow
def test_what_a_person_said_holds_on() -> None:
    found, store = grounds()
    rows = propose(store, analyse_links(store), found, ArchetypeRules(), 1.0)
    assert {row.state for row in rows} == {ArchetypeState.PROPOSED}
    mine = ArchetypeRow(
        topic="Boats", url=LONELY, rule="admitted", confidence=1.0, authority=0.0, state=ArchetypeState.ACCEPTED
    )
    no = ArchetypeRow(
        topic="Boats", url=GOOD[0], rule="both", confidence=1.0, authority=0.5, state=ArchetypeState.REJECTED
    )
    store.archetypes.put([mine, no])
    rows = propose(store, analyse_links(store), found, ArchetypeRules(), 2.0)
    states = {row.url: row.state for row in rows}
    assert states[LONELY] is ArchetypeState.ACCEPTED
    assert states[GOOD[0]] is ArchetypeState.REJECTED
    assert states[GOOD[1]] is ArchetypeState.PROPOSED
    urls = [page.url for page, _ in teaching_pages(store, rows, ArchetypeState.PROPOSED)]
    assert GOOD[1] in urls
    assert not {LONELY, GOOD[0]} & set(urls)
    assert [page.url for page, _ in teaching_pages(store, rows, ArchetypeState.ACCEPTED)] == [LONELY]


@pytest.mark.slow
def test_a_round_proposes_archetypes_and_names_hubs() -> None:
    classifier, given, store = taught()
    done = hold_round(store, classifier, given, ArchetypeRules(), 1.0, hubs=2)
    assert done.retrained is not None
    (boats,) = done.retrained.round.topics
    assert boats.proposed
    assert done.retrained.round.archetypes == len(done.retrained.training_set.archetypes)
    assert {row.url for row in store.archetypes.all()} >= set(GOOD)
    assert len(done.hubs) == 2


def test_what_a_person_accepted_teaches_in_any_case() -> None:
    classifier, given, store = taught()
    accepted = ArchetypeRow(
        topic="Boats", url=LONELY, rule="admitted", confidence=1.0, authority=0.0, state=ArchetypeState.ACCEPTED
    )
    store.archetypes.put([accepted])
    done = hold_round(store, classifier, given, ArchetypeRules(), 1.0, review=True).retrained
    assert done is not None
    assert [page.url for page, _ in done.training_set.archetypes] == [LONELY]


def test_a_rejected_page_teaches_no_longer() -> None:
    classifier, given, store = taught()
    earlier = TrainingSet(given.examples, [(page("boat sail mast keel", GOOD[0]), "Boats")], given.right)
    no = ArchetypeRow(
        topic="Boats", url=GOOD[0], rule="both", confidence=1.0, authority=0.5, state=ArchetypeState.REJECTED
    )
    store.archetypes.put([no])
    done = hold_round(store, classifier, earlier, ArchetypeRules(authorities=0, confident=0), 1.0).retrained
    assert done is not None
    assert done.training_set.archetypes == []


def test_a_round_without_archetypes_learns_from_what_was_met() -> None:
    classifier, given, store = taught()
    done = hold_round(store, classifier, given, ArchetypeRules(authorities=0, confident=0), 1.0).retrained
    assert done is not None
    assert done.round.archetypes == 0
    assert done.classifier.version_ != classifier.version_
    empty = MemoryStore()
    assert hold_round(empty, classifier, given, ArchetypeRules(authorities=0, confident=0), 1.0).retrained is None


def test_stored_pages_are_judged_anew() -> None:
    classifier, _, store = taught()
    tea = [(page("tea leaf kettle cup milk"), "Tea"), (page("boat sail mast"), None), (page("tea pot kettle"), "Tea")]
    other = HierarchicalClassifier().fit(tea)
    found = reclassify(store, other, at=1.0, preview=2)
    assert found.pages == 13
    preview = store.documents.document(url_id(OFF[0])).preview
    assert "tea" in preview.lower()
    assert found.moves[None, "Tea"] == 4
    assert sum(number for (before, _), number in found.moves.items() if before == "Boats") >= 6
    judged = store.documents.judgement(url_id(OFF[0]))
    assert judged is not None
    assert (judged.topic, judged.model) == ("Tea", other.version_)
    assert reclassify(store, other, at=2.0).moves == {}
    assert [entry.kind for entry in store.log.entries()][-1] == "reclassified"
    assert classifier.version_ != other.version_
