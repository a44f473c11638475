"""Words that a person marked: good ones are features whatever the examples say, bad ones never are."""

from thresher.classify.acceptance import TopicWishes
from thresher.classify.hierarchical import HierarchicalClassifier
from thresher.types import ParsedPage


def page(text: str, number: int) -> ParsedPage:
    terms = dict.fromkeys(text.split(), 1)
    return ParsedPage(url=f"http://p{number}.test/", title="", words=[], links=[], terms=terms, language="en")


def test_marked_words_shape_the_feature_space_and_are_kept_with_the_model() -> None:
    boats = [(page(f"boat sail wind click {extra}", n), "Boats") for n, extra in enumerate(("sea", "mast", "keel"))]
    cars = [(page(f"car road wheel click {extra}", 9 + n), "Cars") for n, extra in enumerate(("fuel", "brake", "gear"))]
    wishes = {"Boats": TopicWishes(good=("spinnaker", "mast"), bad=("sail", "click"))}
    plain = HierarchicalClassifier().fit([*boats, *cars])
    marked = HierarchicalClassifier().fit([*boats, *cars], wishes)
    assert "sail" in plain.families_[""].terms
    assert not {"sail", "click"} & set(marked.families_[""].terms)
    assert {"spinnaker", "mast"} <= set(marked.families_[""].terms)
    weight = marked.families_[""].weights[marked.families_[""].terms.index("spinnaker"), 0]
    assert weight > 0
    assert (
        marked.classify(page("boat spinnaker wind", 50)).confidence
        > plain.classify(page("boat spinnaker wind", 50)).confidence
    )
    assert HierarchicalClassifier.from_bytes(marked.to_bytes()).wishes_ == wishes
