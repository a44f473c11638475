"""Pieces of pages that are made without a template: every text in them is escaped."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markupsafe import Markup, escape

from thresher.portal.fragments import escaped, facet_choice, facet_label, score_part, topic_link, where
from thresher.portal.list_entries import list_entry
from thresher.portal.messages import messages_in
from thresher.store.portal_records import LinkNumbers, ListedPage

HOSTILE = "\"><script>alert(1)</script>' onload='x"


def facet(name: str) -> Markup:
    return facet_choice("en", name, HOSTILE, HOSTILE, 3, chosen=True, colour=2, depth=1)


def entry(preview: str, *, new: bool = False) -> Markup:
    page = ListedPage(
        id=1,
        url=f"http://a.test/{HOSTILE}",
        host=HOSTILE,
        title=HOSTILE,
        topic=HOSTILE,
        confidence=1.0,
        probability=0.9,
        found=0.0,
        changed=0.0,
        preview=preview,
        mime=HOSTILE,
        language=HOSTILE,
    )
    return list_entry("en", page, LinkNumbers(3, 1), HOSTILE, 1, new=new)


@pytest.mark.parametrize(
    "made",
    [
        entry(HOSTILE),
        entry(HOSTILE * 20, new=True),
        where(f"http://a.test/{HOSTILE}", HOSTILE),
        topic_link(HOSTILE, HOSTILE, 1),
        score_part("en", HOSTILE, 0.5, 1.0, 0.5),
        *(facet(name) for name in ("topic", "site", "type", "lang", "sure", "found")),
    ],
)
def test_nothing_from_the_web_gets_out_of_its_place(made: Markup) -> None:
    assert "<script" not in made
    assert "' onload" not in made


@pytest.mark.parametrize(
    ("facet", "name", "told"),
    [
        ("lang", "de", "German"),
        ("type", "pdf", "PDF"),
        ("type", "image/png", "<bdi>image/png</bdi>"),
        ("sure", "very", "very sure"),
        ("found", "2026", "<bdi>2026</bdi>"),
        ("topic", "very", "<bdi>very</bdi>"),
    ],
)
def test_values_of_facets_are_named_in_the_language_of_the_reader(facet: str, name: str, told: str) -> None:
    assert facet_label(messages_in("en"), facet, name) == told


def test_a_value_says_whether_it_is_chosen_and_of_dates_only_one_can_be() -> None:
    plain = facet_choice("de", "site", "a.test", "a.test", 1234, chosen=False, colour=None, depth=0)
    assert "checked" not in plain
    assert 'type="checkbox"' in plain
    assert "1.234" in plain
    dated = facet_choice("en", "found", "2026", "2026", 3, chosen=True, colour=None, depth=0)
    assert 'type="radio"' in dated
    assert " checked>" in dated


def test_a_bar_stays_in_its_box() -> None:
    assert 'width="100%"' in score_part("en", "text", 7.0, 1.0, 7.0)
    assert 'width="0%"' in score_part("en", "text", -1.0, 1.0, -1.0)


def test_a_list_entry_says_what_is_known() -> None:
    told = entry("word " * 80, new=True)
    assert "word word …</p>" in told
    assert "new" in told
    assert "3 pages" in told
    assert "<p" not in entry("")


@given(st.text(st.sampled_from("ab &<>\"'ä\x00")))
def test_a_text_is_escaped_like_markup(text: str) -> None:
    assert escaped(text) == str(escape(text))
