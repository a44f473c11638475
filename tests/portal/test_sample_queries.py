"""Sample queries are phrases that readers would type, taken from the titles of a topic's pages."""

from collections.abc import Sequence

import pytest

from thresher.portal.sample_queries import first_plain, sample_queries
from thresher.store.portal_records import ListedPage


def pages(titles: Sequence[tuple[str, str]], language: str = "en") -> list[ListedPage]:
    return [
        ListedPage(
            id=number,
            url=f"http://{host}/{number}",
            host=host,
            title=title,
            topic="Boats",
            confidence=1.0,
            probability=0.9,
            found=0.0,
            changed=0.0,
            language=language,
        )
        for number, (host, title) in enumerate(titles)
    ]


def test_phrases_of_two_telling_words_come_first_then_those_on_many_sites() -> None:
    titles = [
        ("a.test", "Brown sails and gaff rigs"),
        ("b.test", "Caring for brown sails"),
        ("c.test", "Rigged boats"),
    ]
    assert sample_queries(pages(titles), ["boat", "rigged", "sail"])[:2] == ["rigged boats", "brown sails"]


def test_a_phrase_without_a_telling_word_is_no_query() -> None:
    assert sample_queries(pages([("a.test", "Frequently asked questions")]), ["boat"]) == []


def test_a_phrase_in_titles_of_other_topics_is_no_query() -> None:
    own = pages([("a.test", "A short guide to boats"), ("b.test", "Wooden boats")])
    others = pages([("c.test", "A short guide to cheese")])
    assert sample_queries(own, ["boat", "guide"], others) == ["wooden boats"]


def test_the_name_of_a_site_in_its_titles_is_no_query() -> None:
    named = [("a.test", f"{title} - Wooden boats") for title in ("Oak hulls", "Sails", "Oars", "Ropes")]
    assert "wooden boats" not in sample_queries(pages(named), ["boat", "hull"])
    elsewhere = [*named, ("b.test", "Buying wooden boats")]
    assert "wooden boats" in sample_queries(pages(elsewhere), ["boat", "hull"])


@pytest.mark.parametrize(
    "title", ["Boats: prices", "Boats - prices", "Boats | prices", "Boats of prices", "Boats 2026"]
)
def test_words_that_do_not_belong_together_are_no_phrase(title: str) -> None:
    assert sample_queries(pages([("a.test", title)]), ["boat"]) == []


def test_phrases_are_in_lower_case_except_in_german() -> None:
    assert sample_queries(pages([("a.test", "Wooden Boats")]), ["boat"]) == ["wooden boats"]
    assert sample_queries(pages([("a.test", "Alte Boote")], "de"), ["Boote"]) == ["Alte Boote"]


def test_abbreviations_and_numbers_are_left_out_of_a_query() -> None:
    assert first_plain(["gps", "x2000", "sail", "re-rig", "hull"]) == "sail re-rig"
    assert sample_queries([], ["boat"]) == []


def test_endless_words_of_a_title_are_no_query() -> None:
    assert sample_queries(pages([("a.test", "Wooden " + "boat" * 1000)]), ["wooden"]) == []
