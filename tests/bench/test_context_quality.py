"""Contexts are measured against the page behind the link."""

import pytest

from tests.bench.handmade import hand_web, parsed
from thresher.bench.context_quality import CONTEXTS, context_quality, mean_quality

WORDS = {
    "boat": "harbour mast harbour mast",
    "hub": "nothing here speaks of it " * 30,
    "near": "harbour mast harbour mast",
    "car": "wheel engine",
}


def test_a_context_that_speaks_of_the_target_is_close_and_another_is_not() -> None:
    web = hand_web({"hub": "boat", "near": "boat", "boat": "", "car": ""}, {"boat": "boats", "car": "-"}, words=WORDS)
    rows = {row.context: row for row in context_quality(web, parsed(web), "boats")}
    assert set(rows) == set(CONTEXTS)
    assert all(row.links == 2 for row in rows.values())
    # A window holds the words before the link: those of the target on one page, none of them on the other.
    assert rows["window-10"].zero in (0.0, 0.5)
    assert 0 < rows["window-10"].similarity < 1
    assert all(0 <= row.similarity <= 1 and 0 <= row.zero <= 1 for row in rows.values())


def test_a_word_that_only_link_and_target_have_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    words = {"hub": "zeppelin", "boat": "zeppelin", **{f"x{n}": f"other{n}" for n in range(30)}}
    web = hand_web(dict.fromkeys(words, "") | {"hub": "boat"}, {"boat": "boats", "x0": "-"}, words=words)
    monkeypatch.setattr("thresher.bench.context_quality.SAMPLE", 1)
    assert {row.zero for row in context_quality(web, parsed(web), "boats")} == {0.0}


def test_links_are_drawn_alike_each_time_and_no_more_than_asked_for() -> None:
    links = {f"h{n}": "boat" for n in range(9)} | {"boat": "h0", "car": ""}
    web = hand_web(links, {"boat": "boats", "car": "-"}, words=WORDS)
    pages = parsed(web)
    first = context_quality(web, pages, "boats", links=4)
    assert first == context_quality(web, pages, "boats", links=4)
    assert {row.links for row in first} == {4}


def test_a_topic_nobody_links_to_has_no_contexts() -> None:
    web = hand_web({"boat": "car", "car": ""}, {"boat": "boats", "car": "-"}, words=WORDS)
    assert context_quality(web, parsed(web), "boats") == []


def test_means_are_over_topics() -> None:
    web = hand_web({"hub": "boat car", "boat": "", "car": ""}, {"boat": "boats", "car": "cars"}, words=WORDS)
    pages = parsed(web)
    rows = [row for topic in ("boats", "cars") for row in context_quality(web, pages, topic)]
    means = {name: similarity for name, similarity, _ in mean_quality(rows)}
    expected = [row.similarity for row in rows if row.context == "page"]
    assert means["page"].n == 2
    assert means["page"].mean == pytest.approx(sum(expected) / 2)
