"""Topics below a topic lend it their words."""

from thresher.classify.examples import families
from thresher.types import ParsedPage


def page(*stems: str) -> ParsedPage:
    return ParsedPage(url="", title="", words=[], links=[], terms=dict.fromkeys(stems, 1))


def test_parts_are_the_topics_below_that_are_not_all_of_their_parent() -> None:
    examples = [(page("a"), "A/X"), (page("b"), "A/Y/Z"), (page("c"), "B/Only"), (page("d"), None)]
    root = families(examples)[0]
    assert root.children == ["A", "B"]
    assert [(child, of_part.tolist()) for child, of_part in root.parts] == [
        (0, [True, False, False, False]),
        (0, [False, True, False, False]),
    ]


def test_a_family_without_topics_below_has_no_parts() -> None:
    assert families([(page("a"), "A"), (page("b"), "B")])[0].parts == []
