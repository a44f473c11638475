"""Word pairs as features: what they add, and that they are counted once."""

from thresher.classify.hierarchical import HierarchicalClassifier
from thresher.classify.sibling_space import SpaceParameters
from thresher.classify.word_pairs import with_pairs
from thresher.types import ParsedPage


def page(text: str, url: str = "") -> ParsedPage:
    words = text.split()
    terms = {word: words.count(word) for word in words}
    return ParsedPage(url=url, title="", words=words, links=[], text=text, terms=terms, language="xx")


def test_neighbouring_words_are_paired_and_only_once() -> None:
    found = with_pairs(page("red wine red wine wine"))
    assert found.terms == {"red": 2, "wine": 3, "red wine": 2, "wine red": 1}
    assert with_pairs(found) is found


def test_pairs_come_from_the_text_where_the_words_are_gone() -> None:
    kept = ParsedPage(url="", title="", words=[], links=[], text="red wine", terms={"red": 1, "wine": 1}, language="xx")
    assert with_pairs(kept).terms["red wine"] == 1
    bare = ParsedPage(url="", title="", words=[], links=[], terms={"red": 1})
    assert with_pairs(bare) is bare


def test_a_classifier_tells_topics_by_the_order_of_words() -> None:
    wine = [(page(f"dry red wine and house white a{n}", f"http://w{n}.test/"), "Wine") for n in range(4)]
    politics = [(page(f"white house and wine red dry a{n}", f"http://p{n}.test/"), "Politics") for n in range(4)]
    classifier = HierarchicalClassifier(SpaceParameters(pairs=True)).fit(wine + politics)
    assert classifier.classify(page("dry red wine", "http://new.test/")).topic == "Wine"
    assert classifier.classify(page("white house", "http://new.test/")).topic == "Politics"
    again = HierarchicalClassifier.from_bytes(classifier.to_bytes())
    assert again.parameters.pairs
    assert again.classify(page("white house", "http://new.test/")).topic == "Politics"
