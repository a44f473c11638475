"""What topics ask for: labels, wishes, queries."""

from tests.train.made import page
from thresher.classify.acceptance import TopicWishes
from thresher.taxonomy.topic_tree import from_query
from thresher.taxonomy.topics_file import read_topics
from thresher.train.labelled_urls import LabelledUrl, labelled_urls, pages_by_topic, queries, wishes

TREE = read_topics(
    """
others = ["http://far.test/"]

[[topic]]
path = ["TCP/IP", "⛵ 100%"]
pages = ["http://a.test/"]
others = ["http://b.test/"]
indicators = ["sailing boats", "the"]
languages = ["en", "de"]

[[topic]]
path = ["TCP/IP"]
pages = ["http://c.test/", "http://c.test"]
indicators = ["Maisons"]
"""
)


def test_labels_escape_slashes_and_mark_negatives() -> None:
    assert labelled_urls(TREE) == [
        LabelledUrl("http://far.test/", None),
        LabelledUrl("http://c.test/", "TCP%2FIP"),
        LabelledUrl("http://a.test/", "TCP%2FIP/⛵ 100%25"),
        LabelledUrl("http://b.test/", "TCP%2FIP/⛵ 100%25/OTHERS"),
    ]


def test_a_topic_is_taught_by_its_own_pages_and_by_those_below_it() -> None:
    examples = [(page(one.url, one.url), one.label) for one in labelled_urls(TREE)]
    found = {name: [taught.url for taught in pages] for name, pages in pages_by_topic(TREE, examples).items()}
    assert found == {
        "TCP%2FIP": ["http://c.test/", "http://a.test/"],
        "TCP%2FIP/⛵ 100%25": ["http://a.test/"],
    }


def test_a_topic_named_others_is_none() -> None:
    tree = read_topics('[[topic]]\npath = "A/Others"\npages = ["http://a.test"]')
    assert list(pages_by_topic(tree, [(page("x"), "A/Others")])) == ["A"]


def test_indicators_are_stemmed_in_the_languages_of_the_topic_or_of_its_pages() -> None:
    french = page("maisons")
    found = wishes(TREE, {"TCP%2FIP": [type(french)(url="", title="", words=[], links=[], language="fr")]}, "auto")
    assert found["TCP%2FIP"] == TopicWishes(("maison",), ())
    assert found["TCP%2FIP/⛵ 100%25"].languages == ("en", "de")
    assert {"sail", "boat"} <= set(found["TCP%2FIP/⛵ 100%25"].indicators)
    # A stop word is no indicator in its own language.
    assert wishes(TREE, {}, "en")["TCP%2FIP"].indicators == ("maison",)


def test_a_query_is_a_training_page() -> None:
    ((found, label),) = queries(from_query("recovering databases after crashes"), "en")
    assert label == "recovering databases after crashes"
    assert found.terms == {"recov": 1, "databas": 1, "crash": 1}
