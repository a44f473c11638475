"""Snippets show why a page was found."""

from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from thresher.search.query_parser import parse
from thresher.search.snippets import _OTHER_BEGINNINGS, LENGTH, _beginning_alike, marks, snippets
from thresher.store.search_records import PageHead
from thresher.text.stems import ALGORITHMS, stems_of

WORDS = [
    "boat",
    "Boats",
    "sailing",
    "sail",
    "Haus",
    "Häuser",
    "e-mail",
    "mail",
    "hand-painted",
    "painted",
    "don’t",
    "東京",
    "the",
    ".",
    "\n",
    "a|b",
]
QUERIES = [
    "boat",
    "sail*",
    '"the boat"',
    "exact:boats",
    "häuser -boat",
    "東京",
    "don't sailing",
    "topic:any",
    "(a OR e-mail)",
]

texts = st.lists(st.sampled_from(WORDS), max_size=120).map(" ".join)
robots = st.sampled_from([(), (), ("nosnippet",), ("max-snippet:20",)])
pages = st.builds(
    PageHead, st.just("http://a.test/"), texts, texts, texts, st.sampled_from(["en", "de", "ja", ""]), robots
)


@given(st.lists(pages, max_size=4), st.sampled_from(QUERIES))
def test_the_snippet_of_a_page_does_not_depend_on_the_pages_beside_it(heads: list[PageHead], query: str) -> None:
    wanted = marks(parse(query))
    together = snippets(heads, wanted)
    assert together == [snippets([head], wanted)[0] for head in heads]
    for head, snippet in zip(heads, together, strict=True):
        assert len(snippet.text) <= (0 if "nosnippet" in head.robots else 20 if head.robots else LENGTH)
        ends = [place for span in snippet.marked for place in span]
        assert ends == sorted(ends)
        assert all(0 <= place <= len(snippet.text) for place in ends)


def test_words_are_marked_by_the_stems_of_the_language_of_their_page() -> None:
    heads = [PageHead("u", "", "Viele Häuser stehen hier.", "", code, ()) for code in ("de", "en")]
    german, english = snippets(heads, marks(parse("haus")))
    assert [german.text[start:end] for start, end in german.marked] == ["Häuser"]
    assert not english.marked


def test_a_long_sentence_is_cut_where_it_has_most_of_the_words() -> None:
    far = (
        "They like the harbour and "
        + "the quay and " * 17
        + "the harbour where boats lie, and so on and so on and so on."
    )
    (found,) = snippets([PageHead("u", "", far, "", "en", ())], marks(parse("harbour boats")))
    assert [found.text[start:end] for start, end in found.marked] == ["harbour", "boats"]


def test_a_word_is_not_marked_inside_another() -> None:
    (found,) = snippets(
        [PageHead("u", "", "Mail, e-mail, mail-order and mailing.", "", "en", ())], marks(parse("mail"))
    )
    assert [found.text[start:end] for start, end in found.marked] == ["Mail", "mail-order", "mailing"]


WORDS = st.lists(st.text("abeiklmnorstuäéößøłçйк", min_size=1), min_size=1, max_size=3).flatmap(
    lambda parts: st.sampled_from("-'").map(lambda joint: joint.join(parts))
)
"""Words as texts are cut: letters with single joints between them."""


@settings(max_examples=60, suppress_health_check=[HealthCheck.too_slow])
@given(
    st.sampled_from([*sorted(ALGORITHMS.keys() - _OTHER_BEGINNINGS), "", "xx"]),
    st.lists(WORDS, max_size=30),
)
@example("nl", ["'s"])
def test_words_that_begin_otherwise_never_have_a_stem_of_the_query(language: str, written: list[str]) -> None:
    for word, stems in zip(written, stems_of(written, language), strict=True):
        for stem in stems:
            assert word in _beginning_alike(written, [stem])
