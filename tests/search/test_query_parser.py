"""Queries are read as far as possible, and what cannot be used is named."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thresher.search.parsed import Compare, Group, ParsedQuery, Term, TermKind, Why
from thresher.search.query_parser import DEEPEST, MOST, parse, span_of
from thresher.search.sentence import sentence


def terms(query: str) -> list[tuple[str, str, bool]]:
    return [(term.kind.value, term.text, term.negated) for term in parse(query).terms()]


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("solar cells", [("word", "solar", False), ("word", "cells", False)]),
        ('"thin film" -"old film"', [("phrase", "thin film", False), ("phrase", "old film", True)]),
        ("“thin film”", [("phrase", "thin film", False)]),
        ('"solar"', [("exact", "solar", False)]),
        ('"thin film', [("phrase", "thin film", False)]),
        ("photo* volt%", [("prefix", "photo", False), ("prefix", "volt", False)]),
        ("-lunar NOT moon", [("word", "lunar", True), ("word", "moon", True)]),
        ("solar - cells", [("word", "solar", False), ("word", "cells", False)]),
        ("AND solar AND", [("word", "solar", False)]),
        ("AT&T", [("phrase", "AT&T", False)]),
        ("well-known", [("word", "well-known", False)]),
        ("C++ (", [("word", "C", False)]),
        ("Site:a.test -site:b.test", [("site", "a.test", False), ("site", "b.test", True)]),
        ('intitle:"two words" title:one', [("intitle", "two words", False), ("intitle", "one", False)]),
        ('topic:"Solar energy"', [("topic", "Solar energy", False)]),
        ("exact:Cells", [("exact", "Cells", False)]),
        ("foo:bar", [("phrase", "foo:bar", False)]),
        ("http://a.test/x(1)", [("inurl", "http://a.test/x", False), ("word", "1", False)]),
        ("linksto:http://a.test/x(1)", [("linksto", "http://a.test/x(1)", False)]),
        ("(site:a.test)", [("site", "a.test", False)]),
    ],
)
def test_words_phrases_and_filters(query: str, expected: list[tuple[str, str, bool]]) -> None:
    assert terms(query) == expected


def test_or_binds_closer_than_a_blank() -> None:
    one, two, three, four = (Term(TermKind.WORD, word) for word in ("one", "two", "three", "four"))
    assert parse("one two OR three | four").root == Group((one, Group((two, three, four), any=True)))
    assert parse("OR one OR").root == Group((one,))
    assert parse("(one two) OR three").root == Group((Group((Group((one, two)), three), any=True),))
    assert parse("one -(two OR three)").root == Group((one, Group((Group((two, three), any=True),), negated=True)))
    assert parse("one) two").root == Group((one, two))


@pytest.mark.parametrize(
    ("query", "text", "why"),
    [
        ("conf:>abc", "conf:>abc", Why.NOT_A_NUMBER),
        ("conf:nan", "conf:nan", Why.NOT_A_NUMBER),
        ("found:yesterday", "found:yesterday", Why.NOT_A_DATE),
        ("-changed:>2026-13-01", "-changed:>2026-13-01", Why.NOT_A_DATE),
        ("state:odd", "state:odd", Why.NOT_A_STATE),
        ("site:", "site:", Why.EMPTY),
        ("*", "*", Why.NO_WORD),
        ("a*", "a*", Why.TOO_SHORT),
        ("!!", "!!", Why.NO_WORD),
        ('exact:"..."', 'exact:"..."', Why.NO_WORD),
    ],
)
def test_what_cannot_be_used_is_left_out_and_the_rest_counts(query: str, text: str, why: Why) -> None:
    parsed = parse(f"solar {query} cells")
    assert [term.text for term in parsed.terms()] == ["solar", "cells"]
    assert [(part.text, part.why) for part in parsed.left_out] == [(text, why)]
    assert f"`{text}` was ignored: " in sentence(parsed)


def test_comparisons() -> None:
    found = [
        (term.kind, term.compare, term.text) for term in parse("conf:0.8 conf:<=80% found:2026 found:>2026-11").terms()
    ]
    assert found == [
        (TermKind.CONFIDENCE, Compare.AT_LEAST, "0.8"),
        (TermKind.CONFIDENCE, Compare.AT_MOST, "80%"),
        (TermKind.FOUND, Compare.EQUAL, "2026"),
        (TermKind.FOUND, Compare.MORE, "2026-11"),
    ]


def test_a_month_ends_where_the_next_begins() -> None:
    december, january = span_of("2026-12"), span_of("2027-01")
    assert december is not None
    assert january is not None
    assert december[1] == january[0]


def test_endless_queries_are_cut() -> None:
    many = parse("word " * 300)
    assert len(many.terms()) == MOST
    assert many.left_out[0].why is Why.TOO_MANY
    deep = parse("(" * 900 + "word" + ")" * 900 + " last")
    assert [term.text for term in deep.terms()] == ["word", "last"]
    assert [part.why for part in deep.left_out] == [Why.TOO_DEEP]
    assert DEEPEST < 100


PIECES = st.sampled_from(
    [
        "(",
        ")",
        '"',
        "-",
        "OR",
        "AND",
        "NOT",
        " ",
        "solar",
        "*",
        "%",
        ":",
        "conf:",
        ">",
        "site:",
        "東京都",
        "topic:",
        "|",
    ]
)


@given(st.text() | st.lists(PIECES, max_size=60).map("".join))
def test_every_query_is_understood_somehow_and_told_in_a_sentence(query: str) -> None:
    parsed = parse(query)
    assert isinstance(parsed, ParsedQuery)
    told = sentence(parsed)
    assert told.startswith("I looked for ")
    assert told.endswith(".")
