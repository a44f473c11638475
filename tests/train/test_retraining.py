"""Archetypes from what a store holds: link analysis, rules, a person's verdicts, and judging anew."""

from tests.train.made import page
from thresher.classify.examples_file import TrainingSet
from thresher.classify.hierarchical import HierarchicalClassifier
from thresher.link_analysis import analyse_links
from thresher.store.memory import MemoryStore
from thresher.store.page_records import DocumentRow, LinkRow
from thresher.store.records import ArchetypeRow, ArchetypeState, Batch
from thresher.taxonomy.topic_tree import Taxonomy
from thresher.text.words import words
from thresher.train.archetype_choice import ArchetypeRules, best_hubs, choose, training_ids
from thresher.train.expert_search import chance_by, find_answers, starting, teaching, topic_path, with_query
from thresher.train.reclassifying import reclassify
from thresher.train.retraining import hold_round, propose, teaching_pages
from thresher.types import Page
from thresher.web.urls import host_of, url_id

GIVEN = ["http://seed1.test/", "http://seed2.test/"]
HUB, LONELY = "http://hub.test/", "http://lonely.test/"
GOOD = [f"http://good{n}.test/" for n in range(4)]
OFF = [f"http://off{n}.test/" for n in range(4)]


def training_set() -> TrainingSet:
    boats = ["boat sail mast keel wind", "boat sail harbour keel wave", "boat mast harbour wind deck"]
    tea = ["tea leaf kettle cup milk", "tea leaf kettle pot sugar", "tea cup pot brew milk"]
    found: list[tuple[Page, str | None]] = [
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
    rows = [row(url, "boat sail mast keel wind harbour", [], classifier) for url in GOOD]
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


def test_archetypes_have_links_and_the_words_of_the_topic_and_are_no_training_pages() -> None:
    classifier, given, store = taught()
    found = choose(analyse_links(store), classifier, given, ArchetypeRules())
    pages = {archetype.page for archetype in found}
    assert {url_id(url) for url in GOOD} <= pages
    assert not pages & {url_id(url) for url in [*OFF, *GIVEN]}
    assert url_id(LONELY) not in pages
    admitted = choose(analyse_links(store), classifier, given, ArchetypeRules(admit_all=True))
    assert url_id(LONELY) in {archetype.page for archetype in admitted}


def test_training_pages_of_a_topic_are_those_below_it_too() -> None:
    addresses = [("http://a.test", "A/B"), ("http://b.test/", "AB"), ("query:q", "A")]
    given = TrainingSet([(page("x", url), label) for url, label in addresses])
    assert training_ids(given, "A") == {url_id("http://a.test/")}
    assert training_ids(given, None) == {url_id("http://a.test/"), url_id("http://b.test/")}


def test_the_best_hub_is_the_page_that_links_to_the_good_ones() -> None:
    _, _, store = taught()
    assert best_hubs(analyse_links(store), 1)[0] in {url_id(HUB), url_id("http://hub2.test/")}
    assert best_hubs(analyse_links(store), 0) == []


def test_what_a_person_said_holds_on() -> None:
    classifier, given, store = taught()
    rows = propose(store, analyse_links(store), classifier, given, ArchetypeRules(), 1.0)
    assert {found.state for found in rows} == {ArchetypeState.PROPOSED}
    mine = ArchetypeRow(
        topic="Boats", url=LONELY, rule="admitted", confidence=1.0, authority=0.0, state=ArchetypeState.ACCEPTED
    )
    no = ArchetypeRow(
        topic="Boats", url=GOOD[0], rule="both", confidence=1.0, authority=0.5, state=ArchetypeState.REJECTED
    )
    store.archetypes.put([mine, no])
    rows = propose(store, analyse_links(store), classifier, given, ArchetypeRules(), 2.0)
    states = {found.url: found.state for found in rows}
    assert states[LONELY] is ArchetypeState.ACCEPTED
    assert states[GOOD[0]] is ArchetypeState.REJECTED
    assert states[GOOD[1]] is ArchetypeState.PROPOSED
    urls = [found.url for found, _ in teaching_pages(store, rows)]
    assert LONELY in urls
    assert GOOD[0] not in urls
    assert [found.url for found, _ in teaching_pages(store, rows, review=True)] == [LONELY]


def test_a_round_uses_the_archetypes_and_names_hubs() -> None:
    classifier, given, store = taught()
    done = hold_round(store, classifier, given, ArchetypeRules(), 1.0, hubs=2)
    assert done.retrained is not None
    assert done.retrained.round.archetypes == len(done.retrained.training_set.archetypes) >= 4
    assert len(done.hubs) == 2


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


def test_the_pages_that_answer_a_query_best() -> None:
    classifier, _, store = taught()
    found = find_answers(store, "sailing boats in a harbour", "en", 3).answers
    assert [answer.url for answer in found] == sorted(GOOD)[:3]
    assert teaching(found) == sorted(GOOD)[:3]
    assert find_answers(store, "quantum", "en", 3).answers == []
    torn = find_answers(store, "boat cup", "en", 20, lambda document: float("cup" in document.terms)).answers
    assert [answer.url for answer in torn][:4] == sorted(OFF)
    sure = find_answers(store, "boat sail", "en", 20, chance_by(classifier, "Boats")).answers
    plain = {answer.url: answer.score for answer in find_answers(store, "boat sail", "en", 20).answers}
    assert all(0 < answer.score < plain[answer.url] for answer in sure)
    unknown = chance_by(classifier, "unknown")
    assert find_answers(store, "boat", "en", 20, unknown) == find_answers(store, "boat", "en", 20)


def test_what_no_page_has_is_said_and_partial_answers_are_where_to_start() -> None:
    _, _, store = taught()
    found = find_answers(store, "quantum boats", "en", 20)
    assert (found.words, found.missing, found.whole) == (("quantum", "boats"), ("quantum",), 0)
    assert found.answers
    assert {answer.lacks for answer in found.answers} == {("quantum",)}
    assert teaching(found.answers) == []
    assert starting(found.answers) == [answer.url for answer in found.answers][:7]
    whole = find_answers(store, "boats", "en", 20)
    assert (whole.missing, whole.whole) == ((), len(whole.answers))
    assert set(teaching(whole.answers)).isdisjoint(starting(whole.answers))
    tree = with_query(Taxonomy(), "quantum boats", [], starting(found.answers))
    assert tree.get(topic_path("quantum boats")).pages == ()
    assert [url for url, topic in tree.start_urls() if topic is None] == starting(found.answers)


def test_a_query_becomes_a_topic() -> None:
    tree = with_query(with_query(Taxonomy(), "free ARIES", [GOOD[0]]), " free  ARIES ", [GOOD[1], GOOD[0]])
    topic = tree.get(topic_path("free ARIES"))
    assert topic is not None
    assert topic.query == "free ARIES"
    assert [found.url for found in topic.pages] == GOOD[:2]
    assert words(topic.name) == ["free", "ARIES"]
