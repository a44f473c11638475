"""The stored pages that answer a query best."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thresher.search.answers import find_answers, nearness
from thresher.search.matches import find_matches
from thresher.store.memory import MemoryStore
from thresher.store.page_records import DocumentRow
from thresher.store.records import Batch, CrawlKind
from thresher.text.query_words import QueryWords
from thresher.text.stems import count_stems
from thresher.text.words import words
from thresher.web.urls import host_of, url_id

FILLING = "the crew had wind and water on a long day at sea and went on "


def row(name: str, text: str, title: str = "", language: str = "en") -> DocumentRow:
    url = f"http://a.test/{name}"
    return DocumentRow(
        url_id=url_id(url),
        url=url,
        host=host_of(url),
        at=0.0,
        title=title,
        text=text,
        terms=dict(count_stems(words(text), language)),
        links=[],
        language=language,
    )


def store_of(*rows: DocumentRow) -> MemoryStore:
    store = MemoryStore()
    crawl = store.crawls.start(CrawlKind.CRAWL, "s", {}, at=0.0)
    store.commit(Batch(crawl=crawl.id, at=0.0, documents=list(rows)))
    return store


def best(store: MemoryStore, query: str, number: int = 10) -> list[str]:
    return [hit.url.rpartition("/")[2] for hit in find_answers(store, QueryWords(query), number).answers]


def test_a_page_with_all_words_comes_before_one_with_most_of_them_many_times() -> None:
    store = store_of(
        row("part", "red boats sail red boats sail red boats sail"),
        row("whole", f"{FILLING} a red sunset {FILLING} {FILLING} boats {FILLING} sailing past {FILLING} the harbour"),
        row("none", FILLING),
    )
    found = find_answers(store, QueryWords("red boats sail harbour"), 10)
    assert [hit.url.rpartition("/")[2] for hit in found.answers] == ["whole", "part"]
    assert [hit.lacks for hit in found.answers] == [(), ("harbour",)]
    assert found.answers[0].score >= 0.5 > found.answers[1].score
    assert (found.whole, found.pages, found.missing) == (1, 3, ())


def test_words_near_each_other_and_in_the_title_count() -> None:
    far = f"red {FILLING * 6} boats"
    near = f"{FILLING * 3} red boats {FILLING * 3}"
    assert best(store_of(row("far", far), row("near", near)), "red boats") == ["near", "far"]
    titled = row("titled", far, title="Red boats")
    assert best(store_of(row("a", far, title="Of the sea"), titled), "red boats") == ["titled", "a"]


def test_rare_words_count_more() -> None:
    common = [row(f"common{n}", f"{FILLING} boats") for n in range(20)]
    store = store_of(*common, row("rare", f"{FILLING} zyxomma"))
    assert best(store, "boats zyxomma", 1) == ["rare"]


def test_what_no_page_has_is_told() -> None:
    found = find_answers(store_of(row("a", "red boats")), QueryWords("quantum boats"), 5)
    assert (found.words, found.missing, found.whole) == (("quantum", "boats"), ("quantum",), 0)
    nothing = find_answers(MemoryStore(), QueryWords("quantum boats"), 5)
    assert (nothing.answers, nothing.pages, nothing.missing) == ([], 0, ("quantum", "boats"))


@pytest.mark.parametrize("query", ["boats", "Häuser", "red boats of Häuser"])
def test_short_queries_are_stemmed_as_the_pages_are(query: str) -> None:
    english = row("english", "The boat lay there, and it was a red one.")
    german = row("german", "Das Haus ist alt, und niemand wohnt mehr darin.", language="de")
    found = best(store_of(english, german), query)
    assert ("english" in found, "german" in found) == ("boats" in query, "Häuser" in query)


@given(st.lists(st.tuples(st.integers(0, 60), st.integers(0, 3)), max_size=30))
def test_nearness_is_that_of_the_shortest_span(places: list[tuple[int, int]]) -> None:
    ordered = sorted(set(places))
    wanted = {word for _, word in ordered}
    spans = [
        end - start + 1
        for start, _ in ordered
        for end, _ in ordered
        if end >= start and {word for place, word in ordered if start <= place <= end} == wanted
    ]
    expected = min(1.0, len(wanted) / min(spans)) if spans else 0.0
    assert math.isclose(nearness(ordered), expected)


def test_more_of_the_query_is_a_greater_share() -> None:
    matches = find_matches(
        store_of(row("a", "red"), row("b", "red boats"), row("c", "red boats boats")), QueryWords("red boats")
    )
    shares = [matches.share(match) for match in sorted(matches.found, key=lambda match: match.url)]
    assert 0 < shares[0] < shares[1] < 1
    assert [match.url[-1] for match in matches.best(9)][-1] == "a"
