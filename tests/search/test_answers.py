"""The stored pages that answer a query best, whole or in part."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.search.portals import page, portal_of
from thresher.search.answers import RankedPages, words_asked_for
from thresher.search.searcher import Searcher
from thresher.store.page_records import DocumentRow

FILLING = "the crew had wind and water on a long day at sea and went on "


def row(name: str, text: str, title: str = "", **more: object) -> DocumentRow:
    return page(f"http://a.test/{name}", title, text, topic=None, **more)


def asked(folder: Path, query: str, rows: Sequence[DocumentRow], number: int = 10) -> RankedPages:
    with Searcher(portal_of(folder / "p", *rows)) as searcher:
        return searcher.answers(query, number=number)


def names(found: RankedPages) -> list[str]:
    return [hit.url.rpartition("/")[2] for hit in found.answers]


def test_a_page_with_all_words_comes_before_one_with_most_of_them_many_times(tmp_path: Path) -> None:
    rows = [
        row("part", "red boats sail red boats sail red boats sail"),
        row("whole", f"{FILLING} a red sunset {FILLING} {FILLING} boats {FILLING} sailing past {FILLING} the harbour"),
        row("none", FILLING),
    ]
    found = asked(tmp_path, "red boats sail harbour", rows)
    assert names(found) == ["whole", "part"]
    assert [hit.lacks for hit in found.answers] == [(), ("harbour",)]
    assert found.answers[0].score >= 0.5 > found.answers[1].score
    assert (found.whole, found.pages, found.missing) == (1, 3, ())


def test_words_side_by_side_and_in_the_title_count(tmp_path: Path) -> None:
    far = f"red {FILLING * 6} boats"
    near = f"{FILLING * 3} red boats {FILLING * 3}"
    rows = [row("far", far), row("near", near), row("titled", far, title="Red boats")]
    assert names(asked(tmp_path, "red boats", rows)) == ["titled", "near", "far"]


def test_rare_words_count_more(tmp_path: Path) -> None:
    common = [row(f"common{n}", f"{FILLING} boats") for n in range(20)]
    assert names(asked(tmp_path, "boats zyxomma", [*common, row("rare", f"{FILLING} zyxomma")], 1)) == ["rare"]


def test_what_no_page_has_is_told(tmp_path: Path) -> None:
    found = asked(tmp_path, "quantum boats", [row("a", "red boats")])
    assert (found.words, found.missing, found.whole) == (("quantum", "boats"), ("quantum",), 0)
    nothing = asked(tmp_path / "empty", "quantum boats", [])
    assert (nothing.answers, nothing.pages, nothing.missing) == ([], 0, ("quantum", "boats"))


@pytest.mark.parametrize("query", ["boats", "Häuser", "red boats Häuser"])
def test_words_are_stemmed_as_the_pages_are(tmp_path: Path, query: str) -> None:
    rows = [
        row("english", "The boat lay there, and it was a red one."),
        row("german", "Das Haus ist alt, und niemand wohnt mehr darin.", language="de"),
    ]
    found = names(asked(tmp_path, query, rows))
    assert ("english" in found, "german" in found) == ("boats" in query, "Häuser" in query)


def test_filters_and_excluded_words_hold_for_every_answer(tmp_path: Path) -> None:
    rows = [
        row("kept", "red boats"),
        row("excluded", "red boats of paper"),
        page("http://b.test/other", "", "red boats", topic=None),
        page("http://a.test/accepted", "", "boats", topic="Cats"),
    ]
    assert names(asked(tmp_path, "red boats -paper site:a.test", rows)) == ["kept", "accepted"]
    with Searcher(tmp_path / "p") as searcher:
        assert names(searcher.answers("boats topic:Cats")) == ["accepted"]
        assert names(searcher.answers('"red boats" paper'))[0] == "excluded"
        assert searcher.answers('"red boats" paper').words == ("red boats", "paper")


def test_a_page_that_asks_not_to_be_indexed_is_no_answer(tmp_path: Path) -> None:
    rows = [row("open", "red boats"), row("shy", "red boats", robots=["noindex"])]
    assert names(asked(tmp_path, "boats", rows)) == ["open"]


def test_the_words_of_a_crawl_are_those_that_are_asked_for() -> None:
    assert words_asked_for('boats -paper "red sails" (mast OR -keel) -(old OR new) site:a.test photo*') == [
        *("boats", "red", "sails", "mast", "photo")
    ]
    assert words_asked_for("-paper site:a.test") == []
