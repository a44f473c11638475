"""What the name of a topic adds to what its pages teach."""

import random

import pytest

from thresher.classify.examples import families
from thresher.classify.hierarchical import HierarchicalClassifier
from thresher.classify.topic_names import name_stems
from thresher.types import ParsedPage


def page(url: str, *words: str, language: str = "en") -> ParsedPage:
    rng = random.Random(url)
    said = [*words, *(f"common{rng.randrange(60)}" for _ in range(40))]
    terms = {word: said.count(word) for word in said}
    return ParsedPage(url=url, title="", words=[], links=[], terms=terms, language=language)


def examples(topic: str, site: str) -> list[tuple[ParsedPage, str | None]]:
    words = [[f"{site}{number}" for number in range(start, start + 20)] for start in range(4)]
    return [(page(f"http://{site}.test/{number}", *said), topic) for number, said in enumerate(words)]


MET = [page(f"http://other{site}.test/{number}", f"thing{site}") for site in range(10) for number in range(6)]


def test_a_page_of_another_site_that_has_the_name_is_nearer() -> None:
    classifier = HierarchicalClassifier().fit([*examples("Astronomy", "stars"), *examples("Mail", "post")], met=MET)
    plain = page("http://new.test/a", "telescop")
    named = ParsedPage(
        url=plain.url, title="", words=[], links=[], terms={**plain.terms, "astronomi": 3}, language="en"
    )
    family = classifier.families_[""]
    before, after = (family.judge(family.known(one.terms)).confidences for one in (plain, named))
    assert after[0] > before[0] + 1
    assert after[1] <= before[1] + 0.1
    assert ("astronomi", pytest.approx(after[0] - before[0], abs=1.0)) in [
        (stem, weight) for stem, weight in family.evidence(family.known(named.terms), 0, 5)
    ]


@pytest.mark.slow
def test_a_name_that_no_page_uses_changes_nothing() -> None:
    judged = [
        HierarchicalClassifier().fit([*examples(name, "stars"), *examples("Mail", "post")], met=MET).classify(one)
        for name in ("Qwxyz", "Zyxwq")
        for one in MET[:5]
    ]
    assert [one.confidence for one in judged[:5]] == pytest.approx([one.confidence for one in judged[5:]], abs=0.02)


def test_names_of_topics_below_count_for_those_above() -> None:
    found = families([(page("a"), "Science/Physics"), (page("b"), "Science/Biology"), (page("c"), "Arts")])
    assert found[0].names == [["Arts"], ["Science", "Biology", "Physics"]]
    assert found[1].names == [["Biology"], ["Physics"]]


def test_names_are_stemmed_in_the_languages_of_the_pages() -> None:
    assert name_stems(["Segelboote"], [page("a", language="de")]) == ["segelboot"]
    assert name_stems(["and the"], [page("a")]) == []
    assert name_stems(["weird-Name.v2"], []) != []
