"""Stems: many languages, unknown ones, counting with stop words out, and a memo that stays bounded."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

import thresher.text
from thresher.text import stems
from thresher.text.stems import ALGORITHMS, MAX_PARTS, count_stems, stem, stems_of
from thresher.text.stop_words import stop_words
from thresher.text.words import words


def test_the_package_exports_stem() -> None:
    assert thresher.text.stem is stem


@pytest.mark.parametrize(
    ("word", "language", "expected"),
    [
        ("running", "en", "run"),
        ("Running", "en", "run"),
        ("running", "en-GB", "run"),
        ("dog’s", "en", "dog"),
        ("cheval", "fr", "cheval"),
        ("nouvelles", "fr", "nouvel"),
        ("Häuser", "de", "haus"),
        ("hablando", "es", "habl"),
        ("книгами", "ru", "книг"),
        ("Running", "xx", "running"),
        ("Running", "", "running"),
        ("", "en", ""),
    ],
)
def test_a_word_has_the_stem_of_its_language(word: str, language: str, expected: str) -> None:
    assert stem(word, language) == expected


def test_at_least_fifteen_languages_change_words() -> None:
    sample = "running hablando nouvelles häuser книгами huizen correndo kissoille barátokkal kitaplar läroböckerna"
    changed = {code for code in ALGORITHMS if any(stem(word, code) != word for word in sample.split())}
    assert len(changed) >= 15


def test_counts_leave_stop_words_out_and_join_forms_of_a_word() -> None:
    assert count_stems(["The", "boats", "and", "a", "BOAT"], "en") == {"boat": 2}


def test_counts_of_an_unknown_language_keep_every_word() -> None:
    assert count_stems(["The", "the", "Boats"], "xx") == {"the": 2, "boats": 1}


def test_compounds_count_by_their_parts_unless_one_is_a_letter() -> None:
    assert count_stems(["paint-boats", "x-ray"], "en") == {"paint": 1, "boat": 1, "x-ray": 1}


def test_typographic_apostrophes_count_as_plain_ones() -> None:
    assert count_stems(["don’t", "dog’s", "dog's"], "en") == {"dog": 2}


@pytest.mark.parametrize(
    ("word", "language", "expected"),
    [
        ("l’école", "fr", {"écol": 1}),
        ("qu'il", "fr", {}),
        ("dell'arte", "it", {"arte": 1}),
        ("l'home", "ca", {"hom": 1}),
        ("o'clock", "en", {"o'clock": 1}),
        ("l'", "fr", {"l'": 1}),
    ],
)
def test_elided_articles_do_not_belong_to_a_word(word: str, language: str, expected: dict[str, int]) -> None:
    assert count_stems([word], language) == expected


def test_scripts_without_spaces_count_by_pairs_of_characters() -> None:
    assert count_stems(words("東京都"), "ja") == {"東京": 1, "京都": 1}


def test_overlong_words_are_not_counted() -> None:
    assert count_stems(["x" * 65, "boat"], "en") == {"boat": 1}


@pytest.mark.parametrize(("word", "language"), [("'s", "nl"), ("''s", "en"), ("'", "tr")])
def test_a_word_that_is_all_ending_is_its_own_stem(word: str, language: str) -> None:
    assert count_stems([word, "boot"], language) == {word: 1, "boot": 1}
    assert stem(word, language) == word


def test_a_compound_without_end_counts_for_a_few_parts_only() -> None:
    compound = "-".join(["boat"] * 100_000)
    assert count_stems([compound], "en") == {"boat": MAX_PARTS}
    assert len(stems_of([compound], "en")[0]) == MAX_PARTS


def test_stop_words_are_cached_and_in_lower_case() -> None:
    assert stop_words("en") is stop_words("en")
    assert all(word == word.lower() for word in stop_words("de"))


def test_the_memo_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stems, "_MEMO", 10)
    language = stems._Language("en")
    language.count(f"word{i}" for i in range(1000))
    assert len(language._memo) <= 10


@given(st.lists(st.text(min_size=1, max_size=12)))
def test_counts_of_an_unknown_language_add_up_to_the_words(some: list[str]) -> None:
    plain = [word.replace("-", "") or "x" for word in some]
    assert sum(count_stems(plain, "xx").values()) == len(plain)


@given(st.text(max_size=80), st.sampled_from([*ALGORITHMS, "xx"]))
def test_stem_never_raises(word: str, language: str) -> None:
    assert isinstance(stem(word, language), str)
